import { existsSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { otherMethods } from '#contract/payment-methods.ts'
import { refusals } from '#contract/refusals.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { isOpenToOthers } from '#server/data-dir.ts'
import { findSecret, fingerprintOf } from '#server/secret.ts'
import { attempt, describeFault, fail, ok, warn, type Check } from './check.ts'
import { checkDatabase } from './database-checks.ts'
import {
  checkCustomDomain,
  checkMail,
  checkPictureStore,
  checkProxyHeaders,
  checkPublicUrl,
  checkSumup,
  isShopRunning,
} from './outside-checks.ts'

/**
 * Opens the database beside a running shop, or starts it for as long as the work takes. `readSaved` is what is in force
 * with the settings that the owner has saved there.
 */
export type WithDatabase = (
  work: (
    database: Pick<Database, 'db' | 'pool' | 'isPooled'> & { readSaved?: () => Promise<Config> },
  ) => Promise<void>,
) => Promise<void>

/**
 * Looks at everything that a shop needs to take money, from where the shop stands, and changes nothing: one row in the
 * database, one file and one object are written and replaced or deleted. Beside a running shop and without one.
 */
export async function examineShop(
  configAtStart: Config,
  withDatabase: WithDatabase,
  readDisk: ReadDisk = statfs,
): Promise<Check[]> {
  const isRunning = await isShopRunning(configAtStart)
  const { checks: database, config } = await examineDatabase(configAtStart, withDatabase)
  const isLive = config.payments.account !== undefined
  const outside = Promise.all([
    attempt('disk', () => checkDisk(config.dataDir, readDisk)),
    attempt('data folder', () => checkDataDir(config.dataDir)),
    attempt('PUBLIC_URL', () => checkPublicUrl(config, isRunning)),
    attempt('proxy headers', () => checkProxyHeaders(config, isRunning)),
    attempt('custom domain', () => checkCustomDomain(config, { isRunning, isLive })),
    attempt('mail', () => checkMail(config, isLive)),
    checkPictureStore(config),
    checkSumup(config),
  ])
  return [
    isRunning
      ? ok('shop', 'It is running.')
      : warn('shop', `Nothing answers on port ${config.port}.`, 'npm start'),
    ...config.hints.map((hint) => warn('settings', hint, 'Correct the settings.')),
    ...config.conflicts.map((conflict) =>
      warn('settings', `A saved setting is not used. ${refusals[conflict].text}`, 'Correct it.'),
    ),
    ...checkMethods(config),
    checkPackages(isLive),
    ...database,
    ...(await outside).flat(),
  ]
}

/** Also returns the settings in force: without a database those of the environment. */
async function examineDatabase(
  configAtStart: Config,
  withDatabase: WithDatabase,
): Promise<{ checks: Check[]; config: Config }> {
  let config = configAtStart
  const { databaseUrl, databasePool: poolSize, dataDir, backup } = config
  const isBuiltIn = databaseUrl === undefined
  if (isBuiltIn && !existsSync(join(dataDir, 'postgres')))
    return {
      config,
      checks: [warn('database', `There is none in ${dataDir} yet.`, 'npm start creates it.')],
    }
  let checks: Check[] = []
  try {
    await withDatabase(async (database) => {
      const saved = await attempt('saved settings', async () => {
        config = (await database.readSaved?.()) ?? config
        return ok('saved settings', 'They are read from the database.')
      })
      const isLive = config.payments.account !== undefined
      const hasBackups = backup.folder !== undefined
      checks = await checkDatabase(database, { isBuiltIn, isLive, hasBackups, poolSize })
      if (saved.status !== 'ok') checks.push(saved)
      checks.push(await attempt('secret', () => checkSecret(config, database.pool)))
    })
    return { config, checks }
  } catch (error) {
    const todo = 'Mend that and ask the doctor again: the shop cannot start without it.'
    return { config, checks: [fail('database', describeFault(error), todo)] }
  }
}

/** What the ways to pay beside the card need of this shop. What SumUp and Apple say of it, nobody here can tell. */
export function checkMethods({
  methods,
  customDomain,
  publicUrl,
}: Pick<Config, 'methods' | 'customDomain' | 'publicUrl'>): Check[] {
  const { otherMethods: chosen, applePayFile, googlePayMerchantId } = methods
  if (chosen.length === 0) return []
  const name = 'ways to pay'
  const todo = 'Enter it in the settings of the back-office, under Methods.'
  const checks: Check[] = []
  if (chosen.includes('apple_pay') && applePayFile === null)
    checks.push(
      warn(name, 'Apple Pay: Apple’s file is missing, so Apple may not know the domain.', todo),
    )
  if (chosen.includes('google_pay') && googlePayMerchantId === null)
    checks.push(
      warn(name, 'Google Pay: the merchant ID is missing, so buyers are not offered it.', todo),
    )
  const address = customDomain ?? publicUrl
  if (!address?.startsWith('https:'))
    checks.push(
      warn(
        name,
        'The address of the shop does not begin with https: wallets stay hidden, and banks may not lead back.',
        'Put a proxy with TLS in front of the shop and enter its address in the settings.',
        'PUBLIC_URL=https://shop.example.com',
      ),
    )
  const names = chosen.map((id) => otherMethods[id].name).join(', ')
  return checks.length > 0 ? checks : [ok(name, `Beside the card: ${names}.`)]
}

const megabyte = 1024 * 1024
/** PostgreSQL stops at a full disk, and what is left fills within days once uploads or logs grow. */
const minFreeMegabytes = 500
const lowFreeMegabytes = 2_000

type ReadDisk = (folder: string) => Promise<{ bavail: number; blocks: number; bsize: number }>

async function checkDisk(dataDir: string, readDisk: ReadDisk): Promise<Check> {
  const name = 'disk'
  if (!existsSync(dataDir)) return warn(name, `${dataDir} does not exist yet.`, 'npm start')
  const { bavail, blocks, bsize } = await readDisk(dataDir)
  const free = Math.floor((bavail * bsize) / megabyte)
  const found = `${free} MB of ${Math.floor((blocks * bsize) / megabyte)} MB are free for ${dataDir}`
  const problem = await findWriteProblem(dataDir)
  if (problem)
    return fail(name, `Nothing can be written to ${dataDir}: ${problem}`, 'Check who owns it.')
  if (free < minFreeMegabytes)
    return fail(name, found, 'Make room now: a full disk stops the shop.')
  return free < lowFreeMegabytes
    ? warn(name, found, 'Make room, or move DATA_DIR.')
    : ok(name, found)
}

async function checkDataDir(dataDir: string): Promise<Check> {
  const name = 'data folder'
  if (!existsSync(dataDir)) return warn(name, `${dataDir} does not exist yet.`, 'npm start')
  return (await isOpenToOthers(dataDir))
    ? warn(name, `Other users of this machine may look into ${dataDir}.`, `chmod 700 ${dataDir}`)
    : ok(name, `Only its owner may look into ${dataDir}.`)
}

async function findWriteProblem(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, `.doctor-${process.pid}`)
  try {
    const handle = await open(file, 'w')
    try {
      await handle.writeFile('x')
      await handle.sync()
    } finally {
      await handle.close()
    }
    return undefined
  } catch (error) {
    return describeFault(error)
  } finally {
    await rm(file, { force: true })
  }
}

