import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import type { Config } from '#server/config.ts'
import { openDatabase, type Db } from '#server/db/database.ts'
import { openSocketFolder } from '#server/db/embedded/ownership.ts'
import { databaseName, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { databasePort, databaseUser } from '#server/db/embedded/cluster.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'

/** The shop's database for a command: beside the running shop, or started for it where none runs. */
export async function withShopDatabase(
  config: Config,
  work: (db: Db) => Promise<void>,
  { isPatient = false } = {},
): Promise<void> {
  // The usual limits are for buyers; who loads a million rows waits for them.
  const limits = isPatient ? { statement_timeout: 0, query_timeout: 0 } : {}
  if (config.databaseUrl)
    return useDatabase({ connectionString: config.databaseUrl, ...limits }, work)
  const address = await openSocketFolder(join(config.dataDir, 'postgres'), undefined)
  try {
    const connection = {
      host: address.host,
      port: databasePort,
      user: databaseUser,
      database: databaseName,
    }
    if (await answers(connection)) return await useDatabase({ ...connection, ...limits }, work)
  } finally {
    await address.close()
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, say: console.log })
  try {
    await useDatabase({ ...embedded.connection, ...limits }, work)
  } finally {
    await embedded.stop()
  }
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

async function answers(connection: PoolConfig): Promise<boolean> {
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
