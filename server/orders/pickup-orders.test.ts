import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { mails } from '#server/db/schema.ts'
import { addOrders, pickupTerms } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const { app, db, signIn } = await openTestShop()
const headers = await signIn()

async function add(change: object = {}): Promise<string> {
  const [order] = await addOrders(db, [{ terms: pickupTerms, ...change }])
  assert.ok(order)
  return order.id
}

async function setStatus(id: string, status: string): Promise<void> {
  const url = pathOf(apiRoutes.orderStatus, { id })
  const answer = await app.inject({ method: 'PATCH', url, headers, payload: { status } })
  assert.equal(answer.statusCode, 200, answer.body)
}

const kindsOf = async (id: string) =>
  (await db.select().from(mails).where(eq(mails.orderId, id))).map(({ kind }) => kind)

test('who picks up is told when the order is ready, and when it is not after all; of a parcel a status tells nobody', async () => {
  const id = await add()
  await setStatus(id, 'processing')
  assert.deepEqual(await kindsOf(id), [])
  for (const status of ['shipped', 'processing', 'shipped']) await setStatus(id, status)
  assert.deepEqual(await kindsOf(id), ['shipped'])
  for (const status of ['processing', 'shipped']) {
    await db.update(mails).set({ attempts: 1, nextTryAt: null, sentAt: new Date() })
    await setStatus(id, status)
  }
  assert.deepEqual((await kindsOf(id)).toSorted(), ['shipped', 'shipped-1', 'unshipped'])
  const parcel = await add({ terms: null })
  await setStatus(parcel, 'shipped')
  const fetched = await add({ status: 'completed' })
  await setStatus(fetched, 'shipped')
  const nameless = await add({ customerEmail: null })
  await setStatus(nameless, 'shipped')
  for (const other of [parcel, fetched, nameless]) assert.deepEqual(await kindsOf(other), [])
})

test('what is picked up has no parcel', async () => {
  const id = await add()
  const url = pathOf(apiRoutes.orderShipment, { id })
  const payload = { carrier: 'dhl', trackingNumber: '00340434161094042557' }
  const answer = await app.inject({ method: 'PUT', url, headers, payload })
  assert.equal(answer.statusCode, 409)
  assert.equal(answer.json().code, 'order-picked-up')
})

test('admins and buyers read of an order that it is picked up, and of no other', async () => {
  const [id, parcel] = [await add(), await add({ terms: null })]
  const read = async (one: string, asAdmin: boolean) =>
    (
      await app.inject({
        url: pathOf(apiRoutes.order, { id: one }),
        ...(asAdmin && { headers }),
      })
    ).json()
  for (const asAdmin of [true, false]) {
    assert.equal((await read(id, asAdmin)).isPickup, true)
    assert.ok(!('isPickup' in (await read(parcel, asAdmin))))
  }
})
