import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { escapeIdentifier, type Client, type Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CannotStart } from '#server/cannot-start.ts'
import { createDataDir } from '#server/data-dir.ts'
import { drizzle } from '#server/db/drizzle.ts'
import { dropKeys } from '#server/db/keys.ts'
import {
  listFunctions,
  listTables,
  migrate,
  migrationLock,
  readHistory,
  readMigrations,
  refuseFormerDatabase,
  type Migration,
} from '#server/db/migrate.ts'
import { markRestored } from '#server/db/restored.ts'
import { hasLivingNode } from '#server/db/nodes.ts'
import { fingerprintOf, isGeneratedSecret, replaceSecret } from '#server/secret.ts'
import type { PictureStore } from '#server/uploads/picture-store.ts'
import {
  countRows,
  damaged,
  lineEnd,
  type BackupEnd,
  type Encryption,
  type Entry,
  type Manifest,
} from './backup-entry.ts'
import { collectFacts, type BackupFacts } from './backup-facts.ts'
import { readBackupFile } from './backup-file.ts'
import { copySettings, openPatientClient, type Progress } from './create-backup.ts'

/** Where a backup goes: an empty shop, built-in or at DATABASE_URL, with pictures on disk or S3. */
export type RestoreTarget = {
  pool: Pool
  store: PictureStore
  dataDir: string
  /** Whether the secret of the backup is stored here (decideSecret). */
  writesSecret: boolean
}

type RestoreOptions = {
  /** Asked once for an encrypted file. */
  askPassphrase?: () => Promise<string>
  onProgress?: Progress
  /** Those of this Till, except in tests. */
  migrations?: Migration[]
}

/** A file that can be restored. Only `checkBackup` tells which can. */
export type CheckedBackup = {
  file: string
  encryption: Encryption
  manifest: Manifest
  facts: BackupFacts
  end: BackupEnd
}

/**
 * Reads a whole backup without writing anything: every byte, and whether everything is there that its manifest names.
 * Throws the fault in one sentence.
 */
export async function checkBackup(
  file: string,
  options: RestoreOptions = {},
): Promise<CheckedBackup> {
  const { askPassphrase = noPassphrase, onProgress = () => {} } = options
  const total = await stat(file).then(
    ({ size }) => size,
    () => 0,
  )
  const { migrations = await readMigrations() } = options
  const rows = new Map<string, number>()
  let [files, secret] = [0, '']
  let encryption: Encryption = 'none'
  const collected = collectFacts()
  let manifest: Manifest | undefined
  let end: BackupEnd | undefined
  const onBytes = (done: number) => onProgress({ step: 'Checking', done, total })
  for await (const entry of readBackupFile(file, { askPassphrase, onBytes }))
    switch (entry.kind) {
      case 'manifest':
        ;({ manifest, encryption } = entry)
        break
      case 'table': {
        const { name } = entry
        const counted = (rows.get(name) ?? 0) + countRows(entry.rows)
        rows.set(name, counted)
        // Stops as soon as there is more than the manifest names.
        const expected = manifest?.tables.find((table) => table.name === name)?.rows ?? 0
        if (counted > expected || entry.rows.at(-1) !== lineEnd) throw damaged(file)
        collected.add(entry)
        break
      }
      case 'picture':
        files += 1
        break
      case 'secret':
        ;({ secret } = entry)
        break
      case 'end':
        end = entry
    }
  if (!manifest || !end) throw damaged(file)
  // Only now it is proven to be what was written.
  assertKnown(file, manifest, migrations)
  const isComplete =
    manifest.tables.every(({ name, rows: expected }) => (rows.get(name) ?? 0) === expected) &&
    end.files === files &&
    end.pictures + end.missing === manifest.pictures.count &&
    manifest.secret.isIncluded === isGeneratedSecret(secret) &&
    (secret === '' || fingerprintOf(secret) === manifest.secret.fingerprint)
  if (!isComplete) throw damaged(file)
  return { file, encryption, manifest, end, facts: readFacts(file, collected) }
}

