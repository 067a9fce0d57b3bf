import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { updateProduct, deleteProduct } from '#server/catalog/products.ts'
import { productSchema } from '#contract/products.ts'
import { checkouts, mails, orders, orderTimeline } from '#server/db/schema.ts'
import { eq } from '#server/db/drizzle.ts'
import { addMug, badCard, createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { sweep } from './sales.ts'

const shop = await openTestShop({ environment: { TRUST_PROXY: '1' } })
const { sandbox, db } = shop
const settling = { db, sumup: shop.shop.payments.sumup, log: shop.shop.log }
const mug = await addMug(shop)
let visitors = 0
const newBuyer = () => createBuyer(shop, `203.0.113.${(visitors += 1)}`)
const ordersOf = (checkoutId: string) =>
  db.select().from(orders).where(eq(orders.sumupCheckoutId, checkoutId))

test('a buyer pays and gets one order, at the price of the product, whatever the browser says', async () => {
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  assert.equal((await payByCard(sandbox, checkoutId)).status, 'PAID')
  const answer = await buyer.order(checkoutId, {
    amount: '0.01',
    currency: 'HUF',
    status: 'completed',
    quantity: 5,
  })
  assert.equal(answer.statusCode, 201)
  const [order] = await ordersOf(checkoutId)
  assert.equal(order?.id, answer.json().id)
  assert.partialDeepStrictEqual(order, {
    amount: '49.00',
    currency: 'EUR',
    status: 'pending',
    quantity: 1,
    paymentMethod: 'card',
  })
  assert.partialDeepStrictEqual(order, {
    customerEmail: delivery.customerEmail,
    shippingAddress: delivery.shippingAddress,
  })
  assert.ok(order?.acceptsNewsAt)
  const timeline = await db
    .select()
    .from(orderTimeline)
    .where(eq(orderTimeline.orderId, order?.id ?? ''))
  assert.deepEqual(
    timeline.map(({ event, actor }) => [event, actor]),
    [['placed', 'shop']],
  )
  const letters = await db
    .select()
    .from(mails)
    .where(eq(mails.orderId, order?.id ?? ''))
  assert.deepEqual(letters.map(({ kind }) => kind).toSorted(), ['confirmation', 'new-sale'])
})

test('an order requested ten times at once is created once, and its mails are sent once', async () => {
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  await payByCard(sandbox, checkoutId)
  const answers = await Promise.all(Array.from({ length: 10 }, () => buyer.order(checkoutId)))
  assert.equal(new Set(answers.map((answer) => answer.json().id)).size, 1)
  const again = await buyer.order(checkoutId)
  assert.equal(again.statusCode, 200)
  const [order, ...more] = await ordersOf(checkoutId)
  assert.equal(more.length, 0)
  assert.equal(
    (
      await db
        .select()
        .from(mails)
        .where(eq(mails.orderId, order?.id ?? ''))
    ).length,
    2,
  )
})

test('browser, webhook and sweep at the same moment create one order', async () => {
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  await payByCard(sandbox, checkoutId)
  const webhook = { event_type: 'CHECKOUT_STATUS_CHANGED', id: checkoutId }
  assert.equal((await newBuyer().call('POST', apiRoutes.paymentWebhook, webhook)).statusCode, 204)
  await Promise.all([
    sweep(settling),
    buyer.order(checkoutId),
    buyer.look(checkoutId),
    sweep(settling),
  ])
  assert.equal((await ordersOf(checkoutId)).length, 1)
})

test('an order is created even if the tab is closed right after paying', async () => {
  const checkoutId = await newBuyer().arrive(mug)
  await payByCard(sandbox, checkoutId)
  await newBuyer().call('POST', apiRoutes.paymentWebhook, {
    event_type: 'CHECKOUT_STATUS_CHANGED',
    id: checkoutId,
  })
  await sweep(settling)
  assert.equal((await ordersOf(checkoutId)).length, 1)
})

test('without a payment there is no order', async () => {
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  const early = await buyer.order(checkoutId)
  assert.equal(early.statusCode, 202)
  assert.equal((await payByCard(sandbox, checkoutId, badCard)).status, 'FAILED')
  const declined = await buyer.order(checkoutId)
  assert.equal(declined.statusCode, 402)
  assert.equal(declined.json().message, 'Please check your card details and try again.')
  assert.equal((await ordersOf(checkoutId)).length, 0)
  await payByCard(sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201, 'a declined card ended the sale')
})

test('a checkout is visible to its own browser only', async () => {
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  await payByCard(sandbox, checkoutId)
  const stranger = newBuyer()
  await stranger.open(mug)
  for (const answer of [
    await stranger.order(checkoutId),
    await stranger.look(checkoutId),
    await stranger.saveDetails(checkoutId),
  ]) {
    assert.equal(answer.statusCode, 404)
  }
  assert.equal((await buyer.look(checkoutId)).json().state, 'paid')
})

test('a reload, a second tab and a price sent as a number get the same checkout', async () => {
  const buyer = newBuyer()
  const first = (await buyer.open(mug)).json()
  const [second, third] = await Promise.all([buyer.open(mug), buyer.open(mug, 49)])
  assert.equal(second.json().checkoutId, first.checkoutId)
  assert.equal(third.json().checkoutId, first.checkoutId)
})

test('a wrong price is refused before anything happens', async () => {
  const before = (await db.select().from(checkouts)).length
  for (const [amount, currency] of [
    ['0.01', 'EUR'],
    ['49.01', 'EUR'],
    ['49.00', 'HUF'],
  ]) {
    assert.equal((await newBuyer().open(mug, amount, currency)).statusCode, 409)
  }
  for (const amount of ['-49', 'NaN', '49.001', '', '1e2']) {
    assert.equal((await newBuyer().open(mug, amount)).statusCode, 400)
  }
  assert.equal((await newBuyer().open('00000000-0000-4000-8000-000000000000')).statusCode, 404)
  assert.equal((await db.select().from(checkouts)).length, before)
})

test('a product edited or deleted after the details were saved is sold as it was offered', async () => {
  const lamp = await addMug(shop)
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(lamp)
  const dearer = { name: 'Lamp', price: '99.00', headerLogoUrl: 'https://example.com/l.png' }
  await updateProduct(db, lamp, productSchema.parse(dearer))
  assert.equal((await buyer.open(lamp)).statusCode, 409, 'an old price was offered anew')
  await deleteProduct(db, lamp)
  assert.equal((await newBuyer().open(lamp, '99.00')).statusCode, 404)
  await payByCard(sandbox, checkoutId)
  const order = (await buyer.order(checkoutId)).json()
  assert.equal(order.amount, '49.00')
  assert.equal(order.product.name, 'Mug')
})

test('strangers who know an order’s number do not learn who bought it', async () => {
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  await payByCard(sandbox, checkoutId)
  const { id } = (await buyer.order(checkoutId)).json()
  const url = pathOf(apiRoutes.order, { id })
  assert.equal((await buyer.call('GET', url)).json().customerEmail, 'anna@example.com')
  const seen = await newBuyer().call('GET', url)
  assert.equal(seen.statusCode, 200)
  assert.equal(seen.json().customerEmail, 'a•••@e•••.com')
  assert.doesNotMatch(seen.body, /Muster|Weg 1|\b10115\b|anna@|\+49/)
  assert.equal(seen.headers['cache-control'], 'no-store')
  const forged = await newBuyer().call('GET', `${url}?key=99999.forged`)
  assert.equal(forged.json().isOwn, false)
})
