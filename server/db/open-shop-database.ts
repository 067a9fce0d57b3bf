import type { Pool } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import type { Config } from '#server/config.ts'
import { openDatabase, type Db } from './database.ts'
import type { LogLevel } from './embedded/cluster.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { migrate, readMigrations } from './migrate.ts'

export const minPostgresVersion = 150_000

type ShopDatabase = { db: Db; pool: Pool; schemaVersion: number; description: string }

/** db/ does not know http/, where the shop's logger comes from. */
type Log = Record<LogLevel, (fields: object, message: string) => void>

/** The built-in PostgreSQL or that of DATABASE_URL, migrated to the version of this code. */
export async function openShopDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Log,
  say: (line: string) => void,
  opened: AsyncDisposableStack,
): Promise<ShopDatabase> {
  const connection = config.databaseUrl
    ? { connectionString: config.databaseUrl }
    : await startBuiltIn(config.dataDir, log, say, opened)
  const database = openDatabase(connection, (error) =>
    log.warn({ err: error }, 'A database connection was lost'),
  )
  opened.defer(database.close)
  const version = await readVersion(database.pool)
  const migrations = await readMigrations()
  await migrate(database.pool, migrations)
  const description = `PostgreSQL ${version} (${config.databaseUrl ? 'DATABASE_URL' : 'built in'})`
  return { db: database.db, pool: database.pool, schemaVersion: migrations.length, description }
}

async function startBuiltIn(
  dataDir: string,
  log: Log,
  say: (line: string) => void,
  opened: AsyncDisposableStack,
) {
  const embedded = await startEmbeddedPostgres({
    dataDir,
    say,
    log: (line, level) => log[level]({ postgres: line }, 'The database wrote a line'),
  })
  opened.defer(() => embedded.stop())
  // PGSSLMODE in the environment must not apply to our own socket.
  return { ...embedded.connection, ssl: false }
}

async function readVersion(pool: Pool): Promise<string> {
  const { rows } = await pool
    .query(
      `select current_setting('server_version') as name, current_setting('server_version_num')::int as number`,
    )
    .catch((cause: Error) => {
      throw new CannotStart(`The database cannot be reached: ${cause.message || String(cause)}`, {
        cause,
      })
    })
  const [version] = rows
  if (version.number < minPostgresVersion) {
    throw new CannotStart(`The database is PostgreSQL ${version.name}; Till needs 15 or newer.`)
  }
  return version.name
}
