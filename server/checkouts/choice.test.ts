import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Product } from '#contract/products.ts'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { findPieces } from '#server/catalog/stock.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, orders, products } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { badCard, createBuyer, delivery, payByCard, type Buyer } from '#server/testing/buyer.ts'
import { ownLogo } from '#server/testing/orders.ts'
import { openSaleShop, sweepAll } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

const shop = await openSaleShop({ environment: { TRUST_PROXY: '1' }, web: await readWebFiles() })
const { app, db, sandbox } = shop
const headers = await shop.signIn()
let visitors = 0
const newBuyer = () => createBuyer(shop, `203.0.113.${(visitors += 1)}`)

const shirtContent = { name: 'Shirt', price: '49.00', headerLogoUrl: ownLogo }

type Value = NonNullable<Product['choice']>['values'][number]

async function save(method: 'POST' | 'PUT', url: string, more: object): Promise<Product> {
  const payload = { ...shirtContent, ...more }
  const answer = await app.inject({ method, url, headers, payload })
  assert.equal(answer.statusCode, method === 'PUT' ? 200 : 201, answer.body)
  return answer.json()
}

const saveShirt = (id: string, more: object) => save('PUT', pathOf(apiRoutes.product, { id }), more)

function getValue({ choice }: Product, name: string): Value {
  const found = choice?.values.find((one) => one.name === name)
  assert.ok(found, name)
  return found
}

/** A shirt in sizes, each with so many pieces; null where they are not counted. */
async function addShirt(sizes: Record<string, number | null>, more: object = {}) {
  const values = Object.entries(sizes).map(([name, stock]) => ({ name, stock }))
  const added = await save('POST', apiRoutes.products, {
    choice: { name: 'Size', values },
    ...more,
  })
  const ids = Object.fromEntries(added.choice?.values.map(({ id, name }) => [name, id]) ?? [])
  return { id: added.id, product: added, idOf: (name: string) => ids[name] ?? '' }
}

async function readShirt(id: string): Promise<Product> {
  const url = pathOf(apiRoutes.product, { id })
  return (await app.inject({ url, headers })).json()
}

async function readCounts(id: string, name: string) {
  const { stock, left, reserved, sold } = getValue(await readShirt(id), name)
  return { stock, left, reserved, sold }
}

test('of a size one address holds three, also by choosing it after another one', async () => {
  const { id, idOf } = await addShirt({ S: 4, L: 100 })
  const address = '203.0.113.250'
  const open = async () => {
    const buyer = createBuyer(shop, address)
    return { buyer, checkoutId: (await buyer.open(id)).json().checkoutId }
  }
  const choose = async ({ buyer, checkoutId }: Awaited<ReturnType<typeof open>>, size: string) => {
    const answer = await buyer.saveDetails(checkoutId, detailsWith(idOf(size)))
    return answer.body ? answer.json().code : answer.statusCode
  }
  const sales = [await open(), await open(), await open(), await open()]
  for (const sale of sales) assert.equal(await choose(sale, 'L'), 204)
  for (const sale of sales) assert.equal(await choose(sale, 'S'), 'too-many-holds')
  const only = createBuyer(shop, '203.0.113.251')
  const first = { buyer: only, checkoutId: (await only.open(id)).json().checkoutId }
  assert.equal(await choose(first, 'L'), 204)
  assert.equal(await choose(first, 'S'), 204)
})

const detailsWith = (choice: string | undefined) => ({ ...delivery, choice })

async function arrive(id: string, choice: string, buyer = newBuyer()): Promise<string> {
  const { checkoutId } = (await buyer.open(id)).json()
  const saved = await buyer.saveDetails(checkoutId, detailsWith(choice))
  assert.equal(saved.statusCode, 204, saved.body)
  return checkoutId
}

async function buy(id: string, choice: string, buyer = newBuyer()): Promise<string> {
  const checkoutId = await arrive(id, choice, buyer)
  await payByCard(sandbox, checkoutId)
  const answer = await buyer.order(checkoutId)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().id
}

async function readOrder(id: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, id))
  assert.ok(order)
  return order
}

const codeOf = (answer: Awaited<ReturnType<Buyer['open']>>) => [
  answer.statusCode,
  answer.json().code,
]
const readPage = async (buyer: Buyer, id: string) =>
  (await buyer.call('GET', checkoutPath(id))).body

