import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { shownPicture } from '#contract/pictures.ts'
import { eq } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const shop = await openTestShop({
  environment: { PUBLIC_URL: 'http://shop.example', CUSTOM_DOMAIN: 'pay.example.com' },
})
const headers = await shop.signIn()

const mug = {
  name: 'Mug',
  price: '12.50',
  currency: 'EUR',
  description: 'Holds coffee',
  headerName: 'The Mug Shop',
  imageUrl: 'https://example.com/mug.png',
  headerLogoUrl: 'https://example.com/logo.png',
  quantityPricingEnabled: true,
  quantityTiers: [{ quantity: 2, price: '11.00' }],
  withdrawalExemption: 'perishable',
}

const create = (payload: object) =>
  shop.app.inject({ method: 'POST', url: apiRoutes.products, headers, payload })
const productPath = (id: string) => pathOf(apiRoutes.product, { id })
const list = async () => (await shop.app.inject({ url: apiRoutes.products, headers })).json()

test('a product is created, listed newest first, updated and deleted', async () => {
  const created = await create(mug)
  assert.equal(created.statusCode, 201)
  const product = created.json()
  assert.partialDeepStrictEqual(product, mug)
  assert.equal(product.createdByEmail, 'owner@example.com')

  await create({ ...mug, name: 'Bowl' })
  assert.deepEqual(
    (await list()).map(({ name }: { name: string }) => name),
    ['Bowl', 'Mug'],
  )

  const changed = await shop.app.inject({
    method: 'PUT',
    url: productPath(product.id),
    headers,
    payload: { ...mug, price: '13' },
  })
  assert.equal(changed.json().price, '13.00')
  assert.ok(changed.json().updatedAt > product.updatedAt)

  const removed = await shop.app.inject({ method: 'DELETE', url: productPath(product.id), headers })
  assert.equal(removed.statusCode, 204)
  assert.equal((await shop.app.inject(productPath(product.id))).statusCode, 404)
  assert.equal((await list()).length, 1)
  for (const method of ['PUT', 'DELETE'] as const) {
    const again = await shop.app.inject({
      method,
      url: productPath(product.id),
      headers,
      payload: mug,
    })
    assert.equal(again.statusCode, 404)
    assert.equal(again.json().message, 'Product not found')
  }
  const [row] = await shop.db.select().from(products).where(eq(products.id, product.id))
  assert.equal(row?.name, 'Mug', 'orders would have lost what was sold')
})

test('everyone can read a product, but only admins see who created it', async () => {
  const { id, createdBy, createdAt, updatedAt } = (await create(mug)).json()
  const publicFields = { id, ...mug, isPaused: false, createdAt, updatedAt }
  const strangers: Record<string, string>[] = [
    {},
    { cookie: 'till_session=forged' },
    { ...headers, 'sec-fetch-site': 'cross-site' },
    { ...headers, origin: 'https://evil.example' },
    { ...headers, host: 'pay.example.com' },
  ]
  for (const stranger of strangers) {
    const answer = await shop.app.inject({ url: productPath(id), headers: stranger })
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(answer.json(), publicFields, JSON.stringify(stranger))
    assert.equal(answer.headers['cache-control'], 'no-cache')
  }
  const admins = await shop.app.inject({ url: productPath(id), headers })
  assert.deepEqual(admins.json(), { ...publicFields, createdBy })
  assert.equal(admins.headers['cache-control'], 'no-store', 'a shared cache could keep it')
  assert.deepEqual(
    (await shop.app.inject(productPath(id))).json(),
    publicFields,
    'the admin’s answer was cached',
  )
})

test('an updated product is read with its new content and time of change', async () => {
  const { id, createdAt } = (await create({ ...mug, quantityTiers: null })).json()
  assert.equal((await shop.app.inject(productPath(id))).json().quantityTiers, null)
  const payload = { ...mug, quantityPricingEnabled: false }
  const change = { method: 'PUT', url: productPath(id), headers, payload } as const
  const { updatedAt } = (await shop.app.inject(change)).json()
  const read = (await shop.app.inject(productPath(id))).json()
  assert.deepEqual(read, { id, ...payload, isPaused: false, createdAt, updatedAt })
  assert.ok(updatedAt > createdAt)
})

const put = (id: string, payload: object) =>
  shop.app.inject({ method: 'PUT', url: productPath(id), headers, payload })

