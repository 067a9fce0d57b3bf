import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { payments } from '#server/db/payment-schema.ts'
import { orders } from '#server/db/schema.ts'
import { addOrders, annasAddress, pickupTerms } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const { app, db, signIn } = await openTestShop()
const headers = await signIn()

async function download(query = '') {
  const answer = await app.inject({ url: `${apiRoutes.orderExport}${query}`, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer
}

test('HEAD answers for the export and the lists as GET would, without reading them', async () => {
  const { orderExport, orders: list, orderMarks, analyticsEvents } = apiRoutes
  for (const url of [orderExport, list, orderMarks, analyticsEvents]) {
    const [head, get] = [
      await app.inject({ method: 'HEAD', url, headers }),
      await app.inject({ url, headers }),
    ]
    assert.deepEqual([head.statusCode, head.body], [200, ''], url)
    for (const name of ['content-type', 'content-disposition', 'cache-control'])
      assert.equal(head.headers[name], get.headers[name], `${url} ${name}`)
    assert.equal((await app.inject({ method: 'HEAD', url })).statusCode, 401)
  }
})

/** The file as a spreadsheet reads it: each order by the titles of its columns. */
function readCsv(text: string): Record<string, string>[] {
  assert.equal(
    text.slice(0, 1),
    '\uFEFF',
    'Excel takes a file without this mark for something else than UTF-8',
  )
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text
    .slice(1)
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\r\n') rows.push([])
  }
  assert.deepEqual(rows.pop(), [], 'the last line ends like every other')
  const [titles = [], ...orders] = rows
  return orders.map((cells) => {
    assert.equal(cells.length, titles.length)
    return Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? '']))
  })
}

test('the export has one line per order, with full ids and an address as on a label', async () => {
  const [order] = await addOrders(db, [
    {
      createdAt: new Date('2026-03-04T05:06:07Z'),
      customerName: 'Anna "Änni" Müller',
      shippingAddress: { ...annasAddress, state: 'Berlin, DE', phone: '030 1' },
      billingAddress: {
        ...annasAddress,
        firstName: 'Firma',
        lastName: 'Müller; Söhne',
        city: 'Potsdam',
      },
      acceptsNewsAt: new Date('2026-03-04T05:06:00Z'),
    },
  ])
  await db.insert(payments).values({
    transactionId: order?.sumupTransactionId ?? '',
    merchantCode: 'MTEST',
    status: 'successful',
    amount: '49.00',
    currency: 'EUR',
    refunded: '12.50',
    chargedBack: '20.00',
  })
  const answer = await download()
  const today = new Date().toISOString().slice(0, 10)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['content-disposition'], `attachment; filename="orders-${today}.csv"`)
  assert.deepEqual(readCsv(answer.body), [
    {
      'Order ID': order?.id,
      'Date (UTC)': '2026-03-04T05:06:07.000Z',
      Status: 'pending',
      Product: 'Mug',
      Quantity: '1',
      Amount: '49.00',
      Currency: 'EUR',
      Email: 'anna@example.com',
      Customer: 'Anna "Änni" Müller',
      Recipient: 'Anna Müller',
      Address: 'Lange Straße 12',
      Apartment: 'Hinterhaus',
      Postcode: '10115',
      City: 'Berlin',
      State: 'Berlin, DE',
      Country: 'Germany',
      Phone: '030 1',
      'Billing name': 'Firma Müller; Söhne',
      'Billing address': 'Lange Straße 12',
      'Billing apartment': 'Hinterhaus',
      'Billing postcode': '10115',
      'Billing city': 'Potsdam',
      'Billing state': '',
      'Billing country': 'Germany',
      'News and offers since (UTC)': '2026-03-04T05:06:00.000Z',
      'Payment method': 'card',
      'SumUp checkout ID': order?.sumupCheckoutId,
      'SumUp transaction ID': order?.sumupTransactionId,
      'Possible duplicate of': '',
      'Last change (UTC)': order?.updatedAt.toISOString(),
      Test: '',
      'Order number': String(order?.number),
      Refunded: '12.50',
      'Charged back': '20.00',
      Oversold: '',
      'Code over its limit': '',
      'Choice missing': '',
      Choice: '',
      'Buyer’s text': '',
      Delivery: 'parcel',
      Subtotal: '',
      Shipping: '',
      Discount: '',
      'Discount code': '',
    },
  ])
})

test('an equal billing address is said once', async () => {
  await addOrders(db, [
    { customerName: 'Once', billingAddress: { ...annasAddress, city: '  Berlin ' } },
  ])
  const lines = readCsv((await download()).body)
  const line = lines.find(({ Customer }) => Customer === 'Once')
  assert.equal(line?.City, 'Berlin')
  for (const [title, cell] of Object.entries(line ?? {}))
    if (title.startsWith('Billing')) assert.equal(cell, '', title)
})

