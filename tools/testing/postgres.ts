import { join } from 'node:path'
import { Client } from 'pg'
import { openDatabase } from '#server/db/database.ts'
import {
  findSecret,
  passwordOf,
  superuser,
  type Connection,
} from '#server/db/embedded/credentials.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { templateDatabase, testServerVariable } from '#server/testing/test-database.ts'

/** One PostgreSQL for a whole test run: the one the shop runs, without waiting for the disk. */
export async function startTestPostgres(dataDir: string): Promise<{ stop: () => Promise<void> }> {
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
    },
  })
  await allowCreatingDatabases(server.connection, dataDir)
  const client = new Client({ ...server.connection, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  const template = openDatabase({ ...server.connection, database: templateDatabase }, () => {})
  await migrate(template.pool, await readMigrations())
  await template.close()
  process.env[testServerVariable] = JSON.stringify(server.connection)
  return server
}

/** Each test file has a database of its own. The shop's role may not create any. */
async function allowCreatingDatabases(connection: Connection, dataDir: string): Promise<void> {
  const password = passwordOf(superuser, (await findSecret(join(dataDir, 'postgres'))) ?? '')
  const client = new Client({ ...connection, user: superuser, password })
  await client.connect()
  await client.query(`alter role ${connection.user} createdb createrole`)
  await client.end()
}