const whole = {
  ...mug,
  currency: 'GBP',
  noteLabel: 'Engraving',
  isNoteRequired: true,
  choice: { name: 'Size', values: [{ name: 'S', stock: 3 }, { name: 'M' }] },
  showsLeft: true,
}

test('a change of some fields leaves the others as they are', async () => {
  const created = (await create(whole)).json()
  for (const [field, value] of Object.entries({ price: '13.00', description: 'Holds tea' })) {
    const answer = await put(created.id, { [field]: value })
    assert.equal(answer.statusCode, 200, answer.body)
    created[field] = value
    const changed = answer.json()
    assert.deepEqual({ ...changed, updatedAt: created.updatedAt }, created)
  }
  const nothing = (await put(created.id, {})).json()
  assert.deepEqual({ ...nothing, updatedAt: created.updatedAt }, created)
  const { id } = (await create({ ...mug, stock: 4 })).json()
  assert.partialDeepStrictEqual((await put(id, { name: 'Jug' })).json(), {
    ...mug,
    name: 'Jug',
    stock: 4,
  })
})

test('null clears what a product need not have, and is refused for what it must have', async () => {
  const { id } = (await create(whole)).json()
  const cleared = await put(id, {
    description: null,
    headerName: null,
    imageUrl: null,
    quantityTiers: null,
    withdrawalExemption: null,
    noteLabel: null,
    choice: null,
  })
  assert.equal(cleared.statusCode, 200, cleared.body)
  const { description, headerName, imageUrl, quantityTiers, withdrawalExemption, ...others } =
    cleared.json()
  assert.deepEqual(
    [description, headerName, imageUrl, quantityTiers, withdrawalExemption],
    [null, null, null, null, null],
  )
  assert.ok(!('noteLabel' in others) && !('choice' in others))
  for (const field of ['name', 'price', 'currency', 'headerLogoUrl', 'quantityPricingEnabled'])
    assert.equal((await put(id, { [field]: null })).statusCode, 400, field)
  assert.equal((await put(id, { headerLogoUrl: '' })).statusCode, 400)
})

test('a change that names an older state of the product is refused; one that names none wins', async () => {
  const { id, updatedAt } = (await create(mug)).json()
  const first = await put(id, { price: '20.00', updatedAt })
  assert.equal(first.statusCode, 200)
  const late = await put(id, { ...mug, updatedAt })
  assert.equal(late.statusCode, 409)
  assert.equal(late.json().code, 'product-changed')
  assert.equal((await shop.app.inject(productPath(id))).json().price, '20.00')

  const again = { ...mug, updatedAt: first.json().updatedAt.replace('Z', '+00:00') }
  assert.equal((await put(id, again)).statusCode, 200, 'the same moment')
  assert.equal((await put(id, { price: '21.00' })).json().price, '21.00')
  assert.equal((await put(id, { updatedAt: 'yesterday' })).statusCode, 400)
})

test('changes that come together have times of their own', async () => {
  const { id } = (await create(mug)).json()
  const answers = await Promise.all(Array.from({ length: 8 }, () => put(id, { price: '20.00' })))
  assert.equal(new Set(answers.map((answer) => answer.json().updatedAt)).size, 8)
})

test('a product is paused and resumed, which its content does not change', async () => {
  const { id } = (await create(mug)).json()
  const read = async () => (await shop.app.inject(productPath(id))).json()
  for (const [route, isPaused] of [
    [apiRoutes.productPause, true],
    [apiRoutes.productPause, true],
    [apiRoutes.productResume, false],
    [apiRoutes.productResume, false],
  ] as const) {
    const url = pathOf(route, { id })
    const answer = await shop.app.inject({ method: 'POST', url, headers })
    assert.equal(answer.statusCode, 200)
    assert.partialDeepStrictEqual(answer.json(), { ...mug, isPaused })
    assert.partialDeepStrictEqual(await read(), { ...mug, isPaused })
  }
  const pause = { method: 'POST', url: pathOf(apiRoutes.productPause, { id }), headers } as const
  await shop.app.inject(pause)
  const change = { method: 'PUT', url: productPath(id), headers, payload: mug } as const
  assert.equal((await shop.app.inject(change)).json().isPaused, true, 'editing does not resume it')
})

