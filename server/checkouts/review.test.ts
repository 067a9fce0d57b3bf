import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { mostReviewed } from '#contract/order-list.ts'
import type { ReviewedPayment } from '#contract/orders.ts'
import { calls, pathOf } from '#contract/paths.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { users } from '#server/db/admin-schema.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { addMug, buyerOf, delivery, payByCard } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { sweep } from './sweep.ts'

const shop = await openTestShop()
const { app, db, sandbox } = shop
const headers = await shop.signIn()
const settling = { db, sumup: shop.shop.payments.sumup, log: shop.shop.log }

const list = async (): Promise<ReviewedPayment[]> =>
  (await app.inject({ url: calls.paymentReview, headers })).json()
const handle = (id: string) =>
  app.inject({ method: 'POST', url: pathOf(calls.paymentHandled, { id }), headers })

test('a payment that was looked after leaves the list, and never becomes an order by itself', async () => {
  const buyer = buyerOf(shop)
  const { checkoutId } = (await buyer.open(await addMug(shop))).json()
  // Paid without details: nobody knows where to send it.
  await payByCard(sandbox, checkoutId)
  assert.equal((await buyer.look(checkoutId)).json().state, 'review')
  const [payment] = await list()
  assert.equal(payment?.checkoutId, checkoutId)
  const id = payment?.id ?? ''

  const answer = await handle(id)
  assert.equal(answer.statusCode, 204)
  assert.deepEqual(await list(), [])
  const [owner] = await db.select().from(users)
  const [noted] = await db.select().from(checkouts).where(eq(checkouts.id, id))
  assert.equal(noted?.handledBy, owner?.id)
  assert.ok(noted?.handledAt)

  // Once more changes nothing, nor does anyone who believes that there is something to do.
  assert.equal((await handle(id)).statusCode, 204)
  await app.inject({
    method: 'POST',
    url: calls.paymentWebhook,
    payload: { event_type: 'CHECKOUT_STATUS_CHANGED', id: checkoutId },
  })
  await db.update(checkouts).set({ nextCheckAt: sql`now()` })
  await sweep(settling)
  assert.equal((await buyer.keepDetails(checkoutId, delivery)).statusCode, 409)
  assert.equal((await buyer.order(checkoutId)).statusCode, 409)
  assert.equal((await buyer.look(checkoutId)).json().state, 'review')
  assert.deepEqual(await list(), [])
  assert.deepEqual(await db.select().from(orders), [])
  const [still] = await db.select().from(checkouts).where(eq(checkouts.id, id))
  assert.deepEqual([still?.handledAt, still?.state], [noted.handledAt, 'review'])
})

test('a payment that needs no attention cannot be looked after', async () => {
  const { checkoutId } = (await buyerOf(shop).open(await addMug(shop))).json()
  const [open] = await db.select().from(checkouts).where(eq(checkouts.sumupCheckoutId, checkoutId))
  for (const id of [open?.id ?? '', '00000000-0000-4000-8000-000000000000', 'nonsense']) {
    assert.equal((await handle(id)).statusCode, 404, id)
  }
})

test('of very many payments in review the newest are sent, and one more to tell that there are more', async () => {
  const { checkoutId } = (await buyerOf(shop).open(await addMug(shop))).json()
  const [opened] = await db
    .select()
    .from(checkouts)
    .where(eq(checkouts.sumupCheckoutId, checkoutId))
  if (!opened) throw new Error('no checkout was opened')
  await db.insert(checkouts).values(
    Array.from({ length: mostReviewed + 3 }, (_, age) => ({
      ...opened,
      id: randomUUID(),
      sumupCheckoutId: `checkout-${age}`,
      state: 'review' as const,
      createdAt: new Date(Date.now() - age * 1000),
    })),
  )
  const ids = Array.from({ length: mostReviewed + 1 }, (_, age) => `checkout-${age}`)
  assert.deepEqual(
    (await list()).map((payment) => payment.checkoutId),
    ids,
  )
})
