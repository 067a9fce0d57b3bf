import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, dayIn } from '#contract/days.ts'
import type { AdminOrder } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { defaultDelivery } from '#contract/quotes.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { discountCodes } from '#server/db/order-schema.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { addMug, createBuyer, payByCard, type Buyer } from '#server/testing/buyer.ts'
import { addCode, changeConfig, pricedDelivery } from '#server/testing/prices.ts'
import { openSaleShop, sweepAll } from '#server/testing/sale.ts'

const shop = await openSaleShop({ environment: { TRUST_PROXY: '1' } })
const { db, sandbox, mug } = shop
let visitors = 0
const newBuyer = () => createBuyer(shop, `203.0.113.${(visitors += 1)}`)

const open = (buyer: Buyer, amount: string, code: string, more: object = {}) =>
  buyer.call('POST', apiRoutes.createCheckout, {
    productId: mug,
    amount,
    currency: 'EUR',
    code,
    ...more,
  })

async function openAt(
  buyer: Buyer,
  amount: string,
  code: string,
  more: object = {},
): Promise<string> {
  const answer = await open(buyer, amount, code, more)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().checkoutId
}

const codeOf = (answer: Awaited<ReturnType<typeof open>>) => [answer.statusCode, answer.json().code]
const unknown = [409, 'code-unknown']
const usedUp = [409, 'code-used-up']

/** Of the orders of a code, in the order in which they were made: whether it was used up then. */
async function readOveruse(code: string): Promise<boolean[]> {
  const rows = await db
    .select({ isCodeOverused: orders.isCodeOverused })
    .from(orders)
    .where(sql`terms->>'code' = ${code}`)
    .orderBy(orders.number)
  return rows.map(({ isCodeOverused }) => isCodeOverused)
}

async function orderPaid(buyer: Buyer, checkoutId: string): Promise<void> {
  await payByCard(sandbox, checkoutId)
  const answer = await buyer.order(checkoutId)
  assert.equal(answer.statusCode, 201, answer.body)
}

async function readTerms(checkoutId: string) {
  const [row] = await db.select().from(checkouts).where(eq(checkouts.sumupCheckoutId, checkoutId))
  return row?.terms
}

test('a code makes the goods cheaper, however it is written', async () => {
  await addCode(shop, 'TEN')
  const checkoutId = await openAt(newBuyer(), '44.10', 'Ten')
  assert.deepEqual(await readTerms(checkoutId), {
    subtotal: '49.00',
    shipping: '0.00',
    discount: '4.90',
    code: 'TEN',
    country: null,
    isPickup: false,
  })
  assert.deepEqual(codeOf(await open(newBuyer(), '49.00', 'TEN')), [409, 'price-changed'])
})

test('a code of an amount leaves the delivery as it is', async () => {
  await addCode(shop, 'FIVE', { amount: '5.00' })
  changeConfig(shop, { delivery: pricedDelivery })
  const answer = await open(newBuyer(), '48.90', 'FIVE', { country: 'Germany' })
  changeConfig(shop, { delivery: defaultDelivery })
  assert.equal(answer.statusCode, 200, answer.body)
})

test('a code that is not known, over, deleted or of another product takes nothing off', async () => {
  await addCode(shop, 'OVER', { lastDay: addDays(dayIn('UTC'), -2) })
  await addCode(shop, 'GONE', { deletedAt: new Date() })
  await addCode(shop, 'OTHER', { productId: await addMug(shop) })
  for (const code of ['NOTHING', 'OVER', 'GONE', 'OTHER'])
    assert.deepEqual(codeOf(await open(newBuyer(), '44.10', code)), unknown, code)
})

test('a code with an end counts when the form is opened, and what was agreed stays agreed', async () => {
  await addCode(shop, 'SOON', { lastDay: addDays(dayIn('UTC'), 2) })
  const buyer = newBuyer()
  const checkoutId = await openAt(buyer, '44.10', 'SOON')
  await db
    .update(discountCodes)
    .set({ lastDay: addDays(dayIn('UTC'), -2) })
    .where(eq(discountCodes.code, 'SOON'))
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
})

