import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestShop } from '#server/testing/test-shop.ts'
import { isDatabaseUnavailable, type Db } from './database.ts'
import { openSecondPool } from '#server/testing/test-database.ts'
import { sql } from './drizzle.ts'
import { runPrepared, runStatement, writeStatement, type Values } from './prepared.ts'

const shop = await openTestShop()
await shop.db.execute(sql`create table notes (note text)`)

const note = (text: string, db = shop.db) =>
  runPrepared(db, sql`insert into notes values (${text})`)
const notes = async () => (await shop.db.execute(sql`select note from notes`)).rows.length

test('a statement that is asked for again is planned once', async () => {
  // The shop's own pool has other connections, on which its settings are read meanwhile.
  const alone = openSecondPool(shop.shop.pool, { max: 1 })
  for (const text of ['a', 'b', 'c']) await note(text, alone.db)
  const { rows } = await alone.db.execute(
    sql`select from pg_prepared_statements where statement like 'insert into notes%'`,
  )
  assert.equal(rows.length, 1)
  assert.equal(await notes(), 3)
  await alone.close()
})

test('where plans are lost between two calls, as behind a pooler, it goes on without', async () => {
  const pooled = openSecondPool(shop.shop.pool, { max: 1 })
  const before = await notes()
  await note('planned', pooled.db)
  await pooled.db.execute(sql`deallocate all`)
  await note('lost', pooled.db)
  await note('without', pooled.db)
  assert.equal(await notes(), before + 3)
  const { rows } = await pooled.db.execute(sql`select from pg_prepared_statements`)
  assert.equal(rows.length, 0)
  await pooled.close()
})

test('what is wrong with a statement is told', async () => {
  await assert.rejects(runPrepared(shop.db, sql`insert into nowhere values (1)`))
})

test('a connection that breaks during a statement means that the database is unavailable', async () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  const broken = { $client: { query: () => Promise.reject(reset) } } as unknown as Db
  await assert.rejects(runPrepared(broken, sql`select 1`), isDatabaseUnavailable)
})

test('a statement that is written once takes other values each time, and never lacks or mixes them', async () => {
  const statement = writeStatement(
    sql`insert into notes values (${sql.placeholder('first')}), (${sql.placeholder('second')})`,
  )
  const before = await notes()
  await runStatement(shop.db, statement, { first: 'a', second: null })
  await runStatement(shop.db, statement, { first: 'b', second: 'c' })
  assert.equal(await notes(), before + 4)
  await assert.rejects(runStatement(shop.db, statement, { first: 'd' }), /lacks the value second/)
})

test('values of a statement come in parts, wherever each is, and its first run finds a name in two of them', async () => {
  const statement = writeStatement(
    sql`select ${sql.placeholder('a')}::int as a, ${sql.placeholder('b')}::int as b`,
  )
  const run = (...parts: Values[]) => runStatement(shop.db, statement, ...parts)
  assert.deepEqual(await run({ a: 1 }, { b: 2, c: 3 }), [{ a: 1, b: 2 }])
  assert.deepEqual(await run({ c: 3 }, { b: 5 }, { a: 4 }), [{ a: 4, b: 5 }])
  assert.deepEqual(await run({ a: 6, b: null }), [{ a: 6, b: null }])
  await assert.rejects(run({}, { a: 1 }), /lacks the value b/)
  const other = writeStatement(sql`select ${sql.placeholder('a')}::int as a`)
  await assert.rejects(
    runStatement(shop.db, other, { a: 1 }, { b: 2 }, { a: 1 }),
    /two parts .* a$/,
  )
})