test('a product without a choice is shown as ever, and takes none', async () => {
  const plain = await save('POST', apiRoutes.products, {})
  assert.ok(!('choice' in plain))
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(plain.id)).json()
  const sent = detailsWith('11111111-1111-4111-8111-111111111111')
  assert.deepEqual(codeOf(await buyer.saveDetails(checkoutId, sent)), [409, 'choice-gone'])
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
})

test('the order keeps what was chosen, as it was called then', async () => {
  const shirt = await addShirt({ S: null, M: 2 })
  const id = await buy(shirt.id, shirt.idOf('M'))
  const chosen = { id: shirt.idOf('M'), name: 'Size', value: 'M' }
  assert.deepEqual((await readOrder(id)).product.choice, chosen)
  const renamed = { name: 'Fit', values: [{ id: shirt.idOf('M'), name: 'Medium' }, { name: 'XL' }] }
  const after = await saveShirt(shirt.id, { choice: renamed })
  assert.equal(getValue(after, 'Medium').id, shirt.idOf('M'))
  assert.deepEqual(await readCounts(shirt.id, 'Medium'), {
    stock: 1,
    left: 1,
    reserved: 0,
    sold: 1,
  })
  await saveShirt(shirt.id, { choice: { name: 'Fit', values: [{ name: 'XL' }] } })
  const shown = await app.inject({ url: pathOf(apiRoutes.order, { id }), headers })
  assert.deepEqual(shown.json().product.choice, chosen)
  await saveShirt(shirt.id, {})
  assert.equal((await readShirt(shirt.id)).choice?.name, 'Fit', 'who knows no choice keeps it')
  await saveShirt(shirt.id, { choice: null })
  assert.ok(!('choice' in (await readShirt(shirt.id))))
})

test('nobody but an admin is told how many there are of a value', async () => {
  const shirt = await addShirt({ M: 2 })
  const seen = await app.inject({ url: pathOf(apiRoutes.product, { id: shirt.id }) })
  const value = { id: shirt.idOf('M'), name: 'M', imageUrl: null }
  assert.deepEqual(seen.json().choice, { name: 'Size', values: [value] })
  assert.deepEqual(await readCounts(shirt.id, 'M'), { stock: 2, left: 2, reserved: 0, sold: 0 })
})

test('what has to be chosen is refused at its field if it is missing or not offered', async () => {
  const shirt = await addShirt({ S: null, M: null })
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(shirt.id)).json()
  const missing = await buyer.saveDetails(checkoutId)
  assert.deepEqual(codeOf(missing), [400, 'choice-missing'])
  assert.equal(missing.json().field, 'choice')
  await saveShirt(shirt.id, {
    choice: { name: 'Size', values: [{ id: shirt.idOf('S'), name: 'S' }] },
  })
  const gone = await buyer.saveDetails(checkoutId, detailsWith(shirt.idOf('M')))
  assert.deepEqual(codeOf(gone), [409, 'choice-gone'])
  const longer = await buyer.saveDetails(checkoutId, detailsWith('x'.repeat(65)))
  assert.deepEqual([longer.statusCode, longer.json().field], [400, 'choice'])
  const kept = await buyer.saveDetails(checkoutId, detailsWith(shirt.idOf('S')))
  assert.equal(kept.statusCode, 204)
})

test('of two buyers of the last M one is let through, and other sizes are sold on', async () => {
  const shirt = await addShirt({ M: 1, L: 1 })
  const buyers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const buyer = newBuyer()
      return { buyer, checkoutId: (await buyer.open(shirt.id)).json().checkoutId as string }
    }),
  )
  const answers = await Promise.all(
    buyers.map(({ buyer, checkoutId }) =>
      buyer.saveDetails(checkoutId, detailsWith(shirt.idOf('M'))),
    ),
  )
  const refused = answers.filter(({ statusCode }) => statusCode !== 204)
  assert.equal(refused.length, 5)
  for (const one of refused) assert.deepEqual(codeOf(one), [409, 'value-sold-out'])
  assert.deepEqual(await readCounts(shirt.id, 'M'), { stock: 1, left: 0, reserved: 1, sold: 0 })
  assert.deepEqual(await readCounts(shirt.id, 'L'), { stock: 1, left: 1, reserved: 0, sold: 0 })
  const loser = buyers[answers.findIndex(({ statusCode }) => statusCode !== 204)]
  const other = await loser?.buyer.saveDetails(loser.checkoutId, detailsWith(shirt.idOf('L')))
  assert.equal(other?.statusCode, 204)
})

