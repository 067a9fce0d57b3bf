import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { maxReviewEntries } from '#contract/checkouts.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { users } from '#server/db/admin-schema.ts'
import { payments, refunds, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, mails, orders, orderTimeline } from '#server/db/schema.ts'
import { compareWithHistory } from './compare.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { addCode } from '#server/testing/prices.ts'
import {
  loseSale,
  listReview,
  getOnlyCheckout,
  openSaleShop,
  sweepAll,
  sendWebhook,
  versionOf,
  type SaleShop,
} from '#server/testing/sale.ts'

async function act(
  shop: SaleShop,
  call: string,
  id: string,
  payload: object = {},
  headers?: { cookie: string },
) {
  const url = pathOf(call, { id })
  const signedIn = headers ?? (await shop.signIn())
  const body = { version: await versionOf(shop, id), ...payload }
  return shop.app.inject({ method: 'POST', url, headers: signedIn, payload: body })
}

/** Paid without details: nobody knows where to send it. */
async function payTooEarly(shop: SaleShop) {
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  const { id } = await getOnlyCheckout(shop)
  return { buyer, checkoutId, id }
}

async function addStray(shop: SaleShop) {
  const { buyer, checkoutId } = await payTooEarly(shop)
  return { buyer, checkoutId, ...(await loseSale(shop)) }
}

const address = { ...delivery.shippingAddress, address: 'Typed by the owner 1' }
const typed = { customerEmail: 'typed@example.com', shippingAddress: address }

test('the owner creates the order of a payment without details by entering them', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId, id } = await payTooEarly(shop)
  const [entry] = await listReview(shop)
  assert.partialDeepStrictEqual(entry, { id, reason: 'no-details', details: null, canOrder: true })
  assert.equal((await act(shop, apiRoutes.reviewOrder, id)).statusCode, 400)
  const made = await act(shop, apiRoutes.reviewOrder, id, { details: typed })
  assert.equal(made.statusCode, 201)
  const { orderId } = made.json()
  const [order, ...more] = await shop.db.select().from(orders)
  assert.deepEqual(more, [])
  assert.partialDeepStrictEqual(order, {
    id: orderId,
    amount: '49.00',
    customerEmail: 'typed@example.com',
  })
  assert.equal(order?.sumupTransactionId, shop.sandbox.ledger().transactions[0]?.id)
  assert.equal((await shop.db.select().from(mails)).length, 2)
  const [owner] = await shop.db.select().from(users)
  assert.equal((await shop.db.select().from(orderTimeline))[0]?.actor, owner?.id)
  assert.deepEqual((await buyer.look(checkoutId)).json(), { state: 'paid', orderId })

  assert.deepEqual(await listReview(shop), [])
  const [archived] = await listReview(shop, '?archive=true')
  assert.partialDeepStrictEqual(archived, {
    id,
    state: 'ordered',
    orderId,
    handledBy: owner?.email,
  })
  assert.equal((await act(shop, apiRoutes.reviewOrder, id, { details: typed })).statusCode, 409)
})

test('what SumUp said first and later of a payment is shown until the owner settles it', async () => {
  for (const call of [apiRoutes.reviewOrder, apiRoutes.reviewRefund, apiRoutes.reviewDismiss]) {
    const shop = await openSaleShop()
    const buyer = createBuyer(shop)
    const checkoutId = await buyer.arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    const { id, merchantCode } = await getOnlyCheckout(shop)
    await shop.db.insert(payments).values({
      saleId: id,
      merchantCode,
      isTest: true,
      transactionId: shop.sandbox.ledger().transactions[0]?.id ?? '',
      amount: '49.00',
      currency: 'EUR',
      status: 'failed',
    })
    await sendWebhook(shop, checkoutId)
    await sweepAll(shop)
    const [entry] = await listReview(shop)
    assert.partialDeepStrictEqual(entry, {
      reason: 'contradiction',
      conflict: 'status failed, later successful',
      canOrder: true,
      canRefund: true,
      canDismiss: true,
    })
    const answer = await act(shop, call, id, call === apiRoutes.reviewDismiss ? { note: 'x' } : {})
    assert.equal(String(answer.statusCode)[0], '2', answer.body)
    await sweepAll(shop)
    await buyer.look(checkoutId)
    assert.deepEqual(await listReview(shop), [])
  }
})

