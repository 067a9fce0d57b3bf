import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { addDays, dayIn } from '#contract/days.ts'
import type { DiscountCode } from '#contract/discounts.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { Terms } from '#contract/quotes.ts'
import { findDiscount } from '#server/checkouts/code-uses.ts'
import { auditLog } from '#server/db/admin-schema.ts'
import { desc } from '#server/db/drizzle.ts'
import { discountCodes } from '#server/db/order-schema.ts'
import { orders } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openDesk } from '#server/testing/settings-desk.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const shop = await openDesk()
const { app, db, headers } = shop
const mug = await addMug(shop)
await shop.change('shop', { timeZone: 'Europe/Berlin' })
const nothing = randomUUID()

beforeEach(async () => {
  await db.delete(orders)
  await db.delete(discountCodes)
})

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  return app.inject({ method, url, headers, ...(payload && { payload }) })
}

async function add(payload: object): Promise<DiscountCode> {
  const answer = await call('POST', apiRoutes.discountCodes, payload)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json()
}

async function list(): Promise<DiscountCode[]> {
  return (await call('GET', apiRoutes.discountCodes)).json()
}

const ofCode = (id: string) => pathOf(apiRoutes.discountCode, { id })
async function find(code: string, productId = mug, today = '2026-11-19') {
  const use = { code, productId, isTest: true, buyerTokenHash: '', today }
  const found = await findDiscount(db, use)
  return typeof found === 'string' ? found : found.discount
}

function termsWith(code: string, discount: string): Terms {
  return { subtotal: '49.00', shipping: '0.00', discount, code, country: null, isPickup: false }
}

test('a code is kept in capitals, however it was typed, and found however a link writes it', async () => {
  const {
    id: _id,
    createdAt: _createdAt,
    ...content
  } = await add({
    code: ' spring-10 ',
    percent: 10,
  })
  assert.deepEqual(content, {
    code: 'SPRING-10',
    percent: 10,
    amount: null,
    productId: null,
    maxUses: null,
    lastDay: null,
    state: 'active',
    uses: { orders: 0, takenOff: [] },
    testUses: { orders: 0, takenOff: [] },
  })
  assert.deepEqual(await find('Spring-10'), { code: 'SPRING-10', kind: 'percent', percent: 10 })
  assert.equal(await find('SPRING'), 'code-unknown')
  assert.equal(await find('%'), 'code-unknown')
})

test('a code takes off a percentage or an amount, never both, none or everything', async () => {
  const { amount } = await add({ code: 'FIVE', amount: '5.5', percent: null })
  assert.equal(amount, '5.50')
  const wrong = [
    {},
    { percent: 10, amount: '5' },
    { percent: 0 },
    { percent: 100 },
    { percent: 12.5 },
    { amount: '0' },
    { amount: '-1' },
    { amount: '1.234' },
    { percent: 10, maxUses: 0 },
    { percent: 10, lastDay: '2027-02-30' },
    { percent: 10, code: 'AB' },
    { percent: 10, code: 'Ä'.repeat(5) },
    { percent: 10, code: 'WITH SPACE' },
  ]
  for (const one of wrong) {
    const answer = await call('POST', apiRoutes.discountCodes, { code: 'WRONG', ...one })
    assert.equal(answer.statusCode, 400, JSON.stringify(one))
  }
})

test('no code takes off as much as its product costs', async () => {
  const productId = await addMug(shop)
  const send = (amount: string, more: object) =>
    call('POST', apiRoutes.discountCodes, { code: `OFF${amount.slice(0, 2)}`, amount, ...more })
  const refused = await send('49.00', { productId })
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.json().field, 'amount')
  assert.equal((await send('48.99', { productId })).statusCode, 201)
  assert.equal((await send('99.00', {})).statusCode, 201, 'others may cost more')
})

test('an amount has no cents where the currency of the shop has none', async () => {
  const chilean = await openTestShop({ environment: { PAYMENT_CURRENCY: 'CLP' } })
  const asOwner = await chilean.signIn()
  const send = (amount: string) =>
    chilean.app.inject({
      method: 'POST',
      url: apiRoutes.discountCodes,
      headers: asOwner,
      payload: { code: 'PESOS', amount },
    })
  const refused = await send('99.50')
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.json().field, 'amount')
  assert.equal((await send('100')).statusCode, 201)
})

test('a code that there is already is refused, and can be given again once it is deleted', async () => {
  const { id } = await add({ code: 'ONCE', percent: 10 })
  const again = await call('POST', apiRoutes.discountCodes, { code: 'once', percent: 20 })
  assert.equal(again.json().code, 'code-taken')
  assert.equal(again.json().field, 'code')
  assert.equal((await call('DELETE', ofCode(id))).statusCode, 204)
  assert.equal(await find('ONCE'), 'code-unknown')
  assert.equal((await call('DELETE', ofCode(id))).json().code, 'code-missing')
  await add({ code: 'ONCE', percent: 20 })
})