test('the last use belongs to who pays first, and comes back if nothing is paid', async () => {
  await addCode(shop, 'ONCE', { maxUses: 1 })
  const [first, second] = [newBuyer(), newBuyer()]
  const ofFirst = await openAt(first, '44.10', 'ONCE')
  const ofSecond = await openAt(second, '44.10', 'ONCE')
  assert.equal((await first.saveDetails(ofFirst)).statusCode, 204)
  assert.equal((await first.saveDetails(ofFirst)).statusCode, 204, 'holds it already')
  assert.deepEqual(codeOf(await second.saveDetails(ofSecond)), usedUp)
  assert.deepEqual(codeOf(await open(newBuyer(), '44.10', 'ONCE')), usedUp)
  const startOver = pathOf(apiRoutes.startOver, { checkoutId: ofFirst })
  assert.equal((await first.call('POST', startOver)).statusCode, 204)
  assert.equal((await second.saveDetails(ofSecond)).statusCode, 204)
  await payByCard(sandbox, ofSecond)
  assert.equal((await second.order(ofSecond)).statusCode, 201)
  assert.deepEqual(codeOf(await open(first, '44.10', 'ONCE')), usedUp, 'an order keeps its use')
})

test('one browser does not get the last use for two products', async () => {
  await addCode(shop, 'SINGLE', { maxUses: 1 })
  const other = await addMug(shop)
  const buyer = newBuyer()
  const ofMug = await openAt(buyer, '44.10', 'SINGLE')
  const ofOther = await openAt(buyer, '44.10', 'SINGLE', { productId: other })
  assert.equal((await buyer.saveDetails(ofMug)).statusCode, 204)
  assert.deepEqual(codeOf(await buyer.saveDetails(ofOther)), usedUp)
  assert.deepEqual(codeOf(await open(buyer, '44.10', 'SINGLE', { productId: other })), usedUp)
  assert.equal((await open(buyer, '44.10', 'SINGLE')).statusCode, 200, 'its own sale goes on')
})

test('of many who pay at once no more get the price than the code allows', async () => {
  await addCode(shop, 'THREE', { maxUses: 3 })
  const opened = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const buyer = newBuyer()
      return { buyer, checkoutId: await openAt(buyer, '44.10', 'THREE') }
    }),
  )
  const answers = await Promise.all(
    opened.map(({ buyer, checkoutId }) => buyer.saveDetails(checkoutId)),
  )
  const statuses = answers.map(({ statusCode }) => statusCode)
  assert.equal(statuses.filter((status) => status === 204).length, 3, String(statuses))
  assert.equal(statuses.filter((status) => status === 409).length, 9, String(statuses))
})

test('an order that comes with its details needs a use, unless it is paid already', async () => {
  await addCode(shop, 'LATE', { maxUses: 1 })
  const [first, unpaid, paid] = [newBuyer(), newBuyer(), newBuyer()]
  const opened = await Promise.all([first, unpaid, paid].map((one) => openAt(one, '44.10', 'LATE')))
  const [ofFirst = '', ofUnpaid = '', ofPaid = ''] = opened
  await first.saveDetails(ofFirst)
  await payByCard(sandbox, ofPaid)
  assert.deepEqual(codeOf(await unpaid.order(ofUnpaid)), usedUp)
  const ordered = await paid.order(ofPaid)
  assert.equal(ordered.statusCode, 201, ordered.body)
  assert.equal(ordered.json().amount, '44.10')
})

