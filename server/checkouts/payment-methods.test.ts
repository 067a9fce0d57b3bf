import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultMethods, otherMethodIds, type OtherMethod } from '#contract/payment-methods.ts'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { payments } from '#server/db/payment-schema.ts'
import { checkouts, orders, products } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { type Buyer, createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { act, compareTomorrow } from '#server/testing/money.ts'
import { addCode } from '#server/testing/prices.ts'
import {
  listReview,
  openSaleShop,
  payOtherwise,
  sendWebhook,
  startElsewhere,
  sweepAll,
  type SaleShop,
} from '#server/testing/sale.ts'
import type { TestShopOptions } from '#server/testing/test-shop.ts'

const nobody = { admin: undefined, address: '' }

async function offer({ shop }: SaleShop, otherMethods: OtherMethod[]): Promise<void> {
  const { version } = shop.settings.show()
  const values = { ...defaultMethods, googlePayMerchantId: 'BCR2DN4TX7Q3RZ2K', otherMethods }
  await shop.settings.save('methods', { version, values }, nobody)
}

async function openShop(options: TestShopOptions = {}): Promise<SaleShop> {
  const shop = await openSaleShop(options)
  await offer(shop, otherMethodIds)
  return shop
}

const methodsIn = async ({ db }: SaleShop) =>
  (await db.select().from(orders)).map(({ paymentMethod }) => paymentMethod)

const makers: Record<string, (shop: SaleShop, checkoutId: string) => Promise<unknown>> = {
  'the sweep': sweepAll,
  'SumUp’s message': sendWebhook,
  async 'the comparison with SumUp'(shop) {
    await shop.db.update(checkouts).set({ state: 'closed', nextCheckAt: null })
    await compareTomorrow(shop)
  },
}

for (const [who, make] of Object.entries(makers))
  test(`an order that ${who} makes says how it was paid`, async () => {
    const shop = await openShop()
    const checkoutId = await createBuyer(shop).arrive(shop.mug)
    await payOtherwise(shop.sandbox, checkoutId, 'paypal')
    await make(shop, checkoutId)
    assert.deepEqual(await methodsIn(shop), ['paypal'])
  })

test('an order says how it was paid, to its buyer too', async () => {
  const shop = await openShop()
  for (const method of otherMethodIds) {
    const buyer = createBuyer(shop)
    const checkoutId = await buyer.arrive(shop.mug)
    await payOtherwise(shop.sandbox, checkoutId, method)
    const answer = await buyer.order(checkoutId, { paymentMethod: 'card' })
    assert.equal(answer.statusCode, 201, method)
    assert.equal(answer.json().paymentMethod, method)
  }
})

test('a card is a card, whatever else the shop offers and the browser says', async () => {
  const shop = await openShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  const { paymentMethod } = (await buyer.order(checkoutId, { paymentMethod: 'paypal' })).json()
  assert.equal(paymentMethod, 'card')
  assert.equal((await shop.db.select().from(payments))[0]?.method, null)
})

test('an order that the owner makes of a payment without a sale says how it was paid', async () => {
  const shop = await openShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payOtherwise(shop.sandbox, checkoutId, 'ideal')
  await shop.db.delete(checkouts)
  await compareTomorrow(shop)
  const [entry] = await listReview(shop)
  assert.equal(entry?.paymentMethod, 'ideal')
  const { acceptsNews: _omitted, ...details } = delivery
  const values = { productId: shop.mug, details }
  const made = await act(shop, apiRoutes.reviewOrder, entry?.id ?? '', values)
  assert.equal(made.statusCode, 201, made.body)
  assert.deepEqual(await methodsIn(shop), ['ideal'])
})

test('where another payment pays for the order from now on, the order says how that was paid', async () => {
  const shop = await openShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  await buyer.order(checkoutId)
  const [order] = await shop.db.select().from(orders)
  await shop.sandbox.controls.payAgain({ checkout: checkoutId })
  await compareTomorrow(shop)
  // The sandbox repeats the card; SumUp would show the second payment with a method of its own.
  await shop.db
    .update(payments)
    .set({ method: 'paypal' })
    .where(sql`transaction_id <> ${order?.sumupTransactionId}`)
  shop.sandbox.controls.refund({ payment: order?.sumupTransactionId ?? '' })
  await compareTomorrow(shop)
  const [moved] = await shop.db.select().from(orders)
  assert.notEqual(moved?.sumupTransactionId, order?.sumupTransactionId)
  assert.equal(moved?.paymentMethod, 'paypal')
})

test('an order of a version that knew only cards is mended by the next comparison', async () => {
  const shop = await openShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payOtherwise(shop.sandbox, checkoutId, 'twint')
  await sweepAll(shop)
  await shop.db.update(payments).set({ method: null })
  await shop.db.update(orders).set({ paymentMethod: 'card' })
  await compareTomorrow(shop)
  assert.deepEqual(await methodsIn(shop), ['twint'])
})

const publicUrl = 'https://shop.example.com'
const returnUrls = ({ sandbox }: SaleShop) =>
  sandbox.ledger().checkouts.map(({ redirectUrl }) => redirectUrl)

test('SumUp is told a way back only where a way to pay leaves the page', async () => {
  const shop = await openSaleShop({ environment: { PUBLIC_URL: publicUrl } })
  const headers = { host: 'shop.example.com', origin: publicUrl }
  const open = () => createBuyer(shop, undefined, headers).open(shop.mug)
  await open()
  await offer(shop, ['apple_pay', 'google_pay'])
  await open()
  await offer(shop, ['apple_pay', 'ideal'])
  await open()
  const back = `${publicUrl}${checkoutPath(shop.mug)}`
  assert.deepEqual(returnUrls(shop), [undefined, undefined, back])
})

test('a checkout from before a way to pay was offered that leaves the page is replaced, and after', async () => {
  const shop = await openSaleShop({ environment: { PUBLIC_URL: publicUrl } })
  const buyer = createBuyer(shop, undefined, { host: 'shop.example.com', origin: publicUrl })
  const told: unknown[] = []
  const open = async () => {
    const { checkoutId, mayLeavePage } = (await buyer.open(shop.mug)).json()
    told.push(mayLeavePage)
    return checkoutId
  }
  const before = await open()
  await offer(shop, ['apple_pay'])
  assert.equal(await open(), before)
  await offer(shop, ['ideal'])
  const meanwhile = await open()
  await buyer.saveDetails(meanwhile)
  await offer(shop, ['ideal', 'paypal'])
  assert.equal(await open(), meanwhile)
  await offer(shop, [])
  assert.notEqual(await open(), meanwhile)
  const back = `${publicUrl}${checkoutPath(shop.mug)}`
  assert.deepEqual(returnUrls(shop), [undefined, back, undefined])
  // As the page is told, whatever the settings were when it was loaded.
  assert.deepEqual(told, [undefined, undefined, true, true, undefined])
})

test('what a page says of a payment is true of it, also once the shop takes cards only', async () => {
  const shop = await openShop({ web: await readWebFiles() })
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await startElsewhere(shop.sandbox, checkoutId, 'paypal')
  await offer(shop, [])
  const path = checkoutPath(shop.mug)
  const read = async (who: Buyer, query = '') => (await who.call('GET', path + query)).body
  const cards = /Your bank is checking|check your card details/
  const back = `?checkout_id=${checkoutId}`
  for (const page of [await read(buyer), await read(createBuyer(shop), back)]) {
    assert.match(page, /Your payment is not confirmed yet/)
    assert.match(page, /check whether you were charged/)
    assert.doesNotMatch(page, cards)
    assert.doesNotMatch(page, /"otherMethods"/)
  }
  assert.match(await read(createBuyer(shop)), cards)
})

test('the way back is the page as the buyer had it, at the address of the payment pages', async () => {
  const shop = await openShop({
    environment: { PUBLIC_URL: publicUrl, CUSTOM_DOMAIN: 'https://pay.example.com' },
  })
  await addCode(shop, 'TEN')
  const uncounted = {
    stock: null,
    testStock: null,
    countedAt: null,
    lowStockAt: null,
    soldOutAt: null,
  }
  const values = ['S', 'M'].map((name) => ({
    id: `id-${name}`,
    name,
    imageUrl: null,
    ...uncounted,
  }))
  await shop.db.update(products).set({ choice: { name: 'Size', values } })
  const path = checkoutPath(shop.mug)
  const open = (referer: string, ...price: [string?, string?, object?]) => {
    const headers = { host: 'pay.example.com', origin: 'https://pay.example.com', referer }
    return createBuyer(shop, undefined, headers).open(shop.mug, ...price)
  }
  await open(`https://pay.example.com${path}?lang=de&checkout_id=x&next=//evil.example`)
  await open(`https://pay.example.com${path}?choice=m&code=TEN`, '44.10', 'EUR', { code: 'TEN' })
  await open('https://evil.example/?lang=elvish&choice=XXL')
  const back = `https://pay.example.com${path}`
  const expected = [`${back}?lang=de`, `${back}?code=TEN&choice=id-M`, back]
  assert.deepEqual(returnUrls(shop), expected)
})
