import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { CannotStart, madeBeforeFirstRelease } from '#server/cannot-start.ts'

export type Migration = { version: number; name: string; sql: string; checksum: string }

/** Must differ from all other advisory locks in this database. */
export const migrationLock = 7_411_001

/**
 * The first line of a migration that builds or drops indexes while the shop sells: statement by statement, without a
 * transaction around them.
 */
export const concurrentMarker = '-- concurrent'

/**
 * A migration that cannot get its table lock lets running sales finish and tries again. Shorter than PostgreSQL waits
 * before it ends a deadlock (one second), so that this gives way and not a sale.
 */
export const lockTimeoutMs = 500
/** A node that is frozen while it migrates loses its lock after this. */
const idleTimeoutMs = 10_000
/** How often it says that it still works, and how often others look whether it is done. */
const pingMs = 2_000
const pollMs = 200
/** Of one migration: more than a minute, with the pauses in between. */
const maxAttempts = 100
export const lockNotAvailable = '55P03'
const deadlockDetected = '40P01'
const notPermitted = '42501'
const notSupported = '0A000'

const migrationsFolder = join(import.meta.dirname, 'migrations')

export const historyTable = 'till_migrations'

/** Migrations in order, as committed: 0000_initial.sql is version 1. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file, index) => {
      const sql = await readFile(join(folder, file), 'utf8')
      return {
        version: index + 1,
        name: file.replace(/\.sql$/, ''),
        sql,
        checksum: hash('sha256', sql),
      }
    }),
  )
}

/** All tables of the shop, also former ones. Others may live in the same database. */
export function listTables(migrations: Migration[]): string[] {
  return [historyTable, ...findNames(migrations, /create table "(\w+)"/gi)]
}

/** All functions of the shop, also former ones. */
export function listFunctions(migrations: Migration[]): string[] {
  return findNames(migrations, /create (?:or replace )?function (\w+)\(/gi)
}

function findNames(migrations: Migration[], pattern: RegExp): string[] {
  const names = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(pattern)].map(([, name = '']) => name),
  )
  return [...new Set(names)]
}

/** Migrates the database to the version of this code. Any number of nodes may do this at once. */
export async function migrate(pool: Pool, migrations: Migration[]): Promise<void> {
  for (let attempt = 1; ;) {
    try {
      const step = await applyNext(pool, migrations)
      if (step === 'done') return
      attempt = 1
      // Waiting for another node's migration has no timeout.
      if (step === 'busy') await delay(pollMs)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      const missing = findMissingPermission(code, error)
      if (missing) throw missing
      const isInTheWay = code === lockNotAvailable || code === deadlockDetected
      if (!isInTheWay || attempt >= maxAttempts) throw error
      attempt += 1
      await delay(pollMs)
    }
  }
}

/**
 * Whether it has been migrated, but not up to this code. A new database is not behind. Throws if it was made before the first
 * release.
 */
export async function isBehind(pool: Pool, migrations: Migration[]): Promise<boolean> {
  const applied = await readHistory(pool, migrations)
  return applied.length > 0 && !applied.some(({ name }) => name === migrations.at(-1)?.name)
}

/**
 * Applies one migration in one transaction, under a lock that ends with the transaction: a killed node leaves neither
 * half a migration nor a lock. The lock is tried, not waited for: an index that is built concurrently waits for every
 * statement that runs, so it would wait for those who wait for it.
 */
async function applyNext(
  pool: Pool,
  migrations: Migration[],
): Promise<'applied' | 'busy' | 'done'> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `set local statement_timeout = 0; set local lock_timeout = ${lockTimeoutMs}; ${keepAlive}`,
    )
    const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as is_ours', [
      migrationLock,
    ])
    if (!rows[0].is_ours) {
      await client.query('rollback')
      return 'busy'
    }
    await createHistory(client)
    const applied = await readHistory(client, migrations)
    assertUnchanged(applied, migrations)
    const next = migrations[applied.length]
    if (next) {
      if (isConcurrent(next)) await applyConcurrently(pool, client, next)
      else await client.query(withoutTimeout(next.sql))
      await recordMigration(client, next)
    }
    await client.query('commit')
    return next ? 'applied' : 'done'
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

const keepAlive = `set local idle_in_transaction_session_timeout = ${idleTimeoutMs}`

export function isConcurrent({ sql }: Pick<Migration, 'sql'>): boolean {
  return sql.startsWith(`${concurrentMarker}\n`)
}

/** What a concurrent migration may contain: the runner knows how to go on after a crash in the middle of these. */
export const concurrentStatement =
  /^(?<action>create(?: unique)? index|drop index) concurrently "(?<name>\w+)"/i

/**
 * On a connection of its own, while the one with the lock stays in its transaction. After a crash the migration runs
 * again: what is done is skipped, and an index that was left unfinished is built anew.
 */