test('a sold-out value is said, all of them are the page of a product that is sold out', async () => {
  const shirt = await addShirt({ M: 1, L: 1 }, { showsLeft: true })
  await buy(shirt.id, shirt.idOf('M'))
  const page = await readPage(newBuyer(), shirt.id)
  assert.match(page, /Sold out/)
  assert.match(page, /Only 1 left/)
  assert.match(page, /Pay now/)
  await buy(shirt.id, shirt.idOf('L'))
  const soldOut = await readPage(newBuyer(), shirt.id)
  assert.doesNotMatch(soldOut, /Pay now/)
  assert.deepEqual(codeOf(await newBuyer().open(shirt.id)), [409, 'sold-out'])
})

test('a value whose pieces are not counted is never sold out', async () => {
  const shirt = await addShirt({ M: 0, L: null })
  await buy(shirt.id, shirt.idOf('L'))
  await buy(shirt.id, shirt.idOf('L'))
  assert.match(await readPage(newBuyer(), shirt.id), /Pay now/)
})

test('after a declined card a buyer may choose another value, of which a piece is left', async () => {
  const shirt = await addShirt({ S: 1, M: 1, L: 1 })
  await buy(shirt.id, shirt.idOf('S'))
  const buyer = newBuyer()
  const checkoutId = await arrive(shirt.id, shirt.idOf('M'), buyer)
  await payByCard(sandbox, checkoutId, badCard)
  await sweepAll(shop)
  const soldOut = await buyer.saveDetails(checkoutId, detailsWith(shirt.idOf('S')))
  assert.deepEqual(codeOf(soldOut), [409, 'value-sold-out'])
  assert.equal((await readCounts(shirt.id, 'M')).reserved, 1, 'a refused change changes nothing')
  const changed = await buyer.saveDetails(checkoutId, detailsWith(shirt.idOf('L')))
  assert.equal(changed.statusCode, 204, changed.body)
  assert.deepEqual(await readCounts(shirt.id, 'M'), { stock: 1, left: 1, reserved: 0, sold: 0 })
  await payByCard(sandbox, checkoutId)
  const { id } = (await buyer.order(checkoutId)).json()
  assert.equal((await readOrder(id)).product.choice?.value, 'L')
})

test('who pays after the owner has removed the choice has chosen nothing', async () => {
  const shirt = await addShirt({ M: null })
  const buyer = newBuyer()
  const checkoutId = await arrive(shirt.id, shirt.idOf('M'), buyer)
  await payByCard(sandbox, checkoutId, badCard)
  await sweepAll(shop)
  await saveShirt(shirt.id, { choice: null })
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  await payByCard(sandbox, checkoutId)
  const { id } = (await buyer.order(checkoutId)).json()
  assert.equal((await readOrder(id)).product.choice, undefined)
})

test('a second tab does not change what a card in progress pays for', async () => {
  const shirt = await addShirt({ M: null, L: null })
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(shirt.id)).json()
  const from = (formId: string, name: string) =>
    buyer.saveDetails(checkoutId, { ...detailsWith(shirt.idOf(name)), formId })
  assert.equal((await from('one', 'M')).statusCode, 204)
  assert.deepEqual(codeOf(await from('two', 'L')), [409, 'card-under-way'])
  await payByCard(sandbox, checkoutId)
  const { id } = (await buyer.order(checkoutId)).json()
  assert.equal((await readOrder(id)).product.choice?.value, 'M')
})

test('a value that is removed while its buyer pays is delivered as it was sold', async () => {
  const shirt = await addShirt({ S: 1, M: 1 })
  const buyer = newBuyer()
  const checkoutId = await arrive(shirt.id, shirt.idOf('M'), buyer)
  await saveShirt(shirt.id, { choice: { name: 'Size', values: [{ name: 'XL' }] } })
  await payByCard(sandbox, checkoutId)
  const { id } = (await buyer.order(checkoutId)).json()
  const order = await readOrder(id)
  assert.deepEqual([order.product.choice?.value, order.isOversold], ['M', false])
})

test('an order says so if a choice was added while it was being paid', async () => {
  const { id } = await save('POST', apiRoutes.products, { stock: 1 })
  const buyer = newBuyer()
  const checkoutId = await buyer.arrive(id)
  await saveShirt(id, { choice: { name: 'Size', values: [{ name: 'M', stock: 1 }] } })
  await payByCard(sandbox, checkoutId)
  const order = await readOrder((await buyer.order(checkoutId)).json().id)
  assert.deepEqual([order.isChoiceMissing, order.isOversold], [true, false])
  const shown = await app.inject({ url: pathOf(apiRoutes.order, { id: order.id }), headers })
  assert.equal(shown.json().isChoiceMissing, true)
})