test('a payment after its form had ended becomes an order, whatever the code allows', async () => {
  await addCode(shop, 'ENDED', { maxUses: 1 })
  const [late, other] = [newBuyer(), newBuyer()]
  const ofLate = await openAt(late, '44.10', 'ENDED')
  await late.saveDetails(ofLate)
  await db.update(checkouts).set({ state: 'closed' }).where(eq(checkouts.sumupCheckoutId, ofLate))
  const ofOther = await openAt(other, '44.10', 'ENDED')
  assert.equal((await other.saveDetails(ofOther)).statusCode, 204)
  await payByCard(sandbox, ofLate)
  await db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()` })
    .where(eq(checkouts.sumupCheckoutId, ofLate))
  await sweepAll(shop)
  const placed = await db.select().from(orders).where(eq(orders.sumupCheckoutId, ofLate))
  assert.equal(placed[0]?.terms?.code, 'ENDED')
  assert.equal(placed[0]?.isCodeOverused, true)
  await orderPaid(other, ofOther)
  assert.deepEqual(await readOveruse('ENDED'), [true, false], 'who held the use has it')
})

test('whoever pays before saving details gets the order, flagged where the code is used up', async () => {
  await addCode(shop, 'EIGHT', { maxUses: 1 })
  const buyers = Array.from({ length: 3 }, newBuyer)
  const opened = await Promise.all(buyers.map((one) => openAt(one, '44.10', 'EIGHT')))
  for (const [index, buyer] of buyers.entries()) await orderPaid(buyer, opened[index] ?? '')
  assert.deepEqual(await readOveruse('EIGHT'), [false, true, true])
  assert.deepEqual(codeOf(await open(newBuyer(), '44.10', 'EIGHT')), usedUp)
  const headers = await shop.signIn()
  const listed = (await shop.app.inject({ url: apiRoutes.orders, headers })).json()
  const flagged = listed.filter(
    (one: AdminOrder) => one.isCodeOverused && one.terms?.code === 'EIGHT',
  )
  assert.equal(flagged.length, 2)
})

test('whoever holds the last use has it, whoever pays before saving details', async () => {
  await addCode(shop, 'HELD', { maxUses: 1 })
  const [holder, other] = [newBuyer(), newBuyer()]
  const held = await openAt(holder, '44.10', 'HELD')
  const early = await openAt(other, '44.10', 'HELD')
  await holder.saveDetails(held)
  await orderPaid(other, early)
  await orderPaid(holder, held)
  assert.deepEqual(await readOveruse('HELD'), [true, false])
})

test('a form that was opened with a code of the same name before is about that one', async () => {
  await addCode(shop, 'NAME', { maxUses: 1 })
  const buyer = newBuyer()
  const before = await openAt(buyer, '44.10', 'NAME')
  await db
    .update(discountCodes)
    .set({ deletedAt: sql`now()` })
    .where(eq(discountCodes.code, 'NAME'))
  await addCode(shop, 'NAME', { maxUses: 1 })
  const other = newBuyer()
  const after = await openAt(other, '44.10', 'NAME')
  await orderPaid(buyer, before)
  await orderPaid(other, after)
  assert.deepEqual(await readOveruse('NAME'), [false, false], 'one use of each')
})

test('real sales do not use up what tests may use', async () => {
  await addCode(shop, 'APART', { maxUses: 1 })
  const buyer = newBuyer()
  const checkoutId = await openAt(buyer, '44.10', 'APART')
  await buyer.saveDetails(checkoutId)
  await db.update(checkouts).set({ isTest: false }).where(eq(checkouts.sumupCheckoutId, checkoutId))
  assert.equal((await open(newBuyer(), '44.10', 'APART')).statusCode, 200)
})

test('a code that was deleted and given again starts over', async () => {
  await addCode(shop, 'AGAIN', { maxUses: 1 })
  const buyer = newBuyer()
  const checkoutId = await openAt(buyer, '44.10', 'AGAIN')
  await buyer.saveDetails(checkoutId)
  await payByCard(sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  await db
    .update(discountCodes)
    .set({ deletedAt: sql`now()` })
    .where(eq(discountCodes.code, 'AGAIN'))
  await addCode(shop, 'AGAIN', { maxUses: 1 })
  assert.equal((await open(newBuyer(), '44.10', 'AGAIN')).statusCode, 200)
})

test('of an address that tries thirty unknown codes no code is looked up for a while', async () => {
  await addCode(shop, 'SECRET')
  const guesser = createBuyer(shop, '198.51.100.7')
  for (let guess = 0; guess < 30; guess += 1)
    assert.deepEqual(codeOf(await open(guesser, '44.10', `GUESS${guess}`)), unknown)
  const stopped = await open(guesser, '44.10', 'SECRET')
  assert.deepEqual(codeOf(stopped), [429, 'too-many-requests'])
  assert.ok(Number(stopped.headers['retry-after']) > 0)
  const withoutCode = { productId: mug, amount: '49.00', currency: 'EUR' }
  assert.equal((await guesser.call('POST', apiRoutes.createCheckout, withoutCode)).statusCode, 200)
  for (let visit = 0; visit < 31; visit += 1) await openAt(newBuyer(), '44.10', 'SECRET')
})

test('links with a code that counts no more do not keep their address from one that does', async () => {
  await addCode(shop, 'SUMMER', { lastDay: addDays(dayIn('UTC'), -2) })
  await addCode(shop, 'SPRING', { deletedAt: new Date() })
  await addCode(shop, 'TEAPOT', { productId: await addMug(shop) })
  await addCode(shop, 'AUTUMN')
  const crowd = createBuyer(shop, '198.51.100.8')
  for (const code of ['summer', 'SPRING', 'TEAPOT'])
    for (let visit = 0; visit < 11; visit += 1)
      assert.deepEqual(codeOf(await open(crowd, '44.10', code)), unknown, code)
  assert.equal((await open(crowd, '44.10', 'AUTUMN')).statusCode, 200)
})
