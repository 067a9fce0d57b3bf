import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import { updateProduct } from '#server/catalog/products.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, orders, products } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop, type SaleShop } from '#server/testing/sale.ts'

/** So little that nobody else would get this form any more. */
const nearItsEnd = ({ db }: SaleShop) =>
  db.update(checkouts).set({ validUntil: sql`now() + interval '4 minutes'` })

test('a browser that saved details and has no card at the bank gets the same form, however late it is', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await nearItsEnd(shop)
  const answer = await buyer.open(shop.mug)
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.json().checkoutId, checkoutId)
})

test('a form with an old price is ended at SumUp before a new one opens', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  const dearer = { name: 'Mug', price: '55.00', headerLogoUrl: 'https://example.com/l.png' }
  await updateProduct(shop.db, shop.mug, productSchema.parse(dearer))
  const second = await buyer.open(shop.mug, '55.00')
  assert.equal(second.statusCode, 200)
  assert.notEqual((await payByCard(shop.sandbox, checkoutId)).status, 'PAID')
  assert.equal((await payByCard(shop.sandbox, second.json().checkoutId)).status, 'PAID')
})

test('an expired form is ended at SumUp before a new one opens', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await shop.db.update(checkouts).set({ validUntil: sql`now()` })
  // Around its own end nobody can tell whether a card is hidden behind the expiry.
  assert.equal((await buyer.open(shop.mug)).json().code, 'card-under-way')
  assert.notEqual((await payByCard(shop.sandbox, checkoutId)).status, 'PAID')
  await shop.db.update(checkouts).set({ expiredSince: sql`now() - interval '30 seconds'` })
  const { checkoutId: other } = (await buyer.open(shop.mug)).json()
  assert.notEqual(other, checkoutId)
  assert.equal((await payByCard(shop.sandbox, other)).status, 'PAID')
})

test('a buyer who paid and opens the link again is led to the order, not to a second form', async () => {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const buyer = createBuyer(shop)
  const first = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, first)
  await nearItsEnd(shop)
  const page = await buyer.call('GET', checkoutPath(shop.mug))
  const [order] = await shop.db.select().from(orders)
  assert.equal(page.statusCode, 303)
  assert.equal(page.headers.location, thankYouPath(order?.id ?? ''))
  assert.equal((await buyer.call('GET', checkoutPath(shop.mug))).statusCode, 303, 'not seen yet')
  await buyer.call('GET', thankYouPath(order?.id ?? ''))
  assert.equal((await buyer.call('GET', checkoutPath(shop.mug))).statusCode, 200, 'may buy again')

  const { checkoutId: second } = (await buyer.open(shop.mug)).json()
  await buyer.saveDetails(second)
  await payByCard(shop.sandbox, second)
  const answer = await buyer.open(shop.mug)
  assert.equal(answer.statusCode, 410)
  assert.equal(answer.json().code, 'already-paid')
  const [repeated] = await shop.db.select().from(orders).where(eq(orders.sumupCheckoutId, second))
  assert.equal(answer.json().orderId, repeated?.id)
})

test('after a tab was closed while it requested its order, another tab gets no second form', async () => {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const buyer = createBuyer(shop, undefined, { 'sec-fetch-site': 'same-origin' })
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  const { id } = (await buyer.order(checkoutId)).json()
  const refused = await buyer.open(shop.mug)
  assert.deepEqual([refused.json().code, refused.json().orderId], ['already-paid', id])
  await buyer.call('GET', thankYouPath(id))
  assert.equal((await buyer.open(shop.mug)).statusCode, 200, 'may buy again')
})

test('an API client that got its order may buy again', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  assert.equal((await buyer.open(shop.mug)).statusCode, 200)
})

test('a second tab does not change where a paid order is delivered', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  const elsewhere = {
    ...delivery,
    shippingAddress: { ...delivery.shippingAddress, address: 'Elsewhere 9' },
  }
  assert.equal((await buyer.saveDetails(checkoutId, elsewhere)).statusCode, 204)
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  await payByCard(shop.sandbox, checkoutId)
  const late = await buyer.saveDetails(checkoutId, elsewhere)
  assert.equal(late.statusCode, 410)
  assert.match(late.json().message, /your order is placed/)
  const [order] = await shop.db.select().from(orders)
  assert.equal(order?.shippingAddress.address, delivery.shippingAddress.address)
})