test('a value that is removed and added again while its last piece is being paid is not sold twice', async () => {
  const shirt = await addShirt({ S: 5, M: 1 })
  const buyer = newBuyer()
  const checkoutId = await arrive(shirt.id, shirt.idOf('M'), buyer)
  const small = { id: shirt.idOf('S'), name: 'S' }
  await saveShirt(shirt.id, { choice: { name: 'Size', values: [small] } })
  const values = [small, { name: 'M', stock: 1 }]
  const saved = await saveShirt(shirt.id, { choice: { name: 'Size', values } })
  assert.equal(getValue(saved, 'M').left, 0)
  const late = newBuyer()
  const { checkoutId: other } = (await late.open(shirt.id)).json()
  const refused = await late.saveDetails(other, detailsWith(getValue(saved, 'M').id))
  assert.deepEqual(codeOf(refused), [409, 'value-sold-out'])
  await payByCard(sandbox, checkoutId)
  const order = await readOrder((await buyer.order(checkoutId)).json().id)
  assert.deepEqual([order.product.choice?.value, order.isOversold], ['M', false])
})

test('an order of a value that is gone says so where pieces are counted', async () => {
  const shirt = await addShirt({ S: 5, M: 1 })
  const buyer = newBuyer()
  const checkoutId = await arrive(shirt.id, shirt.idOf('M'), buyer)
  await saveShirt(shirt.id, { choice: { name: 'Size', values: [{ name: 'Medium', stock: 1 }] } })
  await payByCard(sandbox, checkoutId)
  const order = await readOrder((await buyer.order(checkoutId)).json().id)
  assert.deepEqual([order.isChoiceMissing, order.isOversold], [true, false])
})

