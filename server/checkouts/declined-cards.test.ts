import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { payments } from '#server/db/payment-schema.ts'
import { badCard, createBuyer, challengedCard, payByCard } from '#server/testing/buyer.ts'
import type { TestShop } from '#server/testing/test-shop.ts'
import { openSaleShop } from '#server/testing/sale.ts'

const openShop = () => openSaleShop({ environment: { TRUST_PROXY: '1' } })

async function decline(shop: TestShop, checkoutId: string, cards: number): Promise<void> {
  for (let card = 1; card <= cards; card += 1) await payByCard(shop.sandbox, checkoutId, badCard)
}

test('a fifth declined card closes the checkout, and its status keeps saying why', async () => {
  const shop = await openShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await decline(shop, checkoutId, 5)
  const answer = await buyer.order(checkoutId)
  assert.equal(answer.statusCode, 429)
  assert.match(answer.json().message, /Too many cards were declined/)
  assert.notEqual((await payByCard(shop.sandbox, checkoutId)).status, 'PAID')
  assert.equal((await buyer.look(checkoutId)).json().state, 'too-many-cards')
  assert.equal((await buyer.look(checkoutId)).json().state, 'too-many-cards')
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 429)
})

test('what SumUp still reports about the first card is not attributed to the second', async () => {
  const shop = await openShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await decline(shop, checkoutId, 1)
  assert.equal((await buyer.order(checkoutId)).statusCode, 402)
  await buyer.saveDetails(checkoutId)
  shop.sandbox.faults.set({ rules: [{ on: 'process', kind: 'lag', ms: 3_600_000 }] })
  await payByCard(shop.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 202, 'an old decline was believed')
  assert.equal((await buyer.look(checkoutId)).json().state, 'waiting')
})

/** Replaces what is known of payments by so many attempts of a moment ago. */
async function setAttempts(
  { db }: TestShop,
  { paid, declined }: { paid: number; declined: number },
): Promise<void> {
  await db.delete(payments)
  const add = (status: string, count: number) =>
    db.insert(payments).values(
      Array.from({ length: count }, () => ({
        merchantCode: 'M',
        isTest: true,
        transactionId: randomUUID(),
        status,
      })),
    )
  await add('successful', paid)
  await add('failed', declined)
}

test('a second declined card is distinguished from the first', async () => {
  const shop = await openShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  for (let card = 1; card <= 3; card += 1) {
    await buyer.saveDetails(checkoutId)
    await decline(shop, checkoutId, 1)
    assert.equal((await buyer.order(checkoutId)).statusCode, 402)
  }
})

test('a card at the bank is not declined because another was, and the limits stay in force', async () => {
  const shop = await openShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId, challengedCard)
  await decline(shop, checkoutId, 1)
  assert.equal((await buyer.look(checkoutId)).json().state, 'at-bank')
  await decline(shop, checkoutId, 4)
  assert.equal((await buyer.order(checkoutId)).statusCode, 429)
})

test('a sale with a card too many is read, ended at SumUp, and read again', async () => {
  const shop = await openShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await decline(shop, checkoutId, 5)
  let calls = 0
  const count = () => void (calls += 1)
  subscribe('http.client.request.start', count)
  assert.equal((await buyer.order(checkoutId)).statusCode, 429)
  unsubscribe('http.client.request.start', count)
  assert.equal(calls, 3)
})

test('after ten declined cards from one address over many sales, the tenth is closed and no other opens', async () => {
  const shop = await openShop()
  for (let sale = 0; sale < 3; sale += 1) {
    const buyer = createBuyer(shop)
    const checkoutId = await buyer.arrive(shop.mug)
    await decline(shop, checkoutId, 3)
    assert.equal((await buyer.order(checkoutId)).statusCode, 402)
  }
  const last = createBuyer(shop)
  const checkoutId = await last.arrive(shop.mug)
  await decline(shop, checkoutId, 1)
  assert.equal((await last.order(checkoutId)).statusCode, 429)
  const next = await createBuyer(shop).open(shop.mug)
  assert.equal(next.statusCode, 429)
  assert.match(next.json().message, /Too many cards were declined/)
  assert.equal((await createBuyer(shop, '198.51.100.7').open(shop.mug)).statusCode, 200)
})

test('who tries the shop out at this machine, in test mode, may have many cards declined', async () => {
  const shop = await openShop()
  for (let sale = 0; sale < 4; sale += 1) {
    const buyer = createBuyer(shop, null)
    const checkoutId = await buyer.arrive(shop.mug)
    await decline(shop, checkoutId, 4)
    assert.equal((await buyer.order(checkoutId)).statusCode, 402)
  }
  // Most attempts were declined, too.
  await setAttempts(shop, { paid: 8, declined: 12 })
  for (let sale = 0; sale < 4; sale += 1)
    assert.equal((await createBuyer(shop, null).open(shop.mug)).statusCode, 200)
})

test('while most cards are declined, an address with declined cards begins three payments, and the owner sees why', async () => {
  const shop = await openShop()
  const notices = async () =>
    (await shop.app.inject({ url: apiRoutes.notices, headers: await shop.signIn() })).json()
  const begin = async (ip: string) => (await createBuyer(shop, ip).open(shop.mug)).statusCode
  const declineFrom = async (ip: string) => {
    const buyer = createBuyer(shop, ip)
    const checkoutId = await buyer.arrive(shop.mug)
    await decline(shop, checkoutId, 1)
    assert.equal((await buyer.order(checkoutId)).statusCode, 402)
  }
  const [thief, visitor] = ['203.0.113.50', '203.0.113.51']
  await declineFrom(thief)
  await declineFrom(thief)
  assert.equal(
    JSON.stringify(await notices()).includes('declined'),
    false,
    'ten attempts say little',
  )
  const isUnhindered = async (ip: string) =>
    assert.deepEqual([await begin(ip), await begin(ip), await begin(ip)], [200, 200, 200])
  await isUnhindered(thief)

  await setAttempts(shop, { paid: 8, declined: 12 })
  assert.match(JSON.stringify(await notices()), /more than half were declined/)
  assert.equal(await begin(thief), 429)
  await isUnhindered(visitor)
  assert.equal(await begin(visitor), 200, 'an address without declined cards was hindered')

  await shop.db.execute(sql`delete from rate_limits where count >= 5`)
  assert.deepEqual([await begin(thief), await begin(thief), await begin(thief)], [200, 200, 200])
  assert.equal(await begin(thief), 429)

  await setAttempts(shop, { paid: 10, declined: 10 })
  assert.equal(JSON.stringify(await notices()).includes('declined'), false)
  assert.equal(await begin(thief), 200)
})

test('every declined card counts for its address, whether the server still remembers the sale or not', async () => {
  const shop = await openShop()
  const buyer = createBuyer(shop)
  for (let sale = 0; sale < 2; sale += 1) {
    const { checkoutId } = (await buyer.open(shop.mug)).json()
    for (let card = 0; card < 5; card += 1) {
      assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
      await payByCard(shop.sandbox, checkoutId, badCard)
      assert.equal((await buyer.order(checkoutId)).statusCode, card < 4 ? 402 : 429)
    }
  }
  const answer = await buyer.open(shop.mug)
  assert.deepEqual([answer.statusCode, answer.json().code], [429, 'too-many-cards'])
  assert.equal((await createBuyer(shop, '203.0.113.2').open(shop.mug)).statusCode, 200)
})
