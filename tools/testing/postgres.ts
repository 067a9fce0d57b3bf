import { join } from 'node:path'
import { Client, type Pool } from 'pg'
import { openDatabase } from '#server/db/database.ts'
import { findSecret, passwordOf, superuser } from '#server/db/embedded/credentials.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { historyTable, migrate, readMigrations } from '#server/db/migrate.ts'
import {
  patience,
  readShape,
  templateDatabase,
  testServerVariable,
  type TestServer,
} from '#server/testing/test-database.ts'

/** One PostgreSQL for a whole test run: the one the shop runs, without waiting for the disk. */
export async function startTestPostgres(dataDir: string): Promise<{ stop: () => Promise<void> }> {
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      // At a moment of its own it would move new rows to other places, and so change the order in which they are read.
      autovacuum: 'off',
    },
  })
  const secret = (await findSecret(join(dataDir, 'postgres'))) ?? ''
  const password = passwordOf(superuser, secret)
  const owner = { ...server.connection, user: superuser, password }
  const client = new Client({ ...owner, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${templateDatabase} owner ${server.connection.user}`)
  await client.end()
  const connection = { ...server.connection, database: templateDatabase, ...patience }
  const template = openDatabase(connection, () => {})
  await migrate(template.pool, await readMigrations())
  const shape = await readShape(template.pool)
  await assertEmpty(template.pool)
  await template.close()
  const servers: TestServer = { shop: server.connection, superuser: owner, template: shape }
  process.env[testServerVariable] = JSON.stringify(servers)
  return server
}

/** Databases are emptied for the next test: rows that the migrations make would be missing there. */
async function assertEmpty(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> $1`,
    [historyTable],
  )
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`select from ${name} limit 1`)
    if (rowCount !== 0)
      throw new Error(`The migrations leave rows in ${name}: see test-database.ts`)
  }
}
