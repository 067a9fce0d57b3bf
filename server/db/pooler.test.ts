import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ClientConfig, PoolConfig } from 'pg'
import { makeTestDatabase } from '#server/testing/test-database.ts'
import { startPooler } from '#server/testing/pooler.ts'
import { connectDatabase, isDatabaseUnavailable, openDatabase } from './database.ts'
import { sql } from './drizzle.ts'
import { concurrentMarker, migrate, readMigrations } from './migrate.ts'
import { nodeJobs } from './node-schema.ts'
import { prepareQuery } from './prepared.ts'

/** With the timeouts of a shop. */
async function makeDatabase(template?: string): Promise<ClientConfig> {
  const {
    statement_timeout: _statement,
    lock_timeout: _lock,
    idle_in_transaction_session_timeout: _idle,
    query_timeout: _query,
    ...connection
  } = await makeTestDatabase(template)
  return connection
}

async function connect(connection: PoolConfig) {
  const database = await connectDatabase(connection, () => {})
  after(() => database.close())
  return database
}

const ways: Record<string, (connection: ClientConfig) => Promise<PoolConfig>> = {
  directly: async (connection) => connection,
  'through a pooler': (connection) => startPooler(connection),
}

for (const [way, open] of Object.entries(ways)) {
  test(`a database reached ${way} is migrated, and each transaction has its timeouts`, async () => {
    const database = await connect(await open(await makeDatabase('template0')))
    assert.equal(database.isPooled, way !== 'directly')
    await migrate(database.pool, await readMigrations())
    const shown = await database.db.transaction(async (tx) => {
      const { rows } =
        await tx.execute(sql`select current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`)
      return rows[0]
    })
    assert.deepEqual(shown, { idle: '5s', lock: '10s', statement: '15s' })
  })

  test(`a node that freezes in a transaction, ${way}, holds nobody up`, async () => {
    const direct = await makeDatabase()
    const connection = { ...(await open(direct)), idle_in_transaction_session_timeout: 60_000 }
    const [frozen, other] = [await connect(connection), await connect(connection)]
    await other.db.execute(sql`insert into node_jobs (name) values ('any')`)
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
    const { promise: locked, resolve: onLocked } = Promise.withResolvers<void>()
    const work = frozen.db.transaction(async (tx) => {
      await tx.execute(sql`update node_jobs set done_until = now()`)
      // Only now, so that a busy machine does not end it before.
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 300`)
      onLocked()
      await thawed
      await tx.execute(sql`select 1`)
    })
    await Promise.race([locked, work])
    await other.db.execute(sql`update node_jobs set held_until = now()`)
    thaw()
    // For a buyer that is a 503 and another try.
    await assert.rejects(work, isDatabaseUnavailable)
    // The node goes on with another connection.
    await frozen.db.transaction((tx) => tx.execute(sql`update node_jobs set done_until = now()`))
  })
}

test('an index is built concurrently through a pooler, by one of two nodes', async () => {
  const connection = await startPooler(await makeDatabase())
  const [one, other] = [await connect(connection), await connect(connection)]
  const migrations = await readMigrations()
  const statement = 'CREATE INDEX CONCURRENTLY "mails_kind_idx" ON "mails" ("kind");'
  const next = {
    version: migrations.length + 1,
    name: 'next',
    sql: `${concurrentMarker}\n${statement}`,
    checksum: 'x',
  }
  await Promise.all([one, other].map(({ pool }) => migrate(pool, [...migrations, next])))
  const { rows } = await one.pool.query(
    `select indisvalid from pg_index where indexrelid = 'mails_kind_idx'::regclass`,
  )
  assert.deepEqual(rows, [{ indisvalid: true }])
})

test('statements that are prepared go on behind a pooler that loses them', async () => {
  const connection = await makeDatabase()
  const { db } = await connect(await startPooler(connection))
  const addJob = prepareQuery('add_job', (on) =>
    on
      .insert(nodeJobs)
      .values({ name: sql.placeholder('name') })
      .returning({ name: nodeJobs.name }),
  )
  const written = Array.from({ length: 40 }, (_none, number) =>
    addJob(db, { name: `job ${number}` }),
  )
  await Promise.all(written)
  assert.equal(await db.$count(sql`node_jobs`), 40)
})

test('how long a connection may take is three seconds, or what DATABASE_URL says', async () => {
  for (const [options, ms] of [
    ['', 3_000],
    ['?connect_timeout=20', 20_000],
    ['?connect_timeout=soon', 3_000],
    ['?connect_timeout=99999999', 3_000],
  ] as const) {
    const connectionString = `postgres://till@127.0.0.1:1/till${options}`
    const { pool, close } = openDatabase({ connectionString }, () => {})
    assert.equal(pool.options.connectionTimeoutMillis, ms)
    await close()
  }
})

test('a transaction that cannot begin gives its connection back', async () => {
  const { db, pool } = await connect({ ...(await makeDatabase()), max: 1 })
  const client = await pool.connect()
  client.query = () => Promise.reject(new Error('Connection terminated unexpectedly'))
  client.release()
  await assert.rejects(db.transaction((tx) => tx.execute(sql`select 1`)))
  assert.equal(await db.transaction(async () => 'works'), 'works')
})
