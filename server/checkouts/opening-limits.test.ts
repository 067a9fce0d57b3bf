import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { createBuyer, payByCard, type Buyer } from '#server/testing/buyer.ts'
import { openSaleShop, type SaleShop } from '#server/testing/sale.ts'

const openShop = (money: { isLive?: true } = { isLive: true }) =>
  openSaleShop({ environment: { TRUST_PROXY: '1' }, ...money })

const status = async (buyer: Buyer, shop: SaleShop) => (await buyer.open(shop.mug)).statusCode

/** Whoever opened as many as this here has opened so many more. */
async function pretend({ db }: SaleShop, opened: number, more: number): Promise<void> {
  await db.execute(sql`update rate_limits set count = ${more} where count = ${opened}`)
}

/** Opens a checkout, ended before the next, so often. */
async function openNew(shop: SaleShop, buyer: Buyer, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < times; time += 1) {
    statuses.push(await status(buyer, shop))
    await shop.db.update(checkouts).set({ state: 'closed' })
  }
  return statuses
}

const all = (statuses: number[], expected: number) =>
  assert.deepEqual(new Set(statuses), new Set([expected]))

test('behind one address six hundred buyers get a payment form in ten minutes', async () => {
  const shop = await openShop()
  const open = (ip: string) => status(createBuyer(shop, ip), shop)
  for (const [crowd, neighbour, elsewhere] of [
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['2001:db8:1:2::7', '2001:db8:1:2:3:4:5:6', '2001:db8:1:3::7'],
  ] as const) {
    assert.deepEqual([await open(crowd), await open(crowd)], [200, 200])
    await pretend(shop, 2, 599)
    assert.deepEqual([await open(neighbour), await open(neighbour)], [200, 429])
    assert.equal(await open(elsewhere), 200)
  }
})

test('a browser gets thirty new payment forms for a product in ten minutes, and keeps the one it has', async () => {
  const shop = await openShop()
  const buyer = createBuyer(shop)
  all(await openNew(shop, buyer, 29), 200)
  assert.equal(await status(buyer, shop), 200)
  for (let reload = 0; reload < 3; reload += 1) assert.equal(await status(buyer, shop), 200)
  await shop.db.update(checkouts).set({ state: 'closed' })
  const answer = await buyer.open(shop.mug)
  assert.equal(answer.statusCode, 429)
  assert.ok(Number(answer.headers['retry-after']) > 0)
})

test('the same product can be bought again and again', async () => {
  const shop = await openShop()
  const buyer = createBuyer(shop)
  for (let purchase = 0; purchase < 6; purchase += 1) {
    const checkoutId = await buyer.arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  }
})

test('a tester at this machine, and buyers who share its address, have far higher limits', async () => {
  for (const [shop, ip] of [
    [await openShop({}), null],
    [await openShop(), '127.0.0.1'],
    [await openShop(), '::1'],
  ] as const) {
    all(await openNew(shop, createBuyer(shop, ip), 32), 200)
    await pretend(shop, 32, 700)
    assert.equal(await status(createBuyer(shop, ip), shop), 200)
  }
})

test('in test mode a stranger’s address opens 150 payment forms in ten minutes', async () => {
  const shop = await openShop({})
  const open = () => status(createBuyer(shop, '203.0.113.7'), shop)
  assert.deepEqual([await open(), await open()], [200, 200])
  await pretend(shop, 2, 149)
  assert.deepEqual([await open(), await open()], [200, 429])
  assert.equal(await status(createBuyer(shop, '203.0.113.8'), shop), 200)
})
