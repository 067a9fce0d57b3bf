import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { findPieces } from '#server/catalog/stock.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, orders, products } from '#server/db/schema.ts'
import {
  addMug,
  badCard,
  challengedCard,
  createBuyer,
  delivery,
  payByCard,
  type Buyer,
} from '#server/testing/buyer.ts'
import { addCode } from '#server/testing/prices.ts'
import { openSaleShop, sweepAll } from '#server/testing/sale.ts'

/** How long a sale holds a piece and a use of its code, and how much one address may hold. */

const shop = await openSaleShop({ environment: { TRUST_PROXY: '1' } })
const { db, sandbox } = shop
let visitors = 0
const newAddress = () => `203.0.113.${(visitors += 1)}`
const newBuyer = (address = newAddress()) => createBuyer(shop, address)

async function addCountedMug(pieces: number): Promise<string> {
  const id = await addMug(shop)
  const stock = { stock: pieces, testStock: pieces, stockCountedAt: sql`now()` }
  await db.update(products).set(stock).where(eq(products.id, id))
  return id
}

const readHeld = async (id: string) => (await findPieces(db, id, { isTest: true }))?.reserved

/** The sweep looks at a sale as if so much time had passed since Pay now. */
async function lookAfter(checkoutId: string, minutes: number): Promise<void> {
  const before = sql`now() - make_interval(mins => ${minutes})`
  await db
    .update(checkouts)
    .set({ detailsAt: before, nextCheckAt: sql`now()` })
    .where(eq(checkouts.sumupCheckoutId, checkoutId))
  await db.execute(sql`update payments set found_at = ${before}
    where sale_id = (select id from checkouts where sumup_checkout_id = ${checkoutId})`)
  await sweepAll(shop)
}

async function readOrder(checkoutId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.sumupCheckoutId, checkoutId))
  assert.ok(order)
  return order
}

async function buy(buyer: Buyer, checkoutId: string) {
  await payByCard(sandbox, checkoutId)
  const answer = await buyer.order(checkoutId)
  assert.equal(answer.statusCode, 201, answer.body)
  return readOrder(checkoutId)
}

/** Opens a form and presses Pay now; the answer to that. */
async function hold(buyer: Buyer, productId: string, code?: string) {
  const opened = code
    ? await buyer.open(productId, '44.10', 'EUR', { code })
    : await buyer.open(productId)
  assert.equal(opened.statusCode, 200, opened.body)
  const { checkoutId } = opened.json()
  const answer = await buyer.saveDetails(checkoutId)
  return { answer, status: answer.statusCode, code: answer.body && answer.json().code, checkoutId }
}

test('what is held for a card that SumUp does not show lapses after five minutes, and the sale goes on', async () => {
  const mug = await addCountedMug(1)
  const [first, second] = [newBuyer(), newBuyer()]
  const { checkoutId } = await hold(first, mug)
  await lookAfter(checkoutId, 4)
  assert.equal(await readHeld(mug), 1)
  await lookAfter(checkoutId, 5)
  assert.equal(await readHeld(mug), 0)
  const other = await hold(second, mug)
  assert.equal(other.status, 204)
  assert.equal((await buy(first, checkoutId)).isOversold, true, 'paid late')
  assert.equal((await buy(second, other.checkoutId)).isOversold, false)
})

test('a hold that lapsed is taken up again by Pay now, if there is a piece', async () => {
  const mug = await addCountedMug(1)
  const [first, second] = [newBuyer(), newBuyer()]
  const { checkoutId } = await hold(first, mug)
  await lookAfter(checkoutId, 6)
  assert.equal((await first.saveDetails(checkoutId)).statusCode, 204)
  assert.equal(await readHeld(mug), 1)
  await lookAfter(checkoutId, 6)
  await hold(second, mug)
  const refused = await first.saveDetails(checkoutId)
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'sold-out'])
})

test('a decline holds as long as a card that is not seen', async () => {
  const mug = await addCountedMug(1)
  const { checkoutId } = await hold(newBuyer(), mug)
  await payByCard(sandbox, checkoutId, badCard)
  await lookAfter(checkoutId, 4)
  assert.equal(await readHeld(mug), 1)
  await lookAfter(checkoutId, 5)
  assert.equal(await readHeld(mug), 0)
})

test('nothing lapses while SumUp cannot be asked', async () => {
  const mug = await addCountedMug(1)
  const { checkoutId } = await hold(newBuyer(), mug)
  sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-503' }] })
  await lookAfter(checkoutId, 20)
  sandbox.faults.set({ rules: [] })
  assert.equal(await readHeld(mug), 1)
})

test('a card that is left at the bank holds for an hour at most', async () => {
  const mug = await addCountedMug(1)
  const { checkoutId } = await hold(newBuyer(), mug)
  await payByCard(sandbox, checkoutId, challengedCard)
  await lookAfter(checkoutId, 59)
  assert.equal(await readHeld(mug), 1)
  await lookAfter(checkoutId, 61)
  assert.equal(await readHeld(mug), 0)
})

test('a use of a code is held as long as a piece', async () => {
  await addCode(shop, 'LAPSES', { maxUses: 1 })
  const [first, second] = [newBuyer(), newBuyer()]
  const { checkoutId } = await hold(first, shop.mug, 'LAPSES')
  await lookAfter(checkoutId, 5)
  const other = await hold(second, shop.mug, 'LAPSES')
  assert.equal(other.status, 204)
  assert.equal((await buy(first, checkoutId)).isCodeOverused, true)
  assert.equal((await buy(second, other.checkoutId)).isCodeOverused, false)
})

