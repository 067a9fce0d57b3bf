import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { AdminOrder, BulkChange, OrderEvent } from '#contract/orders.ts'
import { apiRoutes, pathOf, thankYouPath } from '#contract/paths.ts'
import { auditLog } from '#server/db/admin-schema.ts'
import { eq } from '#server/db/drizzle.ts'
import { mails, orders } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestShop, testSecret } from '#server/testing/test-shop.ts'
import { orderLink } from './order-link.ts'

const { app, db, signIn } = await openTestShop({ web: await readWebFiles() })
const headers = await signIn()
const parcel = { carrier: 'dhl', trackingNumber: '00340434161094042557' }
const parcelUrl =
  'https://www.dhl.de/de/privatkunden/dhl-sendungsverfolgung.html?piececode=00340434161094042557'

async function add(change: Partial<typeof orders.$inferInsert> = {}): Promise<string> {
  return (await addOrders(db, [change]))[0]?.id ?? ''
}

function put(id: string, payload: object) {
  const url = pathOf(apiRoutes.orderShipment, { id })
  return app.inject({ method: 'PUT', url, headers, payload })
}

async function save(id: string, payload: object = parcel): Promise<AdminOrder> {
  const answer = await put(id, payload)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function remove(id: string): Promise<AdminOrder> {
  const url = pathOf(apiRoutes.orderShipment, { id })
  const answer = await app.inject({ method: 'DELETE', url, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function historyOf(id: string): Promise<string[]> {
  const url = pathOf(apiRoutes.orderTimeline, { id })
  const events: OrderEvent[] = (await app.inject({ url, headers })).json()
  return events.flatMap(({ event, from, to }) =>
    event === 'mail' ? [] : to ? `${from} → ${to}` : event,
  )
}

const mailsOf = (id: string) => db.select().from(mails).where(eq(mails.orderId, id))
const auditOf = (id: string) => db.select().from(auditLog).where(eq(auditLog.subject, id))

test('tracking marks an order as shipped, in one step of its history and of the audit log', async () => {
  const id = await add({ status: 'processing' })
  const order = await save(id)
  assert.equal(order.status, 'shipped')
  assert.deepEqual(order.shipment, { ...parcel, trackingUrl: parcelUrl })
  assert.deepEqual(await historyOf(id), ['processing → shipped', 'tracking-added'])
  const [entry, ...others] = await auditOf(id)
  assert.deepEqual([entry?.action, others], ['order-shipment', []])
  const detail = { carrier: 'dhl', from: 'processing', to: 'shipped' }
  assert.deepEqual(entry?.detail, detail, 'without the number')
})

test('an order that was sent keeps its status', async () => {
  for (const status of ['shipped', 'completed'] as const) {
    const id = await add({ status })
    assert.equal((await save(id)).status, status)
    assert.deepEqual(await historyOf(id), ['tracking-added'])
  }
})

test('the same tracking again changes nothing', async () => {
  const id = await add()
  await save(id)
  const before = await db.select().from(orders).where(eq(orders.id, id))
  await save(id)
  assert.deepEqual(await db.select().from(orders).where(eq(orders.id, id)), before)
  assert.equal((await historyOf(id)).length, 2)
  assert.equal((await auditOf(id)).length, 1)
})

test('a link that is given wins, and PostNL’s own says where the parcel goes', async () => {
  const id = await add()
  const trackingUrl = 'https://parcels.example/7'
  assert.equal((await save(id, { ...parcel, trackingUrl })).shipment?.trackingUrl, trackingUrl)
  const postnl = { carrier: 'postnl', trackingNumber: '3S ABCD 1234567' }
  assert.deepEqual((await save(id, postnl)).shipment, {
    carrier: 'postnl',
    trackingNumber: '3SABCD1234567',
    trackingUrl: 'https://jouw.postnl.nl/track-and-trace/3SABCD1234567-DE-10115',
  })
  const other = { carrier: 'other', trackingNumber: '4711' }
  assert.equal((await save(id, other)).shipment?.trackingUrl, null)
})

test('the buyer gets one mail with the first tracking, however often it is corrected', async () => {
  const id = await add()
  await save(id)
  await save(id, { carrier: 'ups', trackingNumber: '1Z999AA10123456784' })
  await save(id, { carrier: 'ups', trackingNumber: '1Z999AA10123456784', tellsCustomer: true })
  assert.deepEqual(
    (await mailsOf(id)).map(({ kind }) => kind),
    ['shipped'],
  )
  // Old mails are deleted after some months.
  await db.delete(mails).where(eq(mails.orderId, id))
  await save(id)
  assert.deepEqual(await mailsOf(id), [])
})

test('no mail goes out where the owner asks for none, or nobody could get it', async () => {
  const asked = await add()
  await save(asked, { ...parcel, tellsCustomer: false })
  const nameless = await add({ customerEmail: null })
  await save(nameless)
  for (const id of [asked, nameless]) assert.deepEqual(await mailsOf(id), [])
})

test('the status alone, as any client sets it, sends no mail and sets no tracking', async () => {
  const id = await add()
  const url = pathOf(apiRoutes.orderStatus, { id })
  const answer = await app.inject({ method: 'PATCH', url, headers, payload: { status: 'shipped' } })
  assert.equal(answer.json().shipment, null)
  assert.deepEqual(await mailsOf(id), [])
  await save(id)
  assert.equal((await mailsOf(id)).length, 1, 'tracking may follow later')
})

test('tracking that is removed takes back a mail that has not left; after one that has, the right one is told', async () => {
  const early = await add()
  await save(early)
  assert.equal((await remove(early)).shipment, null)
  assert.deepEqual(await mailsOf(early), [])
  assert.deepEqual((await historyOf(early)).slice(-2), ['tracking-added', 'tracking-removed'])
  await save(early)
  assert.equal((await mailsOf(early)).length, 1, 'the right one is told')

  const late = await add()
  await save(late)
  await db.update(mails).set({ attempts: 1 }).where(eq(mails.orderId, late))
  await remove(late)
  await remove(late)
  await save(late)
  const kinds = async () => (await mailsOf(late)).map(({ kind }) => kind).toSorted()
  assert.deepEqual(await kinds(), ['shipped', 'shipped-1'])
  await db.update(mails).set({ attempts: 1 }).where(eq(mails.orderId, late))
  await remove(late)
  await save(late)
  assert.deepEqual(await kinds(), ['shipped', 'shipped-1', 'shipped-2'])
  await remove(late)
  const removals = (await auditOf(late)).filter(({ action }) => action === 'order-shipment-removed')
  assert.equal(removals.length, 3)
  await setStatus(late, 'processing')
  assert.ok((await kinds()).includes('unshipped'), 'nor is it on its way')
})

const sendMails = () => db.update(mails).set({ attempts: 1, nextTryAt: null, sentAt: new Date() })

async function setStatus(id: string, status: string): Promise<void> {
  const url = pathOf(apiRoutes.orderStatus, { id })
  await app.inject({ method: 'PATCH', url, headers, payload: { status } })
}

test('who was told that a parcel is on its way is told when it is not, and again when it is', async () => {
  const id = await add()
  await save(id)
  const kinds = async () => (await mailsOf(id)).map(({ kind }) => kind).toSorted()
  await setStatus(id, 'pending')
  await setStatus(id, 'shipped')
  assert.deepEqual(await kinds(), ['shipped'], 'the mail had not left')
  await sendMails()
  await setStatus(id, 'processing')
  assert.deepEqual(await kinds(), ['shipped', 'unshipped'])
  await setStatus(id, 'shipped')
  assert.deepEqual(await kinds(), ['shipped'], 'the correction had not left')
  await setStatus(id, 'processing')
  await sendMails()
  await setStatus(id, 'shipped')
  assert.deepEqual(await kinds(), ['shipped', 'shipped-1', 'unshipped'])
})

test('who was told that a parcel is not on its way is told that it was, also where it is completed at once', async () => {
  const id = await add()
  await save(id)
  await sendMails()
  await setStatus(id, 'processing')
  await sendMails()
  await setStatus(id, 'completed')
  const kinds = async () => (await mailsOf(id)).map(({ kind }) => kind).toSorted()
  assert.deepEqual(await kinds(), ['shipped', 'shipped-1', 'unshipped'])
  const waiting = (await mailsOf(id)).filter(({ nextTryAt }) => nextTryAt !== null)
  assert.deepEqual(
    waiting.map(({ kind }) => kind),
    ['shipped'],
  )
})

test('who has the parcel is not told that it is not on its way, nor again that it is', async () => {
  const id = await add()
  await save(id)
  await sendMails()
  for (const status of ['completed', 'processing', 'completed', 'pending', 'shipped'])
    await setStatus(id, status)
  assert.deepEqual(
    (await mailsOf(id)).map(({ kind }) => kind),
    ['shipped'],
  )
})

test('a mail that was not sent because the status was taken back is sent when it is true again', async () => {
  const id = await add()
  await save(id)
  const skipped = { attempts: 1, nextTryAt: null, sentAt: new Date(), lastError: 'no recipient' }
  await setStatus(id, 'pending')
  await db.update(mails).set(skipped).where(eq(mails.orderId, id))
  await save(id)
  const waiting = (await mailsOf(id)).filter(({ nextTryAt }) => nextTryAt !== null)
  assert.deepEqual(
    waiting.map(({ kind }) => kind),
    ['shipped'],
  )
})

test('who was told of a bulk change that is undone is told so', async () => {
  const bulkId = randomUUID()
  const id = await add()
  await save(id, { ...parcel, bulkId })
  await sendMails()
  await app.inject({
    method: 'POST',
    url: pathOf(apiRoutes.bulkChangeUndo, { id: bulkId }),
    headers,
  })
  const kinds = (await mailsOf(id)).map(({ kind }) => kind)
  assert.deepEqual(kinds.toSorted(), ['shipped', 'unshipped'])
})

test('nobody is told that a completed order is on its way, and an erased one gets no tracking', async () => {
  const arrived = await add({ status: 'completed' })
  await save(arrived)
  assert.deepEqual(await mailsOf(arrived), [])
  const erased = await add({ erasedAt: new Date() })
  const url = pathOf(apiRoutes.orderShipment, { id: erased })
  const payload = { carrier: 'dhl', trackingNumber: '12345' }
  const answer = await app.inject({ method: 'PUT', url, headers, payload })
  assert.equal(answer.statusCode, 409)
})

test('many parcels at once are one bulk change, which can be undone', async () => {
  const [first, second, sent] = [await add(), await add(), await add({ status: 'shipped' })]
  const bulkId = randomUUID()
  for (const id of [first, second, sent]) await save(id, { ...parcel, bulkId })
  const changes: BulkChange[] = (await app.inject({ url: apiRoutes.bulkChanges, headers })).json()
  const change = changes.find(({ id }) => id === bulkId)
  assert.deepEqual([change?.to, change?.orders, change?.undoable], ['shipped', 2, 2])
  const url = pathOf(apiRoutes.bulkChangeUndo, { id: bulkId })
  const undone = await app.inject({ method: 'POST', url, headers })
  assert.equal(undone.json().changes.length, 2)
  const [order] = await db.select().from(orders).where(eq(orders.id, first))
  assert.equal(order?.status, 'pending')
  const [audited] = (await auditOf(first)).filter(({ action }) => action === 'order-shipment')
  assert.equal(audited?.partOf, `bulk-change ${bulkId}`)
})

test('the thank-you page shows a sent parcel to its buyer, and to nobody else', async () => {
  const id = await add()
  const readPage = async (url: string) => (await app.inject({ url })).body
  const ownPage = orderLink('', { id, linkVersion: 0 }, testSecret)
  await save(id)
  const own = await readPage(ownPage)
  assert.ok(own.includes(`href="${parcelUrl}"`))
  assert.match(own, /On its way[\s\S]*DHL[\s\S]*Track your parcel/)
  const masked = await readPage(thankYouPath(id))
  assert.match(masked, /On its way/)
  assert.ok(!masked.includes(parcel.trackingNumber))
  const url = pathOf(apiRoutes.orderStatus, { id })
  await app.inject({ method: 'PATCH', url, headers, payload: { status: 'processing' } })
  assert.ok(!(await readPage(ownPage)).includes(parcel.trackingNumber), 'taken back')
})

test('what is no tracking is refused in words', async () => {
  const id = await add()
  const refused: [object, RegExp][] = [
    [{}, /carrier/i],
    [{ carrier: 'pigeon', trackingNumber: '12345' }, /Choose a carrier/],
    [{ carrier: 'dhl' }, /Enter a tracking number/],
    [{ carrier: 'dhl', trackingNumber: '<script>' }, /letters and digits/],
    [{ carrier: 'other', trackingUrl: 'http://parcels.example' }, /https:\/\//],
    [{ carrier: 'other', trackingUrl: '#' }, /https:\/\//],
  ]
  for (const [payload, text] of refused) {
    const answer = await put(id, payload)
    assert.equal(answer.statusCode, 400, answer.body)
    assert.match(answer.json().message, text)
  }
  const [order] = await db.select().from(orders).where(eq(orders.id, id))
  assert.deepEqual([order?.status, order?.shipment], ['pending', null])
})