function readFacts(file: string, collected: ReturnType<typeof collectFacts>): BackupFacts {
  try {
    return collected.read()
  } catch (cause) {
    throw damaged(file, cause)
  }
}

function noPassphrase(): never {
  throw new CannotStart('The backup is encrypted. Set BACKUP_PASSPHRASE to its passphrase.')
}

function assertKnown(file: string, manifest: Manifest, migrations: Migration[]): void {
  refuseFormerDatabase(manifest.migrations, migrations)
  const count = manifest.migrations.length
  if (count > migrations.length)
    throw new CannotStart(
      `${file} has schema version ${count} (Till ${manifest.version}), but this Till knows only version ${migrations.length}: restore it with the newer one.`,
    )
  const other = manifest.migrations.find(
    ({ checksum }, index) => migrations[index]?.checksum !== checksum,
  )
  if (other)
    throw new CannotStart(
      `${file} is from a Till whose migration ${other.name} differs from the one here: restore it with that Till.`,
    )
  const known = new Set(listTables(migrations))
  if (!manifest.tables.every(({ name }) => known.has(name))) throw damaged(file)
}

/**
 * Restores a backup into an empty shop. The tables are restored in one transaction that is committed last: until then
 * the shop stays empty, and a restore can be started again.
 */
export async function restoreBackup(
  target: RestoreTarget,
  checked: CheckedBackup,
  options: RestoreOptions = {},
): Promise<void> {
  const { manifest } = checked
  const { migrations = await readMigrations() } = options
  const client = openPatientClient(target.pool, 'till restore')
  try {
    await client.connect()
    await prepareSchema(client, target.pool, manifest, migrations)
    await client.query('begin')
    await client.query(copySettings)
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    if ((await readHistory(client, migrations)).length !== manifest.migrations.length)
      throw new CannotStart('A shop was started on this database. Stop it, and restore again.')
    await assertEmpty(client)
    await load(client, target, checked, options)
    await client.query('commit')
    // Without figures about the new rows PostgreSQL would plan badly for a while.
    await client.query('analyze')
  } finally {
    await client.end()
  }
  await migrate(target.pool, migrations)
}

export type SecretHere = {
  sessionSecret: string | undefined
  /** Restores although links, second factors and lost payments of the old secret are not recognised then. */
  acceptsOtherSecret?: boolean
}

/** Returns whether the secret of the backup is to be stored here. Refuses another one before anything is opened. */
export function decideSecret(
  { sessionSecret, acceptsOtherSecret = false }: SecretHere,
  { manifest: { secret } }: CheckedBackup,
): boolean {
  if (sessionSecret === undefined && secret.isIncluded) return true
  if (acceptsOtherSecret) return false
  if (sessionSecret !== undefined && fingerprintOf(sessionSecret) === secret.fingerprint)
    return false
  const what = sessionSecret === undefined ? 'is missing here' : 'is another one here'
  throw new CannotStart(
    `The SESSION_SECRET of this backup's shop ${what}. Set the one it had, or add --other-secret: ` +
      'then links in mails end, second factors must be set up again, and payments without a sale here are not found.',
  )
}

/** A database of a newer version that is still empty is set up again with the version of the backup. */
async function prepareSchema(
  client: Client,
  pool: Pool,
  manifest: Manifest,
  migrations: Migration[],
): Promise<void> {
  const applied = await readHistory(client, migrations)
  if (applied.length > 0 && (await hasLivingNode(drizzle(client))))
    throw new CannotStart('A shop is running on this database. Stop it first.')
  await assertEmpty(client)
  const wanted = migrations.slice(0, manifest.migrations.length)
  if (applied.length > wanted.length) await dropSchema(client, migrations)
  await migrate(pool, wanted)
}

/** What a shop has only once it is used. Admins and sessions of a shop that was only started are replaced. */
const usedTables = ['products', 'orders', 'checkouts', 'payments']

