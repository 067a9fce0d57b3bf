import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'

export type Migration = { version: number; name: string; sql: string; checksum: string }

/** Any number that nobody else uses for an advisory lock in this database. */
const migrationLock = 7_411_001

/** A migration that cannot get its table lock gives way to running sales and tries again. */
const waitForTableMs = 5_000
const lockNotAvailable = '55P03'
const notPermitted = '42501'
const notSupported = '0A000'
const attempts = 12

const migrationsFolder = join(import.meta.dirname, 'migrations')

/** Migrations in order, as committed: 0000_the-house.sql is version 1. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file, index) => {
      const sql = await readFile(join(folder, file), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: index + 1, name: file.replace(/\.sql$/, ''), sql, checksum }
    }),
  )
}

/** Brings the database to the version of this code. Any number of nodes may do this at once. */
export async function migrate(pool: Pool, migrations: Migration[]): Promise<void> {
  for (let tried = 1; ;) {
    try {
      while (await applyNext(pool, migrations));
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      const missing = describeMissing(code, error)
      if (missing) throw missing
      if (code !== lockNotAvailable || tried >= attempts) throw error
      tried += 1
    }
  }
}

/** The newest migration in the database, for the readiness check. */
export async function readSchemaVersion(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    'select coalesce(max(version), 0)::int as version from till_migrations',
  )
  return rows[0].version
}

/**
 * One migration, one transaction, under a lock that ends with the transaction: a killed node leaves
 * neither half a migration nor a lock. Answers whether there may be more to do.
 */
async function applyNext(pool: Pool, migrations: Migration[]): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    // The wait for another node's migration has no limit of its own; only table locks give way.
    await client.query('set local statement_timeout = 0')
    await client.query(patiently('select pg_advisory_xact_lock($1)', [migrationLock]))
    await client.query(`set local lock_timeout = ${waitForTableMs}`)
    const current = await readHistory(client, migrations)
    const next = migrations[current]
    if (next) {
      await client.query(patiently(next.sql))
      await client.query(
        'insert into till_migrations (version, name, checksum) values ($1, $2, $3)',
        [next.version, next.name, next.checksum],
      )
    }
    await client.query('commit')
    return next !== undefined
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** What the owner of the database has to do before this user can go on. */
function describeMissing(code: unknown, cause: unknown): CannotStart | undefined {
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

/** A migration takes as long as it takes; the pool's limits are for buyers. */
function patiently(text: string, values: unknown[] = []) {
  return { text, values, query_timeout: 0 }
}

async function readHistory(client: PoolClient, migrations: Migration[]): Promise<number> {
  await client.query(`create table if not exists till_migrations (
    version integer primary key, name text not null, checksum text not null,
    applied_at timestamptz not null default now())`)
  const { rows } = await client.query<Pick<Migration, 'version' | 'name' | 'checksum'>>(
    'select version, name, checksum from till_migrations order by version',
  )
  const current = rows.at(-1)?.version ?? 0
  if (current > migrations.length) {
    throw new CannotStart(
      `The database is at schema version ${current}, but this Till knows only version ${migrations.length}. ` +
        'Start the newer Till that wrote it, or restore a backup of the older one.',
    )
  }
  const altered = rows.find((row) => migrations[row.version - 1]?.checksum !== row.checksum)
  if (altered) {
    throw new CannotStart(
      `Migration ${altered.name} was applied to this database in another form than it has in this code. ` +
        'Migrations are never edited after they were applied: restore the file and add a new one.',
    )
  }
  return current
}
