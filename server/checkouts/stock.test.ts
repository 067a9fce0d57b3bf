import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { findPieces } from '#server/catalog/stock.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, orders, products } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import {
  addMug,
  badCard,
  challengedCard,
  createBuyer,
  payByCard,
  type Buyer,
} from '#server/testing/buyer.ts'
import { ownLogo } from '#server/testing/orders.ts'
import { openSaleShop, sweepAll } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

const shop = await openSaleShop({ environment: { TRUST_PROXY: '1' }, web: await readWebFiles() })
const { app, db, sandbox } = shop
const headers = await shop.signIn()
let visitors = 0
const newBuyer = () => createBuyer(shop, `203.0.113.${(visitors += 1)}`)

const mugContent = { name: 'Mug', price: '49.00', headerLogoUrl: ownLogo }

async function saveMug(id: string, more: object) {
  const url = pathOf(apiRoutes.product, { id })
  const payload = { ...mugContent, ...more }
  const answer = await app.inject({ method: 'PUT', url, headers, payload })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function addCountedMug(stock: number, more: object = {}): Promise<string> {
  const id = await addMug(shop)
  await saveMug(id, { stock, ...more })
  return id
}

async function readMug(id: string) {
  const listed = await app.inject({ url: apiRoutes.products, headers })
  const { stock, left, reserved, sold } = listed.json().find((one: { id: string }) => one.id === id)
  return { stock, left, reserved, sold }
}

async function buy(id: string, buyer = newBuyer()): Promise<string> {
  const checkoutId = await buyer.arrive(id)
  await payByCard(sandbox, checkoutId)
  const answer = await buyer.order(checkoutId)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().id
}

/** A sale that SumUp has ended, before its payment arrives all the same. */
async function payLate(id: string, buyer = newBuyer()): Promise<string> {
  const checkoutId = await buyer.arrive(id)
  await db
    .update(checkouts)
    .set({ state: 'closed' })
    .where(eq(checkouts.sumupCheckoutId, checkoutId))
  return checkoutId
}

async function placeLate(checkoutId: string) {
  await payByCard(sandbox, checkoutId)
  await db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()` })
    .where(eq(checkouts.sumupCheckoutId, checkoutId))
  await sweepAll(shop)
  const [order] = await db.select().from(orders).where(eq(orders.sumupCheckoutId, checkoutId))
  return order
}

test('a sale is no change of the product, so a form that is open meanwhile is saved', async () => {
  const id = await addMug(shop)
  const { updatedAt } = await saveMug(id, { stock: 1 })
  await buy(id)
  // The last piece is noted in the product's row.
  const saved = await saveMug(id, { description: 'Holds coffee', updatedAt })
  assert.equal(saved.stock, 0)
})

const soldOut = [409, 'sold-out']
const codeOf = (answer: Awaited<ReturnType<Buyer['open']>>) => [
  answer.statusCode,
  answer.json().code,
]
const readPage = async (buyer: Buyer, id: string) =>
  (await buyer.call('GET', checkoutPath(id))).body

test('pieces are counted only where the owner says how many there are', async () => {
  const mug = await addMug(shop)
  const listed = await app.inject({ url: apiRoutes.products, headers })
  const plain = listed.json().find((one: { id: string }) => one.id === mug)
  for (const name of ['stock', 'left', 'reserved', 'sold', 'showsLeft'])
    assert.ok(!(name in plain), name)
  assert.equal((await saveMug(mug, { stock: 2 })).left, 2)
  assert.equal((await saveMug(mug, {})).left, 2, 'a client that knows no stock keeps it')
  assert.equal((await saveMug(mug, { stock: null })).left, undefined)
  const tooMany = { ...mugContent, stock: 1_000_001 }
  const url = pathOf(apiRoutes.product, { id: mug })
  assert.equal(
    (await app.inject({ method: 'PUT', url, headers, payload: tooMany })).statusCode,
    400,
  )
})

test('nobody but an admin is told how many there are', async () => {
  const mug = await addCountedMug(7)
  const url = pathOf(apiRoutes.product, { id: mug })
  assert.equal((await app.inject({ url })).json().stock, undefined)
  assert.equal((await app.inject({ url, headers })).json().stock, 7)
})

test('a piece is held from Pay now until its order, and not before', async () => {
  const mug = await addCountedMug(2)
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(mug)).json()
  assert.deepEqual(await readMug(mug), { stock: 2, left: 2, reserved: 0, sold: 0 })
  await buyer.saveDetails(checkoutId)
  assert.deepEqual(await readMug(mug), { stock: 2, left: 1, reserved: 1, sold: 0 })
  await payByCard(sandbox, checkoutId)
  await buyer.order(checkoutId)
  assert.deepEqual(await readMug(mug), { stock: 1, left: 1, reserved: 0, sold: 1 })
})

test('whoever comes after the last piece is told that it is sold out, and gets no form', async () => {
  const mug = await addCountedMug(1)
  const late = newBuyer()
  const { checkoutId } = (await late.open(mug)).json()
  await buy(mug)
  assert.deepEqual(codeOf(await late.saveDetails(checkoutId)), soldOut)
  assert.deepEqual(codeOf(await late.order(checkoutId)), soldOut)
  assert.deepEqual(codeOf(await late.open(mug)), soldOut)
  const page = await readPage(newBuyer(), mug)
  assert.match(page, /Sold out/)
  assert.match(page, /out of stock/)
  assert.doesNotMatch(page, /Pay now/)
  assert.deepEqual(codeOf(await newBuyer().open(mug)), soldOut)
})

test('of many who press Pay now for the last piece at once, one is let through', async () => {
  const mug = await addCountedMug(1)
  const buyers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const buyer = newBuyer()
      const { checkoutId } = (await buyer.open(mug)).json()
      return { buyer, checkoutId }
    }),
  )
  const answers = await Promise.all(
    buyers.map(({ buyer, checkoutId }) => buyer.saveDetails(checkoutId)),
  )
  const codes = answers.map(({ statusCode }) => statusCode).toSorted((one, two) => one - two)
  assert.deepEqual(codes, [204, ...Array.from({ length: 11 }, () => 409)])
  assert.deepEqual(await readMug(mug), { stock: 1, left: 0, reserved: 1, sold: 0 })
})

test('a buyer is never refused because of the piece that they hold themselves', async () => {
  const mug = await addCountedMug(1)
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  await payByCard(sandbox, checkoutId, badCard)
  await sweepAll(shop)
  assert.deepEqual(codeOf(await newBuyer().open(mug)), soldOut, 'a decline does not release it')
  assert.match(await readPage(buyer, mug), /Pay now/)
  assert.equal((await buyer.open(mug)).json().checkoutId, checkoutId)
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  await payByCard(sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  assert.deepEqual(await readMug(mug), { stock: 0, left: 0, reserved: 0, sold: 1 })
})

test('a card at the bank keeps its page and its piece; ending the sale at SumUp releases it', async () => {
  const mug = await addCountedMug(1)
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  await payByCard(sandbox, checkoutId, challengedCard)
  await sweepAll(shop)
  assert.match(await readPage(buyer, mug), /Pay now/, 'the page that follows the card')
  assert.equal((await readMug(mug)).left, 0)
  sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'decline' })
  await sweepAll(shop)
  const url = pathOf(apiRoutes.startOver, { checkoutId })
  assert.equal((await buyer.call('POST', url)).statusCode, 204)
  assert.deepEqual(await readMug(mug), { stock: 1, left: 1, reserved: 0, sold: 0 })
  assert.equal((await newBuyer().open(mug)).statusCode, 200)
})

test('a late payment becomes an order, flagged where no piece is left for it', async () => {
  const mug = await addCountedMug(2)
  const [first, second] = [await payLate(mug), await payLate(mug)]
  await buy(mug)
  const fits = await placeLate(first)
  assert.equal(fits?.isOversold, false)
  const over = await placeLate(second)
  assert.equal(over?.isOversold, true)
  assert.deepEqual(await readMug(mug), { stock: 0, left: 0, reserved: 0, sold: 3 })
  const shown = await app.inject({
    url: pathOf(apiRoutes.order, { id: over?.id ?? '' }),
    headers,
  })
  assert.equal(shown.json().isOversold, true)
  const csv = (await app.inject({ url: apiRoutes.orderExport, headers })).body
  assert.equal(csv.match(/,oversold,/g)?.length, 1)
})

test('a late payment does not take the piece that another buyer holds', async () => {
  const mug = await addCountedMug(1)
  const late = await payLate(mug)
  const holder = newBuyer()
  const held = await holder.arrive(mug)
  assert.equal((await placeLate(late))?.isOversold, true)
  await payByCard(sandbox, held)
  const order = (await holder.order(held)).json()
  const [kept] = await db.select().from(orders).where(eq(orders.id, order.id))
  assert.equal(kept?.isOversold, false)
})

test('an order is flagged if the owner has said meanwhile that there are none', async () => {
  const mug = await addCountedMug(1)
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  await saveMug(mug, { stock: 0 })
  await payByCard(sandbox, checkoutId)
  const { id } = (await buyer.order(checkoutId)).json()
  const [order] = await db.select().from(orders).where(eq(orders.id, id))
  assert.equal(order?.isOversold, true)
})

test('what was sold since the owner looked is taken off what they enter', async () => {
  const mug = await addCountedMug(5)
  await buy(mug)
  await buy(mug)
  assert.equal((await saveMug(mug, { stock: 15, stockWas: 5 })).stock, 13)
  assert.equal((await saveMug(mug, { stock: 13, stockWas: 13 })).stock, 13)
  assert.deepEqual(await readMug(mug), { stock: 13, left: 13, reserved: 0, sold: 0 })
  await buy(mug)
  assert.equal((await saveMug(mug, { stock: 4 })).left, 4)
})

test('a sale that is being paid while the owner counts takes one of the counted pieces', async () => {
  const mug = await addCountedMug(9)
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(mug)
  assert.deepEqual(await saveMug(mug, { stock: 3 }).then(() => readMug(mug)), {
    stock: 3,
    left: 2,
    reserved: 1,
    sold: 0,
  })
  await payByCard(sandbox, checkoutId)
  await buyer.order(checkoutId)
  assert.equal((await readMug(mug)).left, 2)
})

test('a buyer who paid without saving details first gets the order, sold out or not', async () => {
  const mug = await addCountedMug(1)
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(mug)).json()
  await buy(mug)
  await payByCard(sandbox, checkoutId)
  const answer = await buyer.order(checkoutId)
  assert.equal(answer.statusCode, 201, answer.body)
  const [order] = await db.select().from(orders).where(eq(orders.id, answer.json().id))
  assert.equal(order?.isOversold, true)
})

test('whoever reserved the last piece has it, whoever pays before saving details', async () => {
  const mug = await addCountedMug(1)
  const other = newBuyer()
  const { checkoutId: early } = (await other.open(mug)).json()
  const holder = newBuyer()
  const held = await holder.arrive(mug)
  await payByCard(sandbox, early)
  await db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()` })
    .where(eq(checkouts.sumupCheckoutId, early))
  await sweepAll(shop)
  assert.equal((await readMug(mug)).reserved, 1, 'what is paid without details holds nothing')
  assert.equal((await other.order(early)).statusCode, 201)
  await payByCard(sandbox, held)
  assert.equal((await holder.order(held)).statusCode, 201)
  const placed = await db.select().from(orders).where(eq(orders.productId, mug))
  const flags = placed.map((one) => [one.sumupCheckoutId === held, one.isOversold])
  assert.deepEqual(
    new Map(flags as [boolean, boolean][]),
    new Map([
      [true, false],
      [false, true],
    ]),
  )
})

