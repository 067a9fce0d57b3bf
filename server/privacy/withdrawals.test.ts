import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CustomerData } from '#contract/customers.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { eq, inArray, sql } from '#server/db/drizzle.ts'
import { nodeJobs } from '#server/db/node-schema.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { mails, orders } from '#server/db/schema.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { addOrder } from '#server/testing/mails.ts'
import { openSecondPool } from '#server/testing/test-database.ts'
import { openTestShop, testAdmin } from '#server/testing/test-shop.ts'
import { deleteOldData } from './retention.ts'

const shop = await openTestShop()
const { app, db } = shop
const headers = await shop.signIn()
const { password } = testAdmin
/** The shop's own pool may be busy waiting. */
const second = openSecondPool(shop.shop.pool)
after(() => second.close())

const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers, payload })

const markAllHandled = async () => {
  for (const { id } of await db
    .select()
    .from(withdrawals)
    .where(sql`handled_at is null`))
    await post(pathOf(apiRoutes.withdrawalHandled, { id }), { note: 'Anna called' })
}

test('statements are exported with the customer, and erased once they are handled', async () => {
  const email = 'anna@example.com'
  const order = await addOrder(db, { status: 'completed' })
  await post(apiRoutes.withdrawals, { name: 'Anna', orderNumber: `${order.number}`, email })
  await post(apiRoutes.withdrawals, { name: 'Anna', orderNumber: 'none', email })
  const exported: CustomerData = (await post(apiRoutes.customerExport, { email })).json()
  assert.deepEqual(
    exported.withdrawals.map(({ orderId, name }) => [orderId, name]),
    [
      [order.id, 'Anna'],
      [null, 'Anna'],
    ],
  )
  const early = await post(apiRoutes.customerErase, { email, password })
  assert.equal(early.json().code, 'customer-withdrawal-open')
  await markAllHandled()
  const erased = await post(apiRoutes.customerErase, { email, password })
  assert.equal(erased.statusCode, 200, erased.body)
  const left = await db.select().from(withdrawals)
  assert.deepEqual(
    left.map(({ orderId, name, email: kept, note }) => [orderId, name, kept, note]),
    [[order.id, 'Erased', '', null]],
  )
})

test('the statement of somebody who never bought is exported and erased too', async () => {
  const email = 'stranger@example.com'
  const statement = { name: 'Stranger', orderNumber: 'none', email, language: 'fr' }
  await post(apiRoutes.withdrawals, statement)
  const exported: CustomerData = (await post(apiRoutes.customerExport, { email })).json()
  assert.deepEqual(
    exported.withdrawals.map(({ language }) => language),
    ['fr'],
  )
  const erased = await post(apiRoutes.customerErase, { email, password })
  assert.equal(erased.statusCode, 200, 'what fits no order of theirs blocks nothing')
  assert.equal(await db.$count(withdrawals, eq(withdrawals.email, email)), 0)
})

test('an admin can mark a withdrawal as handled while its customer is erased', async () => {
  await db.delete(withdrawals)
  const email = 'berta@example.com'
  const order = await addOrder(db, { status: 'completed', customerEmail: email })
  await post(apiRoutes.withdrawals, { name: 'Berta', orderNumber: order.id, email })
  const [statement] = await db.select().from(withdrawals)
  const url = pathOf(apiRoutes.withdrawalHandled, { id: statement?.id ?? '' })
  // As an erasure does: first the order, then what was stated about it.
  const handling = await db.transaction(async (tx) => {
    await tx.select().from(orders).where(eq(orders.id, order.id)).for('update')
    // An injected request is sent once somebody waits for it.
    const call = post(url, { note: 'Berta called' }).then((answer) => answer)
    await waitFor('the other waits for the order', async () => {
      const { rowCount } = await second.db.execute(sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      return rowCount !== 0
    })
    await tx.select().from(withdrawals).for('update')
    return [call]
  })
  const [handled] = await Promise.all(handling)
  assert.equal(handled?.statusCode, 204, handled?.body)
  const erased = await post(apiRoutes.customerErase, { email, password })
  assert.equal(erased.statusCode, 200, erased.body)
})

test('statements without an order are deleted in time, handled or not; those of orders stay', async () => {
  await db.delete(withdrawals)
  const { id: orderId } = await addOrder(db)
  const statement = { name: 'Anna', orderNumber: '1', email: 'anna@example.com' }
  const handledAt = sql`now() - interval '3 years'`
  await db.insert(withdrawals).values([
    { ...statement, name: 'Handled', handledAt },
    { ...statement, name: 'Never handled', createdAt: handledAt },
    { ...statement, name: 'Handled late', createdAt: handledAt, handledAt: new Date() },
    { ...statement, name: 'Waiting' },
    { ...statement, name: 'Ordered', orderId, handledAt },
  ])
  await db.update(nodeJobs).set({ heldUntil: sql`now()` })
  await deleteOldData({ db, log: shop.shop.log, config: shop.shop.config })
  const left = await db.select().from(withdrawals)
  assert.deepEqual(left.map(({ name }) => name).toSorted(), ['Handled late', 'Ordered', 'Waiting'])
})

test('statements of test mode go with the test orders', async () => {
  await db.delete(withdrawals)
  const order = await addOrder(db, { isTest: true, customerEmail: 'tester@example.com' })
  const email = 'tester@example.com'
  await post(apiRoutes.withdrawals, { name: 'Anna', orderNumber: order.id, email })
  await post(apiRoutes.withdrawals, { name: 'Anna', orderNumber: 'none', email })
  const mailIds = (await db.select().from(withdrawals)).flatMap(({ mailId }) => mailId ?? [])
  assert.equal(mailIds.length, 2)
  const removed = await post(apiRoutes.removeTestData, { password })
  assert.equal(removed.statusCode, 200, removed.body)
  assert.equal(await db.$count(withdrawals), 0)
  assert.equal(await db.$count(orders, eq(orders.id, order.id)), 0)
  assert.equal(await db.$count(mails, inArray(mails.id, mailIds)), 0)
})
