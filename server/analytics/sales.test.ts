import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import { createProduct, deleteProduct } from '#server/catalog/products.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { deleteUnpaidDetails } from '#server/privacy/retention.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openTestShop, type TestShop } from '#server/testing/test-shop.ts'
import {
  userAgents,
  requestSummary,
  buy,
  knownVisitor,
  getSummary,
  track,
  view,
} from '#server/testing/visitors.ts'

const shop = await openTestShop()
const productId = await addMug(shop)

/** By how much each step of the funnel grows. */
async function growth(work: () => Promise<unknown>): Promise<number[]> {
  const funnel = async () => {
    const { views, started, completed, thanked } = await getSummary(shop)
    return [views, started, completed, thanked]
  }
  const before = await funnel()
  await work()
  return (await funnel()).map((figure, step) => figure - (before[step] ?? 0))
}

test('a buyer whose browser reports nothing is counted, and no view is made up', async () => {
  assert.deepEqual(await growth(() => buy(shop, productId)), [0, 1, 1, 0])
})

test('a buyer whose views were reported is counted with each of them', async () => {
  const viewAndBuy = async () => {
    const buyer = createBuyer(shop, undefined, { 'user-agent': userAgents.mobile })
    const look = () =>
      buyer.call('POST', apiRoutes.track, { eventType: 'checkout_view', productId })
    await look()
    await look()
    const { orderId } = await buy(shop, productId, buyer)
    await track(shop, { eventType: 'thank_you_view', productId, orderId })
  }
  assert.deepEqual(await growth(viewAndBuy), [2, 1, 1, 1])
})

test('a payment counts as started once, when its details are first submitted', async () => {
  const submitDetailsTwice = async () => {
    const buyer = createBuyer(shop)
    await buyer.saveDetails(await buyer.arrive(productId))
  }
  assert.deepEqual(await growth(submitDetailsTwice), [0, 1, 0, 0])
})

test('conversion is completed divided by views, and never above one hundred percent', async () => {
  const own = await openTestShop()
  const mug = await addMug(own)
  await buy(own, mug)
  for (let load = 0; load < 3; load += 1) await view(own, mug)
  assert.equal((await getSummary(own)).conversion, 33.3)
  for (let times = 0; times < 4; times += 1) await buy(own, mug)
  assert.equal((await getSummary(own)).conversion, 100)
  await own.db.delete(analyticsEvents)
  assert.equal((await getSummary(own)).conversion, 0)
})

test('the ledger keeps the facts about a visitor until the order, and then deletes them', async () => {
  const mug = await addMug(shop)
  const buyer = createBuyer(shop, undefined, {
    'user-agent': userAgents.mobile,
    referer: 'https://blog.example/post',
  })
  const checkoutId = await buyer.arrive(mug)
  const ledger = async () => {
    const [row] = await shop.db
      .select({ visitor: checkouts.visitor })
      .from(checkouts)
      .where(eq(checkouts.sumupCheckoutId, checkoutId))
    return row?.visitor
  }
  assert.equal((await ledger())?.facts.referrer, 'https://blog.example')
  await payByCard(shop.sandbox, checkoutId)
  await buyer.order(checkoutId)
  assert.equal(await ledger(), null)
  const events = await shop.db
    .select()
    .from(analyticsEvents)
    .where(eq(analyticsEvents.productId, mug))
  assert.partialDeepStrictEqual(events, [
    { eventType: 'checkout_complete', deviceType: 'mobile', referrer: 'https://blog.example' },
  ])
  assert.equal(events.length, 1)
})

test('the ledger deletes the facts about visitors who did not buy', async () => {
  const mug = await addMug(shop)
  await createBuyer(shop).open(mug)
  await shop.db
    .update(checkouts)
    .set({ state: 'closed', nextCheckAt: null, validUntil: sql`now() - interval '31 days'` })
    .where(eq(checkouts.productId, mug))
  await deleteUnpaidDetails(shop.db, 30)
  const [row] = await shop.db.select().from(checkouts).where(eq(checkouts.productId, mug))
  assert.equal(row?.visitor, null)
})

