import type { Pool } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import type { Config } from '#server/config.ts'
import type { Database } from './database.ts'
import type { LogLevel } from './embedded/cluster.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'

export const minPostgresVersion = 150_000

type ShopDatabase = Omit<Database, 'close'> & { schemaVersion: number; description: string }

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databasePool' | 'dataDir'>

/** What is needed of the shop's log, which db/ does not know. */
type Log = Record<LogLevel, (fields: object, message: string) => void>

/**
 * Begins with `openShopDatabase`. Whoever awaits the database also closes what was opened, whether or not it fails. Nothing is
 * connected before `loaded`: a process that loads its modules does not respond for moments, on a busy machine for seconds,
 * and would give up a connection that is there.
 */
export function startShopDatabase(
  config: DatabaseConfig,
  log: Log,
  say: (line: string) => void,
  loaded?: Promise<unknown>,
): StartingDatabase {
  const opened = new AsyncDisposableStack()
  const launch = Promise.withResolvers<void>()
  const database = openShopDatabase(config, log, say, opened, { loaded, onLaunch: launch.resolve })
  // Opening may fail before anybody awaits it.
  database.catch(launch.resolve)
  return { database, opened, launched: launch.promise }
}

type StartingDatabase = {
  database: Promise<ShopDatabase>
  opened: AsyncDisposableStack
  /** PostgreSQL runs by itself from then on, whatever this process does meanwhile; or it failed. */
  launched: Promise<void>
}

/** The built-in PostgreSQL or that of DATABASE_URL, migrated to the version of this code. */
export async function openShopDatabase(
  config: DatabaseConfig,
  log: Log,
  say: (line: string) => void,
  opened: AsyncDisposableStack,
  {
    loaded,
    onLaunch = () => {},
  }: { loaded?: Promise<unknown> | undefined; onLaunch?: () => void } = {},
): Promise<ShopDatabase> {
  const connection = config.databaseUrl
    ? { connectionString: config.databaseUrl }
    : await startBuiltIn(config.dataDir, log, say, opened, onLaunch)
  onLaunch()
  // Not before PostgreSQL is launched.
  const [{ connectDatabase }, { migrate, readMigrations }] = await Promise.all([
    import('./database.ts'),
    import('./migrate.ts'),
    loaded,
  ])
  const database = await connectDatabase({ ...connection, max: config.databasePool }, (error) =>
    log.warn({ err: error }, 'A database connection was lost'),
  ).catch((cause: unknown) => {
    const reason = cause instanceof Error && cause.message ? cause.message : String(cause)
    throw new CannotStart(`The database cannot be reached: ${reason}`, { cause })
  })
  opened.defer(database.close)
  const { db, pool, isPooled } = database
  const version = await readVersion(pool)
  const migrations = await readMigrations()
  await migrate(pool, migrations)
  const place = config.databaseUrl
    ? `DATABASE_URL${isPooled ? ', through a pooler' : ''}`
    : 'built in'
  const description = `PostgreSQL ${version} (${place})`
  return { db, pool, isPooled, schemaVersion: migrations.length, description }
}

async function startBuiltIn(
  dataDir: string,
  log: Log,
  say: (line: string) => void,
  opened: AsyncDisposableStack,
  onLaunch: () => void,
) {
  const embedded = await startEmbeddedPostgres({
    dataDir,
    say,
    onLaunch,
    log: (line, level) => log[level]({ postgres: line }, 'The database wrote a line'),
  })
  opened.defer(() => embedded.stop())
  // PGSSLMODE in the environment must not apply to our own socket.
  return { ...embedded.connection, ssl: false }
}

async function readVersion(pool: Pool): Promise<string> {
  const { rows } = await pool.query(
    `select current_setting('server_version') as name, current_setting('server_version_num')::int as number`,
  )
  const [version] = rows
  if (version.number < minPostgresVersion) {
    throw new CannotStart(`The database is PostgreSQL ${version.name}; Till needs 15 or newer.`)
  }
  return version.name
}
