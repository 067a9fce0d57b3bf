import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSecondPool } from '#server/testing/test-database.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { isDatabaseUnavailable, openDatabase, type Db } from './database.ts'
import { eq, sql } from './drizzle.ts'
import { nodeJobs } from './node-schema.ts'
import { prepareQuery } from './prepared.ts'

const shop = await openTestShop()

const addJob = prepareQuery('add_job', (db) =>
  db
    .insert(nodeJobs)
    .values({ name: sql.placeholder('name') })
    .returning({ name: nodeJobs.name }),
)
let jobs = 0
const addNext = (db: Db) => addJob(db, { name: `job ${(jobs += 1)}` })
const countPrepared = async (db: Db) => {
  const { rows } = await db.execute(
    sql`select from pg_prepared_statements where name like 'till_add_job%'`,
  )
  return rows.length
}

test('a statement that is run again with other values is planned once', async () => {
  // The shop's own pool has other connections, on which its settings are read meanwhile.
  const alone = openSecondPool(shop.shop.pool, { max: 1 })
  const added = [await addNext(alone.db), await addNext(alone.db), await addNext(alone.db)]
  assert.deepEqual(added.flat(), [{ name: 'job 1' }, { name: 'job 2' }, { name: 'job 3' }])
  assert.equal(await countPrepared(alone.db), 1)
  await alone.close()
})

test('where plans are lost between two calls, as behind a pooler, it goes on without', async () => {
  const pooled = openSecondPool(shop.shop.pool, { max: 1 })
  await addNext(pooled.db)
  await pooled.db.execute(sql`deallocate all`)
  assert.equal((await addNext(pooled.db)).length, 1)
  assert.equal((await addNext(pooled.db)).length, 1)
  assert.equal(await countPrepared(pooled.db), 0)
  await pooled.close()
})

test('transactions use what an earlier one on their connection has prepared', async () => {
  const alone = openSecondPool(shop.shop.pool, { max: 1 })
  for (const _ of [1, 2]) await alone.db.transaction((tx) => addNext(tx))
  assert.equal(await countPrepared(alone.db), 1)
  await alone.close()
})

test('a transaction within another ends with it, and by itself if it fails', async () => {
  const failed = new Error('by itself')
  const inner = (tx: Db) => tx.transaction((deepest) => addNext(deepest))
  await shop.db.transaction(async (tx) => {
    await inner(tx)
    await assert.rejects(
      tx.transaction(async (one) => {
        await inner(one)
        throw failed
      }),
      failed,
    )
    const added = await tx.$count(nodeJobs, eq(nodeJobs.name, `job ${jobs}`))
    assert.equal(added, 0)
  })
  assert.equal(await shop.db.$count(nodeJobs, eq(nodeJobs.name, `job ${jobs - 1}`)), 1)
  await assert.rejects(
    shop.db.transaction(async (tx) => {
      await inner(tx)
      throw failed
    }),
    failed,
  )
  assert.equal(await shop.db.$count(nodeJobs, eq(nodeJobs.name, `job ${jobs}`)), 0)
})

test('a transaction that finds its statements lost fails for a moment only', async () => {
  const alone = openSecondPool(shop.shop.pool, { max: 1 })
  const addInTransaction = () => alone.db.transaction((tx) => addNext(tx))
  await addInTransaction()
  await alone.db.execute(sql`deallocate all`)
  await assert.rejects(addInTransaction, isDatabaseUnavailable)
  assert.equal((await addInTransaction()).length, 1)
  await alone.close()
})

test('behind a pooler nothing is prepared', async () => {
  const { password, ...options } = shop.shop.pool.options
  const pooled = openDatabase({ ...options, password, max: 1 }, () => {}, true)
  await addNext(pooled.db)
  for (const _ of [1, 2]) await pooled.db.transaction((tx) => addNext(tx))
  assert.equal(await countPrepared(pooled.db), 0)
  await pooled.close()
})

test('a statement is never taken for another one of its name, which a node with other code may have prepared', async () => {
  const alone = openSecondPool(shop.shop.pool, { max: 1 })
  const addFinished = prepareQuery('add_job', (db) =>
    db
      .insert(nodeJobs)
      .values({ name: sql.placeholder('name'), doneUntil: sql`now()` })
      .returning({ doneUntil: nodeJobs.doneUntil }),
  )
  await addNext(alone.db)
  const [finished] = await addFinished(alone.db, { name: 'finished' })
  assert.ok(finished?.doneUntil)
  assert.equal(await countPrepared(alone.db), 2)
  await alone.close()
})

test('what is wrong with a statement is told', async () => {
  const job = { name: 'the same' }
  await addJob(shop.db, job)
  await assert.rejects(addJob(shop.db, job))
})

test('a connection that breaks during a statement means that the database is unavailable', async () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  const broken = openSecondPool(shop.shop.pool, { max: 1 })
  broken.pool.query = () => Promise.reject(reset)
  await assert.rejects(addNext(broken.db), isDatabaseUnavailable)
  await broken.close()
})
