import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { Client, type ClientConfig, type Pool, type PoolConfig } from 'pg'
import { openDatabase, type Database } from '#server/db/database.ts'

/** Set by `npm test`: the PostgreSQL of the test run, with a migrated template database to copy. */
export const testServerVariable = 'TILL_TEST_POSTGRES'
export const templateDatabase = 'till_template'

/** How the shop connects, and the superuser, for what the shop may not do. */
export type TestServer = { shop: ClientConfig; superuser: ClientConfig }

function readServer(): TestServer {
  const given = process.env[testServerVariable]
  if (!given)
    throw new Error('Tests need their database: run them with npm test -- path/of/the.test.ts')
  return JSON.parse(given)
}

/** The superuser's connection to the same database. */
export function asSuperuser({ database }: ClientConfig): ClientConfig {
  return { ...readServer().superuser, ...(database && { database }) }
}

export function testServer(): ClientConfig {
  return readServer().shop
}

/** For a shop in a process of its own. */
export function toDatabaseUrl({ host, user, password, database }: ClientConfig): string {
  const account = `${user}:${encodeURIComponent(String(password))}`
  return `postgres://${account}@localhost/${database}?host=${encodeURIComponent(String(host))}`
}

/** Tests stop in the middle of transactions on purpose, and the machine may be busy. */
const patience = { idle_in_transaction_session_timeout: 60_000 }

/** A database for one test file, dropped when the file ends. */
export async function makeTestDatabase(template = templateDatabase): Promise<ClientConfig> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await runOnServer(`create database ${name} template ${template} owner ${testServer().user}`)
  after(() => runOnServer(`drop database ${name} with (force)`))
  return { ...testServer(), database: name, ...patience }
}

export async function openTestDatabase(): Promise<Database> {
  const connection = await makeTestDatabase()
  const database = openDatabase(connection, () => {})
  after(() => database.close())
  return database
}

/** Another pool on the same database, as another node has. */
export function openSecondPool(pool: Pool, options: PoolConfig = {}): Database {
  // pg hides the password from a spread.
  const { password } = pool.options
  return openDatabase({ ...pool.options, password, ...options }, () => {})
}

async function runOnServer(statement: string): Promise<void> {
  // Only a superuser may drop a database that is being vacuumed.
  const client = new Client({ ...readServer().superuser, database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
