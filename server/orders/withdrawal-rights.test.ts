import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf, thankYouPath } from '#contract/paths.ts'
import type { Withdrawal } from '#contract/withdrawals.ts'
import { eq } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { mails, orders } from '#server/db/schema.ts'
import { composeMail } from '#server/mail/messages.ts'
import { addMug, createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { addOrder, mailSettings } from '#server/testing/mails.ts'
import { openDesk } from '#server/testing/settings-desk.ts'
import { endOfPeriod } from './withdrawals.ts'

/** Who has the right of withdrawal, and until when. */

const desk = await openDesk()
const { app, db, headers } = desk
let buyers = 0

async function buy({ country }: { country: string }) {
  const buyer = createBuyer(desk, `203.0.113.${(buyers += 1)}`)
  const { checkoutId } = (await buyer.open(await addMug(desk))).json()
  const details = { ...delivery, shippingAddress: { ...delivery.shippingAddress, country } }
  await buyer.saveDetails(checkoutId, details)
  await payByCard(desk.sandbox, checkoutId)
  await buyer.order(checkoutId, { shippingAddress: details.shippingAddress })
  const [order] = await db.select().from(orders).where(eq(orders.sumupCheckoutId, checkoutId))
  if (!order) throw new Error('there is no order')
  const page = async () =>
    (await app.inject({ url: thankYouPath(order.id), headers: { cookie: buyer.cookie() } })).body
  return { order, page }
}

async function listOf(orderId: string): Promise<Withdrawal[]> {
  return (await app.inject({ url: `${apiRoutes.withdrawals}?order=${orderId}`, headers })).json()
}

test('what buyers were told at the sale stays, whatever is set or corrected later', async () => {
  const told = await buy({ country: 'Germany' })
  const notTold = await buy({ country: 'Canada' })
  assert.equal(told.order.product.canWithdraw, true)
  assert.equal(notTold.order.product.canWithdraw, false)
  const { shippingAddress } = delivery
  for (const [{ order }, country] of [
    [told, 'Canada'],
    [notTold, 'Germany'],
  ] as const)
    await db
      .update(orders)
      .set({ shippingAddress: { ...shippingAddress, country } })
      .where(eq(orders.id, order.id))
  for (const scope of ['nobody', 'everyone', 'eu'] as const) {
    await desk.change('policies', { withdrawalFor: scope })
    assert.match(await told.page(), /Changed your mind\?/, scope)
    assert.doesNotMatch(await notTold.page(), /Changed your mind\?/, scope)
    const settings = { ...mailSettings, withdrawal: { scope, policy: null } }
    const confirm = ({ order }: typeof told) => {
      const paid = { ...order, refundedAmount: '0.00', chargedBackAmount: '0.00', isPaid: true }
      return composeMail({ id: 'm', kind: 'confirmation' }, paid, settings)?.text ?? ''
    }
    assert.match(confirm(told), /Right of withdrawal/, scope)
    assert.doesNotMatch(confirm(notTold), /Right of withdrawal/, scope)
  }
})

test('a refund is due by the end of the fourteenth day after, where the shop is', async () => {
  const { id: orderId } = await addOrder(db)
  const statement = { orderId, name: 'Anna', orderNumber: '1', email: 'anna@example.com' }
  // In Auckland it is the 2nd of March already.
  const createdAt = new Date('2026-03-01T12:30:00Z')
  await db.insert(withdrawals).values({ ...statement, createdAt })
  for (const [timeZone, day] of [
    ['UTC', '2026-03-15'],
    ['Pacific/Auckland', '2026-03-16'],
  ] as const) {
    await desk.change('shop', { timeZone })
    const [seen] = await listOf(orderId)
    assert.deepEqual([seen?.refundDueOn, seen?.isOverdue], [day, true])
  }
  const isOver = (timeZone: string, now: string) =>
    endOfPeriod(createdAt, timeZone, new Date(now)).isOver
  assert.equal(isOver('UTC', '2026-03-15T23:59:59Z'), false)
  assert.equal(isOver('UTC', '2026-03-16T00:00:00Z'), true)
  assert.equal(isOver('Pacific/Auckland', '2026-03-16T10:59:59Z'), false)
  assert.equal(isOver('Pacific/Auckland', '2026-03-16T11:00:00Z'), true)
  // The clocks change on the 29th of March.
  const spring = { since: new Date('2026-03-20T22:30:00Z'), timeZone: 'Europe/Berlin' }
  const end = (now: string) => endOfPeriod(spring.since, spring.timeZone, new Date(now))
  assert.deepEqual(end('2026-04-03T21:59:59Z'), { lastDay: '2026-04-03', isOver: false })
  assert.deepEqual(end('2026-04-03T22:00:00Z'), { lastDay: '2026-04-03', isOver: true })
})

test('where no order fits, or it came without the right, no refund is due by a day', async () => {
  const { product, shippingAddress } = await addOrder(db)
  const exempt = await addOrder(db, {
    product: { ...product, withdrawalExemption: 'personalised' },
  })
  const abroad = await addOrder(db, {
    shippingAddress: { ...shippingAddress, country: 'Canada' },
  })
  const statement = { name: 'Otto', orderNumber: '1', email: 'otto@example.com' }
  await db.delete(withdrawals)
  await db
    .insert(withdrawals)
    .values([statement, { ...statement, orderId: exempt.id }, { ...statement, orderId: abroad.id }])
  const read = async (query: string): Promise<Withdrawal[]> =>
    (await app.inject({ url: `${apiRoutes.withdrawals}${query}`, headers })).json()
  const seen = [...(await read('')), ...(await read('?unmatched=true'))]
  assert.deepEqual(
    seen.map(({ refundDueOn, isOverdue }) => [refundDueOn, isOverdue]),
    [
      [null, false],
      [null, false],
      [null, false],
    ],
  )
})

test('once the record of a mail is gone, nobody is told that it was sent', async () => {
  const order = await addOrder(db, { customerEmail: 'rosa@example.com' })
  const payload = { name: 'Rosa', orderNumber: order.id, email: 'rosa@example.com' }
  await app.inject({ method: 'POST', url: apiRoutes.withdrawals, payload })
  const acknowledgement = async () => (await listOf(order.id))[0]?.acknowledgement
  assert.equal(await acknowledgement(), 'waiting')
  const set = { sentAt: new Date(), nextTryAt: null }
  await db.update(mails).set(set).where(eq(mails.orderId, order.id))
  assert.equal(await acknowledgement(), 'sent')
  await db.delete(mails).where(eq(mails.orderId, order.id))
  assert.equal(await acknowledgement(), 'unknown')
})

test('a client that saves a product or the policies changes nothing that it leaves out', async () => {
  const product = { name: 'Ring', price: '90.00', headerLogoUrl: 'https://example.com/logo.png' }
  const create = { method: 'POST', url: apiRoutes.products, headers } as const
  const plain = await app.inject({ ...create, payload: product })
  assert.equal(plain.json().withdrawalExemption, null)
  const payload = { ...product, withdrawalExemption: 'personalised' }
  const { id } = (await app.inject({ ...create, payload })).json()
  const url = pathOf(apiRoutes.product, { id })
  const save = async (change: object) =>
    (await app.inject({ method: 'PUT', url, headers, payload: { ...product, ...change } })).json()
  assert.equal((await save({})).withdrawalExemption, 'personalised')
  assert.equal((await save({ withdrawalExemption: null })).withdrawalExemption, null)

  const known = { refund: null, shipping: 'By post.', privacy: null, terms: null }
  await desk.change('policies', { withdrawal: 'Our own text.', withdrawalFor: 'everyone' })
  assert.equal((await desk.put('policies', known)).statusCode, 200)
  assert.deepEqual((await desk.read()).values.policies, {
    ...known,
    withdrawal: 'Our own text.',
    withdrawalFor: 'everyone',
  })
})

test('a client may save policies beside one that the environment sets', async () => {
  const fixed = await openDesk({ POLICY_WITHDRAWAL_URL: 'https://shop.example/withdrawal' })
  const known = { refund: 'Write to us.', shipping: null, privacy: null, terms: null }
  const saved = await fixed.put('policies', known)
  assert.equal(saved.statusCode, 200, saved.body)
  assert.partialDeepStrictEqual((await fixed.read()).values.policies, {
    refund: 'Write to us.',
    withdrawal: 'https://shop.example/withdrawal',
  })
})
