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

async function openBooks() {
  const shop = await openTestShop()
  const mug = await addMug(shop)
  const { url: apiUrl, apiKey, merchantCode } = shop.sandbox
  const sumup = laterSumup({ apiUrl, apiKey, merchantCode })
  return { ...shop, mug, settling: { db: shop.db, log: shop.shop.log, sumup } }
}

/** Paid at SumUp, and nobody here knows of it. */
async function payUnnoticed(shop: Awaited<ReturnType<typeof openBooks>>, ip: string) {
  const checkoutId = await buyerOf(shop, ip).arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  await shop.db
    .update(checkouts)
    .set({ state: 'expired', nextCheckAt: null })
    .where(sql`state <> 'paid'`)
  return checkoutId
}

test('a payment that the owner gave back is no alarm, before and after it became an order', async () => {
  const shop = await openBooks()
  const unbooked = await payUnnoticed(shop, '203.0.113.2')
  const [payment] =
    shop.sandbox.ledger().checkouts.find(({ id }) => id === unbooked)?.transactions ?? []
  await shop.settling.sumup.refund(payment?.id ?? '')
  assert.deepEqual(await compareWithHistory(shop.settling), {
    payments: 1,
    withoutOrder: [],
    withoutPayment: [],
  })
})

test('what was paid at the card reader is none of our business', async () => {
  const shop = await openBooks()
  const asked: URLSearchParams[] = []
  const { sumup } = shop.settling
  const history = (query: string) => {
    asked.push(new URLSearchParams(query))
    return sumup.history(query)
  }
  await compareWithHistory({ ...shop.settling, sumup: { ...sumup, history } })
  assert.deepEqual(asked[0]?.getAll('payment_types[]'), ['ECOM'])
})

test('once a day our book and SumUp’s are compared, in both directions', async () => {
  const shop = await openBooks()
  const { mug, settling } = shop

  const booked = buyerOf(shop)
  const first = await booked.arrive(mug)
  await payByCard(shop.sandbox, first)
  await booked.order(first)
  assert.deepEqual(await compareWithHistory(settling), {
    payments: 1,
    withoutOrder: [],
    withoutPayment: [],
  })

  await payUnnoticed(shop, '203.0.113.2')
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
