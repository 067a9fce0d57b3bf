import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { createApp } from '#server/app.ts'
import { findPieces } from '#server/catalog/stock.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { orders, products } from '#server/db/schema.ts'
import { createBuyer, payByCard, type Buyer } from '#server/testing/buyer.ts'
import { ownLogo } from '#server/testing/orders.ts'
import { addCode } from '#server/testing/prices.ts'
import { openSaleShop, sweepAll, type SaleShop } from '#server/testing/sale.ts'
import { openSecondPool } from '#server/testing/test-database.ts'
import { shareSettling, type CheckoutDeps } from './settle.ts'

/** All locks of a sale at once: the order in which they are taken is written in write-record.ts. */

const shop = await openSaleShop({ environment: { TRUST_PROXY: '1' } })
const { db, mug } = shop
const otherNode = await openSecondNode(shop)

async function openSecondNode({ shop: one }: SaleShop) {
  const database = openSecondPool(one.pool)
  after(() => database.close())
  const { productCache, log, payments } = one
  const deps: CheckoutDeps = { db: database.db, sumup: payments.sumup, productCache, log }
  const sales = {
    ...one.sales,
    settleShared: shareSettling(() => deps),
    settleForOrder: shareSettling(() => ({ ...deps, isForBuyer: true })),
  }
  const app = await createApp({ ...one, db: database.db, pool: database.pool, sales })
  after(() => app.close())
  return { app }
}

const stock = 30
const maxUses = 20
const withCode = 40

test('fifty buyers of one product with a discount code, at two nodes at once, get what is there', async () => {
  await db
    .update(products)
    .set({ stock, testStock: stock, stockCountedAt: sql`now()` })
    .where(eq(products.id, mug))
  await addCode(shop, 'MANY', { maxUses })
  const buyers = await Promise.all(Array.from({ length: 50 }, (_none, index) => openOne(index)))

  const pressed = await Promise.all(
    buyers.map(async (one) => {
      const answer = await one.buyer.saveDetails(one.checkoutId)
      return { ...one, status: answer.statusCode, code: answer.body && answer.json().code }
    }),
  )
  const holding = pressed.filter(({ status }) => status === 204)
  const refusals = pressed.filter(({ status }) => status !== 204).map(({ code }) => code)
  assert.deepEqual(new Set(refusals).difference(new Set(['sold-out', 'code-used-up'])), new Set())
  assert.equal((await findPieces(db, mug, { isTest: true }))?.left, stock - holding.length)

  await Promise.all(holding.map(({ checkoutId }) => payByCard(shop.sandbox, checkoutId)))
  const headers = await shop.signIn()
  // The page asks both nodes, the sweep looks at all of them, and the owner edits the product, which locks it too.
  const [answers, edits] = await Promise.all([
    Promise.all(
      holding.flatMap((one) => [one.buyer, one.elsewhere].map((by) => by.order(one.checkoutId))),
    ),
    Promise.all(['Mug', 'Cup', 'Mug'].map((name) => saveMug(name, headers))),
    sweepAll(shop),
  ])
  const statuses = [...answers, ...edits].map(({ statusCode }) => statusCode)
  assert.deepEqual(
    statuses.filter((status) => status !== 200 && status !== 201),
    [],
  )

  const sold = await db.select().from(orders)
  assert.equal(sold.length, holding.length)
  assert.ok(sold.length <= stock, String(sold.length))
  assert.deepEqual(
    sold.filter((order) => order.isOversold || order.isCodeOverused),
    [],
  )
  const used = sold.filter(({ discountCodeId }) => discountCodeId !== null)
  assert.ok(used.length <= maxUses, String(used.length))
  // Nobody was refused while there was something for them.
  assert.ok(sold.length === stock || used.length === maxUses)
  const left = await findPieces(db, mug, { isTest: true })
  assert.deepEqual([left?.reserved, left?.left], [0, stock - sold.length])
})

/** Every second one at the other node; most with the code. */
async function openOne(index: number): Promise<{
  buyer: Buyer
  elsewhere: Buyer
  checkoutId: string
}> {
  const address = `203.0.113.${index + 1}`
  const [own, other] = index % 2 === 0 ? [shop, otherNode] : [otherNode, shop]
  const buyer = createBuyer(own, address)
  const opened =
    index < withCode
      ? await buyer.open(mug, '44.10', 'EUR', { code: 'MANY' })
      : await buyer.open(mug)
  assert.equal(opened.statusCode, 200, opened.body)
  const elsewhere = createBuyer(other, address)
  elsewhere.useCookie(buyer.cookie())
  return { buyer, elsewhere, checkoutId: opened.json().checkoutId }
}

function saveMug(name: string, headers: { cookie: string }) {
  const url = pathOf(apiRoutes.product, { id: mug })
  const payload = { name, price: '49.00', headerLogoUrl: ownLogo }
  return shop.app.inject({ method: 'PUT', url, headers, payload })
}
