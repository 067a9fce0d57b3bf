import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReviewEntry } from '#contract/checkouts.ts'
import { apiRoutes } from '#contract/paths.ts'
import { defaultDelivery } from '#contract/quotes.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, orders, products } from '#server/db/schema.ts'
import { createBuyer, delivery, payByCard, type Buyer } from '#server/testing/buyer.ts'
import { changeConfig, pricedDelivery } from '#server/testing/prices.ts'
import { openSaleShop, sweepAll } from '#server/testing/sale.ts'

const shop = await openSaleShop({ environment: { TRUST_PROXY: '1' } })
const { db, sandbox, mug } = shop
changeConfig(shop, { delivery: pricedDelivery })
let visitors = 0
const newBuyer = () => createBuyer(shop, `203.0.113.${(visitors += 1)}`)

const open = (buyer: Buyer, amount: string, wish: object = {}) =>
  buyer.call('POST', apiRoutes.createCheckout, {
    productId: mug,
    amount,
    currency: 'EUR',
    ...wish,
  })

async function openAt(buyer: Buyer, amount: string, wish: object): Promise<string> {
  const answer = await open(buyer, amount, wish)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().checkoutId
}

const detailsFor = (country: string) => ({
  ...delivery,
  shippingAddress: { ...delivery.shippingAddress, country },
})

const codeOf = (answer: Awaited<ReturnType<typeof open>>) => [answer.statusCode, answer.json().code]

async function readSale(checkoutId: string) {
  const [row] = await db.select().from(checkouts).where(eq(checkouts.sumupCheckoutId, checkoutId))
  return row
}

async function readOrder(checkoutId: string) {
  const [row] = await db.select().from(orders).where(eq(orders.sumupCheckoutId, checkoutId))
  return row
}

test('a shop without prices for delivery charges the product, and keeps no terms', async () => {
  changeConfig(shop, { delivery: defaultDelivery })
  const checkoutId = await openAt(newBuyer(), '49.00', {})
  const reused = await openAt(newBuyer(), '49.00', { country: 'Germany' })
  changeConfig(shop, { delivery: pricedDelivery })
  assert.equal((await readSale(checkoutId))?.terms, null)
  assert.equal((await readSale(reused))?.terms, null)
})

test('a price that is too large with its delivery is refused in words', async () => {
  const [row] = await db.select().from(products).where(eq(products.id, mug))
  const price = '99999999.00'
  await db.update(products).set({ price }).where(eq(products.id, mug))
  shop.shop.productCache.outdate(mug)
  const refused = await open(newBuyer(), '100000008.50', { country: 'France' })
  assert.deepEqual(codeOf(refused), [409, 'price-not-payable'])
  await db.update(products).set({ price: row?.price }).where(eq(products.id, mug))
  shop.shop.productCache.outdate(mug)
})

test('no form is opened before the country is known that the price depends on', async () => {
  assert.deepEqual(codeOf(await open(newBuyer(), '49.00')), [409, 'country-needed'])
})

test('no form is opened for a country that nothing is sent to', async () => {
  const wish = { country: 'Canada' }
  assert.deepEqual(codeOf(await open(newBuyer(), '49.00', wish)), [400, 'not-delivered'])
})

test('the server charges what it quotes for the country, and nothing else that a browser says', async () => {
  const wish = { country: 'Germany' }
  assert.deepEqual(codeOf(await open(newBuyer(), '49.00', wish)), [409, 'price-changed'])
  const checkoutId = await openAt(newBuyer(), '53.90', wish)
  assert.equal((await shop.shop.payments.sumup.findCheckout(checkoutId))?.amount, '53.90')
  assert.deepEqual((await readSale(checkoutId))?.terms, {
    subtotal: '49.00',
    shipping: '4.90',
    discount: '0.00',
    code: null,
    country: 'Germany',
    isPickup: false,
  })
})

test('what the owner changes applies to new forms, and not to what was agreed', async () => {
  const buyer = newBuyer()
  const checkoutId = await openAt(buyer, '53.90', { country: 'Germany' })
  const prices = [{ countries: ['Germany' as const], price: '7.00', freeFrom: null }]
  changeConfig(shop, { delivery: { ...pricedDelivery, prices } })
  const late = codeOf(await open(newBuyer(), '53.90', { country: 'Germany' }))
  const saved = await buyer.saveDetails(checkoutId)
  changeConfig(shop, { delivery: pricedDelivery })
  assert.deepEqual(late, [409, 'price-changed'])
  assert.equal(saved.statusCode, 204, saved.body)
})

test('nobody pays the price of one country for a delivery to another', async () => {
  const buyer = newBuyer()
  const checkoutId = await openAt(buyer, '53.90', { country: 'Germany' })
  const refused = await buyer.saveDetails(checkoutId, detailsFor('France'))
  assert.deepEqual(codeOf(refused), [409, 'terms-changed'])
  const ordered = await buyer.order(checkoutId, detailsFor('France'))
  assert.deepEqual(codeOf(ordered), [409, 'terms-changed'])
  const fetched = await buyer.saveDetails(checkoutId, { ...delivery, isPickup: true })
  assert.deepEqual(codeOf(fetched), [409, 'terms-changed'])
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  await payByCard(sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  const order = await readOrder(checkoutId)
  assert.equal(order?.amount, '53.90')
  assert.equal(order?.terms?.shipping, '4.90')
})

test('what was agreed to be fetched is not sent anywhere', async () => {
  const buyer = newBuyer()
  const checkoutId = await openAt(buyer, '49.00', { isPickup: true })
  assert.deepEqual(codeOf(await buyer.saveDetails(checkoutId)), [409, 'terms-changed'])
  const fetched = await buyer.saveDetails(checkoutId, { ...delivery, isPickup: true })
  assert.equal(fetched.statusCode, 204, fetched.body)
})

test('a form is reused for the same delivery only, also where another one costs the same', async () => {
  const buyer = newBuyer()
  const toFrance = await openAt(buyer, '58.50', { country: 'France' })
  assert.equal(await openAt(buyer, '58.50', { country: 'France' }), toFrance)
  const toBelgium = await openAt(buyer, '58.50', { country: 'Belgium' })
  assert.notEqual(toBelgium, toFrance)
  const paid = await payByCard(sandbox, toFrance)
  assert.notEqual(paid.status, 'PAID', 'the form before takes no card')
  const late = await buyer.saveDetails(toFrance, detailsFor('France'))
  assert.deepEqual(codeOf(late), [410, 'checkout-expired'])
})

test('a payment without details is no order for another country than it was paid for', async () => {
  const buyer = newBuyer()
  const checkoutId = await openAt(buyer, '53.90', { country: 'Germany' })
  await payByCard(sandbox, checkoutId)
  const refused = await buyer.order(checkoutId, detailsFor('France'))
  assert.deepEqual(codeOf(refused), [409, 'terms-changed'])
  await db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()` })
    .where(eq(checkouts.sumupCheckoutId, checkoutId))
  await sweepAll(shop)
  assert.equal(await readOrder(checkoutId), undefined)
  const headers = await shop.signIn()
  const entries = (await shop.app.inject({ url: apiRoutes.review, headers })).json()
  const [entry] = entries as ReviewEntry[]
  assert.equal(entry?.reason, 'no-details')
  assert.equal(entry?.details?.shippingAddress.country, 'France', 'the owner knows who has paid')
  assert.equal(entry?.details?.customerEmail, delivery.customerEmail)
  const ordered = await buyer.order(checkoutId, detailsFor('Germany'))
  assert.equal(ordered.statusCode, 201, ordered.body)
})