async function applyConcurrently(pool: Pool, locked: PoolClient, migration: Migration) {
  const client = await pool.connect()
  // Not a query: one could be caught running by the index that is built, which would wait for the end of its transaction.
  const ping = setInterval(() => void locked.query(keepAlive).catch(() => {}), pingMs)
  try {
    // Behind a pooler nothing was set for the session.
    if (pool.options.statement_timeout || pool.options.lock_timeout)
      await client.query('set statement_timeout = 0; set lock_timeout = 0')
    for (const statement of splitStatements(migration)) {
      const { action = '', name = '' } = concurrentStatement.exec(statement)?.groups ?? {}
      if (!name) throw new Error(`${migration.name} cannot run this concurrently: ${statement}`)
      const found = await findIndex(client, name)
      const isDrop = action.toLowerCase() === 'drop index'
      if (found === 'unfinished' || (found && isDrop))
        await client.query(withoutTimeout(`drop index concurrently "${name}"`))
      if (!isDrop && found !== 'finished') await client.query(withoutTimeout(statement))
    }
  } finally {
    clearInterval(ping)
    // With its settings.
    client.release(true)
  }
}

export function splitStatements({ sql }: Pick<Migration, 'sql'>): string[] {
  return sql
    .replaceAll(/^--(?!> ).*$/gm, '')
    .split('--> statement-breakpoint')
    .map((statement) => statement.trim())
    .filter(Boolean)
}

async function findIndex(
  client: PoolClient,
  name: string,
): Promise<'finished' | 'unfinished' | undefined> {
  const { rows } = await client.query<{ indisvalid: boolean }>(
    `select indisvalid from pg_index join pg_class on pg_class.oid = indexrelid
      where relname = $1 and relnamespace = current_schema()::regnamespace`,
    [name],
  )
  if (!rows[0]) return undefined
  return rows[0].indisvalid ? 'finished' : 'unfinished'
}

/** Tells what the owner of the database has to do first. */
function findMissingPermission(code: unknown, cause: unknown): CannotStart | undefined {
  const isExtension = cause instanceof Error && /extension/.test(cause.message)
  if (code === notSupported && isExtension) {
    return new CannotStart(
      'This PostgreSQL has no pg_trgm, by which orders are searched. It comes with PostgreSQL itself; ' +
        'on some systems as a package of its own (postgresql-contrib).',
      { cause },
    )
  }
  if (code !== notPermitted) return undefined
  return new CannotStart(
    isExtension
      ? 'The user in DATABASE_URL may not add pg_trgm, by which orders are searched. ' +
          'As the owner of the database: CREATE EXTENSION pg_trgm;'
      : 'The user in DATABASE_URL may not create tables. As the owner of the database: ' +
          'GRANT CREATE ON SCHEMA public TO that_user;',
    { cause },
  )
}

/** The longest time of a timer. For 0, pg would use the timeout of the pool. */
const noTimeoutMs = 2 ** 31 - 1

/** The pool's timeouts are for buyers; a migration may take longer. */
function withoutTimeout(text: string) {
  return { text, query_timeout: noTimeoutMs }
}

async function createHistory(client: PoolClient): Promise<void> {
  await client.query(`create table if not exists till_migrations (
    version integer primary key, name text not null, checksum text not null,
    applied_at timestamptz not null default now())`)
}

type AppliedMigration = Omit<Migration, 'sql'>

/** The migrations that were applied: none where there is no shop. Throws if it was made before the first release. */
export async function readHistory(
  client: Pool | ClientBase,
  known: Migration[],
): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query("select to_regclass('till_migrations') as found")
  if (tables[0].found === null) return []
  const { rows: applied } = await client.query<AppliedMigration>(
    'select version, name, checksum from till_migrations order by version',
  )
  refuseFormerDatabase(applied, known)
  return applied
}

async function recordMigration(client: PoolClient, migration: AppliedMigration): Promise<void> {
  const { version, name, checksum } = migration
  await client.query('insert into till_migrations (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ])
}

type Checksum = Pick<Migration, 'checksum'>

/**
 * A Till before 1.0 began with another migration than the one that 1.0 begins with. To be deleted with 2.0: by then nobody has
 * such a database.
 */
export function refuseFormerDatabase([first]: Checksum[], [initial]: Checksum[]): void {
  if (first && first.checksum !== initial?.checksum) throw new CannotStart(madeBeforeFirstRelease)
}

function assertUnchanged(applied: AppliedMigration[], migrations: Migration[]): void {
  if (applied.length > migrations.length) {
    throw new CannotStart(
      `The database is at schema version ${applied.length}, but this Till knows only version ${migrations.length}. ` +
        'Start the newer Till that wrote it, or restore a backup of the older one.',
    )
  }
  const altered = applied.find(({ checksum }, index) => migrations[index]?.checksum !== checksum)
  if (altered) {
    throw new CannotStart(
      `Migration ${altered.name} was applied to this database in another form than it has in this code. ` +
        'Migrations are never edited after they were applied: restore the file and add a new one.',
    )
  }
}