test('a code for one product counts for no other one', async () => {
  await add({ code: 'MUGS', percent: 10, productId: mug })
  assert.deepEqual(await find('MUGS'), { code: 'MUGS', kind: 'percent', percent: 10 })
  assert.equal(await find('MUGS', nothing), 'code-unknown')
  const payload = { code: 'NOTHING', percent: 10, productId: nothing }
  assert.equal(
    (await call('POST', apiRoutes.discountCodes, payload)).json().code,
    'product-missing',
  )
})

test('a code counts until the end of its last day in the time zone that the shop has by then', async () => {
  const today = dayIn('UTC')
  await add({ code: 'SUMMER', percent: 10, lastDay: today })
  assert.notEqual(await find('SUMMER', mug, today), 'code-unknown')
  assert.equal(await find('SUMMER', mug, addDays(today, 1)), 'code-unknown')
  const listedIn = async (timeZone: string) => {
    await shop.change('shop', { timeZone })
    const [code] = await list()
    return [code?.lastDay, code?.state]
  }
  // One of the two is always on the next or on the day before.
  const [east, west] = [dayIn('Pacific/Kiritimati'), dayIn('Etc/GMT+12')]
  const stateOn = (day: string) => (today < day ? 'ended' : 'active')
  assert.deepEqual(await listedIn('Pacific/Kiritimati'), [today, stateOn(east)])
  assert.deepEqual(await listedIn('Etc/GMT+12'), [today, stateOn(west)])
  assert.notEqual(east, west)
  await shop.change('shop', { timeZone: 'Europe/Berlin' })
})

test('limit and end change, what is left out stays, and the log says what changed', async () => {
  const { id } = await add({ code: 'CHANGE', percent: 10, maxUses: 5, lastDay: '2027-07-31' })
  const answer = await call('PUT', ofCode(id), { maxUses: 7 })
  assert.equal(answer.statusCode, 200, answer.body)
  const { maxUses, lastDay } = answer.json()
  assert.deepEqual({ maxUses, lastDay }, { maxUses: 7, lastDay: '2027-07-31' })
  const [entry] = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  assert.equal(entry?.action, 'discount-changed')
  assert.deepEqual(entry?.detail, { code: 'CHANGE', maxUses: { from: 5, to: 7 } })
  await call('PUT', ofCode(id), { lastDay: '2020-01-31' })
  assert.deepEqual(
    (await list()).map((one) => [one.maxUses, one.lastDay, one.state]),
    [[7, '2020-01-31', 'ended']],
  )
  assert.equal(await find('CHANGE'), 'code-unknown')
})

test('the list tells how many orders used a code and what it took off, real and test ones apart', async () => {
  const { id: discountCodeId } = await add({ code: 'TEN', amount: '10', maxUses: 2 })
  const ten = { discountCodeId, terms: termsWith('TEN', '10.00') }
  const largeTerms = { ...termsWith('TEN', '89999999.00'), subtotal: '99999998.00' }
  const large = { discountCodeId, terms: largeTerms }
  await addOrders(db, [
    { ...ten, amount: '39.00' },
    { ...ten, amount: '39.00' },
    { ...ten, amount: '39.00', currency: 'CHF' },
    { ...large, amount: '9999999.00', currency: 'CLP' },
    { ...large, amount: '9999999.00', currency: 'CLP' },
    { ...ten, amount: '39.00', isTest: true },
    // A person accepted what was paid: nothing was taken off.
    { ...ten, amount: '49.00', isTest: true },
    { amount: '49.00' },
  ])
  const [code] = await list()
  assert.deepEqual(code?.uses, {
    orders: 5,
    takenOff: [
      { amount: '10.00', currency: 'CHF' },
      { amount: '179999998.00', currency: 'CLP' },
      { amount: '20.00', currency: 'EUR' },
    ],
  })
  assert.deepEqual(code?.testUses, {
    orders: 2,
    takenOff: [{ amount: '10.00', currency: 'EUR' }],
  })
  assert.equal(code?.state, 'used-up', 'by the tests of a shop in test mode')
})

test('uses of an earlier code of the same name do not count', async () => {
  const { id } = await add({ code: 'AGAIN', percent: 10, maxUses: 1 })
  const used = { discountCodeId: id, terms: termsWith('AGAIN', '4.90') }
  await addOrders(db, [{ ...used, amount: '44.10', isTest: true }])
  assert.equal((await list())[0]?.state, 'used-up')
  await call('DELETE', ofCode(id))
  await add({ code: 'AGAIN', percent: 10, maxUses: 1 })
  assert.equal((await list())[0]?.testUses.orders, 0)
})