test('a deleted product is restored with its id, and one on sale stays as it is', async () => {
  const { id } = (await create(mug)).json()
  const restore = {
    method: 'POST',
    url: pathOf(apiRoutes.productRestore, { id }),
    headers,
  } as const
  await shop.app.inject({ method: 'DELETE', url: productPath(id), headers })
  const before = (await list()).length
  for (const _again of [1, 2]) {
    const answer = await shop.app.inject(restore)
    assert.equal(answer.statusCode, 200)
    assert.partialDeepStrictEqual(answer.json(), { id, ...mug })
    assert.equal((await list()).length, before + 1)
  }
  assert.equal((await shop.app.inject(productPath(id))).statusCode, 200)
  const unknown = pathOf(apiRoutes.productRestore, { id: crypto.randomUUID() })
  assert.equal((await shop.app.inject({ ...restore, url: unknown })).statusCode, 404)
})

test('an invalid id is answered Product not found', async () => {
  for (const id of [
    '1',
    'null',
    '%00',
    "'; drop table products",
    '00000000-0000-4000-8000-000000000000',
  ]) {
    const answer = await shop.app.inject(productPath(id))
    assert.equal(answer.statusCode, 404, id)
    assert.equal(answer.json().message, 'Product not found')
  }
})

const refused: [string, object, RegExp][] = [
  ['no name', { name: '' }, /^Product name is required$/],
  ['a name of blanks', { name: '   ' }, /^Product name is required$/],
  ['no name at all', { name: undefined }, /^Product name is required$/],
  ['a name of 501 characters', { name: 'x'.repeat(501) }, /500/],
  ...['', '-1', '1e3', '1,50', '12.345', '٣', '.5', '1.', '100000000', 12.5, null].map(
    (price): [string, object, RegExp] => [`price ${price}`, { price }, /^Invalid price format$/],
  ),
  ['a price of nothing', { price: '0.00' }, /at least 0.01/],
  ['a currency of two letters', { currency: 'EU' }, /^Currency must be 3 characters$/],
  ['an unknown currency', { currency: 'XTS' }, /not supported/],
  ['a header name of 201 characters', { headerName: 'x'.repeat(201) }, /200/],
  ['no logo', { headerLogoUrl: '' }, /^Header logo is required$/],
  ['no logo at all', { headerLogoUrl: undefined }, /^Header logo is required$/],
  ['no currency', { currency: null }, /^Currency must be 3 characters$/],
  ['an image of 1001 characters', { imageUrl: 'x'.repeat(1001) }, /1000/],
  [
    'a logo of 1001 characters',
    { headerLogoUrl: `https://example.com/${'x'.repeat(1000)}` },
    /1000/,
  ],
  ['a tier of nothing', { quantityTiers: [{ quantity: 0, price: '1' }] }, /at least 1/],
  ['half a tier', { quantityTiers: [{ quantity: 1.5, price: '1' }] }, /whole number/],
  [
    'a tier without price',
    { quantityTiers: [{ quantity: 1, price: '' }] },
    /^Invalid price format$/,
  ],
  ['tiers that are no list', { quantityTiers: 'many' }, /./],
]

test('two tiers may have the same quantity, as each new one begins with 1', async () => {
  const quantityTiers = [
    { quantity: 1, price: '45.00' },
    { quantity: 1, price: '40.00' },
  ]
  const answer = await create({ ...mug, quantityTiers })
  assert.equal(answer.statusCode, 201)
  assert.deepEqual(answer.json().quantityTiers, quantityTiers)
})

test('an invalid product is refused with a message that says why', async () => {
  for (const [what, change, words] of refused) {
    const answer = await create({ ...mug, ...change })
    assert.equal(answer.statusCode, 400, what)
    assert.match(answer.json().message, words, what)
    assert.equal(answer.json().error, answer.json().message)
  }
})

const pictures = [
  `/api/objects/${'0'.repeat(32)}`,
  'http://example.com/logo.png',
  'HTTPS://example.com/logo.png',
  'https://example.com/größer als sonst.png?v=2#top',
]
const otherTexts = [
  'logo.png',
  './logo.png',
  '/logo.png',
  'x'.repeat(1000),
  'data:image/svg+xml,<svg/>',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'blob:https://example.com/x',
  'ftp://example.com/logo.png',
  '//evil.example/logo.png',
  '/\\evil.example/logo.png',
  'https:\\\\evil.example\\logo.png',
  'https:evil.example/logo.png',
  'https://',
  'https://name:word@example.com/logo.png',
  'https://x;sandbox/logo.png',
  'https://x,script-src/logo.png',
  'https://example.com/logo\u0007.png',
  '/api/objects/../secret',
  '/api/admin/logout',
]

