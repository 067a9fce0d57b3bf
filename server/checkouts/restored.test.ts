import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Notice } from '#contract/admin.ts'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { nodeJobs } from '#server/db/node-schema.ts'
import { findRestored, markRestored } from '#server/db/restored.ts'
import { checkouts, orders, products } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop, type SaleShop } from '#server/testing/sale.ts'
import { compareIfDue } from './compare.ts'

const web = await readWebFiles()

/** A shop as it is right after a restore: of its two products the pieces of one are counted. */
async function openRestoredShop(options: Parameters<typeof openSaleShop>[0] = {}) {
  const shop = await openSaleShop({ web, ...options })
  const { app } = shop
  const counted = await addMug(shop)
  const headers = await shop.signIn()
  const url = pathOf(apiRoutes.product, { id: counted })
  const payload = { stock: 1 }
  assert.equal((await app.inject({ method: 'PUT', url, headers, payload })).statusCode, 200)
  const backupAt = '2026-11-16T03:00:00.000Z'
  const restore = () => shop.shop.pool.query(markRestored.text, markRestored.values(backupAt))
  const findNotice = async (): Promise<Notice | undefined> => {
    const listed = await app.inject({ url: apiRoutes.notices, headers: await shop.signIn() })
    return listed.json().find(({ kind }: Notice) => kind === 'restored')
  }
  const post = async (path: string, body?: object) => {
    const call = { method: 'POST', url: path, headers: await shop.signIn() } as const
    return (await app.inject({ ...call, ...(body && { payload: body }) })).statusCode
  }
  const dismiss = (since: string | undefined) =>
    post(pathOf(apiRoutes.noticeDismiss, { kind: 'restored' }), { since })
  const listAudit = async () => {
    const log = await app.inject({ url: apiRoutes.auditLog, headers: await shop.signIn() })
    return log.json().entries
  }
  return { ...shop, counted, restore, findNotice, post, dismiss, listAudit }
}

/** What the buyer of a product gets: the code of the refusal, if it is one. */
async function open(shop: SaleShop, id: string): Promise<[number, string | undefined]> {
  const answer = await createBuyer(shop).open(id)
  return [answer.statusCode, answer.json().code]
}

const readPage = async ({ app }: SaleShop, url: string) => (await app.inject({ url })).body
const sold = [200, undefined]
const waiting = [409, 'product-paused']

test('after a restore counted products wait for the comparison with SumUp, and no page calls them sold out', async () => {
  const shop = await openRestoredShop()
  const { app, db, counted, mug, settling } = shop
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(counted)).json()
  const other = createBuyer(shop)
  const taken = await other.arrive(counted)
  await payByCard(shop.sandbox, taken)
  assert.equal((await other.order(taken)).statusCode, 201)
  assert.match(await readPage(shop, checkoutPath(counted)), /Sold out/)
  await shop.restore()

  assert.deepEqual(await open(shop, counted), waiting)
  const form = await buyer.saveDetails(checkoutId)
  assert.deepEqual([form.statusCode, form.json().code], waiting, 'a form of before takes no card')
  const page = await readPage(shop, checkoutPath(counted))
  assert.match(page, /Not for sale right now/)
  assert.doesNotMatch(page, /Sold out/)
  assert.deepEqual(await open(shop, mug), sold)
  const held = await shop.findNotice()
  assert.equal(
    held?.title,
    `This shop was restored from the backup of ${inShop(shop, '2026-11-16T03:00:00.000Z')}.`,
  )
  assert.match(held?.text ?? '', /SumUp is being asked .* are not sold: .* shipped since then/)
  assert.deepEqual([held?.action, held?.since, held?.isUrgent], ['sell-counted', undefined, true])

  const health = await app.inject({ url: apiRoutes.linkHealth, headers: await shop.signIn() })
  const { products: checks } = health.json()
  const listSale = (id: string) =>
    checks[id].filter(({ name }: { name: string }) => name === 'Sale').length
  assert.deepEqual([listSale(counted), listSale(mug)], [1, 0])
  assert.match(health.body, /restored from a backup, and its pieces may be gone/)

  await db.update(products).set({ stock: 5, testStock: 5 })
  await compareIfDue(settling)
  assert.deepEqual(await open(shop, counted), sold)
  const compared = await shop.findNotice()
  assert.match(compared?.text ?? '', /asked for all payments since then: the shop knows every one/)
  assert.deepEqual([compared?.action, typeof compared?.since], [undefined, 'string'])
})

function inShop({ shop }: SaleShop, at: string): string {
  const { timeZone } = shop.config
  const format = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const
  return `${new Intl.DateTimeFormat('sv-SE', format).format(new Date(at))} (${timeZone})`
}