/** Whether it is the one with which the shop of this database signed. */
async function checkSecret(config: Config, pool: Pool): Promise<Check> {
  const name = 'secret'
  const { databaseUrl, sessionSecret, dataDir } = config
  const file = join(dataDir, 'secret')
  const secret = await findSecret(config)
  if (secret === undefined)
    return fail(
      name,
      `${file} is missing: what the shop signed with it no longer works.`,
      'Restore it from a backup, or set SESSION_SECRET to the one of another node.',
    )
  const { rows } = await pool.query('select secret_print from nodes order by seen_at desc limit 1')
  const known: string | undefined = rows[0]?.secret_print
  if (known !== undefined && known !== fingerprintOf(secret))
    return fail(
      name,
      `${sessionSecret ? 'SESSION_SECRET' : file} is not the secret of the node that ran last: links in mails, webhooks and second factors of one are refused by the other.`,
      'Give this node the secret of the others: SESSION_SECRET, or the file secret in their DATA_DIR.',
    )
  if (sessionSecret) return ok(name, 'SESSION_SECRET is set.')
  return databaseUrl
    ? warn(
        name,
        `SESSION_SECRET is not set: the secret is in ${file} of this machine alone.`,
        'For more than one node set SESSION_SECRET on all of them, to what is in that file.',
      )
    : ok(name, `In ${file}. Back it up with the database.`)
}

/** A package for builds: if it is installed, the others are too. */
const buildPackage = join(import.meta.dirname, '..', '..', 'node_modules', 'vite')

function checkPackages(isLive: boolean): Check {
  const name = 'packages'
  if (!existsSync(buildPackage)) return ok(name, 'Only those of production.')
  const found = 'Those for tests and builds are installed too.'
  return isLive
    ? warn(name, found, 'Start with NODE_ENV=production npm start, which removes them.')
    : ok(name, found)
}