test('an order that the owner creates without a known payment is not called paid', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'odd-status' }] })
  await sweepAll(shop)
  await shop.db.update(checkouts).set({ unclearSince: sql`now() - interval '31 seconds'` })
  await sweepAll(shop)
  const { id } = await getOnlyCheckout(shop)
  const made = await act(shop, apiRoutes.reviewOrder, id)
  assert.equal(made.statusCode, 201)
  const read = async () =>
    (await buyer.call('GET', pathOf(apiRoutes.order, { id: made.json().orderId }))).json()
  assert.equal((await read()).isPaid, false)
  // The payment turns up: the order is paid by it.
  shop.sandbox.faults.set({ rules: [] })
  await payByCard(shop.sandbox, checkoutId)
  await compareWithHistory(shop.settling, undefined, new Date())
  assert.equal((await read()).isPaid, true)
})

test('creating the order twice at once makes one order', async () => {
  const shop = await openSaleShop()
  const { id } = await payTooEarly(shop)
  const answers = await Promise.all(
    [1, 2, 3].map(() => act(shop, apiRoutes.reviewOrder, id, { details: typed })),
  )
  assert.deepEqual(answers.map(({ statusCode }) => String(statusCode)).toSorted(), [
    '201',
    '409',
    '409',
  ])
  assert.equal((await shop.db.select().from(orders)).length, 1)
})

test('a payment without a sale becomes an order of the product that the owner chooses', async () => {
  const shop = await openSaleShop()
  const { id, transactionId } = await addStray(shop)
  assert.equal((await act(shop, apiRoutes.reviewOrder, id, { details: typed })).statusCode, 400)
  const answer = await act(shop, apiRoutes.reviewOrder, id, { details: typed, productId: shop.mug })
  assert.equal(answer.statusCode, 201)
  const [order] = await shop.db.select().from(orders)
  assert.partialDeepStrictEqual(order, { productId: shop.mug, amount: '49.00', status: 'pending' })
  assert.equal(order?.sumupTransactionId, transactionId)
  const [archived] = await listReview(shop, '?archive=true')
  assert.partialDeepStrictEqual(archived, { id, state: 'ordered', orderId: order?.id })
})

test('an order of a payment without a sale has the shop’s VAT rate', async () => {
  const shop = await openSaleShop()
  const headers = await shop.signIn()
  const { version } = (await shop.app.inject({ url: apiRoutes.settings, headers })).json()
  const url = pathOf(apiRoutes.settingsSection, { section: 'tax' })
  const payload = { version, values: { vatRate: '19', vatNumber: null } }
  assert.equal((await shop.app.inject({ method: 'PUT', url, headers, payload })).statusCode, 200)
  const { id } = await addStray(shop)
  const order = { details: typed, productId: shop.mug }
  assert.equal((await act(shop, apiRoutes.reviewOrder, id, order)).statusCode, 201)
  assert.equal((await shop.db.select().from(orders))[0]?.product.vatRate, '19')
})

test('an order that the owner makes after a loss has the terms of its code, and takes a use of it', async () => {
  const shop = await openSaleShop()
  await addCode(shop, 'ONCE', { maxUses: 1 })
  const open = (code: string) =>
    createBuyer(shop).call('POST', apiRoutes.createCheckout, {
      productId: shop.mug,
      amount: '44.10',
      currency: 'EUR',
      code,
    })
  const opened = await open('ONCE')
  assert.equal(opened.statusCode, 200, opened.body)
  await payByCard(shop.sandbox, opened.json().checkoutId)
  const { id } = await loseSale(shop)
  const order = { details: typed, productId: shop.mug }
  const unknown = await act(shop, apiRoutes.reviewOrder, id, { ...order, code: 'TWICE' })
  assert.deepEqual([unknown.statusCode, unknown.json().field], [400, 'code'], unknown.body)
  const answer = await act(shop, apiRoutes.reviewOrder, id, { ...order, code: ' once' })
  assert.equal(answer.statusCode, 201, answer.body)
  const [made] = await shop.db.select().from(orders)
  assert.partialDeepStrictEqual(made, { amount: '44.10', isCodeOverused: false })
  assert.partialDeepStrictEqual(made?.terms, { code: 'ONCE', discount: '4.90' })
  assert.equal((await open('ONCE')).json().code, 'code-used-up')

  // Of another price nothing is known but the code: it was used up, so the order is flagged.
  await payTooEarly(shop)
  const second = await loseSale(shop)
  const flagged = await act(shop, apiRoutes.reviewOrder, second.id, { ...order, code: 'ONCE' })
  assert.equal(flagged.statusCode, 201, flagged.body)
  const other = (await shop.db.select().from(orders)).find((one) => one.id !== made?.id)
  assert.partialDeepStrictEqual(other, { amount: '49.00', isCodeOverused: true, terms: null })
})