const tooMany = [429, 'too-many-holds']

test('one address holds three pieces of a product in an hour, and is not told that it is sold out', async () => {
  const mug = await addCountedMug(10)
  const stranger = newAddress()
  for (const _ of [1, 2, 3]) {
    const { checkoutId, status } = await hold(newBuyer(stranger), mug)
    assert.equal(status, 204)
    await lookAfter(checkoutId, 5)
  }
  const { answer, status, code } = await hold(newBuyer(stranger), mug)
  assert.deepEqual([status, code], tooMany, 'those that lapsed count')
  const seconds = Number(answer.headers['retry-after'])
  assert.ok(seconds > 3000 && seconds <= 3600, String(seconds))
  assert.equal(await readHeld(mug), 0, 'nothing was reserved')
  assert.equal((await hold(newBuyer(stranger), await addCountedMug(10))).status, 204)
  assert.equal((await hold(newBuyer(), mug)).status, 204)
  await db.update(checkouts).set({ detailsAt: sql`details_at - interval '1 hour'` })
  assert.equal((await hold(newBuyer(stranger), mug)).status, 204, 'an hour later')
})

test('who presses Pay now again and again without a card holds three times, and then no more', async () => {
  const mug = await addCountedMug(10)
  const stranger = newBuyer()
  const { checkoutId } = await hold(stranger, mug)
  const pressLater = async () => {
    await db
      .update(checkouts)
      .set({ heldAt: sql`held_at - interval '6 minutes'` })
      .where(eq(checkouts.sumupCheckoutId, checkoutId))
    const answer = await stranger.saveDetails(checkoutId)
    return [answer.statusCode, answer.body && answer.json().code]
  }
  await payByCard(sandbox, checkoutId, badCard)
  await stranger.look(checkoutId)
  assert.deepEqual(await pressLater(), [204, ''], 'after a card')
  assert.deepEqual(await pressLater(), [204, ''])
  assert.deepEqual(await pressLater(), [204, ''])
  assert.deepEqual(await pressLater(), tooMany)
  await lookAfter(checkoutId, 5)
  assert.equal(await readHeld(mug), 0)
})

test('whoever has tried a card since goes on holding the same', async () => {
  const mug = await addCountedMug(10)
  const buyer = newBuyer()
  const { checkoutId } = await hold(buyer, mug)
  const ofSale = eq(checkouts.sumupCheckoutId, checkoutId)
  for (let cards = 0; cards < 4; cards += 1) {
    await payByCard(sandbox, checkoutId, badCard)
    await buyer.look(checkoutId)
    const before = { heldAt: sql`held_at - interval '6 minutes'` }
    await db.update(checkouts).set(before).where(ofSale)
    assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  }
  assert.equal((await db.select().from(checkouts).where(ofSale))[0]?.holds, 1)
})

test('of many pieces one address holds a fifth, and what it has paid does not count', async () => {
  const mug = await addCountedMug(21)
  const family = newAddress()
  for (const _ of [1, 2, 3, 4, 5]) {
    const buyer = newBuyer(family)
    await buy(buyer, (await hold(buyer, mug)).checkoutId)
  }
  const statuses: number[] = []
  for (const _ of [1, 2, 3, 4]) statuses.push((await hold(newBuyer(family), mug)).status)
  assert.deepEqual(statuses, [204, 204, 204, 429], '16 are left')
})

test('one address holds three uses of a code in an hour', async () => {
  await addCode(shop, 'MANY', { maxUses: 10 })
  const stranger = newAddress()
  for (const _ of [1, 2, 3])
    assert.equal((await hold(newBuyer(stranger), shop.mug, 'MANY')).status, 204)
  const { status, code } = await hold(newBuyer(stranger), shop.mug, 'MANY')
  assert.deepEqual([status, code], tooMany)
  assert.equal((await hold(newBuyer(), shop.mug, 'MANY')).status, 204)
})

test('who tries the shop out at its own machine holds a hundred times as much', async () => {
  const mug = await addCountedMug(10)
  for (const _ of [1, 2, 3, 4, 5])
    assert.equal((await hold(createBuyer(shop, null), mug)).status, 204)
})

test('an address that is known to be that of a proxy says nothing about one buyer', async () => {
  const live = await openSaleShop({ isLive: true, environment: { TRUST_PROXY: '198.51.100.0/24' } })
  await live.db.update(products).set({ stock: 10, testStock: 10, stockCountedAt: sql`now()` })
  const statuses = async (address: string) => {
    const found: number[] = []
    for (const _ of [1, 2, 3, 4]) {
      const call = (method: 'POST' | 'PUT', url: string, payload: object, cookie = '') =>
        live.app.inject({ method, url, payload, headers: { cookie }, remoteAddress: address })
      const wanted = { productId: live.mug, amount: '49.00', currency: 'EUR' }
      const opened = await call('POST', apiRoutes.createCheckout, wanted)
      const [cookie] = opened.cookies
      const { checkoutId } = opened.json()
      const url = pathOf(apiRoutes.checkoutDetails, { checkoutId })
      const { customerEmail, shippingAddress } = delivery
      const details = { customerEmail, shippingAddress }
      found.push((await call('PUT', url, details, `${cookie?.name}=${cookie?.value}`)).statusCode)
    }
    return found
  }
  assert.deepEqual(await statuses('198.51.100.7'), [204, 204, 204, 204])
  assert.deepEqual(await statuses('203.0.113.9'), [204, 204, 204, 429])
})
