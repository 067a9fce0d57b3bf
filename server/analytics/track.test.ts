import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calls } from '#contract/paths.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const shop = await openTestShop()
const productId = await addMug(shop)
const track = (payload: object) =>
  shop.app.inject({ method: 'POST', url: calls.track, payload, remoteAddress: '203.0.113.7' })

test('what happens at the checkout is noted, without the end of the address', async () => {
  assert.equal((await track({ eventType: 'checkout_view', productId })).statusCode, 204)
  const [event] = await shop.db.select().from(analyticsEvents)
  assert.partialDeepStrictEqual(event, {
    eventType: 'checkout_view',
    productId,
    orderId: null,
    visitorIp: '203.0.113.0',
  })
})

test('an event that is none is refused and not kept', async () => {
  const before = (await shop.db.select().from(analyticsEvents)).length
  const unknown = '00000000-0000-4000-8000-000000000000'
  for (const event of [
    { eventType: 'purchase', productId },
    { eventType: 'checkout_view' },
    { eventType: 'checkout_view', productId: 'x' },
  ]) {
    assert.equal((await track(event)).statusCode, 400)
  }
  assert.equal((await track({ eventType: 'checkout_view', productId: unknown })).statusCode, 404)
  assert.equal(
    (await track({ eventType: 'checkout_view', productId, more: 'x'.repeat(3_000) })).statusCode,
    413,
  )
  assert.equal((await shop.db.select().from(analyticsEvents)).length, before)
})
