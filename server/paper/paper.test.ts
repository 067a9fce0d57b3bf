import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { formatAddress } from '#contract/addresses.ts'
import { countries } from '#contract/countries.ts'
import { maxPrintedOrders, type Slip } from '#contract/paper.ts'
import { apiRoutes } from '#contract/paths.ts'
import { type OrderRow } from '#server/db/schema.ts'
import { addOrders, addPayment, annasAddress, pickupTerms } from '#server/testing/orders.ts'
import { readPdf } from '#server/testing/pdf-text.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { renderPickList } from './pick-list-pdf.ts'
import { renderSlips } from './slips-pdf.ts'
import { loadCharacters, toPrintable } from './printable.ts'

const { app, db, signIn } = await openTestShop()
const headers = await signIn()

const get = (path: string, ids: string[]) =>
  app.inject({ url: `${path}?ids=${ids.join()}`, headers })

async function readSlips(printed: OrderRow[]): Promise<Slip[]> {
  const answer = await get(
    apiRoutes.paper,
    printed.map(({ id }) => id),
  )
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json<Slip[]>()
}

async function print(path: string, printed: OrderRow[]): Promise<string[]> {
  const answer = await get(
    path,
    printed.map(({ id }) => id),
  )
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['content-type'], 'application/pdf')
  assert.match(
    String(answer.headers['content-disposition']),
    /^inline; filename="[a-z-]+[\d-]+\.pdf"$/,
  )
  return readPdf(answer.rawPayload)
}

const names = [
  ['Γιώργος', 'Παπαδόπουλος', 'Οδός Αθηνάς 5'],
  ['Łucja', 'Żółć-Gęśla', 'ul. Świętokrzyska 12'],
  ['İbrahim', 'Çağrı', 'Şişhane Sokağı 3'],
  ['Юлія', 'Щербак', 'вулиця Їжакевича 7'],
  ['Jürgen', 'Weiß', 'Große Allee 1'],
] as const

test('each order is a page with its number, its product and its address, and no price', async () => {
  const printed = await addOrders(
    db,
    names.map(([firstName, lastName, address]) => ({
      shippingAddress: { ...annasAddress, firstName, lastName, address },
    })),
  )
  const pages = await print(apiRoutes.packingSlips, printed)
  assert.equal(pages.length, printed.length)
  for (const [index, [firstName, lastName, address]] of names.entries()) {
    const page = pages[index] ?? ''
    for (const text of [
      `Order ${printed[index]?.number}`,
      `${firstName} ${lastName}`,
      address,
      '10115 Berlin',
      'Germany',
      'Mug',
    ])
      assert.ok(page.includes(text), `${text} in ${page}`)
    assert.doesNotMatch(page, /49|€/)
  }
})

test('an address is printed as its country writes it', async () => {
  const addresses = countries.map((country) => ({
    ...annasAddress,
    country,
    state: 'Kent',
    postcode: 'ct1 2ab',
  }))
  const printed = await addOrders(
    db,
    addresses.map((shippingAddress) => ({ shippingAddress })),
  )
  const pages = await print(apiRoutes.packingSlips, printed)
  for (const [index, address] of addresses.entries())
    assert.ok(pages[index]?.includes(`\n${formatAddress(address).join('\n')}\n`), pages[index])
  assert.match(pages.join(), /\nBerlin\nKent\nCT1 2AB\nUnited Kingdom\n/)
  assert.match(pages.join(), /\nBerlin, Kent ct1 2ab\nUnited States\n/)
})

test('the slip of what is picked up says so, above the place', async () => {
  const [parcel, pickup] = await addOrders(db, [{}, { terms: pickupTerms }])
  assert.ok(parcel && pickup)
  const pages = await print(apiRoutes.packingSlips, [parcel, pickup])
  assert.doesNotMatch(pages[0] ?? '', /Pickup at/)
  assert.match(pages[1] ?? '', /Pickup at\n[^]*Anna Müller\n/)
})

test('a pick list sums each product up and names its orders', async () => {
  const mugs = await addOrders(db, [{}, { quantity: 2 }])
  const towels = await addOrders(db, [{ productName: 'Towel', customerName: 'Zoë' }])
  const [page = ''] = await print(apiRoutes.pickList, [...mugs, ...towels])
  const text = page.replaceAll('\n', ' ')
  assert.match(text, /3 order\(s\) · 4 item\(s\)/)
  assert.match(
    text,
    new RegExp(
      `3 × Mug ${mugs[0]?.number} Anna Müller ${mugs[1]?.number} Anna Müller · 2 × 1 × Towel ${towels[0]?.number} Anna Müller`,
    ),
  )
})

