import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { Client, type ClientConfig, type Pool, type PoolConfig } from 'pg'
import { openDatabase, type Database } from '#server/db/database.ts'
import { historyTable } from '#server/db/migrate.ts'
import { patienceMs } from './wait-for.ts'

/** Set by `npm test`: the PostgreSQL of the test run, with a migrated template database to copy. */
export const testServerVariable = 'TILL_TEST_POSTGRES'
export const templateDatabase = 'till_template'

/** How the shop connects, and the superuser, for what the shop may not do. */
export type TestServer = { shop: ClientConfig; superuser: ClientConfig; template: DatabaseShape }

function readServer(): TestServer {
  const given = process.env[testServerVariable]
  if (!given)
    throw new Error('Tests need their database: run them with npm test -- path/of/the.test.ts')
  return JSON.parse(given)
}

/** The superuser's connection to the same database. */
export function asSuperuser({ database }: ClientConfig): ClientConfig {
  return { ...readServer().superuser, ...(database && { database }), ...patience }
}

export function testServer(): ClientConfig {
  return readServer().shop
}

/** Tests stop in the middle of transactions on purpose, and run on machines that others keep busy. */
const timeouts = {
  statement_timeout: patienceMs,
  lock_timeout: patienceMs,
  idle_in_transaction_session_timeout: patienceMs,
  query_timeout: patienceMs,
}
export const patience = { ...timeouts, connectionTimeoutMillis: patienceMs }

/** For a shop in a process of its own. */
export function toDatabaseUrl({ host, user, password, database }: ClientConfig): string {
  const account = `${user}:${encodeURIComponent(String(password))}`
  const options = new URLSearchParams({
    host: String(host),
    connect_timeout: String(patienceMs / 1000),
    ...Object.fromEntries(Object.entries(timeouts).map(([name, ms]) => [name, String(ms)])),
  })
  return `postgres://${account}@localhost/${database}?${options}`
}

/** A fresh copy of a template for one test, dropped when it ends. */
export async function makeTestDatabase(template = templateDatabase): Promise<ClientConfig> {
  const name = await createDatabase(template)
  after(() => runOnServer(`drop database ${name} with (force)`))
  return { ...testServer(), database: name, ...patience }
}

/**
 * Databases that tests of this process have left. Making and dropping one takes longer than most tests, so the next test
 * gets it emptied, by when everything of the test before is closed. They end with the server of the test run.
 */
const left: string[] = []

export async function openTestDatabase(): Promise<Database> {
  const name = (await reuseDatabase()) ?? (await createDatabase(templateDatabase))
  const database = openDatabase({ ...testServer(), database: name, ...patience }, () => {})
  after(async () => {
    await database.close()
    left.push(name)
  })
  return database
}

async function createDatabase(template: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await runOnServer(`create database ${name} template ${template} owner ${testServer().user}`)
  return name
}

/** None if the test that left it changed more than rows, or so many that their traces would be noticed. */
async function reuseDatabase(): Promise<string | undefined> {
  const name = left.pop()
  if (!name) return undefined
  const isEmptied = await onServer(name, async (client) => {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    )
    const { template } = readServer()
    const now = await readShape(client)
    if (now.schema !== template.schema || now.bytes > 1.5 * template.bytes) return false
    await client.query(emptyTables)
    return true
  })
  if (isEmptied) return name
  await runOnServer(`drop database ${name} with (force)`)
  return undefined
}

/** `schema` changes with tables, columns, constraints, indexes, functions, triggers, rights and settings. */
export type DatabaseShape = { schema: string; bytes: number }

export async function readShape(client: Pick<Client, 'query'>): Promise<DatabaseShape> {
  const { rows } = await client.query<DatabaseShape>(`
    select pg_database_size(current_database())::int as bytes, concat_ws(' ',
      (select md5(string_agg(concat(relname, relnatts, relacl), ',' order by relname)) from pg_class
        where relnamespace = 'public'::regnamespace),
      (select md5(string_agg(conname, ',' order by conname)) from pg_constraint),
      (select md5(string_agg(concat(proname, md5(prosrc)), ',' order by oid)) from pg_proc
        where pronamespace = 'public'::regnamespace),
      (select md5(string_agg(concat(tgname, tgenabled), ',' order by tgname)) from pg_trigger
        where not tgisinternal),
      (select count(*) from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
        where datname = current_database())) as schema`)
  const [shape] = rows
  if (!shape) throw new Error('PostgreSQL said nothing about the database')
  return shape
}

/** Without triggers and foreign keys. The migrations leave no rows of their own behind. */
const emptyTables = `
  do $$ declare one record; begin
    set local session_replication_role = replica;
    for one in select tablename from pg_tables
      where schemaname = 'public' and tablename <> '${historyTable}' loop
      execute format('delete from %I', one.tablename);
    end loop;
    for one in select sequencename from pg_sequences where schemaname = 'public' loop
      execute format('alter sequence %I restart', one.sequencename);
    end loop;
  end $$`

/** Another pool on the same database, as another node has. */
export function openSecondPool(pool: Pool, options: PoolConfig = {}): Database {
  // pg hides the password from a spread.
  const { password } = pool.options
  return openDatabase({ ...pool.options, password, ...options }, () => {})
}

async function runOnServer(statement: string): Promise<void> {
  await onServer('postgres', (client) => client.query(statement))
}

/** As superuser: only they may drop a database that is being vacuumed. */
async function onServer<T>(database: string, act: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...readServer().superuser, database })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}
