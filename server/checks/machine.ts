import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { publicOrigin, type Config } from '#server/config.ts'
import { isOpenToOthers } from '#server/data-dir.ts'
import { findSecret, fingerprintOf } from '#server/secret.ts'
import { openS3Client, type S3Settings } from '#server/uploads/s3-client.ts'
import { ask } from './ask.ts'
import { describeFault, fail, isLive, ok, warn, type Check, type Finding } from './check.ts'

/* What the shop needs of its machine, and of the store of its pictures. */

const megabyte = 1024 * 1024

export const fullDisk = fail(
  'The disk of DATA_DIR is full.',
  'Make room now: the shop goes on by itself.',
)

/** Less is nearly full: PostgreSQL alone writes files of 16 MB. */
export const isFull = (freeBytes: number): boolean => freeBytes < 64 * megabyte

/** PostgreSQL stops at a full disk, and what is left fills within days once uploads or logs grow. */
const minFreeMegabytes = 500
const lowFreeMegabytes = 2_000

/** A package for builds: if it is installed, the others are too. */
const buildPackage = join(import.meta.dirname, '..', '..', 'node_modules', 'vite')

export const machineChecks: Check[] = [
  {
    code: 'shop',
    shownIn: { doctor: true },
    find: ({ machine, config }) =>
      machine &&
      (machine.isRunning
        ? ok('It is running.')
        : warn(`Nothing answers on port ${config.port}.`, 'npm start')),
  },
  {
    code: 'settings',
    shownIn: { doctor: true },
    find: ({ config }) => config.hints.map((title) => warn(title, 'Correct the settings.')),
  },
  {
    code: 'saved settings',
    shownIn: { doctor: true },
    after: 'migrations',
    find: ({ machine }) =>
      machine?.settingsFault
        ? fail(`They cannot be read: ${describeFault(machine.settingsFault)}`)
        : undefined,
  },
  {
    code: 'disk',
    shownIn: { doctor: true },
    async find({ machine, config: { dataDir } }) {
      if (!machine) return undefined
      if (!existsSync(dataDir)) return describeMissing(dataDir)
      const { bavail, blocks, bsize } = await machine.readDisk(dataDir)
      const free = Math.floor((bavail * bsize) / megabyte)
      const title = `${free} MB of ${Math.floor((blocks * bsize) / megabyte)} MB are free for ${dataDir}`
      const problem = await findWriteProblem(dataDir)
      if (problem)
        return fail(`Nothing can be written to ${dataDir}: ${problem}`, 'Check who owns it.')
      if (isFull(bavail * bsize)) return { ...fullDisk, detail: title }
      if (free < minFreeMegabytes) return fail(title, 'Make room now: a full disk stops the shop.')
      return free < lowFreeMegabytes ? warn(title, 'Make room, or move DATA_DIR.') : ok(title)
    },
  },
  {
    code: 'data folder',
    shownIn: { doctor: true },
    async find({ machine, config: { dataDir } }) {
      if (!machine) return undefined
      if (!existsSync(dataDir)) return describeMissing(dataDir)
      return (await isOpenToOthers(dataDir))
        ? warn(`Other users of this machine may look into ${dataDir}.`, `chmod 700 ${dataDir}`)
        : ok(`Only its owner may look into ${dataDir}.`)
    },
  },
  // Whether the secret is the one with which the shop of this database signed.
  {
    code: 'secret',
    shownIn: { doctor: true },
    after: 'migrations',
    async find({ machine, config }) {
      if (!machine?.database) return undefined
      const { databaseUrl, sessionSecret, dataDir } = config
      const file = join(dataDir, 'secret')
      const own = await findSecret(config)
      if (own === undefined)
        return fail(
          `${file} is missing: what the shop signed with it no longer works.`,
          'Restore it from a backup, or set SESSION_SECRET to the one of another node.',
        )
      const { rows } = await machine.database.pool.query(
        'select secret_print from nodes order by seen_at desc limit 1',
      )
      const known: string | undefined = rows[0]?.secret_print
      if (known !== undefined && known !== fingerprintOf(own))
        return fail(
          `${sessionSecret ? 'SESSION_SECRET' : file} is not the secret of the node that ran last: links in mails, webhooks and second factors of one are refused by the other.`,
          'Give this node the secret of the others: SESSION_SECRET, or the file secret in their DATA_DIR.',
        )
      if (sessionSecret) return ok('SESSION_SECRET is set.')
      return databaseUrl
        ? warn(
            `SESSION_SECRET is not set: the secret is in ${file} of this machine alone.`,
            'For more than one node set SESSION_SECRET on all of them, to what is in that file.',
          )
        : ok(`In ${file}. Back it up with the database.`)
    },
  },
  {
    code: 'packages',
    shownIn: { doctor: true },
    async find(facts) {
      if (!facts.machine) return undefined
      if (!existsSync(buildPackage)) return ok('Only those of production.')
      const title = 'Those for tests and builds are installed too.'
      const todo = 'Start with NODE_ENV=production npm start, which removes them.'
      return (await isLive(facts)) ? warn(title, todo) : ok(title)
    },
  },
  // Writes, reads and deletes a small object, as the shop does with pictures.
  {
    code: 'pictures',
    shownIn: { doctor: true },
    find({ machine, config: { pictureStore, databaseUrl } }) {
      if (!machine) return undefined
      if (pictureStore) return askStore(pictureStore)
      return databaseUrl
        ? warn(
            'On the disk of this machine: other nodes do not have them.',
            'For more than one node set S3_ENDPOINT and the other S3_ settings.',
          )
        : ok('On the disk of this machine.')
    },
  },
  // Asks the store as a browser of the back-office would.
  {
    code: 'uploads',
    shownIn: { doctor: true },
    find: ({ machine, config }) =>
      machine && config.pictureStore && askForUploads(config.pictureStore, config),
  },
  {
    code: 'countries of visitors',
    shownIn: { notice: 'geo-locations' },
    async find({ findGeoProblem }) {
      const problem = await findGeoProblem?.()
      if (problem === undefined) return undefined
      return {
        level: 'warn',
        title: 'The countries of visitors are not known.',
        text: problem.replace('GEOIP_DB: the', 'The'),
        howTo: 'GEOIP_DB',
      }
    },
  },
]