test('what the font lacks is reported and printed as boxes', async () => {
  const [plain, foreign] = await addOrders(db, [
    {},
    { shippingAddress: { ...annasAddress, firstName: '李', lastName: '👨‍👩‍👧 Lee' } },
  ])
  assert.ok(plain && foreign)
  const slips = await readSlips([plain, foreign])
  assert.deepEqual(
    slips.map(({ unprintable }) => unprintable),
    [0, 2],
  )
  assert.equal((await print(apiRoutes.packingSlips, [foreign])).length, 1)
  const characters = await loadCharacters()
  const printable = (text: string) => toPrintable(text, characters)
  assert.equal(printable('李 👨‍👩‍👧 Lee'), '□ □ Lee')
  assert.equal(printable('an\u202Ena\u0000 \u2066x\u2069\tb\u00ADc\uFEFF'), 'anna x bc')
  assert.equal(printable('e\u0301\uD800'), 'é□')
})

test('any text can be printed', async () => {
  const [slip] = await readSlips(await addOrders(db, [{}]))
  assert.ok(slip)
  const text = fc.string({ unit: 'binary', maxLength: 300 })
  const odd = fc.record({
    address: fc.array(text, { maxLength: 8 }),
    productName: text,
    recipient: text,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(odd, { minLength: 20, maxLength: 30 }), async (texts) => {
      const slips = texts.map((one) => ({ ...slip, ...one }))
      assert.equal(readPdf(await renderSlips(slips)).length, slips.length)
      assert.ok(readPdf(await renderPickList(slips)).length > 0)
    }),
    { numRuns: 2, endOnFailure: true },
  )
})

test('a slip warns of an order that is not to be sent', async () => {
  const [refunded, tried, erased] = await addOrders(db, [
    {},
    { isTest: true },
    { erasedAt: new Date() },
  ])
  assert.ok(refunded && tried && erased)
  await addPayment(db, refunded, { refunded: '49.00' })
  const [first = '', second = '', third = ''] = await print(apiRoutes.packingSlips, [
    refunded,
    tried,
    erased,
  ])
  assert.match(first, /Refunded: do not send it/)
  assert.match(second, /Test order: nothing is to be delivered/)
  assert.match(third, /there is no address/)
})

test('long texts are cut where they may be, and an address never is', async () => {
  const words = (word: string, length: number) =>
    `${word} `
      .repeat(length / word.length)
      .slice(0, length)
      .trim()
  const [order] = await addOrders(db, [
    {
      productName: `${words('Mug', 480)} END`,
      shippingAddress: {
        ...annasAddress,
        address: `${words('street', 290)} END1`,
        city: `${'X'.repeat(190)}END2`,
        apartment: `${words('door', 190)} END3`,
      },
    },
  ])
  assert.ok(order)
  const [page = '', ...others] = await print(apiRoutes.packingSlips, [order])
  assert.equal(others.length, 0)
  const text = page.replaceAll('\n', '')
  for (const end of ['END1', 'END2', 'END3']) assert.ok(text.includes(end), end)
  assert.ok(!text.includes('Mug END') && text.includes('Mug…'))
})

test('as many slips as are allowed are printed at once, in the order given, each once', async () => {
  const added = await addOrders(
    db,
    Array.from({ length: maxPrintedOrders }, () => ({})),
  )
  const printed = added.toReversed()
  const [first] = printed
  const pages = await print(apiRoutes.packingSlips, printed)
  assert.deepEqual(
    pages.map((page) => /Order (\d+)/.exec(page)?.[1]),
    printed.map(({ number }) => String(number)),
  )
  assert.equal(
    (
      await print(
        apiRoutes.packingSlips,
        [first, first].filter((one) => one !== undefined),
      )
    ).length,
    1,
  )
  const tooMany = await get(apiRoutes.packingSlips, [
    ...printed.map(({ id }) => id),
    crypto.randomUUID(),
  ])
  assert.equal(tooMany.statusCode, 400)
})

test('nothing is printed of orders that are not there, or for strangers', async () => {
  const [order] = await addOrders(db, [{}])
  assert.ok(order)
  for (const path of [apiRoutes.paper, apiRoutes.packingSlips, apiRoutes.pickList]) {
    assert.equal((await get(path, [order.id, crypto.randomUUID()])).statusCode, 404)
    for (const wrong of ['', 'x', `${order.id},`, '1042'])
      assert.equal((await get(path, [wrong])).statusCode, 400, wrong)
    assert.equal((await app.inject(`${path}?ids=${order.id}`)).statusCode, 401)
  }
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
  const pages = await print(apiRoutes.packingSlips, printed)
  assert.equal(pages.length, printed.length, 'none goes over to another sheet')
  assert.match(pages[0] ?? '', /Engraving[\s\S]*For Anna[\s\S]*with love/)
  assert.equal(pages[2]?.replaceAll(/[^W]/g, '').length, longest.length)
})