for (const kind of ['sale', 'stray'] as const) {
  test(`the owner refunds a payment in review through SumUp, once (${kind})`, async () => {
    const shop = await openSaleShop()
    const { id } = kind === 'sale' ? await payTooEarly(shop) : await addStray(shop)
    shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'error-500', count: 1 }] })
    const unknown = await act(shop, apiRoutes.reviewRefund, id)
    assert.deepEqual([unknown.statusCode, unknown.json().code], [503, 'refund-unknown'])
    const order = { details: typed, productId: shop.mug }
    for (const [call, payload] of [
      [apiRoutes.reviewRefund, {}],
      [apiRoutes.reviewOrder, order],
      [apiRoutes.reviewDismiss, { note: 'x' }],
    ] as const)
      assert.equal((await act(shop, call, id, payload)).json().code, 'refund-running', call)
    assert.equal((await listReview(shop))[0]?.refund?.amount, '49.00')
    // SumUp shows no trace of it for an hour.
    await shop.db.update(refunds).set({ askedAt: sql`now() - interval '61 minutes'` })
    shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'lost', count: 1 }] })
    const lost = await act(shop, apiRoutes.reviewRefund, id)
    assert.equal(lost.statusCode, 204, 'the answer was lost, but SumUp shows the refund')
    assert.equal((await act(shop, apiRoutes.reviewRefund, id)).statusCode, 409)
    const [payment] = shop.sandbox.ledger().transactions
    assert.equal(payment?.refunds.length, 1)
    assert.deepEqual(await listReview(shop), [])
    assert.equal((await listReview(shop, '?archive=true'))[0]?.state, 'refunded')
    assert.deepEqual(await shop.db.select().from(orders), [])
  })
}

test('of a partly refunded payment the owner refunds the rest', async () => {
  const shop = await openSaleShop()
  const { checkoutId, id } = await payTooEarly(shop)
  shop.sandbox.controls.refund({ payment: checkoutId, amount: 5 })
  const changed = await act(shop, apiRoutes.reviewRefund, id)
  assert.deepEqual([changed.statusCode, changed.json().code], [409, 'review-changed'])
  assert.equal((await listReview(shop))[0]?.refundedAmount, '5.00')
  assert.equal((await act(shop, apiRoutes.reviewRefund, id)).statusCode, 204)
  const [payment] = shop.sandbox.ledger().transactions
  assert.deepEqual(
    payment?.refunds.map(({ amountMinor }) => amountMinor),
    [500, 4400],
  )
})

test('while a refund is under way the buyer’s details do not make it an order', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId, id } = await payTooEarly(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'delay', ms: 1_500 }] })
  const refunding = act(shop, apiRoutes.reviewRefund, id)
  await waitFor('the refund is under way', async () => {
    return (await shop.db.select().from(refunds)).length === 1
  })
  await buyer.saveDetails(checkoutId)
  await buyer.order(checkoutId)
  assert.equal((await refunding).statusCode, 204)
  assert.deepEqual(await shop.db.select().from(orders), [])
  assert.deepEqual((await buyer.look(checkoutId)).json(), { state: 'review', reason: 'refunded' })
})

for (const kind of ['sale', 'stray'] as const) {
  test(`order, refund and dismissal at once: one of them happens (${kind})`, async () => {
    const shop = await openSaleShop()
    const { id } = kind === 'sale' ? await payTooEarly(shop) : await addStray(shop)
    const headers = await shop.signIn()
    const order = { details: typed, productId: shop.mug }
    shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'delay', ms: 300 }] })
    const answers = await Promise.all([
      act(shop, apiRoutes.reviewRefund, id, {}, headers),
      act(shop, apiRoutes.reviewOrder, id, order, headers),
      act(shop, apiRoutes.reviewDismiss, id, { note: 'x' }, headers),
      act(shop, apiRoutes.reviewRefund, id, {}, headers),
    ])
    const done = answers.filter(({ statusCode }) => statusCode < 300)
    assert.equal(done.length, 1, answers.map(({ body }) => body).join('\n'))
    const [payment] = shop.sandbox.ledger().transactions
    const booked = await shop.db.select().from(orders)
    assert.ok(payment?.refunds.length === 0 || booked.length === 0, 'an order without money')
  })
}

test('no order is created for a payment that was refunded in SumUp’s dashboard', async () => {
  const shop = await openSaleShop()
  const { buyer, checkoutId, id } = await payTooEarly(shop)
  shop.sandbox.controls.refund({ payment: checkoutId })
  const answer = await act(shop, apiRoutes.reviewOrder, id, { details: typed })
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'payment-returned'])
  await buyer.saveDetails(checkoutId)
  assert.equal((await buyer.order(checkoutId)).json().reason, 'refunded')
  assert.deepEqual(await shop.db.select().from(orders), [])
})

