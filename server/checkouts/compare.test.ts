import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { findRestored, markRestored } from '#server/db/restored.ts'
import { nodeJobs } from '#server/db/node-schema.ts'
import { payments } from '#server/db/payment-schema.ts'
import { checkouts, orders, orderTimeline } from '#server/db/schema.ts'
import { badCard, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { changeConfig, pricedDelivery } from '#server/testing/prices.ts'
import { listReview, openSaleShop, type SaleShop } from '#server/testing/sale.ts'
import { compareIfDue, compareWithHistory, type ComparisonDeps } from './compare.ts'

/** The books are compared as if it were tomorrow: payments younger than a quarter of an hour are left alone. */
function tomorrow({ settling }: SaleShop): ComparisonDeps & { asked: string[] } {
  const { sumup } = settling
  const asked: string[] = []
  const later = encodeURIComponent(new Date(Date.now() + 86_400_000).toISOString())
  const listHistory = (query: string) => {
    asked.push(query)
    return sumup.listHistory(query.replace(/newest_time=[^&]*/, `newest_time=${later}`))
  }
  return { ...settling, sumup: { ...sumup, listHistory }, asked }
}

async function buy(shop: SaleShop): Promise<string> {
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  return checkoutId
}

/** Paid at SumUp, and nobody here knows of it. */
async function payUnnoticed(shop: SaleShop): Promise<string> {
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  await shop.db
    .update(checkouts)
    .set({ state: 'closed', nextCheckAt: null })
    .where(sql`state <> 'paid'`)
  return checkoutId
}

const ordersIn = ({ db }: SaleShop) => db.select().from(orders)

/** What was refunded and charged back, by payment. */
async function listReturned({ db }: SaleShop): Promise<Map<string, string[]>> {
  const known = await db.select().from(payments)
  return new Map(
    known.map(({ transactionId, refunded, chargedBack }) => [
      transactionId,
      [refunded, chargedBack],
    ]),
  )
}

test('a payment on a sale that is closed here becomes an order', async () => {
  const shop = await openSaleShop()
  await buy(shop)
  await payUnnoticed(shop)
  const found = await compareWithHistory(tomorrow(shop))
  assert.deepEqual(found, { items: 2, settled: 1, withoutSale: 0, unknownOrders: [] })
  assert.equal((await ordersIn(shop)).length, 2)
})

test('a sale at a price with delivery becomes an order, unless another amount was charged than agreed', async () => {
  const shop = await openSaleShop()
  changeConfig(shop, { delivery: pricedDelivery })
  const pay = async () => {
    const buyer = createBuyer(shop)
    const opened = await buyer.open(shop.mug, '53.90', 'EUR', { country: 'Germany' })
    const { checkoutId } = opened.json()
    await buyer.saveDetails(checkoutId)
    await payByCard(shop.sandbox, checkoutId)
    return checkoutId
  }
  const [agreed, other] = [await pay(), await pay()]
  await shop.db.update(checkouts).set({ state: 'closed', nextCheckAt: null })
  shop.sandbox.faults.set({
    rules: [{ on: 'get', kind: 'wrong-amount', checkout: other, probability: 1 }],
  })
  await compareWithHistory(tomorrow(shop))
  const [order, ...more] = await ordersIn(shop)
  assert.deepEqual(more, [])
  assert.equal(order?.sumupCheckoutId, agreed)
  assert.deepEqual([order?.amount, order?.terms?.shipping], ['53.90', '4.90'])
  assert.deepEqual(
    (await listReview(shop)).map(({ reason }) => reason),
    ['mismatch'],
  )
})

test('a payment whose sale is lost here goes to review, once, with what is known of it', async () => {
  const shop = await openSaleShop()
  await payUnnoticed(shop)
  await shop.db.delete(checkouts)
  assert.equal((await compareWithHistory(tomorrow(shop))).withoutSale, 1)
  assert.equal((await compareWithHistory(tomorrow(shop))).withoutSale, 0)
  const [entry, ...more] = await listReview(shop)
  const [payment] = shop.sandbox.ledger().transactions
  assert.deepEqual(more, [])
  assert.partialDeepStrictEqual(entry, {
    reason: 'no-sale',
    amount: '49.00',
    currency: 'EUR',
    transactionCode: payment?.code,
    product: null,
    canOrder: true,
    canRefund: true,
  })
})

test('a payment whose sale is lost after it was compared goes to review', async () => {
  const shop = await openSaleShop()
  await payUnnoticed(shop)
  assert.equal((await compareWithHistory(tomorrow(shop))).settled, 1)
  await shop.db.execute(sql`truncate orders, checkouts, payments, review_entries cascade`)
  assert.equal((await compareWithHistory(tomorrow(shop))).withoutSale, 1)
})

test('a sale is found by its id, whatever secret it was created with', async () => {
  const shop = await openSaleShop()
  await payUnnoticed(shop)
  const found = await compareWithHistory({ ...tomorrow(shop), secret: 'another secret' })
  assert.equal(found.settled, 1)
  assert.equal((await ordersIn(shop)).length, 1)
})

test('after a restore everything since the backup is compared at once, also what was paid just now', async () => {
  const shop = await openSaleShop()
  const { db, settling } = shop
  await payUnnoticed(shop)
  await db.delete(checkouts)
  const asked: string[] = []
  const listHistory = (query: string) => {
    asked.push(new URLSearchParams(query).get('oldest_time') ?? '')
    return settling.sumup.listHistory(query)
  }
  const deps = { ...settling, sumup: { ...settling.sumup, listHistory } }
  const backupAt = new Date(Date.now() - 20 * 86_400_000).toISOString()
  await shop.shop.pool.query(markRestored.text, markRestored.values(backupAt))
  assert.equal((await compareIfDue(deps))?.withoutSale, 1)
  assert.ok((asked[0] ?? '') < backupAt)
  await db.update(nodeJobs).set({ heldUntil: sql`now()` })
  await compareIfDue(deps)
  assert.ok((asked.at(-1) ?? '') > backupAt, 'once is enough')
})

test('payments since a restored backup are looked for until the account is that of its sales', async () => {
  const shop = await openSaleShop({ isLive: true })
  const { db, settling } = shop
  const { sumup } = settling
  await buy(shop)
  await payUnnoticed(shop)
  await db.delete(checkouts).where(sql`state = 'closed'`)
  const backupAt = new Date(Date.now() - 20 * 86_400_000).toISOString()
  await shop.shop.pool.query(markRestored.text, markRestored.values(backupAt))
  const listHistory: typeof sumup.listHistory = async () => ({ items: [], links: [] })
  for (const other of [{ findMode: () => 'test' as const }, { merchantCode: 'OTHER' }]) {
    const deps = { ...settling, sumup: { ...sumup, listHistory, ...other } }
    assert.equal((await compareIfDue(deps))?.items, 0)
    const restored = await findRestored(db)
    assert.deepEqual([restored?.backupAt.toISOString(), restored?.comparedAt], [backupAt, null])
    await db.update(nodeJobs).set({ heldUntil: sql`now()` })
  }
  assert.equal((await compareIfDue(settling))?.withoutSale, 1)
  assert.ok((await findRestored(db))?.comparedAt)
})

test('a partly refunded payment without a sale goes to review', async () => {
  const shop = await openSaleShop()
  const checkoutId = await payUnnoticed(shop)
  shop.sandbox.controls.refund({ payment: checkoutId, amount: 5 })
  await shop.db.delete(checkouts)
  assert.equal((await compareWithHistory(tomorrow(shop))).withoutSale, 1)
})

test('a second payment on a paid sale goes to review', async () => {
  const shop = await openSaleShop()
  const checkoutId = await buy(shop)
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  await compareWithHistory(tomorrow(shop))
  const [entry] = await listReview(shop)
  assert.equal(entry?.reason, 'paid-twice')
  assert.equal((await ordersIn(shop)).length, 1)
})

test('a second payment on a sale that was refunded goes to review', async () => {
  const shop = await openSaleShop()
  const checkoutId = await buy(shop)
  await shop.db.update(checkouts).set({ state: 'refunded' })
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  await compareWithHistory(tomorrow(shop))
  assert.equal((await listReview(shop))[0]?.reason, 'paid-twice')
})

test('other payments on the account are ignored without a further request', async () => {
  const shop = await openSaleShop()
  await buy(shop)
  const { controls } = shop.sandbox
  controls.addForeignPayments({ count: 250 })
  controls.addForeignPayments({ count: 50, paymentType: 'POS' })
  controls.addForeignPayments({ count: 5, status: 'FAILED' })
  await payByCard(shop.sandbox, await createBuyer(shop).arrive(shop.mug), badCard)
  const deps = tomorrow(shop)
  let lookedUp = 0
  const findTransaction: typeof deps.sumup.findTransaction = (id) => {
    lookedUp += 1
    return shop.settling.sumup.findTransaction(id)
  }
  const found = await compareWithHistory({ ...deps, sumup: { ...deps.sumup, findTransaction } })
  assert.ok(found.items > 300)
  assert.deepEqual(
    { ...found, items: 0 },
    { items: 0, settled: 0, withoutSale: 0, unknownOrders: [] },
  )
  assert.equal(lookedUp, 0)
  assert.deepEqual(await listReview(shop), [])
})

test('every page is requested with our own filters, whatever the link to the next page leaves out', async () => {
  const shop = await openSaleShop()
  shop.sandbox.controls.setSwitches({ bareLinks: true })
  shop.sandbox.controls.addForeignPayments({ count: 250 })
  const deps = tomorrow(shop)
  assert.equal((await compareWithHistory(deps)).items, 250)
  assert.equal(deps.asked.length, 3)
  assert.ok(deps.asked.every((query) => query.includes('oldest_time=')))
})

test('items with missing fields do not hide the others', async () => {
  const shop = await openSaleShop()
  await payUnnoticed(shop)
  const fields = ['currency', 'amount', 'timestamp'] as const
  shop.sandbox.controls.addForeignPayments({ count: 3 })
  shop.sandbox.controls.setSwitches({ sparseHistory: { fields: [...fields] } })
  assert.equal((await compareWithHistory(tomorrow(shop))).settled, 1)
  assert.equal((await ordersIn(shop)).length, 1)
})

test('a second payment is found behind many items without a reference', async () => {
  const shop = await openSaleShop()
  shop.sandbox.controls.addForeignPayments({ count: 60 })
  const checkoutId = await buy(shop)
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  shop.sandbox.controls.setSwitches({ sparseHistory: { fields: ['product_summary'] } })
  await compareWithHistory(tomorrow(shop))
  assert.equal((await listReview(shop))[0]?.reason, 'paid-twice')
})

test('refunds and chargebacks are recorded on their orders, once', async () => {
  const shop = await openSaleShop()
  const refunded = await buy(shop)
  const chargedBack = await buy(shop)
  shop.sandbox.controls.refund({ payment: refunded, amount: 10 })
  shop.sandbox.controls.chargeBack({ payment: chargedBack })
  await compareWithHistory(tomorrow(shop))
  shop.sandbox.controls.refund({ payment: refunded, amount: 10 })
  await compareWithHistory(tomorrow(shop))
  await compareWithHistory(tomorrow(shop))
  const found = await ordersIn(shop)
  const of = (checkoutId: string) => found.find((order) => order.sumupCheckoutId === checkoutId)
  const returned = await listReturned(shop)
  assert.deepEqual(returned.get(of(refunded)?.sumupTransactionId ?? ''), ['20.00', '0.00'])
  assert.deepEqual(returned.get(of(chargedBack)?.sumupTransactionId ?? ''), ['0.00', '49.00'])
  const events = await shop.db.select().from(orderTimeline)
  assert.deepEqual(
    events
      .flatMap(({ event, amount }) => (event === 'placed' ? [] : [`${event} ${amount}`]))
      .toSorted(),
    ['charged-back 49.00', 'refunded 10.00', 'refunded 10.00'],
  )
})

test('what went back is the same in the export as in the analytics', async () => {
  const shop = await openSaleShop()
  const [refunded, chargedBack] = [await buy(shop), await buy(shop)]
  shop.sandbox.controls.refund({ payment: refunded, amount: 10 })
  shop.sandbox.controls.chargeBack({ payment: chargedBack })
  await compareWithHistory(tomorrow(shop))
  const headers = await shop.signIn()
  const { body } = await shop.app.inject({ url: apiRoutes.orderExport, headers })
  const [titles = [], ...lines] = body.split('\r\n').map((line) => line.split(','))
  const sum = (title: string) =>
    lines.reduce((total, cells) => total + Number(cells[titles.indexOf(title)] ?? 0), 0)
  assert.deepEqual([sum('Refunded'), sum('Charged back')], [10, 49])
  const summary = (await shop.app.inject({ url: apiRoutes.analyticsSummary, headers })).json()
  assert.deepEqual([summary.grossRevenue, summary.revenue], ['98.00', '39.00'])
})

test('a payment that was refunded before it was found needs no review', async () => {
  const shop = await openSaleShop()
  const checkoutId = await payUnnoticed(shop)
  shop.sandbox.controls.refund({ payment: checkoutId })
  await shop.db.delete(checkouts)
  assert.equal((await compareWithHistory(tomorrow(shop))).withoutSale, 0)
  assert.deepEqual(await listReview(shop), [])
})

test('the owner is told of an order whose payment SumUp does not have', async () => {
  const shop = await openSaleShop()
  const checkoutId = await buy(shop)
  shop.sandbox.controls.forget({ payment: checkoutId })
  await shop.db.update(orders).set({ createdAt: sql`now() - interval '1 hour'` })
  const [order] = await ordersIn(shop)
  const { unknownOrders } = await compareWithHistory(tomorrow(shop))
  assert.deepEqual(unknownOrders, [order?.id])
  const [entry, ...more] = await listReview(shop)
  assert.deepEqual(more, [])
  const shown = { reason: 'not-at-sumup', canOrder: false, canRefund: false, orderId: order?.id }
  assert.partialDeepStrictEqual(entry, shown)
})

test('one of several nodes compares, and none again within the hour', async () => {
  const shop = await openSaleShop()
  const deps = tomorrow(shop)
  const done = await Promise.all([compareIfDue(deps), compareIfDue(deps), compareIfDue(deps)])
  assert.equal(done.filter(Boolean).length, 1)
  assert.equal(await compareIfDue(deps), undefined)
  await shop.db.update(nodeJobs).set({ heldUntil: sql`now()` })
  assert.ok(await compareIfDue(deps))
})

test('while nobody knows whether payments are tests, none is compared', async () => {
  const shop = await openSaleShop()
  const transaction = await payUnnoticed(shop)
  assert.ok(transaction)
  await shop.db.delete(checkouts)
  const deps = tomorrow(shop)
  const unknown = { ...deps, sumup: { ...deps.sumup, findMode: () => undefined } }
  assert.equal(await compareIfDue(unknown), undefined)
  assert.equal((await compareWithHistory(unknown)).withoutSale, 0)
  assert.equal(await shop.db.$count(payments), 0)
  assert.equal((await compareIfDue(deps))?.withoutSale, 1, 'as soon as it is known')
  assert.deepEqual(
    (await shop.db.select().from(payments)).map(({ isTest }) => isTest),
    [true],
  )
})

const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000

/** Counts the look-ups of single transactions. */
function countLookups({ settling }: SaleShop) {
  const lookedUp: string[] = []
  const findTransaction = (id: string) => {
    lookedUp.push(id)
    return settling.sumup.findTransaction(id)
  }
  return { deps: { ...settling, sumup: { ...settling.sumup, findTransaction } }, lookedUp }
}

const makeDue = ({ db }: SaleShop) => db.update(nodeJobs).set({ heldUntil: sql`now()` })

test('payments beyond the limit of one comparison are looked up in the next, each once', async () => {
  const shop = await openSaleShop()
  const count = 1_010
  shop.sandbox.controls.addForeignPayments({ count, from: hoursAgo(2.2), to: hoursAgo(2) })
  shop.sandbox.controls.setSwitches({ sparseHistory: { fields: ['product_summary'] } })
  const { deps, lookedUp } = countLookups(shop)
  for (const total of [500, 1_000, count, count]) {
    await compareIfDue(deps)
    assert.equal(lookedUp.length, total)
    await makeDue(shop)
  }
  assert.equal(new Set(lookedUp).size, count)
})

test('a refund that is recorded is not looked up again', async () => {
  const shop = await openSaleShop()
  const checkoutId = await buy(shop)
  shop.sandbox.controls.refund({ payment: checkoutId, amount: 10 })
  const { deps, lookedUp } = countLookups(shop)
  const { listHistory } = tomorrow(shop).sumup
  const later = { ...deps, sumup: { ...deps.sumup, listHistory } }
  await compareWithHistory(later)
  await compareWithHistory(later)
  assert.equal(lookedUp.length, 1)
  shop.sandbox.controls.refund({ payment: checkoutId, amount: 5 })
  await compareWithHistory(later)
  assert.equal(lookedUp.length, 2)
  assert.deepEqual([...(await listReturned(shop)).values()], [['15.00', '0.00']])
})

test('a request that fails now and then does not end a comparison', async () => {
  const shop = await openSaleShop()
  const checkoutId = await buy(shop)
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  shop.sandbox.controls.setSwitches({ sparseHistory: { fields: ['product_summary'] } })
  const failTwice = (on: 'history' | 'transaction') =>
    ({ on, kind: 'error-500', count: 2, probability: 1 }) as const
  shop.sandbox.faults.set({ rules: [failTwice('history'), failTwice('transaction')] })
  await compareWithHistory({ ...tomorrow(shop), retryDelaysMs: [0, 0] })
  assert.equal((await listReview(shop))[0]?.reason, 'paid-twice')
})

test('a transaction that SumUp cannot show delays no other, and is looked up again', async () => {
  const shop = await openSaleShop()
  const checkoutId = await buy(shop)
  shop.sandbox.controls.addForeignPayments({ count: 1, from: hoursAgo(2), to: hoursAgo(2) })
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  shop.sandbox.controls.setSwitches({ sparseHistory: { fields: ['product_summary'] } })
  shop.sandbox.faults.set({
    rules: [{ on: 'transaction', kind: 'html', count: 1, probability: 1 }],
  })
  const once = { ...tomorrow(shop), retryDelaysMs: [] }
  const { skippedAt } = await compareWithHistory(once)
  assert.ok(skippedAt)
  assert.equal((await listReview(shop))[0]?.reason, 'paid-twice')
  assert.equal((await compareWithHistory(once)).skippedAt, undefined)
})
