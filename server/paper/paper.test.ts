import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAddress } from '#contract/addresses.ts'
import { countries } from '#contract/countries.ts'
import { listPicks, maxPrintedOrders, type Slip } from '#contract/paper.ts'
import { apiRoutes } from '#contract/paths.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import type { OrderRow } from '#server/db/schema.ts'
import { addOrders, addPayment, annasAddress, pickupTerms } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const { app, db, signIn } = await openTestShop()
const headers = await signIn()

const get = (ids: string[]) => app.inject({ url: `${apiRoutes.paper}?ids=${ids.join()}`, headers })

async function readSlips(printed: OrderRow[]): Promise<Slip[]> {
  const answer = await get(printed.map(({ id }) => id))
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json<Slip[]>()
}

test('a slip has the number, the product and the address of its order, and no price', async () => {
  const [order] = await addOrders(db, [{ quantity: 2 }])
  assert.ok(order)
  const [slip] = await readSlips([order])
  assert.equal(slip?.number, String(order.number))
  assert.equal(slip?.productName, 'Mug')
  assert.equal(slip?.quantity, 2)
  assert.deepEqual(slip?.address, formatAddress(annasAddress))
  assert.doesNotMatch(JSON.stringify(slip), /49\.00|€/)
})

test('an address is printed as its country writes it', async () => {
  const addresses = countries.map((country) => ({
    ...annasAddress,
    country,
    state: 'Kent',
    postcode: 'ct1 2ab',
  }))
  const slips = await readSlips(
    await addOrders(
      db,
      addresses.map((shippingAddress) => ({ shippingAddress })),
    ),
  )
  for (const [index, address] of addresses.entries())
    assert.deepEqual(slips[index]?.address, formatAddress(address))
  const printed = slips.map(({ address }) => address.join('\n')).join('\n\n')
  assert.match(printed, /\nBerlin\nKent\nCT1 2AB\nUnited Kingdom\n/)
  assert.match(printed, /\nBerlin, Kent ct1 2ab\nUnited States$/m)
})

test('the slip of what is picked up says so', async () => {
  const slips = await readSlips(await addOrders(db, [{}, { terms: pickupTerms }]))
  assert.deepEqual(
    slips.map(({ isPickup }) => isPickup),
    [false, true],
  )
})

test('a slip warns of an order that may be wrong to send, and the pick list does not count it', async () => {
  const added = await addOrders(db, [
    {},
    { isTest: true },
    {},
    {},
    { sumupTransactionId: null },
    {},
    { isOversold: true },
    { terms: pickupTerms },
    { erasedAt: new Date() },
    { isChoiceMissing: true },
    // Only its price is in question.
    { isCodeOverused: true },
  ])
  const [, , refunded, charged, , conflicting, , withdrawn] = added
  await addPayment(db, refunded, { refunded: '49.00' })
  await addPayment(db, charged, { chargedBack: '49.00' })
  await addPayment(db, conflicting, { conflict: 'amount' })
  const statement = { name: 'Anna', orderNumber: '1', email: 'anna@example.com' }
  await db.insert(withdrawals).values({ ...statement, orderId: withdrawn?.id })
  const slips = await readSlips(added)
  const unless = 'unless you have agreed so with the customer.'
  const unconfirmed = 'Payment not confirmed: do not send it before it is.'
  assert.deepEqual(
    slips.map(({ warnings }) => warnings),
    [
      [],
      ['Test order: nothing is to be delivered.'],
      [`Refunded: do not send it ${unless}`],
      [`Charged back: do not send it ${unless}`],
      [unconfirmed],
      [unconfirmed],
      ['Oversold: it was paid when no piece was left.'],
      [`Withdrawn: do not hand it over ${unless}`],
      ['The customer was erased: there is no address.'],
      ['Choice missing: ask the customer which one they want.'],
      [],
    ],
  )
  const [picked] = listPicks(slips)
  assert.deepEqual([picked?.quantity, picked?.slips.length], [2, added.length])
})

test('a pick list sums each product up and names its orders', async () => {
  const mugs = await addOrders(db, [{}, { quantity: 2 }])
  const towels = await addOrders(db, [{ productName: 'Towel' }])
  const picks = listPicks(await readSlips([...mugs, ...towels]))
  assert.deepEqual(
    picks.map(({ productName, quantity, slips }) => [
      productName,
      quantity,
      slips.map(({ number }) => Number(number)),
    ]),
    [
      ['Mug', 3, mugs.map(({ number }) => number)],
      ['Towel', 1, towels.map(({ number }) => number)],
    ],
  )
})

test('as many slips as are allowed are printed at once, in the order given, each once', async () => {
  const added = await addOrders(
    db,
    Array.from({ length: maxPrintedOrders }, () => ({})),
  )
  const ids = added.map(({ id }) => id).toReversed()
  const slips: Slip[] = (await get(ids)).json()
  assert.deepEqual(
    slips.map(({ orderId }) => orderId),
    ids,
  )
  const [first = ''] = ids
  assert.equal((await get([first, first])).json<Slip[]>().length, 1)
  assert.equal((await get([...ids, crypto.randomUUID()])).statusCode, 400)
})

test('nothing is printed of orders that are not there, or for strangers', async () => {
  const [order] = await addOrders(db, [{}])
  assert.ok(order)
  assert.equal((await get([order.id, crypto.randomUUID()])).statusCode, 404)
  for (const wrong of ['', 'x', `${order.id},`, '1042'])
    assert.equal((await get([wrong])).statusCode, 400, wrong)
  assert.equal((await app.inject(`${apiRoutes.paper}?ids=${order.id}`)).statusCode, 401)
})

test('the code of a slip finds its order first, wherever else its digits stand', async () => {
  const [order] = await addOrders(db, [{}])
  assert.ok(order)
  const [other] = await addOrders(db, [{ customerName: `Anna ${order.number}` }])
  const search = async (q: string) => {
    const answer = await app.inject({ url: `${apiRoutes.orders}?q=${q}&limit=5`, headers })
    return answer.json<{ id: string }[]>().map(({ id }) => id)
  }
  const [slip] = await readSlips([order])
  assert.equal(slip?.code, `TILL${order.number}`)
  for (const code of [slip?.code ?? '', slip?.code.toLowerCase() ?? '']) {
    const found = await search(code)
    assert.equal(found[0], order.id)
    assert.ok(found.includes(other?.id ?? ''))
  }
})

test('a slip has all that the buyer wrote, however many lines it has', async () => {
  const product = {
    id: 'x',
    name: 'Ring',
    price: '49.00',
    currency: 'EUR',
    description: null,
    imageUrl: null,
    headerName: null,
    headerLogoUrl: '/logo.png',
    noteLabel: 'Engraving',
  } as const
  const many = Array.from({ length: 200 }, (_one, index) => String(index % 10))
  const longest = 'W'.repeat(500)
  const printed = await addOrders(db, [
    { product, buyerNote: 'For Anna\n\nwith love' },
    { product, buyerNote: many.join('\n') },
    { product, buyerNote: longest },
    { product },
  ])
  const slips = await readSlips(printed)
  assert.deepEqual(slips[0]?.note, { title: 'Engraving', lines: ['For Anna', '', 'with love'] })
  assert.deepEqual(slips[1]?.note?.lines, [many.join(' / ')])
  assert.equal(slips[3]?.note, null)
  assert.deepEqual(slips[2]?.note?.lines, [longest])
})
