import { access } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { escapeIdentifier, type Client, type Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { PictureType } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { openClient } from '#server/db/database.ts'
import { drizzle } from '#server/db/drizzle.ts'
import { listTables, readHistory, readMigrations } from '#server/db/migrate.ts'
import { findSecretPrint } from '#server/db/nodes.ts'
import { describeError } from '#server/describe-error.ts'
import { fingerprintOf } from '#server/secret.ts'
import { formatPublicName, listResized, resizedTypes } from '#server/uploads/picture-store.ts'
import type { PictureStore } from '#server/uploads/picture-store.ts'
import { version } from '#server/version.ts'
import { countRows, groupRows, type BackupEnd, type Manifest } from './backup-entry.ts'
import { writeBackupFile, type WrittenEntry } from './backup-file.ts'

/** What a backup is made of. */
export type BackupSource = {
  pool: Pool
  store: PictureStore
  /** One that was generated goes into the backup; of one from the settings only a fingerprint. */
  secret: { value: string; isGenerated: boolean }
}

export type Progress = (progress: {
  /** Such as Tables. */
  step: string
  done: number
  total: number
  /** What is being worked on. */
  detail?: string
}) => void

export type BackupOptions = {
  /** Encrypts the file. */
  passphrase?: string | undefined
  onProgress?: Progress
  signal?: AbortSignal
  /** Fails where the shop does not run: with another secret than it has, or none of its pictures. */
  assertsPlace?: boolean
  /** A snapshot that another transaction has exported, to back up what that one sees. */
  snapshot?: string
}

export type Backup = { file: string; bytes: number; manifest: Manifest; end: BackupEnd }

/**
 * Writes everything of the shop to one file, while it runs: all tables as they were at one moment, the pictures they
 * show, and the secret. Sales go on meanwhile and wait for nothing.
 */
export async function createBackup(
  source: BackupSource,
  file: string,
  options: BackupOptions = {},
): Promise<Backup> {
  await assertMissing(file)
  const client = openPatientClient(source.pool, 'till backup')
  try {
    await client.connect()
    await beginSnapshot(client, options.snapshot)
    const migrations = await readApplied(client)
    if (options.assertsPlace) await assertSecret(client, source.secret.value)
    const { manifest, pictures } = await readPlan(client, source.secret, migrations)
    const end: BackupEnd = { kind: 'end', pictures: 0, missing: 0, files: 0 }
    const entries = listEntries({ client, manifest, pictures, end, source, options })
    const bytes = await writeBackupFile(file, entries, options)
    return { file, bytes, manifest, end }
  } catch (error) {
    throw error instanceof Refusal ? await describeStoreError(source.store, error) : error
  } finally {
    await client.end()
  }
}

/** A store that does not answer refuses in words for a browser. */
async function describeStoreError(store: PictureStore, cause: Refusal): Promise<CannotStart> {
  const problem = (await store.findProblem()) ?? describeError(cause.cause).message
  return new CannotStart(`The pictures could not be read: ${problem}.`, { cause })
}

async function assertMissing(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw new CannotStart(`${file} exists already. Nothing is overwritten.`)
}

/** Without the timeouts that protect buyers. */
export function openPatientClient(pool: Pool, name: string): Client {
  return openClient(pool, { query_timeout: 0, statement_timeout: 0, application_name: name })
}

/** What text looks like in COPY must not depend on the server's settings. */
export const copySettings = `
  set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 3; set local bytea_output = 'hex'`

async function beginSnapshot(client: Client, snapshot: string | undefined): Promise<void> {
  await client.query('begin isolation level repeatable read, read only')
  if (snapshot !== undefined)
    await client.query(`set transaction snapshot ${client.escapeLiteral(snapshot)}`)
  await client.query(copySettings)
}

/** With another secret the backup would look complete, but links, second factors and lost payments would not be known. */
async function assertSecret(client: Client, secret: string): Promise<void> {
  const print = await findSecretPrint(drizzle(client))
  if (print === undefined || print === fingerprintOf(secret)) return
  throw new CannotStart(
    'The shop of this database has another secret than the one here. ' +
      'Run the backup where the shop runs, with its DATA_DIR or SESSION_SECRET.',
  )
}

type Table = Manifest['tables'][number]
type Picture = { key: string; type: PictureType }
type Plan = { manifest: Manifest; pictures: Picture[] }

async function readPlan(
  client: Client,
  secret: BackupSource['secret'],
  migrations: Manifest['migrations'],
): Promise<Plan> {
  const tables = await readTables(client)
  const { rows: pictures } = await client.query<Picture & { size: number }>(
    'select key, content_type as type, size from objects where stored_at is not null order by key',
  )
  const { rows: clock } = await client.query<{ now: Date }>('select now() as now')
  const manifest: Manifest = {
    version,
    createdAt: (clock[0]?.now ?? new Date()).toISOString(),
    migrations,
    tables,
    sequences: await readSequences(client, tables),
    pictures: {
      count: pictures.length,
      bytes: pictures.reduce((sum, { size }) => sum + size, 0),
    },
    secret: { isIncluded: secret.isGenerated, fingerprint: fingerprintOf(secret.value) },
  }
  return { manifest, pictures }
}

/** Refuses a database with a newer schema: its new tables would be left out. */
async function readApplied(client: Client): Promise<Manifest['migrations']> {
  const known = await readMigrations()
  const applied = await readHistory(client, known)
  if (applied.length === 0) throw new CannotStart('There is no shop in this database yet.')
  if (applied.length > known.length)
    throw new CannotStart(
      `The database is at schema version ${applied.length}, but this Till knows only version ${known.length}. ` +
        'Back it up with the Till that runs the shop.',
    )
  return applied
}

/** Which processes run is not true of the restored shop. */
const notCopied = ['nodes']

/** Only tables of ours: others may live in the same database. Generated columns are computed again. */
async function readTables(client: Client): Promise<Table[]> {
  const { rows: found } = await client.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any ($1)
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`,
    [listTables(await readMigrations()).filter((name) => !notCopied.includes(name))],
  )
  const tables: Table[] = []
  for (const table of found) {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from public.${escapeIdentifier(table.name)}`,
    )
    tables.push({ ...table, rows: Number(rows[0]?.count) })
  }
  return tables
}

