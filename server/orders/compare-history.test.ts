import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { addMug, buyerOf, payByCard } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { openSumup } from '#server/payments/sumup.ts'
import { compareWithHistory } from './compare-history.ts'
import { sweep } from './sweep.ts'

/** The stand-in's payments are minutes old only in an hour; its clock is ours, so the books are asked for later. */
function laterSumup(account: Parameters<typeof openSumup>[0]) {
  const sumup = openSumup(account)
  const untilTomorrow = (query: string) =>
    query.replace(
      /newest_time=[^&]*/,
      `newest_time=${encodeURIComponent(new Date(Date.now() + 86_400_000).toISOString())}`,
    )
  return { ...sumup, history: (query: string) => sumup.history(untilTomorrow(query)) }
}

test('once a day our book and SumUp’s are compared, in both directions', async () => {
  const shop = await openTestShop()
  const mug = await addMug(shop)
  const { url: apiUrl, apiKey, merchantCode } = shop.sandbox
  const settling = {
    db: shop.db,
    log: shop.shop.log,
    sumup: laterSumup({ apiUrl, apiKey, merchantCode }),
  }

  const booked = buyerOf(shop)
  const first = await booked.arrive(mug)
  await payByCard(shop.sandbox, first)
  await booked.order(first)
  assert.deepEqual(await compareWithHistory(settling), {
    payments: 1,
    withoutOrder: [],
    withoutPayment: [],
  })

  const forgotten = await buyerOf(shop, '203.0.113.2').arrive(mug)
  await payByCard(shop.sandbox, forgotten)
  await shop.db
    .update(checkouts)
    .set({ state: 'expired', nextCheckAt: null })
    .where(sql`state <> 'paid'`)
  const found = await compareWithHistory(settling)
  assert.equal(found.withoutOrder.length, 1, 'a payment without an order went unnoticed')
  await sweep(settling)
  assert.equal(
    (await shop.db.select().from(orders)).length,
    2,
    'the forgotten sale was not looked at again',
  )

  await shop.db
    .update(orders)
    .set({ sumupTransactionId: null, createdAt: sql`now() - interval '1 hour'` })
  const [row] = await shop.db.select().from(orders)
  const odd = await compareWithHistory(settling)
  assert.ok(odd.withoutPayment.includes(row?.id ?? ''), 'an order without a payment went unnoticed')
})