test('nothing that a buyer typed runs in a spreadsheet', async () => {
  const typed = [
    '=HYPERLINK("http://evil.example","x")',
    '+1+2',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '  =1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '\n@x',
    // No formulas, but spreadsheets drop what stands before one.
    '\tx',
    '\rx',
    '\nx',
    '"=1',
    "';=1",
    "x;=1+cmd|'/c calc'!A0;",
    'x;=1;=2',
    'x; \t-1',
    'x;"=1;',
    'x;""＠y',
    'x\n+1',
    'x\r\n@y',
    'x\t=1',
  ]
  for (const text of typed) {
    const [order] = await addOrders(db, [
      {
        customerName: text,
        customerPhone: '+49 30 1',
        shippingAddress: { ...annasAddress, city: text },
      },
    ])
    const { body } = await download(`?q=${order?.id}`)
    const [row] = readCsv(body)
    for (const cell of [row?.Customer, row?.City]) {
      // Behind the apostrophe, or harmless as it is, but never changed otherwise.
      assert.match(cell ?? '', /^'|^[^\s=+\-@＝＋－＠]/u, text)
      assert.equal(cell?.replaceAll("'", ''), text.replaceAll("'", ''), text)
    }
    assert.equal(row?.Phone, "'+49 30 1")
    for (const cell of readAsInGermany(body))
      assert.doesNotMatch(cell, /^\s*[=+\-@＝＋－＠]/u, text)
  }
})

/** The cells of an Excel that separates by semicolons, where quotes mean something only at the beginning of a cell. */
function readAsInGermany(text: string): string[] {
  const cells = text.slice(1).matchAll(/(?:"((?:[^"]|"")*)("|$))?([^;\r\n]*)(?:;|\r\n?|\n|$)/g)
  return Array.from(cells, ([, quoted = '', , rest]) => quoted.replaceAll('""', '"') + rest)
}

test('what is typed with a semicolon, a tab or spaces at its edge stays one cell, as it was typed', async () => {
  const typed = [
    'Müller; Söhne',
    'a\tb',
    ' before',
    'behind ',
    'Weg 1; Tor 2',
    'a-b+c=d@e',
    "O'Hara",
  ]
  for (const text of typed) {
    const [order] = await addOrders(db, [{ customerName: text }])
    const { body } = await download(`?q=${order?.id}`)
    assert.equal(readCsv(body)[0]?.Customer, text)
    const isPlain = /^[^\s;][^\t;]*[^\s;]$/.test(text)
    assert.ok(body.includes(isPlain ? `,${text},` : `,"${text}",`), text)
  }
})

test('the export is exactly the search and the filter', async () => {
  const [first, second] = await addOrders(db, [
    { customerName: 'Export Me', status: 'shipped' },
    { customerName: 'Export Me', status: 'pending' },
    { customerName: 'Leave Me', status: 'shipped' },
  ])
  const ids = async (query: string) =>
    readCsv((await download(query)).body).map((row) => row['Order ID'])
  assert.deepEqual(new Set(await ids('?q=EXPORT+me')), new Set([first?.id, second?.id]))
  assert.deepEqual(await ids('?q=export+me&status=shipped'), [first?.id])
  assert.deepEqual(await ids('?q=nobody-at-all'), [])
  const [cheap, dear] = await addOrders(db, [{ amount: '1.00' }, { amount: '99.00' }])
  const product = `?product=${cheap?.productId}&from=2026-01-01`
  assert.deepEqual(await ids(`${product}&sort=highest`), [dear?.id, cheap?.id])
  assert.deepEqual(await ids(`${product}&to=2026-01-02`), [])
  await addOrders(
    db,
    Array.from({ length: 300 }, () => ({ customerName: 'One Of Many' })),
  )
  assert.equal(new Set(await ids('?q=one+of+many')).size, 300)
  const all = await ids('')
  assert.deepEqual([new Set(all).size, all.length], [all.length, await db.$count(orders)])
  const refused = await app.inject({ url: `${apiRoutes.orderExport}?status=lost`, headers })
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.headers['content-disposition'], undefined)
})

test('the export says of each order what was special about it', async () => {
  const [plain, special] = await addOrders(db, [
    {},
    {
      terms: { ...pickupTerms, subtotal: '60.00', discount: '11.00', code: 'TEN' },
      buyerNote: 'For Anna\nwith love',
      isOversold: true,
      isCodeOverused: true,
      isChoiceMissing: true,
    },
  ])
  const lines = readCsv((await download()).body)
  const find = (id = '') => lines.find((line) => line['Order ID'] === id)
  assert.deepEqual(Object.keys(find(plain?.id) ?? {}), Object.keys(find(special?.id) ?? {}))
  assert.partialDeepStrictEqual(find(special?.id), {
    Oversold: 'oversold',
    'Code over its limit': 'over',
    'Choice missing': 'missing',
    'Buyer’s text': 'For Anna\nwith love',
    Delivery: 'pickup',
    Subtotal: '60.00',
    Shipping: '0.00',
    Discount: '11.00',
    'Discount code': 'TEN',
  })
})

test('the export names how each order was paid', async () => {
  await db.delete(orders)
  const methods = ['card', 'paypal', 'apple_pay', 'sumup', null]
  await addOrders(
    db,
    methods.map((paymentMethod) => ({ paymentMethod })),
  )
  const named = readCsv((await download()).body).map((order) => order['Payment method'] ?? '')
  assert.deepEqual(named.toSorted(), ['', 'Apple Pay', 'PayPal', 'SumUp', 'card'])
})