test('a sale that is dismissed accepts no card any more; if that settles it, the owner is told so', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'odd-status' }] })
  await sweepAll(shop)
  await shop.db.update(checkouts).set({ unclearSince: sql`now() - interval '31 seconds'` })
  await sweepAll(shop)
  shop.sandbox.faults.clear()
  const { id } = await getOnlyCheckout(shop)
  const answer = await act(shop, apiRoutes.reviewDismiss, id, { note: 'x' })
  assert.equal(answer.json().code, 'review-done')
  assert.notEqual((await payByCard(shop.sandbox, checkoutId)).status, 'PAID')
})

test('a refund that SumUp refuses leaves the entry as it is', async () => {
  const shop = await openSaleShop()
  const { id } = await payTooEarly(shop)
  shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'refund-rejected' }] })
  const answer = await act(shop, apiRoutes.reviewRefund, id)
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'refund-refused'])
  assert.equal((await listReview(shop)).length, 1)
})

for (const kind of ['sale', 'stray'] as const) {
  test(`a payment dismissed with a note never becomes an order automatically, and returns when restored (${kind})`, async () => {
    const shop = await openSaleShop()
    const { buyer, checkoutId, id } =
      kind === 'sale' ? await payTooEarly(shop) : await addStray(shop)
    assert.equal((await act(shop, apiRoutes.reviewDismiss, id, { note: ' ' })).statusCode, 400)
    assert.equal(
      (await act(shop, apiRoutes.reviewDismiss, id, { note: 'A test of mine' })).statusCode,
      204,
    )
    assert.deepEqual(await listReview(shop), [])
    const [archived] = await listReview(shop, '?archive=true')
    assert.partialDeepStrictEqual(archived, { id, state: 'dismissed', note: 'A test of mine' })

    if (kind === 'sale') {
      await sendWebhook(shop, checkoutId)
      await sweepAll(shop)
      assert.equal((await buyer.saveDetails(checkoutId, delivery)).statusCode, 409)
      assert.equal((await buyer.order(checkoutId)).statusCode, 409)
      assert.equal((await buyer.look(checkoutId)).json().state, 'review')
    }
    assert.deepEqual(await shop.db.select().from(orders), [])

    assert.equal((await act(shop, apiRoutes.reviewRestore, id)).statusCode, 204)
    assert.equal((await act(shop, apiRoutes.reviewRestore, id)).statusCode, 409)
    const [back] = await listReview(shop)
    assert.partialDeepStrictEqual(back, { id, state: 'open', note: null, handledAt: null })
  })
}

test('an entry that was paid meanwhile becomes its order instead of being dismissed; one that stays unclear is dismissed', async () => {
  for (const isCleared of [true, false]) {
    const shop = await openSaleShop()
    const checkoutId = await createBuyer(shop).arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    shop.sandbox.controls.lag({ checkout: checkoutId, shows: 'successful-under-pending' })
    await sweepAll(shop)
    await shop.db.update(checkouts).set({ unclearSince: sql`now() - interval '31 seconds'` })
    await sweepAll(shop)
    if (isCleared) shop.sandbox.controls.release({})
    const { id } = await getOnlyCheckout(shop)
    const { statusCode } = await act(shop, apiRoutes.reviewDismiss, id, { note: 'x' })
    const booked = await shop.db.select().from(orders)
    assert.deepEqual([statusCode, booked.length], isCleared ? [409, 1] : [204, 0])
  }
})

test('actions on anything but a review entry are refused', async () => {
  const shop = await openSaleShop()
  await createBuyer(shop).open(shop.mug)
  const { id: open } = await getOnlyCheckout(shop)
  for (const id of [open, randomUUID(), 'nonsense']) {
    const answer = await act(shop, apiRoutes.reviewDismiss, id, { note: 'x' })
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'review-missing'])
  }
})

test('the newest entries are sent, and one more to show that there are more', async () => {
  const shop = await openSaleShop()
  await payTooEarly(shop)
  const ids = Array.from({ length: maxReviewEntries + 3 }, () => randomUUID())
  const [own] = await shop.db.select().from(payments)
  if (!own) throw new Error('no payment is known')
  await shop.db
    .insert(payments)
    .values(ids.map((id) => ({ ...own, id, saleId: null, transactionId: id })))
  await shop.db.insert(reviewEntries).values(
    ids.map((id, age) => ({
      id,
      paymentId: id,
      reason: 'no-sale',
      state: 'open',
      isTest: true,
      openedAt: new Date(Date.now() + 1_000_000 - age * 1000),
    })),
  )
  assert.deepEqual(
    (await listReview(shop)).map(({ id }) => id),
    ids.slice(0, maxReviewEntries + 1),
  )
})
