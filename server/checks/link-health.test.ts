import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import {
  productSchema,
  type HealthCheck,
  type LinkActivity,
  type LinkHealth,
} from '#contract/products.ts'
import { defaultDelivery } from '#contract/quotes.ts'
import { sql } from '#server/db/drizzle.ts'
import { lastVisit } from './link-health.ts'
import { checkAccount, keyRefusedText } from '#server/sumup/payments.ts'
import { createProduct, setPaused } from '#server/catalog/products.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { changeConfig, pricedDelivery } from '#server/testing/prices.ts'
import { openSaleShop } from '#server/testing/sale.ts'

const shop = await openSaleShop({ environment: { PAYMENT_CURRENCY: 'product' } })
const headers = await shop.signIn()
const read = async (): Promise<LinkHealth> =>
  (await shop.app.inject({ url: apiRoutes.linkHealth, headers })).json()
const activity = async (id: string): Promise<LinkActivity> =>
  (await shop.app.inject({ url: pathOf(apiRoutes.linkActivity, { id }), headers })).json()

test('a link is healthy, unless its price cannot be charged or it is paused', async () => {
  const healthy = await read()
  assert.deepEqual(
    healthy.shop.map(({ name, status }) => [name, status]),
    [['Test mode', 'ok']],
  )
  assert.deepEqual(healthy.products[shop.mug], [
    { name: 'Price', status: 'ok', found: 'Buyers are charged €49.00.' },
  ])
  const content = productSchema.parse({
    name: 'Poncho',
    price: '10.50',
    currency: 'CLP',
    headerLogoUrl: 'https://example.com/logo.png',
  })
  const { id } = await createProduct(shop.db, content, 'admin')
  await setPaused(shop.db, id, true)
  const statuses = (await read()).products[id]?.map(({ name, status }) => [name, status])
  assert.deepEqual(statuses, [
    ['Price', 'fail'],
    ['Sale', 'warn'],
  ])
})

test('a link says that its product is sold out, and that shipping is charged too', async () => {
  const mug = { name: 'Last mug', price: '49.00', headerLogoUrl: 'https://example.com/logo.png' }
  const add = async (more: object) =>
    (await createProduct(shop.db, productSchema.parse({ ...mug, ...more }), 'admin')).id
  const soldOut = await add({ stock: 0 })
  const values = [{ name: 'S', stock: 0 }, { name: 'M' }]
  const halfSoldOut = await add({ choice: { name: 'Size', values } })
  changeConfig(shop, { delivery: pricedDelivery })
  const { products } = await read()
  changeConfig(shop, { delivery: defaultDelivery })
  const found = 'Buyers are charged €49.00, and what shipping to their country costs.'
  const price = { name: 'Price', status: 'ok', found }
  assert.deepEqual(products[halfSoldOut], [price])
  const sale = 'All pieces are sold, or are being paid for: the checkout takes no payments.'
  assert.deepEqual(products[soldOut], [price, { name: 'Sale', status: 'warn', found: sale }])
})

test('a product in another currency than buyers are charged in is red and says what it will cost', async () => {
  const own = await openSaleShop()
  const content = productSchema.parse({
    name: 'Teapot',
    price: '49.00',
    currency: 'USD',
    headerLogoUrl: 'https://example.com/logo.png',
  })
  const { id } = await createProduct(own.db, content, 'admin')
  const { id: sameId } = await createProduct(shop.db, content, 'admin')
  const answer = await own.app.inject({ url: apiRoutes.linkHealth, headers: await own.signIn() })
  const [check] = answer.json<LinkHealth>().products[id] ?? []
  assert.deepEqual([check?.name, check?.status], ['Currency', 'fail'])
  assert.match(check?.found ?? '', /will cost €49\.00 at checkout, not \$49\.00/)
  const [charged] = (await read()).products[sameId] ?? []
  assert.deepEqual(charged, { name: 'Price', status: 'ok', found: 'Buyers are charged $49.00.' })
})

test('a refused key and a currency that does not fit are told in words without names of variables', async () => {
  const live = await openSaleShop({ isLive: true, merchant: { currency: 'GBP' } })
  const { payments } = live.shop
  payments.sandboxUrl = undefined
  const readLive = async (): Promise<LinkHealth> =>
    (await live.app.inject({ url: apiRoutes.linkHealth, headers: await live.signIn() })).json()
  const state = { ...(await checkAccount(payments.sumup, 'EUR')), mode: 'live' as const }
  payments.account = () => state
  const inPounds = await readLive()
  assert.equal(inPounds.shop[0]?.status, 'fail')
  assert.match(inPounds.shop[0]?.found ?? '', /payment currency to GBP/)
  assert.deepEqual(
    inPounds.products[live.mug]?.map(({ name, status }) => [name, status]),
    [['Currency', 'fail']],
  )
  payments.account = () => ({ ...state, problem: keyRefusedText })
  const refused = await readLive()
  assert.match(refused.shop[0]?.found ?? '', /does not accept the API key/)
  assert.doesNotMatch(JSON.stringify([inPounds, refused]), /[A-Z]_[A-Z]/)
})

/** What a live shop with this public address says about SumUp's messages to it. */
async function readMessages(publicUrl?: string, names = {}): Promise<HealthCheck | undefined> {
  const live = await openSaleShop({
    isLive: true,
    ...(publicUrl && { environment: { PUBLIC_URL: publicUrl } }),
  })
  live.shop.payments.sandboxUrl = undefined
  const { cookie } = await live.signIn()
  // Under either name: with https the cookie has another.
  const signedIn = { cookie: `${cookie}; __Host-${cookie}`, ...names }
  const answer = await live.app.inject({ url: apiRoutes.linkHealth, headers: signedIn })
  return answer.json<LinkHealth>().shop[1]
}

test('payment messages arrive where the public address leads to this shop, and not to another one', async () => {
  assert.match((await readMessages())?.found ?? '', /no public address/)
  const through = {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'mugs.example',
    host: 'mugs.example',
  }
  assert.equal((await readMessages('https://mugs.example', through))?.status, 'ok')
  const other = await openSaleShop({ environment: { SESSION_SECRET: 'another secret'.padEnd(32) } })
  const elsewhere = await readMessages(await other.app.listen({ port: 0, host: '127.0.0.1' }))
  assert.equal(elsewhere?.status, 'fail')
  assert.match(elsewhere.found, /Another shop answers/)
  const unreachable = await readMessages('https://127.0.0.1:1')
  assert.equal(unreachable?.status, 'warn')
  assert.match(unreachable.found, /cannot be reached from here/)
})

test('the last visit of a link that nobody opened is not looked for among all events', async () => {
  await shop.db.execute(sql`
    insert into analytics_events (event_type, product_id)
    select 'checkout_view', ${shop.mug}::uuid from generate_series(1, 2000)`)
  await shop.db.execute(sql`analyze analytics_events`)
  const { rows } = await shop.db.execute(sql`explain ${lastVisit(randomUUID(), true)}`)
  assert.match(JSON.stringify(rows), /analytics_events_product_idx/)
})

test('a link tells when it was last visited and last bought', async () => {
  assert.deepEqual(await activity(shop.mug), { lastVisitAt: null, lastSaleAt: null })
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  const order = await buyer.order(checkoutId)
  assert.equal(order.statusCode, 201)
  assert.equal((await activity(shop.mug)).lastSaleAt, order.json().createdAt)
})