function describeMissing(dataDir: string): Finding {
  return warn(`${dataDir} does not exist yet.`, 'npm start')
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

async function askStore(store: S3Settings): Promise<Finding> {
  const where = `the bucket ${store.bucket} at ${new URL(store.endpoint).host}`
  const { send } = openS3Client(store)
  const path = `/objects/doctor-${randomBytes(8).toString('hex')}`
  const content = randomBytes(32).toString('hex')
  try {
    await send(path, { method: 'PUT', body: content })
    const read = await (await send(path, { method: 'GET' })).text()
    await send(path, { method: 'DELETE' })
    return read === content
      ? ok(`Written to, read from and deleted in ${where}.`)
      : fail(`What was written to ${where} was read otherwise.`, 'Ask its operator.')
  } catch (error) {
    return fail(
      `No picture can be stored in ${where}: ${describeFault(error).slice(0, 300)}`,
      'Check the S3_ settings: the key must be allowed to write, read, list and delete in this bucket.',
    )
  }
}

async function askForUploads({ endpoint, bucket }: S3Settings, config: Config): Promise<Finding> {
  const origin = publicOrigin(config)
  const url = `${endpoint.replace(/\/$/, '')}/${bucket}/incoming/doctor`
  const headers = {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'content-type',
  }
  const answer = await ask(url, { method: 'OPTIONS', headers }).catch(() => undefined)
  const allowed = answer?.headers.get('access-control-allow-origin')
  const methods = answer?.headers.get('access-control-allow-methods') ?? ''
  const isAllowed = (allowed === '*' || allowed === origin) && methods.includes('PUT')
  return isAllowed
    ? ok(`The bucket accepts uploads from ${origin}.`)
    : fail(
        `The bucket does not accept uploads from ${origin}.`,
        `Allow it in the bucket's CORS rules: origin ${origin}, method PUT, header content-type, expose ETag.`,
      )
}
