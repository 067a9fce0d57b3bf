import { join } from 'node:path'
import type { Pool, PoolConfig } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import type { Config } from '#server/config.ts'
import { openDatabase, type Db } from '#server/db/database.ts'
import { describeConnection, findSecret } from '#server/db/embedded/credentials.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { openSocketFolder } from '#server/db/embedded/ownership.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
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

type DatabaseWork = (db: Db, pool: Pool) => Promise<void>
type Options = {
  hasTimeouts?: boolean
  /** False for who only looks: then the schema may be another one than this code expects. */
  migrates?: boolean
}

/** Opens the database of the running shop, or starts it if the shop is closed. */
export async function withShopDatabase(
  config: Config,
  work: DatabaseWork,
  { hasTimeouts = true, migrates = true }: Options = {},
): Promise<void> {
  // The default timeouts protect buyers; loading a million rows takes longer.
  const timeouts = hasTimeouts ? {} : { statement_timeout: 0, query_timeout: 0 }
  if (config.databaseUrl)
    return useDatabase({ connectionString: config.databaseUrl, ...timeouts }, work, migrates)
  const path = join(config.dataDir, 'postgres')
  const secret = await findSecret(path)
  if (secret !== undefined) {
    const address = await openSocketFolder(path, undefined)
    try {
      const connection = describeConnection(address.host, secret)
      if (await isRunning(connection))
        return await useDatabase({ ...connection, ...timeouts }, work, migrates)
    } finally {
      await address.close()
    }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, say: console.error })
  try {
    await useDatabase({ ...embedded.connection, ...timeouts }, work, migrates)
  } finally {
    await embedded.stop()
  }
}

async function useDatabase(
  connection: PoolConfig,
  work: DatabaseWork,
  migrates: boolean,
): Promise<void> {
  const database = openDatabase(connection, () => {})
  try {
    if (migrates) await migrate(database.pool, await readMigrations())
    await work(database.db, database.pool)
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