test('details that come once the card is charged are an order, sold out or not', async () => {
  const mug = await addCountedMug(1)
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(mug)).json()
  await buy(mug)
  await payByCard(sandbox, checkoutId)
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  await sweepAll(shop)
  const [order] = await db.select().from(orders).where(eq(orders.sumupCheckoutId, checkoutId))
  assert.deepEqual([order?.customerEmail, order?.isOversold], ['anna@example.com', true])
})

test('buyers are told how few are left only where the owner wants it', async () => {
  const mug = await addCountedMug(3)
  assert.doesNotMatch(await readPage(newBuyer(), mug), /Only 3 left/)
  await saveMug(mug, { showsLeft: true })
  assert.match(await readPage(newBuyer(), mug), /Only 3 left/)
  await buy(mug)
  assert.match(await readPage(newBuyer(), mug), /Only 2 left/)
  await saveMug(mug, { stock: 6 })
  assert.doesNotMatch(await readPage(newBuyer(), mug), /Only \d left/)
})

test('a test takes no piece from real buyers', async () => {
  const mug = await addCountedMug(2)
  await buy(mug)
  await newBuyer().arrive(mug)
  assert.equal((await findPieces(db, mug, { isTest: true }))?.left, 0, 'the shop is in test mode')
  assert.equal((await findPieces(db, mug, { isTest: false }))?.left, 2)
  await saveMug(mug, { stock: 5 })
  assert.equal((await findPieces(db, mug, { isTest: false }))?.left, 5)
})