test('the notice says what the comparison brought back, until the owner has looked, which is recorded', async () => {
  const shop = await openRestoredShop()
  const { db, mug, settling } = shop
  const pay = async () => {
    const checkoutId = await createBuyer(shop).arrive(mug)
    await payByCard(shop.sandbox, checkoutId)
    return checkoutId
  }
  const [known, lost] = [await pay(), await pay()]
  await db.update(checkouts).set({ state: 'closed', nextCheckAt: null })
  await db.delete(checkouts).where(sql`sumup_checkout_id = ${lost}`)
  await shop.restore()
  await compareIfDue(settling)
  const [order] = await db.select().from(orders)
  assert.equal(order?.sumupCheckoutId, known)
  const notice = await shop.findNotice()
  assert.match(
    notice?.text ?? '',
    /since then: 1 became orders, 1 stand in review above the orders\./,
  )
  assert.equal(await shop.dismiss('2026-11-16T03:00:00.000Z'), 204)
  assert.ok(await shop.findNotice(), 'another restore is not dismissed')
  assert.equal(await shop.dismiss(notice?.since), 204)
  assert.equal(await shop.findNotice(), undefined)
  assert.partialDeepStrictEqual(await shop.listAudit(), [
    { action: 'notice-dismissed', subject: 'restored', adminName: 'owner' },
  ])
})

test('where the comparison cannot run the owner is told, and gives the word to sell', async () => {
  const shop = await openRestoredShop({ isLive: true })
  const { counted, settling } = shop
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  await shop.db.execute(sql`update checkouts set merchant_code = 'FORMER'`)
  await shop.restore()
  await compareIfDue(settling)
  // What is sold through the other account does not make it the former one.
  assert.deepEqual(await open(shop, shop.mug), sold)
  await shop.db.update(nodeJobs).set({ heldUntil: sql`now()` })
  await compareIfDue(settling)
  assert.deepEqual(await open(shop, counted), waiting)
  const held = await shop.findNotice()
  assert.match(held?.text ?? '', /are not looked for: the SumUp account is not the one/)
  assert.deepEqual([held?.action, held?.place], ['sell-counted', 'sumup'])

  assert.equal(await shop.post(apiRoutes.sellCounted), 204)
  assert.equal(await shop.post(apiRoutes.sellCounted), 204, 'pressed twice')
  assert.deepEqual(await open(shop, counted), sold)
  const [entry, before] = await shop.listAudit()
  assert.deepEqual([entry.action, entry.adminName], ['counted-sold-again', 'owner'])
  assert.notEqual(before.action, 'counted-sold-again')
  const told = await shop.findNotice()
  assert.match(told?.text ?? '', /are not looked for/)
  assert.equal(await shop.dismiss(told?.since), 204)
  assert.equal(await shop.findNotice(), undefined)
})

test('a comparison that SumUp does not answer in full is made again in minutes, and counted products wait', async () => {
  const shop = await openRestoredShop()
  const { db, counted, settling } = shop
  await payByCard(shop.sandbox, await createBuyer(shop).arrive(shop.mug))
  await db.delete(checkouts)
  await shop.restore()
  const { sumup } = settling
  const away = async () => {
    throw new Error('SumUp is away')
  }
  await assert.rejects(compareIfDue({ ...settling, sumup: { ...sumup, listHistory: away } }))
  const { rows } = await db.execute(
    sql`select from node_jobs where name like 'comparison%' and held_until < now() + interval '6 minutes'`,
  )
  assert.equal(rows.length, 1)
  assert.deepEqual(await open(shop, counted), waiting)

  const dueAgain = () => db.update(nodeJobs).set({ heldUntil: sql`now()` })
  shop.sandbox.faults.set({ rules: [{ on: 'transaction', kind: 'error-500', probability: 1 }] })
  await dueAgain()
  await compareIfDue({ ...settling, retryDelaysMs: [] })
  assert.equal((await findRestored(db))?.comparedAt, null)
  shop.sandbox.faults.set({ rules: [] })
  await dueAgain()
  await compareIfDue(settling)
  assert.ok((await findRestored(db))?.comparedAt)
  assert.deepEqual(await open(shop, counted), sold)
})

test('the buyer of an order that a restored shop does not know is told so, while the owner has not looked', async () => {
  const shop = await openRestoredShop()
  const unknown = thankYouPath(randomUUID())
  const asked = /Please check the link/
  assert.match(await readPage(shop, unknown), asked)
  await shop.restore()
  const lost = await readPage(shop, unknown)
  assert.match(lost, /restored from a backup and may not know the latest orders yet/)
  assert.doesNotMatch(lost, asked)
  await compareIfDue(shop.settling)
  await shop.dismiss((await shop.findNotice())?.since)
  assert.match(await readPage(shop, unknown), asked)
})

test('the backup of a restored shop that was not compared yet is older than it says', async () => {
  const shop = await openRestoredShop()
  await shop.restore()
  const { pool } = shop.shop
  await pool.query(markRestored.text, markRestored.values('2026-11-17T03:00:00.000Z'))
  const isoOf = async () => (await findRestored(shop.db))?.backupAt.toISOString()
  assert.equal(await isoOf(), '2026-11-16T03:00:00.000Z')
  await compareIfDue(shop.settling)
  await pool.query(markRestored.text, markRestored.values('2026-11-18T03:00:00.000Z'))
  assert.equal(await isoOf(), '2026-11-18T03:00:00.000Z')
})