async function readSequences(client: Client, tables: Table[]): Promise<Manifest['sequences']> {
  const { rows: found } = await client.query<{ table: string; column: string; sequence: string }>(
    `select relname as table, attname as column,
      pg_get_serial_sequence(format('public.%I', relname), attname) as sequence
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relname = any ($1) and attnum > 0 and not attisdropped
      and pg_get_serial_sequence(format('public.%I', relname), attname) is not null`,
    [tables.map(({ name }) => name)],
  )
  const sequences = []
  for (const { table, column, sequence } of found) {
    const { rows } = await client.query<{ value: string; isUsed: boolean }>(
      `select last_value::text as value, is_called as "isUsed" from ${sequence}`,
    )
    const [state] = rows
    if (state) sequences.push({ table, column, ...state })
  }
  return sequences
}

/** Counts the pictures in `end` as it goes. */
async function* listEntries({
  client,
  manifest,
  pictures,
  end,
  source,
  options: { onProgress = () => {}, assertsPlace = false },
}: Plan & {
  client: Client
  end: BackupEnd
  source: BackupSource
  options: BackupOptions
}): AsyncGenerator<WrittenEntry> {
  yield { kind: 'manifest', manifest }
  const { tables } = manifest
  const total = tables.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  for (const table of tables) {
    const { name } = table
    const copied = copyOut(client, table, (rows) =>
      onProgress({ step: 'Tables', done: done + rows, total, detail: name }),
    )
    for await (const rows of groupRows(copied)) yield { kind: 'table', name, rows }
    done += table.rows
  }
  // Old row versions are kept for a snapshot, so it ends before the pictures, which may take long.
  await client.query('commit')
  for (const picture of pictures) {
    yield* listFiles(source.store, picture, end)
    const seen = end.pictures + end.missing
    onProgress({ step: 'Pictures', done: seen, total: pictures.length })
  }
  if (assertsPlace && end.missing > 0 && end.pictures === 0)
    throw new CannotStart(
      `None of the ${end.missing} pictures is in the store. Run the backup where the shop runs, with its settings.`,
    )
  const { isGenerated, value } = source.secret
  if (isGenerated) yield { kind: 'secret', secret: value }
  yield end
}

async function* copyOut(
  client: Client,
  { name, columns, rows: expected }: Table,
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer> {
  const list = columns.map((column) => escapeIdentifier(column)).join(', ')
  const statement = `copy public.${escapeIdentifier(name)} (${list}) to stdout`
  let rows = 0
  for await (const bytes of client.query(copyTo(statement))) {
    rows += countRows(bytes)
    onRows(rows)
    yield bytes
  }
  if (rows !== expected) throw new Error(`table ${name} has ${expected} rows, but ${rows} came`)
}

/** An upload without its original was deleted since the snapshot, or is lost. */
async function* listFiles(
  store: PictureStore,
  { key, type }: Picture,
  end: BackupEnd,
): AsyncGenerator<WrittenEntry> {
  const files: { name: string; type: PictureType }[] = [
    { name: key, type },
    { name: formatPublicName(key), type },
    ...listResized(key).map(({ name, format }) => ({ name, type: resizedTypes[format] })),
  ]
  for (const one of files) {
    const file = await store.findFile(one.name)
    if (one.name === key) end[file ? 'pictures' : 'missing'] += 1
    if (!file) continue
    end.files += 1
    yield { kind: 'picture', ...one, bytes: await buffer(file.bytes) }
  }
}

/** One sentence, if pictures are missing in a backup. */
export function describeMissing({ pictures, missing }: BackupEnd): string | undefined {
  if (missing === 0) return undefined
  return `${missing} of ${pictures + missing} pictures are not in the store, and so not in the backup.`
}
