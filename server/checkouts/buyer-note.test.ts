import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import { createProduct, updateProduct } from '#server/catalog/products.ts'
import { orders } from '#server/db/schema.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { ownLogo } from '#server/testing/orders.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

const shop = await openSaleShop()
const { app, db, mug, sandbox } = shop
const headers = await shop.signIn()

const content = { name: 'Ring', price: '49.00', headerLogoUrl: ownLogo }
const engraving = { noteLabel: 'Engraving', isNoteRequired: true }
const text = 'For Anna\nwith love'

async function addRing(asked: object = engraving): Promise<string> {
  return (await createProduct(db, productSchema.parse({ ...content, ...asked }), 'admin')).id
}

let buyers = 0

async function openForm(productId: string) {
  const buyer = createBuyer(shop, `203.0.113.${(buyers += 1)}`)
  const { checkoutId } = (await buyer.open(productId)).json()
  return { buyer, checkoutId: String(checkoutId) }
}

/** Buys it with this text and returns the order as its buyer reads it. */
async function buy(productId: string, note: string | undefined, more: object = {}) {
  const { buyer, checkoutId } = await openForm(productId)
  const details = { ...delivery, ...more, ...(note && { note }) }
  const saved = await buyer.saveDetails(checkoutId, details)
  assert.equal(saved.statusCode, 204, saved.body)
  await payByCard(sandbox, checkoutId)
  const answer = await buyer.order(checkoutId)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json()
}

const readAs = (id: string, cookie: string) =>
  app.inject({ url: pathOf(apiRoutes.order, { id }), headers: { cookie } })

test('nobody can pay without the text that a product needs, and it is kept as it was written', async () => {
  const ring = await addRing()
  const { buyer, checkoutId } = await openForm(ring)
  for (const note of [undefined, '', ' \n ']) {
    const refused = await buyer.saveDetails(checkoutId, { ...delivery, note })
    assert.equal(refused.statusCode, 422)
    const { code, field } = refused.json()
    assert.deepEqual([code, field], ['note-needed', 'note'])
  }
  const { note, product } = await buy(ring, ` For \u202EAnna\r\nwith love `)
  assert.equal(note, text)
  assert.equal(product.noteLabel, 'Engraving')
  assert.equal('isNoteRequired' in product, false)
})

test('a text that is too long is refused at its field', async () => {
  const { buyer, checkoutId } = await openForm(await addRing())
  const long = await buyer.saveDetails(checkoutId, { ...delivery, note: 'x'.repeat(501) })
  assert.equal(long.statusCode, 400)
  assert.equal(long.json().field, 'note')
  const longest = await buyer.saveDetails(checkoutId, { ...delivery, note: 'x'.repeat(500) })
  assert.equal(longest.statusCode, 204)
})

test('where the text is optional it may be missing, and where nothing is asked it is dropped', async () => {
  const ring = await addRing({ noteLabel: 'Gift text' })
  assert.equal('note' in (await buy(ring, undefined)), false)
  assert.equal((await buy(ring, text)).note, text)
  const { note, product } = await buy(mug, text)
  assert.deepEqual([note, product.noteLabel], [undefined, undefined])
})

test('an order keeps the label under which the text was asked for', async () => {
  const ring = await addRing()
  const { id } = await buy(ring, text)
  const renamed = { ...content, noteLabel: 'Inscription' }
  await updateProduct(db, ring, productSchema.parse(renamed))
  const { note, product } = (await readAs(id, headers.cookie)).json()
  assert.deepEqual([note, product.noteLabel], [text, 'Engraving'])
})

test('only the buyer and the shop read the text', async () => {
  const { id } = await buy(await addRing(), text)
  assert.equal('note' in (await readAs(id, '')).json(), false)
  assert.equal((await readAs(id, headers.cookie)).json().note, text)
})

test('what was paid is an order without the text too', async () => {
  const { buyer, checkoutId } = await openForm(await addRing())
  await payByCard(sandbox, checkoutId)
  const placed = await buyer.order(checkoutId)
  assert.equal(placed.statusCode, 201, placed.body)
  const other = await openForm(await addRing())
  await payByCard(sandbox, other.checkoutId)
  assert.equal((await other.buyer.order(other.checkoutId, { note: text })).json().note, text)
})

test('the public product says what is asked, and nothing where nothing is', async () => {
  const read = async (id: string) =>
    (await app.inject({ url: pathOf(apiRoutes.product, { id }) })).json()
  const { noteLabel, isNoteRequired } = await read(await addRing())
  assert.deepEqual({ noteLabel, isNoteRequired }, engraving)
  const plain = Object.keys(await read(mug))
  assert.ok(!plain.includes('noteLabel') && !plain.includes('isNoteRequired'))
})

test('what is left out of a change stays as it is', async () => {
  const ring = await addRing()
  const { product } = await updateProduct(db, ring, productSchema.parse(content))
  assert.deepEqual([product.noteLabel, product.isNoteRequired], ['Engraving', true])
  const none = await updateProduct(db, ring, productSchema.parse({ ...content, noteLabel: '' }))
  assert.equal(none.product.noteLabel, null)
})

test('the text is searched, exported, told to its customer and erased with them', async () => {
  const email = 'zoe@example.com'
  const exportAll = async () => (await app.inject({ url: apiRoutes.orderExport, headers })).body
  const { id } = await buy(await addRing(), 'Zanzibar, always\n=1+1', { customerEmail: email })
  const find = async () => {
    const found = await app.inject({ url: `${apiRoutes.orders}?q=zanzibar`, headers })
    return found.json<{ id: string }[]>().map((order) => order.id)
  }
  assert.deepEqual(await find(), [id])
  assert.ok((await exportAll()).includes(`,"Zanzibar, always\n'=1+1",`))

  const about = await app.inject({
    method: 'POST',
    url: apiRoutes.customerExport,
    headers,
    payload: { email },
  })
  assert.match(about.body, /Zanzibar, always/)
  await db.update(orders).set({ status: 'completed' })
  const erased = await app.inject({
    method: 'POST',
    url: apiRoutes.customerErase,
    headers,
    payload: { email, password: testAdmin.password },
  })
  assert.equal(erased.statusCode, 200, erased.body)
  assert.deepEqual(await find(), [])
  assert.equal('note' in (await readAs(id, headers.cookie)).json(), false)
  assert.doesNotMatch(await exportAll(), /Zanzibar/)
})