test('a refund in full may bring the piece back into stock, once', async () => {
  const mug = await addCountedMug(1)
  const id = await buy(mug)
  const shown = await app.inject({ url: pathOf(apiRoutes.orderRefunds, { id }), headers })
  const { version, hasPiece } = shown.json()
  assert.equal(hasPiece, true)
  const refund = () =>
    app.inject({
      method: 'POST',
      url: pathOf(apiRoutes.orderRefund, { id }),
      headers,
      payload: { version, isBackInStock: true, password: testAdmin.password },
    })
  assert.equal((await refund()).json().state, 'done')
  assert.equal((await readMug(mug)).left, 1)
  assert.equal((await refund()).statusCode, 409)
  assert.equal((await readMug(mug)).left, 1)
  assert.equal((await newBuyer().open(mug)).statusCode, 200)
})

test('nothing is asked about the stock where pieces are not counted, or there was none', async () => {
  const plain = await buy(shop.mug)
  const mug = await addCountedMug(1)
  const late = await payLate(mug)
  await buy(mug)
  const oversold = (await placeLate(late))?.id ?? ''
  for (const id of [plain, oversold]) {
    const shown = await app.inject({ url: pathOf(apiRoutes.orderRefunds, { id }), headers })
    assert.ok(!('hasPiece' in shown.json()))
  }
})

test('that few pieces are left is noted with a real sale, until the owner counts again', async () => {
  const live = await openSaleShop({ isLive: true })
  const signedIn = await live.signIn()
  const url = pathOf(apiRoutes.product, { id: live.mug })
  const count = (stock: number) =>
    live.app.inject({ method: 'PUT', url, headers: signedIn, payload: { ...mugContent, stock } })
  const readMarks = async () => {
    const [row] = await live.db.select().from(products).where(eq(products.id, live.mug))
    return [row?.lowStockAt !== null, row?.soldOutAt !== null]
  }
  const buyOne = async (ip: string) => {
    const buyer = createBuyer(live, ip)
    const checkoutId = await buyer.arrive(live.mug)
    await payByCard(live.sandbox, checkoutId)
    assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  }
  await count(5)
  await buyOne('203.0.113.1')
  assert.deepEqual(await readMarks(), [false, false])
  await buyOne('203.0.113.2')
  assert.deepEqual(await readMarks(), [true, false])
  await count(1)
  assert.deepEqual(await readMarks(), [false, false])
  await buyOne('203.0.113.3')
  assert.deepEqual(await readMarks(), [true, true])
})