test('the address of a picture is any text, and only a picture is shown', async () => {
  for (const url of [...pictures, ...otherTexts]) {
    const created = await create({ ...mug, imageUrl: url, headerLogoUrl: ` ${url} ` })
    assert.equal(created.statusCode, 201, `${url}: ${created.body}`)
    const { imageUrl, headerLogoUrl } = (
      await shop.app.inject(productPath(created.json().id))
    ).json()
    assert.deepEqual({ imageUrl, headerLogoUrl }, { imageUrl: url, headerLogoUrl: url })
    assert.equal(shownPicture(url, 'item') !== undefined, pictures.includes(url), url)
  }
})

test('the picture of a value is one that is shown', async () => {
  const withValue = (imageUrl: string) =>
    create({ ...mug, choice: { name: 'Size', values: [{ name: 'S', imageUrl }] } })
  for (const url of pictures) assert.equal((await withValue(url)).statusCode, 201, url)
  for (const url of otherTexts) {
    const answer = await withValue(url)
    assert.equal(answer.statusCode, 400, url)
    assert.match(answer.json().message, /^The picture of a value/)
  }
})

test('a value keeps its picture unless the change names another, or none', async () => {
  const [imageUrl = ''] = pictures
  const values = [{ name: 'S', imageUrl }, { name: 'M' }]
  const { id, choice } = (await create({ ...mug, choice: { name: 'Size', values } })).json()
  const listPictures = async (value: object) => {
    const renamed = { id: choice.values[0].id, name: 'Small', ...value }
    const answer = await put(id, { choice: { name: 'Size', values: [renamed, { name: 'M' }] } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().choice.values.map((one: { imageUrl: string | null }) => one.imageUrl)
  }
  assert.deepEqual(await listPictures({}), [imageUrl, null])
  assert.deepEqual(await listPictures({ imageUrl: null }), [null, null])
})

test('the creator, the id and the dates cannot be set by the request', async () => {
  const sent = {
    ...mug,
    id: '00000000-0000-4000-8000-000000000000',
    createdBy: 'somebody',
    createdAt: 0,
    deletedAt: 0,
  }
  const product = (await create(sent)).json()
  const me = (await shop.app.inject({ url: apiRoutes.adminUser, headers })).json()
  assert.equal(product.createdBy, me.id)
  assert.notEqual(product.id, sent.id)
  assert.ok(Date.parse(product.createdAt) > 0)
  assert.equal((await shop.app.inject(productPath(product.id))).statusCode, 200)
})

test('missing fields get their defaults, and empty text becomes null', async () => {
  const product = (
    await create({
      name: 'Cup',
      price: '5',
      headerLogoUrl: mug.headerLogoUrl,
      description: '  ',
      imageUrl: '',
    })
  ).json()
  assert.equal(product.currency, 'EUR')
  assert.equal(product.price, '5.00')
  assert.equal(product.description, null)
  assert.equal(product.imageUrl, null)
  assert.equal(product.quantityPricingEnabled, false)
  assert.equal(product.quantityTiers, null)
})

test('names in any script and with any character are kept unchanged', async () => {
  const name = `<b>"Tasse" & 'чашка' 杯 ☕️</b> {{ liquid }} '; drop table products; --`
  const { id } = (await create({ ...mug, name })).json()
  assert.equal((await shop.app.inject(productPath(id))).json().name, name)
})

async function readDomains(environment: Record<string, string>) {
  const shop = await openTestShop({ environment })
  const headers = { ...(await shop.signIn()), host: 'localhost:3000' }
  return (await shop.app.inject({ url: apiRoutes.customDomain, headers })).json()
}

test('without settings checkout links begin with the address of the request', async () => {
  assert.deepEqual(await readDomains({}), {
    customDomain: null,
    currentDomain: 'http://localhost:3000',
    paymentCurrency: 'EUR',
    accountCurrency: null,
  })
})

test('the public address and the custom domain replace it', async () => {
  const environment = { PUBLIC_URL: 'https://shop.example.com', CUSTOM_DOMAIN: 'pay.example.com' }
  const domains = await readDomains(environment)
  assert.equal(domains.currentDomain, 'https://shop.example.com')
  assert.equal(domains.customDomain, 'https://pay.example.com')
})
