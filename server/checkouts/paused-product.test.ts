import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { checkoutPath } from '#contract/paths.ts'
import { setPaused } from '#server/catalog/products.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import {
  addMug,
  badCard,
  challengedCard,
  createBuyer,
  payByCard,
  type Buyer,
} from '#server/testing/buyer.ts'
import { openSaleShop, sweepAll } from '#server/testing/sale.ts'
import { orders, products } from '#server/db/schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'

const shop = await openSaleShop({
  environment: { TRUST_PROXY: '1' },
  web: await readWebFiles(),
})
const { db, sandbox } = shop
let visitors = 0
const newBuyer = () => createBuyer(shop, `203.0.113.${(visitors += 1)}`)

async function pause(id: string, isPaused = true): Promise<void> {
  await setPaused(db, id, isPaused)
  shop.shop.productCache.outdate(id)
}

async function deleteMug(id: string): Promise<void> {
  await db
    .update(products)
    .set({ deletedAt: sql`now()` })
    .where(eq(products.id, id))
  shop.shop.productCache.outdate(id)
}

const paused = [409, 'product-paused']
const missing = [404, 'product-missing']
const codeOf = (answer: Awaited<ReturnType<Buyer['open']>>) => [
  answer.statusCode,
  answer.json().code,
]
const readPage = async (buyer: Buyer, id: string) =>
  (await buyer.call('GET', checkoutPath(id))).body

test('the checkout of a paused product says so, gives no form, and comes back when it is resumed', async () => {
  const mug = await addMug(shop)
  const buyer = newBuyer()
  await pause(mug)
  assert.deepEqual(codeOf(await buyer.open(mug)), paused)
  const page = await readPage(buyer, mug)
  assert.match(page, /Not for sale right now/)
  assert.match(page, /paused the sale of Mug/)
  assert.doesNotMatch(page, /Pay now/)
  await pause(mug, false)
  assert.equal((await buyer.open(mug)).statusCode, 200)
  assert.match(await readPage(buyer, mug), /Pay now/)
})

test('a form that was open before the pause takes no card any more', async () => {
  const mug = await addMug(shop)
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(mug)).json()
  await pause(mug)
  assert.deepEqual(codeOf(await buyer.saveDetails(checkoutId)), paused)
  assert.deepEqual(codeOf(await buyer.open(mug)), paused)
  assert.match(await readPage(buyer, mug), /Not for sale right now/)
})

test('a card that was sent before the pause becomes an order, and its page follows it', async () => {
  const mug = await addMug(shop)
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  await payByCard(sandbox, checkoutId, challengedCard)
  await pause(mug)
  assert.match(await readPage(buyer, mug), /Pay now/, 'the page that follows the card')
  assert.deepEqual(codeOf(await buyer.open(mug)), [409, 'card-at-bank'])
  assert.equal((await buyer.look(checkoutId)).json().state, 'at-bank')
})

test('a paid sale of a paused product is ordered by the page, or by the shop alone', async () => {
  const mug = await addMug(shop)
  const [anna, otto] = [newBuyer(), newBuyer()]
  const [first, second] = [await anna.arrive(mug), await otto.arrive(mug)]
  for (const id of [first, second]) await payByCard(sandbox, id)
  await pause(mug)
  assert.equal((await anna.order(first)).statusCode, 201)
  await sweepAll(shop)
  const placed = await db.select().from(orders).where(eq(orders.productId, mug))
  const paid = new Set(placed.map(({ sumupCheckoutId }) => sumupCheckoutId))
  assert.deepEqual(paid, new Set([first, second]))
  const away = await otto.call('GET', checkoutPath(mug))
  assert.equal(away.statusCode, 303, 'to the thank-you page that was never seen')
})

test('after a declined card there is no second try while the product is paused', async () => {
  const mug = await addMug(shop)
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  await payByCard(sandbox, checkoutId, badCard)
  await pause(mug)
  assert.deepEqual(codeOf(await buyer.saveDetails(checkoutId)), paused)
  assert.deepEqual(codeOf(await buyer.open(mug)), paused)
  assert.match(await readPage(buyer, mug), /Not for sale right now/)
})

test('a card that was sent before the product was deleted: its page follows it to the thank-you page', async () => {
  const mug = await addMug(shop)
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  await payByCard(sandbox, checkoutId, challengedCard)
  await deleteMug(mug)
  assert.match(await readPage(buyer, mug), /Pay now/, 'the page that follows the card')
  assert.deepEqual(codeOf(await buyer.open(mug)), [409, 'card-at-bank'])
  sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
  await sweepAll(shop)
  assert.deepEqual(codeOf(await buyer.open(mug)), [410, 'already-paid'])
  const thanks = await buyer.call('GET', checkoutPath(mug))
  assert.equal(thanks.statusCode, 303)
  await buyer.call('GET', String(thanks.headers.location))
  assert.deepEqual(codeOf(await buyer.open(mug)), missing)
  assert.match(await readPage(buyer, mug), /Product not found/)
})

for (const [change, remove, away] of [
  ['paused', pause, /Not for sale right now/],
  ['deleted', deleteMug, /Product not found/],
] as const)
  test(`a payment that leads back to the page of a ${change} product is followed, in any browser`, async () => {
    const mug = await addMug(shop)
    const checkoutId = await newBuyer().arrive(mug)
    const foreignId = await newBuyer().arrive(await addMug(shop))
    await remove(mug)
    const read = async (returned: string) =>
      (await newBuyer().call('GET', `${checkoutPath(mug)}?checkout_id=${returned}`)).body
    assert.match(await read(checkoutId), /Pay now/, 'the page that follows the payment')
    for (const unknown of [foreignId, randomUUID(), 'x', '&checkout_id=x'])
      assert.match(await read(unknown), away)
  })

for (const [change, remove, refused] of [
  ['paused', pause, paused],
  ['deleted', deleteMug, missing],
] as const)
  test(`an order is not taken on an open form of a ${change} product, unless it is paid`, async () => {
    const mug = await addMug(shop)
    const [anna, otto] = [newBuyer(), newBuyer()]
    const { checkoutId: unpaid } = (await anna.open(mug)).json()
    const { checkoutId: paid } = (await otto.open(mug)).json()
    await payByCard(sandbox, paid)
    await remove(mug)
    assert.deepEqual(codeOf(await anna.order(unpaid)), refused)
    assert.equal((await anna.look(unpaid)).json().state, 'open')
    assert.equal((await otto.order(paid)).statusCode, 201)
    assert.deepEqual(codeOf(await newBuyer().open(mug)), refused)
  })
