import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import type { Config } from '#server/config.ts'
import { openDatabase, type Db } from '#server/db/database.ts'
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

/** Opens the database of the running shop, or starts it if the shop is closed. */
export async function withShopDatabase(
  config: Config,
  work: (db: Db) => Promise<void>,
  { hasTimeouts = true } = {},
): Promise<void> {
  // The default timeouts protect buyers; loading a million rows takes longer.
  const timeouts = hasTimeouts ? {} : { statement_timeout: 0, query_timeout: 0 }
  if (config.databaseUrl)
    return useSharedDatabase({ connectionString: config.databaseUrl, ...timeouts }, work)
  const path = join(config.dataDir, 'postgres')
  const secret = await findSecret(path)
  if (secret !== undefined) {
    const address = await openSocketFolder(path, undefined)
    try {
      const connection = describeConnection(address.host, secret)
      if (await isRunning(connection))
        return await useSharedDatabase({ ...connection, ...timeouts }, work)
    } finally {
      await address.close()
    }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, say: console.log })
  try {
    await useDatabase({ ...embedded.connection, ...timeouts }, work)
  } finally {
    await embedded.stop()
  }
}

/** A shop may be running on it, of the version before an update: its tables must not change under it. */
async function useSharedDatabase(
  connection: PoolConfig,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  const database = openDatabase(connection, () => {})
  try {
    if (await isBehind(database.pool, await readMigrations()))
      throw new CannotStart(
        'The database is of an earlier version of Till. Start the shop once with this version, then run the command again.',
      )
  } finally {
    await database.close()
  }
  await useDatabase(connection, work)
}

async function useDatabase(connection: PoolConfig, work: (db: Db) => Promise<void>): Promise<void> {
  const database = openDatabase(connection, () => {})
  try {
    await migrate(database.pool, await readMigrations())
    await work(database.db)
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
