import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createBackup, describeMissing } from '#server/backup/create-backup.ts'
import { recordBackup } from '#server/backup/scheduled-backups.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { readConfig, type Config } from '#server/config.ts'
import { describeError } from '#server/describe-error.ts'
import { findSecret } from '#server/secret.ts'
import { variables } from '#server/environment-variables.ts'
import { openPictureStore } from '#server/uploads/open-pictures.ts'
import { runCommand, withShopDatabase } from '#tools/command.ts'
import { askHidden, showProgress } from '#tools/terminal.ts'

const usage = `Usage:
  npm run backup -- FILE               everything of the shop in one file, also while it runs
  npm run backup -- FILE --encrypt     asks for a passphrase; BACKUP_PASSPHRASE encrypts without asking
The file holds personal data of customers and secrets of the shop.`

await runCommand(async () => {
  const { file, asks } = parse()
  const config = readConfig()
  const value = await findShop(config)
  const passphrase = asks && !config.backup.passphrase ? await askTwice() : config.backup.passphrase
  const store = openPictureStore(config, value)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stopping.abort(new CannotStart('Stopped. No backup was written.')))

  const run = async (...[db, pool]: Parameters<Parameters<typeof withShopDatabase>[1]>) => {
    const source = { pool, store, secret: { value, isGenerated: !config.sessionSecret } }
    const { signal } = stopping
    const options = { passphrase, onProgress: showProgress(), signal, assertsPlace: true }
    const { bytes, manifest, end } = await createBackup(source, file, options).catch(
      (error: unknown) => {
        throw signal.aborted ? signal.reason : error
      },
    )
    const missing = describeMissing(end)
    await recordBackup(db, { file, bytes, problem: missing }).catch((error: unknown) =>
      console.log(
        `The backup is written, but the shop does not know of it: ${describeError(error).message}`,
      ),
    )
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `${file}: ${rows.toLocaleString('en')} rows in ${manifest.tables.length} tables, ` +
        `${end.pictures} pictures, ${formatMegabytes(bytes)}, ${passphrase ? 'encrypted' : 'not encrypted'}.`,
    )
    if (missing) console.log(missing)
    if (!manifest.secret.isIncluded)
      console.log('SESSION_SECRET comes from your settings and is not in it: keep it elsewhere.')
    console.log('It holds personal data of customers: keep it where only you can read it.')
  }
  // The schema stays as it is: before an update one backs up what is there.
  await withShopDatabase(config, run, { hasTimeouts: false, migrates: false })
})

function parse(): { file: string; asks: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { encrypt: { type: 'boolean', default: false } },
    })
    const [file, ...more] = positionals
    if (file && more.length === 0) return { file: resolve(file), asks: values.encrypt }
  } catch {
    // An option that does not exist.
  }
  throw new CannotStart(usage)
}

/** Elsewhere than where the shop runs, a backup would lack its secret. */
async function findShop(config: Config): Promise<string> {
  const secret = await findSecret(config)
  const isHere = config.databaseUrl || existsSync(join(config.dataDir, 'postgres'))
  if (secret !== undefined && isHere) return secret
  throw new CannotStart(
    `There is no shop in ${config.dataDir}. Run the backup where the shop runs, with its settings.`,
  )
}

async function askTwice(): Promise<string> {
  const { schema, expected } = variables.BACKUP_PASSPHRASE
  const passphrase = await askHidden('Passphrase: ')
  if (!schema.safeParse(passphrase).success)
    throw new CannotStart(`The passphrase must have ${expected}.`)
  if ((await askHidden('Again: ')) !== passphrase)
    throw new CannotStart('The two passphrases differ.')
  return passphrase
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