test('revenue is in the shop’s currency, and other currencies are listed separately', async () => {
  const paid = await openTestShop()
  const sell = async (name: string, price: string, times: number) => {
    const headerLogoUrl = 'https://example.com/logo.png'
    const product = productSchema.parse({ name, price, headerLogoUrl })
    const { id } = await createProduct(paid.db, product, 'admin')
    for (let time = 0; time < times; time += 1) await sellOne(paid, id, price)
    return id
  }
  const lamp = await sell('Lamp', '100.10', 1)
  const cup = await sell('Cup', '33.35', 2)
  const hat = await sell('Hat', '500.00', 1)
  // The sandbox's account takes euros only.
  await paid.db.update(orders).set({ currency: 'USD' }).where(eq(orders.productId, hat))
  await deleteProduct(paid.db, cup)
  const figures = await getSummary(paid)
  assert.partialDeepStrictEqual(figures, {
    currency: 'EUR',
    revenue: '166.80',
    orders: 4,
    averageOrder: '55.60',
    completed: 4,
    conversion: 0,
    before: null,
    attribution: { url: 'https://db-ip.com' },
    days: [{ day: figures.today, revenue: '166.80', orders: 4, views: 0 }],
  })
  assert.deepEqual(figures.topProducts, [
    { productId: lamp, name: 'Lamp', orders: 1, revenue: '100.10' },
    { productId: cup, name: 'Cup', orders: 2, revenue: '66.70' },
  ])
  assert.deepEqual(figures.otherCurrencies, [{ currency: 'USD', revenue: '500.00', orders: 1 }])
})

test('figures are in the payment currency, and not cached', async () => {
  const inDollars = await openTestShop({ environment: { PAYMENT_CURRENCY: 'USD' } })
  const answer = await requestSummary(inDollars)
  assert.equal(answer.json().currency, 'USD')
  assert.equal(answer.headers['cache-control'], 'no-store')
})

async function sellOne(of: TestShop, id: string, price: string): Promise<void> {
  const buyer = createBuyer(of)
  const { checkoutId } = (await buyer.open(id, price)).json()
  await buyer.saveDetails(checkoutId)
  await payByCard(of.sandbox, checkoutId)
  await buyer.order(checkoutId)
}

test('views are grouped by device, country and referrer, including unknown ones', async () => {
  const seen = await openTestShop()
  const mug = await addMug(seen)
  const visits = [
    { ip: '8.8.8.8', userAgent: userAgents.mobile, referer: 'https://a.example/x' },
    { ip: '8.8.4.4', userAgent: userAgents.mobile, referer: 'http://localhost/checkout' },
    { ip: '127.0.0.9', userAgent: 'Mozilla/5.0 (Unheard; of) Gecko/1 Firefox/1' },
  ]
  for (const visit of visits) await view(seen, mug, { ...knownVisitor, ...visit })
  const { devices, countries, referrers } = await getSummary(seen)
  assert.deepEqual(devices, [
    { device: 'mobile', views: 2, percent: 66.7 },
    { device: 'unknown', views: 1, percent: 33.3 },
  ])
  assert.deepEqual(countries, [
    { country: 'United States', views: 2, percent: 66.7 },
    { country: 'Unknown', views: 1, percent: 33.3 },
  ])
  assert.deepEqual(referrers, [
    { referrer: 'Direct', views: 2 },
    { referrer: 'https://a.example', views: 1 },
  ])
})

test('a sale without a reported view counts, whatever is known of the buyer', async () => {
  const sold = await openTestShop()
  const mug = await addMug(sold)
  const known = { 'user-agent': userAgents.mobile, referer: 'https://a.example/x' }
  const unknown = { 'user-agent': 'Mozilla/5.0 (Unheard; of) Gecko/1 Firefox/1' }
  for (const headers of [known, unknown, unknown])
    await buy(sold, mug, createBuyer(sold, undefined, headers))
  assert.partialDeepStrictEqual(await getSummary(sold), {
    views: 0,
    started: 3,
    completed: 3,
    thanked: 0,
    orders: 3,
    revenue: '147.00',
  })
})
