import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders, shownProducts } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { addMug, createBuyer, payByCard, type Buyer } from '#server/testing/buyer.ts'
import { ownLogo } from '#server/testing/orders.ts'
import { changeConfig } from '#server/testing/prices.ts'
import { openSaleShop } from '#server/testing/sale.ts'

/** An order is about the product that its page showed. */

const shop = await openSaleShop({ environment: { TRUST_PROXY: '1' }, web: await readWebFiles() })
const { app, db, sandbox } = shop
const headers = await shop.signIn()
let visitors = 0
const newBuyer = () => createBuyer(shop, `203.0.113.${(visitors += 1)}`)

async function saveMug(id: string, more: object): Promise<void> {
  const payload = { name: 'Mug', price: '49.00', headerLogoUrl: ownLogo, ...more }
  const url = pathOf(apiRoutes.product, { id })
  const answer = await app.inject({ method: 'PUT', url, headers, payload })
  assert.equal(answer.statusCode, 200, answer.body)
}

async function readVersion(id: string, buyer = newBuyer()): Promise<string> {
  const { body } = await buyer.call('GET', checkoutPath(id))
  const [, version = ''] = /"version":"([0-9a-f]{16})"/.exec(body) ?? []
  assert.ok(version, 'the page names what it shows')
  return version
}

const open = (buyer: Buyer, productId: string, version?: string) =>
  buyer.call('POST', apiRoutes.createCheckout, {
    productId,
    amount: '49.00',
    currency: 'EUR',
    ...(version && { version }),
  })

const changed = [409, 'page-outdated']
const codeOf = (answer: Awaited<ReturnType<typeof open>>) => [answer.statusCode, answer.json().code]

test('a page that shows what the product was gets no form, and is loaded again', async () => {
  const mug = await addMug(shop)
  const buyer = newBuyer()
  const before = await readVersion(mug, buyer)
  const first = await open(buyer, mug, before)
  assert.equal(first.statusCode, 200, first.body)
  await saveMug(mug, { description: 'Hand-made' })
  assert.deepEqual(codeOf(await open(buyer, mug, before)), changed, 'nor the form that it has')
  assert.deepEqual(codeOf(await open(newBuyer(), mug, before)), changed)
  const after = await readVersion(mug, buyer)
  assert.notEqual(after, before)
  const { checkoutId } = (await open(buyer, mug, after)).json()
  assert.notEqual(checkoutId, first.json().checkoutId)
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  await payByCard(sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  const [order] = await db.select().from(orders).where(eq(orders.sumupCheckoutId, checkoutId))
  assert.equal(order?.product.description, 'Hand-made')
})

test('a client that names no version gets a form for the product as it is', async () => {
  const mug = await addMug(shop)
  const buyer = newBuyer()
  const first = (await open(buyer, mug)).json()
  assert.equal((await open(buyer, mug)).json().checkoutId, first.checkoutId)
  await saveMug(mug, { withdrawalExemption: 'personalised' })
  const second = await open(buyer, mug)
  assert.equal(second.statusCode, 200, second.body)
  assert.notEqual(second.json().checkoutId, first.checkoutId)
})

test('a product is stored once for each version that was shown, however many buyers open it', async () => {
  const mug = await addMug(shop)
  const listShown = async () => {
    const shown = await db.select().from(shownProducts)
    return shown.flatMap(({ product }) => (product.id === mug ? product.description : []))
  }
  for (let opened = 0; opened < 3; opened += 1) await open(newBuyer(), mug)
  assert.deepEqual(await listShown(), [null])
  await saveMug(mug, { description: 'Hand-made' })
  for (let opened = 0; opened < 3; opened += 1) await open(newBuyer(), mug)
  assert.deepEqual(new Set(await listShown()), new Set([null, 'Hand-made']))
})

test('what the checkout shows names the version, and nothing else', async () => {
  const mug = await addMug(shop)
  let known = await readVersion(mug)
  const assertMoves = async (isMoved: boolean, why: string) => {
    const now = await readVersion(mug)
    assert.equal(now !== known, isMoved, why)
    known = now
  }
  const tiers = [{ quantity: 3, price: '120.00' }]
  await saveMug(mug, { stock: 5 })
  await assertMoves(false, 'stock')
  await saveMug(mug, { quantityPricingEnabled: true, quantityTiers: tiers })
  await assertMoves(false, 'tiers')
  const shown = [
    { name: 'Cup' },
    { name: 'Cup', imageUrl: 'https://example.com/cup.png' },
    { name: 'Cup', choice: { name: 'Size', values: [{ name: 'M' }] } },
    { name: 'Cup', choice: { name: 'Size', values: [{ name: 'M' }, { name: 'L' }] } },
    { name: 'Cup', choice: null, noteLabel: 'Engraving' },
  ]
  for (const content of shown) {
    await saveMug(mug, content)
    await assertMoves(true, JSON.stringify(content))
  }
  changeConfig(shop, { shop: { ...shop.shop.config.shop, vatRate: '7' } })
  await assertMoves(true, 'value added tax')
})