test('a page that pays with its own details learns that another tab has replaced them', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  const ask = (formId: string) =>
    buyer.call('GET', `${pathOf(apiRoutes.checkout, { checkoutId })}?formId=${formId}`)
  await buyer.saveDetails(checkoutId, { ...delivery, formId: 'first' })
  assert.equal((await ask('first')).json().state, 'waiting')
  await shop.db
    .update(checkouts)
    .set({ detailsAt: sql`now() - interval '30 seconds'`, version: sql`version + 1` })
  await buyer.saveDetails(checkoutId, { ...delivery, formId: 'second' })
  assert.equal((await ask('first')).json().code, 'details-replaced')
  assert.equal((await ask('second')).json().state, 'waiting')
})

test('what another node changed a moment ago counts', async () => {
  const shop = await openSaleShop()
  const { db } = shop
  const change = (checkoutId: string, set: object) =>
    db
      .update(checkouts)
      .set({ ...set, version: sql`version + 1` })
      .where(eq(checkouts.sumupCheckoutId, checkoutId))

  const closed = createBuyer(shop)
  const closedId = (await closed.open(shop.mug)).json().checkoutId
  await change(closedId, { state: 'closed', nextCheckAt: null })
  assert.equal((await closed.saveDetails(closedId, delivery)).json().code, 'checkout-expired')

  // Another tab saved details at another node and paid; this node has not heard of it.
  const twice = createBuyer(shop)
  const twiceId = (await twice.open(shop.mug)).json().checkoutId
  const before = new Date(Date.now() - 3_600_000)
  await change(twiceId, {
    state: 'submitted',
    details: delivery,
    detailsAt: before,
    startedAt: before,
  })
  await payByCard(shop.sandbox, twiceId)
  const late = await twice.saveDetails(twiceId, { ...delivery, customerName: 'Somebody else' })
  assert.equal(late.json().code, 'already-paid')

  const paid = createBuyer(shop)
  const paidId = await paid.arrive(shop.mug)
  await payByCard(shop.sandbox, paidId)
  const elsewhere = await paid.call('GET', pathOf(apiRoutes.checkout, { checkoutId: paidId }))
  assert.equal(elsewhere.json().state, 'paid')
  const answer = await paid.order(paidId)
  assert.deepEqual([answer.statusCode, answer.json().id], [200, elsewhere.json().orderId])
  assert.equal((await db.select().from(orders)).length, 2)
})

test('nobody reads a sale of another browser', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = (await buyer.open(shop.mug)).json().checkoutId
  const stranger = createBuyer(shop)
  await stranger.open(shop.mug)
  assert.equal((await stranger.saveDetails(checkoutId, delivery)).statusCode, 404)
  assert.equal((await buyer.saveDetails(checkoutId, delivery)).statusCode, 204)
  assert.equal((await stranger.order(checkoutId)).statusCode, 404)
})

test('a new buyer is offered the product as it is now, whatever this node has cached', async () => {
  const shop = await openSaleShop()
  const { db, mug } = shop
  const cached = () => shop.shop.productCache.find(mug)
  const open = async (amount: string) => (await createBuyer(shop).open(mug, amount)).statusCode
  assert.equal(await open('49.00'), 200)
  await cached()
  await db.update(products).set({ price: '51.00' })
  assert.equal(await open('49.00'), 409, 'an old price was offered')
  await cached()
  await db.update(products).set({ price: '52.00' })
  assert.equal(await open('52.00'), 200, 'the price of now was refused')
  await cached()
  await db.update(products).set({ pausedAt: new Date() })
  assert.equal(await open('52.00'), 409)
  await cached()
  await db.update(products).set({ pausedAt: null })
  assert.equal(await open('52.00'), 200)
  await cached()
  await db.update(products).set({ deletedAt: new Date() })
  assert.equal(await open('52.00'), 404)
})

test('a product that the owner saves while a known buyer opens it is offered as it is now', async () => {
  const shop = await openSaleShop()
  const { db, mug } = shop
  const buyer = createBuyer(shop)
  await buyer.open(mug)
  await db.execute(sql`update products set price = 55, updated_at = now()`)
  // Saved once more after it was read: when the form with the old price ends.
  await db.execute(sql`create function save_product() returns trigger language plpgsql as $$
    begin update products set updated_at = updated_at + interval '1 second'; return new; end $$`)
  await db.execute(sql`create trigger save_product after update on checkouts
    for each row when (new.state = 'closed') execute function save_product()`)
  const answer = await buyer.open(mug, '55.00')
  assert.deepEqual([answer.statusCode, answer.json().amount], [200, '55.00'])
})