test('a late payment of a value of which none is left is flagged', async () => {
  const shirt = await addShirt({ M: 1, L: 5 })
  const late = await arrive(shirt.id, shirt.idOf('M'))
  const ofLate = eq(checkouts.sumupCheckoutId, late)
  await db.update(checkouts).set({ state: 'closed' }).where(ofLate)
  await buy(shirt.id, shirt.idOf('M'))
  await payByCard(sandbox, late)
  await db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()` })
    .where(ofLate)
  await sweepAll(shop)
  const [order] = await db.select().from(orders).where(eq(orders.sumupCheckoutId, late))
  assert.equal(order?.isOversold, true)
  assert.deepEqual(await readCounts(shirt.id, 'M'), { stock: 0, left: 0, reserved: 0, sold: 2 })
  assert.equal((await readCounts(shirt.id, 'L')).left, 5)
})

test('a refund brings the piece back to its value', async () => {
  const shirt = await addShirt({ M: 1, L: 1 })
  const id = await buy(shirt.id, shirt.idOf('M'))
  const shown = await app.inject({ url: pathOf(apiRoutes.orderRefunds, { id }), headers })
  const { version, hasPiece } = shown.json()
  assert.equal(hasPiece, true)
  const payload = { version, isBackInStock: true, password: testAdmin.password }
  const url = pathOf(apiRoutes.orderRefund, { id })
  const refunded = await app.inject({ method: 'POST', url, headers, payload })
  assert.equal(refunded.json().state, 'done')
  assert.equal((await readCounts(shirt.id, 'M')).left, 1)
  assert.equal((await readCounts(shirt.id, 'L')).left, 1)
})

test('what was sold of a value since the owner looked is taken off what they enter', async () => {
  const shirt = await addShirt({ M: 5, L: 5 })
  await buy(shirt.id, shirt.idOf('M'))
  const values = ['M', 'L'].map((name) => ({ id: shirt.idOf(name), name, stock: 15, stockWas: 5 }))
  const saved = await saveShirt(shirt.id, { choice: { name: 'Size', values } })
  assert.deepEqual([getValue(saved, 'M').stock, getValue(saved, 'L').stock], [14, 15])
  await buy(shirt.id, shirt.idOf('M'))
  assert.deepEqual(await readCounts(shirt.id, 'M'), { stock: 13, left: 13, reserved: 0, sold: 1 })
  const isTest = { isTest: false }
  assert.equal(
    (await findPieces(db, shirt.id, isTest, shirt.idOf('M')))?.left,
    14,
    'no test counts',
  )
})

test('with a choice the pieces of the product itself are not counted', async () => {
  const { id } = await save('POST', apiRoutes.products, { stock: 3 })
  const saved = await saveShirt(id, { stock: 3, choice: { name: 'Size', values: [{ name: 'M' }] } })
  assert.equal(saved.stock, undefined)
  assert.equal((await saveShirt(id, { stock: 9 })).stock, undefined)
  assert.equal((await saveShirt(id, { choice: null, stock: 9 })).stock, 9)
})

test('a choice has 1 to 20 values of different names', async () => {
  const refused = async (choice: object) => {
    const payload = { ...shirtContent, choice }
    return (await app.inject({ method: 'POST', url: apiRoutes.products, headers, payload })).json()
  }
  const named = (count: number) =>
    Array.from({ length: count }, (_, one) => ({ name: `No ${one}` }))
  assert.equal((await refused({ name: '', values: named(1) })).field, 'choice.name')
  assert.equal((await refused({ name: 'Size', values: [] })).field, 'choice.values')
  assert.equal((await refused({ name: 'Size', values: named(21) })).field, 'choice.values')
  const twice = [{ name: 'm' }, { name: 'M ' }]
  assert.equal((await refused({ name: 'Size', values: twice })).field, 'choice.values')
  const tooMany = [{ name: 'M', stock: 1_000_001 }]
  assert.equal((await refused({ name: 'Size', values: tooMany })).field, 'choice.values.0.stock')
})

test('who paid without details gets the order once they choose, sold out or not', async () => {
  const shirt = await addShirt({ M: 1, L: 1 })
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(shirt.id)).json()
  await buy(shirt.id, shirt.idOf('M'))
  await payByCard(sandbox, checkoutId)
  assert.deepEqual(codeOf(await buyer.order(checkoutId)), [400, 'choice-missing'])
  const answer = await buyer.order(checkoutId, { choice: shirt.idOf('M') })
  assert.equal(answer.statusCode, 201, answer.body)
  const order = await readOrder(answer.json().id)
  assert.deepEqual([order.product.choice?.value, order.isOversold], ['M', true])
})

test('an owner who makes the order of a payment without details chooses the value', async () => {
  const shirt = await addShirt({ M: 2 })
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(shirt.id)).json()
  await payByCard(sandbox, checkoutId)
  await db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()` })
    .where(eq(checkouts.sumupCheckoutId, checkoutId))
  await sweepAll(shop)
  const entries = (await app.inject({ url: apiRoutes.review, headers })).json()
  const entry = entries.find((one: { product: { id: string } }) => one.product.id === shirt.id)
  assert.equal(entry.reason, 'no-details')
  const { customerEmail, shippingAddress } = delivery
  const createOrder = (more: object) =>
    app.inject({
      method: 'POST',
      url: pathOf(apiRoutes.reviewOrder, { id: entry.id }),
      headers,
      payload: { version: entry.version, details: { customerEmail, shippingAddress }, ...more },
    })
  assert.equal((await createOrder({})).json().code, 'choice-missing')
  const created = await createOrder({ choice: shirt.idOf('M') })
  assert.equal(created.statusCode, 201, created.body)
  const order = await readOrder(created.json().orderId)
  assert.deepEqual([order.product.choice?.value, order.isOversold], ['M', false])
  assert.equal((await readCounts(shirt.id, 'M')).left, 1)
})

test('that few pieces of a value are left is noted with a real sale', async () => {
  const live = await openSaleShop({ isLive: true })
  const signedIn = await live.signIn()
  const url = pathOf(apiRoutes.product, { id: live.mug })
  const values = [
    { name: 'M', stock: 1 },
    { name: 'L', stock: 9 },
  ]
  const payload = { ...shirtContent, choice: { name: 'Size', values } }
  const saved = await live.app.inject({ method: 'PUT', url, headers: signedIn, payload })
  const buyer = createBuyer(live, '203.0.113.1')
  const { checkoutId } = (await buyer.open(live.mug)).json()
  await buyer.saveDetails(checkoutId, detailsWith(getValue(saved.json(), 'M').id))
  await payByCard(live.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  const [row] = await live.db.select().from(products).where(eq(products.id, live.mug))
  const marks = row?.choice?.values.map(({ name, lowStockAt, soldOutAt }) => [
    name,
    lowStockAt !== null,
    soldOutAt !== null,
  ])
  assert.deepEqual(marks, [
    ['M', true, true],
    ['L', false, false],
  ])
})