async function assertEmpty(client: Client): Promise<void> {
  for (const table of usedTables) {
    if (!(await hasTable(client, table))) continue
    const { rowCount } = await client.query(`select from public.${table} limit 1`)
    if (rowCount)
      throw new CannotStart(
        `This shop is in use: it has ${table.replace('_', ' ')}. A backup is restored into an empty one only, ` +
          'with another DATA_DIR or DATABASE_URL.',
      )
  }
}

async function hasTable(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `select to_regclass(format('public.%I', $1::text)) is not null as is`,
    [name],
  )
  return rows[0]?.is ?? false
}

async function dropSchema(client: Client, migrations: Migration[]): Promise<void> {
  const tables = listTables(migrations).map((name) => `public.${escapeIdentifier(name)}`)
  await client.query('begin')
  await client.query(`drop table if exists ${tables.join(', ')} cascade`)
  // With their arguments: several may share a name.
  const { rows: functions } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
      where pronamespace = 'public'::regnamespace and proname = any($1)`,
    [listFunctions(migrations)],
  )
  if (functions.length > 0)
    await client.query(`drop function ${functions.map(({ name }) => name).join(', ')} cascade`)
  await client.query('commit')
}

async function load(
  client: Client,
  { store, dataDir, writesSecret }: RestoreTarget,
  { file, manifest, encryption }: CheckedBackup,
  { askPassphrase = noPassphrase, onProgress = () => {} }: RestoreOptions,
): Promise<void> {
  await createDataDir(dataDir)
  await store.prepare()
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  const names = manifest.tables.map(({ name }) => name)
  await client.query(`set local maintenance_work_mem = '128MB'`)
  const keys = await dropKeys(client, names, 'all')
  await client.query(`truncate ${names.map((name) => `public.${escapeIdentifier(name)}`).join()}`)
  let [rows, pictures, secret] = [0, 0, '']
  for await (const entry of readBackupFile(file, { askPassphrase }))
    switch (entry.kind) {
      case 'manifest':
        if (entry.encryption !== encryption) throw damaged(file)
        break
      case 'table': {
        const { name } = entry
        rows += await copyIn(client, entry)
        onProgress({ step: 'Tables', done: rows, total, detail: name })
        break
      }
      case 'picture':
        await store.writeFile(entry.name, entry.bytes, entry.type)
        // The other files of an upload have an ending.
        if (entry.name.includes('.')) break
        pictures += 1
        onProgress({ step: 'Pictures', done: pictures, total: manifest.pictures.count })
        break
      case 'secret':
        ;({ secret } = entry)
        break
      case 'end':
    }
  // It was checked, so the file has changed meanwhile.
  if (rows !== total) throw damaged(file)
  for (const [index, statement] of keys.entries()) {
    await client.query(statement)
    onProgress({ step: 'Indexes', done: index + 1, total: keys.length })
  }
  for (const { table, column, value, isUsed } of manifest.sequences)
    await client.query(
      `select setval(pg_get_serial_sequence(format('public.%I', $1::text), $2), $3, $4)`,
      [table, column, value, isUsed],
    )
  await client.query(skipNumbers)
  await client.query(markRestored.text, markRestored.values(manifest.createdAt))
  // Who signed out since the backup, or lost a browser, must not be signed in again.
  await client.query('delete from sessions')
  // Nodes of a shop that was only started here, maybe with another secret.
  await client.query('delete from nodes')
  if (writesSecret) await replaceSecret(dataDir, secret)
}

/** Orders that were made after the backup are lost here, but their numbers stand in mails: so many are not given again. */
const skippedNumbers = 10_000
const skipNumbers = `select setval('order_numbers', last_value + ${skippedNumbers}) from order_numbers`

async function copyIn(
  client: Client,
  { name, columns, rows }: Extract<Entry, { kind: 'table' }>,
): Promise<number> {
  const list = columns.map((column) => escapeIdentifier(column)).join(', ')
  // Frozen, since nobody sees the rows before the commit: PostgreSQL need not visit them again.
  const copying = client.query(
    copyFrom(`copy public.${escapeIdentifier(name)} (${list}) from stdin with (freeze)`),
  )
  await pipeline([rows], copying)
  return copying.rowCount
}
