import { join } from 'node:path'
import type { Pool, PoolConfig } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import type { Config } from '#server/config.ts'
import { connectDatabase, openDatabase, type Db } from '#server/db/database.ts'
import { describeConnection, findSecret } from '#server/db/embedded/credentials.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { openSocketFolder } from '#server/db/embedded/ownership.ts'
import { isBehind, migrate, readMigrations } from '#server/db/migrate.ts'
import { explainError } from '#server/describe-error.ts'

/** Runs a command of the shop's owner and exits: with 1 if it throws or returns false. */
export async function runCommand(main: () => Promise<boolean | void>): Promise<never> {
  try {
    process.exit((await main()) === false ? 1 : 0)
  } catch (error) {
    console.error(error instanceof CannotStart ? error.message : explainError(error))
    process.exit(1)
  }
}

type DatabaseOptions = {
  hasTimeouts?: boolean
  /** False where the schema must stay as it is. */
  migrates?: boolean
  /** How many connections at most. */
  max?: number
}

/** Opens the database of the running shop, or starts it if the shop is closed. */
export async function withShopDatabase(
  config: Config,
  work: (db: Db, pool: Pool, isPooled: boolean) => Promise<void>,
  { hasTimeouts = true, migrates = true, ...options }: DatabaseOptions = {},
): Promise<void> {
  const settings = {
    ...options,
    // The default timeouts protect buyers; loading a million rows takes longer.
    ...(hasTimeouts ? {} : { statement_timeout: 0, query_timeout: 0 }),
  }
  const use = (connection: PoolConfig, isShared: boolean) =>
    useDatabase({ ...connection, ...settings }, work, { migrates, isShared })
  if (config.databaseUrl) return use({ connectionString: config.databaseUrl }, true)
  const path = join(config.dataDir, 'postgres')
  const secret = await findSecret(path)
  if (secret !== undefined) {
    const address = await openSocketFolder(path, undefined)
    try {
      const connection = describeConnection(address.host, secret)
      if (await isRunning(connection)) return await use(connection, true)
    } finally {
      await address.close()
    }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, say: console.error })
  try {
    await use(embedded.connection, false)
  } finally {
    await embedded.stop()
  }
}

async function useDatabase(
  connection: PoolConfig,
  work: (db: Db, pool: Pool, isPooled: boolean) => Promise<void>,
  { migrates, isShared }: { migrates: boolean; isShared: boolean },
): Promise<void> {
  const database = await connectDatabase(connection, () => {})
  try {
    const migrations = await readMigrations()
    // A shop of the version before an update may be running on it: its tables must not change under it.
    if (migrates && isShared && (await isBehind(database.pool, migrations)))
      throw new CannotStart(
        'The database is of an earlier version of Till. Start the shop once with this version, then run the command again.',
      )
    if (migrates) await migrate(database.pool, migrations)
    await work(database.db, database.pool, database.isPooled)
  } finally {
    await database.close()
  }
}

async function isRunning(connection: PoolConfig): Promise<boolean> {
  const database = openDatabase(connection, () => {})
  try {
    await database.pool.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await database.close()
  }
}
