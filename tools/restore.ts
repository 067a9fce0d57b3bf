import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { firstLoginFile } from '#server/admin/admins.ts'
import {
  checkBackup,
  decideSecret,
  restoreBackup,
  type CheckedBackup,
} from '#server/backup/restore-backup.ts'
import { isPublicKey } from '#server/backup/encryption.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import { openPictureStore } from '#server/uploads/open-pictures.ts'
import { runCommand, withShopDatabase } from '#tools/command.ts'
import { askHidden, showProgress } from '#tools/terminal.ts'

const usage = `Usage:
  npm run restore -- FILE                   into an empty shop (DATA_DIR or DATABASE_URL) that is stopped
  npm run restore -- FILE --check           reads all of the file and says what is in it; changes nothing
  npm run restore -- FILE --other-secret    although SESSION_SECRET is another one than the shop had
  npm run restore -- FILE --unencrypted     although BACKUP_PASSPHRASE is set and the file is not encrypted`

/** What each way shows of the writer. */
const encryptions: Record<CheckedBackup['encryption'], string> = {
  none: 'not encrypted: anybody who had the file can have changed it',
  passphrase: 'encrypted with a passphrase: whoever wrote it knew that',
  'public-key':
    'encrypted to a public key: whoever knows that key can have written it, so make sure that admins, address and account are yours',
}

await runCommand(async () => {
  const { file, values } = parse()
  const config = readConfig()
  const { passphrase } = config.backup
  let asked: Promise<string> | undefined
  // A public key opens nothing.
  const known = passphrase && !isPublicKey(passphrase) ? passphrase : undefined
  const question = `${known || !passphrase ? 'Passphrase' : 'Secret key'} of ${file}: `
  const askPassphrase = async () => known ?? (asked ??= askHidden(question))
  const options = { askPassphrase, onProgress: showProgress() }
  const checked = await checkBackup(file, options)
  describe(checked)
  if (values.check) return
  if (passphrase !== undefined && checked.encryption === 'none' && !values.unencrypted)
    throw new CannotStart(
      `${file} is not encrypted, although BACKUP_PASSPHRASE is set: somebody else may have written or changed it. ` +
        'If you know that it is yours, add --unencrypted.',
    )
  const { dataDir, sessionSecret } = config
  const here = { sessionSecret, acceptsOtherSecret: values['other-secret'] }
  const writesSecret = decideSecret(here, checked)
  // The secret signs upload addresses, of which none is made here.
  const store = openPictureStore(config, '')
  await withShopDatabase(
    config,
    (_db, pool) => restoreBackup({ pool, store, dataDir, writesSecret }, checked, options),
    { hasTimeouts: false, migrates: false },
  )
  // The first login of an admin that was made at an earlier start and is replaced now.
  await rm(firstLoginFile(dataDir), { force: true })
  console.log(
    'The shop is restored. Start it as usual: npm start\n' +
      `Everybody logs in again. Once started, it asks SumUp at once for payments since ${checked.manifest.createdAt}; ` +
      'what was paid comes back as an order or stands in review above the orders. Until then products whose pieces are ' +
      'counted are not sold. A notice in the back-office says what to look through.',
  )
})

function parse() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        check: { type: 'boolean', default: false },
        'other-secret': { type: 'boolean', default: false },
        unencrypted: { type: 'boolean', default: false },
      },
    })
    const [file, ...more] = positionals
    if (file && more.length === 0) return { file: resolve(file), values }
  } catch {
    // An option that does not exist.
  }
  throw new CannotStart(usage)
}

function describe({ file, encryption, manifest, end, facts }: CheckedBackup): void {
  const { version, createdAt, migrations, tables, secret } = manifest
  const count = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0
  console.log(
    `${file}: of ${createdAt}, by Till ${version}, schema version ${migrations.length}\n` +
      `  ${count('products')} products, ${count('orders')} orders, ${count('checkouts')} checkouts, ${end.pictures} pictures${end.missing > 0 ? ` (${end.missing} more were missing in the store)` : ''}\n` +
      `  ${tables.length} tables with ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows\n` +
      `  ${describeAdmins(facts)}\n` +
      `  ${describeAddress(facts)}\n` +
      `  SumUp account: ${quote(facts.merchantCode) ?? 'none is saved in it'}\n` +
      `  ${secret.isIncluded ? 'with the secret of the shop' : 'without SESSION_SECRET, which came from its settings'}\n` +
      `  ${encryptions[encryption]}\n` +
      '  all of it can be read',
  )
}

function describeAdmins({ admins, invited }: CheckedBackup['facts']): string {
  const names = admins.map(
    ({ username, email, isDisabled }) =>
      `${quote(username)} (${quote(email)}${isDisabled ? ', disabled' : ''})`,
  )
  const more = invited.map((email) => `${quote(email)} (invited)`)
  return `admins: ${[...names, ...more].join(', ') || 'none'}`
}

function describeAddress({ publicUrl, customDomain }: CheckedBackup['facts']): string {
  const pages = customDomain ? `, payment pages at ${quote(customDomain)}` : ''
  return `address: ${quote(publicUrl) ?? 'none is saved in it'}${pages}`
}

/** Whoever made the file chose these texts: none may move the cursor or turn the line around. */
function quote(text: string): string
function quote(text: string | undefined): string | undefined
function quote(text: string | undefined): string | undefined {
  return text?.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
}
