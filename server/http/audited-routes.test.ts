import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderNote } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { codeAt } from '#server/admin/second-factor.ts'
import {
  auditLog,
  restoredBackups,
  secondFactors,
  watchedScripts,
} from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { fromBase32 } from '#server/testing/admins.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { addOrders } from '#server/testing/orders.ts'
import { listReview, openSaleShop, sendWebhook, versionOf } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

/** Each changes nothing that matters by itself. */
const withoutEntry = new Set([
  'POST /api/admin/account/second-factor',
  // What a person has read is their own.
  'POST /api/admin/notices/fold',
  'PUT /api/settings/setup/folding',
  // They only render a page and a card.
  'POST /api/products/preview',
  'POST /api/products/link-preview',
  // Asks, and changes nothing.
  'POST /api/settings/address/check',
  'POST /api/settings/sumup/check',
  // A picture counts once a product shows it, and the change of the product is recorded.
  'POST /api/objects/upload',
  'POST /api/objects/s3/multipart',
  'DELETE /api/objects/s3/multipart/:uploadId',
  'POST /api/objects/s3/multipart/:uploadId/complete',
])

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Call = { url: string; payload?: object }

const shop = await openSaleShop()
const { db, app, mug } = shop
const headers = await shop.signIn()
const { password } = testAdmin
const proof = { password }

const call = (method: Method, { url, payload }: Call) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })

async function post<Answer>(url: string, payload: object): Promise<Answer> {
  const answer = await call('POST', { url, payload })
  assert.ok(answer.statusCode < 300, `${url} ${answer.body}`)
  return answer.json()
}

async function addHelper(): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`
  const { link } = await post<{ link: string }>(apiRoutes.invites, { email, ...proof })
  const helper = {
    token: link.split('#invite=')[1],
    username: email,
    password: 'seven quiet rivers',
  }
  return (await post<{ id: string }>(apiRoutes.acceptInvite, helper)).id
}

async function addReview(): Promise<string> {
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  return (await listReview(shop))[0]?.id ?? ''
}

let key: Buffer = Buffer.alloc(0)

async function readCode(): Promise<string> {
  await db.update(secondFactors).set({ lastStep: 0 })
  const { rows } = await db.execute<{ step: number }>(
    sql`select floor(extract(epoch from now()) / 30)::int as step`,
  )
  return codeAt(key, rows[0]?.step ?? 0)
}

const product = { name: 'Lamp', price: '10.00', headerLogoUrl: 'https://example.com/logo.png' }
const addProduct = async () => (await post<{ id: string }>(apiRoutes.products, product)).id
const addCode = async (code: string) => {
  const { id } = await post<{ id: string }>(apiRoutes.discountCodes, { code, percent: 10 })
  return pathOf(apiRoutes.discountCode, { id })
}
const ofAdmin = (route: string) => async () => ({
  url: pathOf(route, { id: await addHelper() }),
  payload: proof,
})
const ofReview = (route: string, given: object) => async () =>
  decideOn(await addReview(), route, given)

/** A decision about an entry as it is listed now. */
async function decideOn(id: string, route: string, given: object = {}): Promise<Call> {
  const version = await versionOf(shop, id)
  return { url: pathOf(route, { id }), payload: { version, ...given } }
}

/** A valid call of each route, prepared when it is called. */
const calls: Record<string, () => Promise<Call>> = {
  'POST /api/admin/account/second-factor/confirm': async () => {
    const offer = await post<{ secret: string }>(apiRoutes.secondFactor, proof)
    key = fromBase32(offer.secret)
    return { url: apiRoutes.secondFactorConfirm, payload: { code: await readCode() } }
  },
  'POST /api/admin/account/second-factor/off': async () => ({
    url: apiRoutes.secondFactorOff,
    payload: { ...proof, code: await readCode() },
  }),
  'DELETE /api/admin/sessions': async () => {
    await shop.signIn()
    return { url: apiRoutes.adminSessions }
  },
  'DELETE /api/admin/sessions/:id': async () => {
    await shop.signIn()
    const list = await app.inject({ url: apiRoutes.adminSessions, headers })
    return { url: pathOf(apiRoutes.adminSession, { id: list.json()[0].id }) }
  },
  'POST /api/admin/admins/:id/disable': ofAdmin(apiRoutes.adminDisable),
  'POST /api/admin/admins/:id/enable': async () => {
    const { url } = await ofAdmin(apiRoutes.adminEnable)()
    await call('POST', { url: url.replace(/enable$/, 'disable'), payload: proof })
    return { url, payload: proof }
  },
  'POST /api/admin/admins/:id/remove': ofAdmin(apiRoutes.adminRemove),
  'POST /api/admin/invites': async () => ({
    url: apiRoutes.invites,
    payload: { ...proof, email: 'new@example.com' },
  }),
  'DELETE /api/admin/invites/:id': async () => {
    const invite = { ...proof, email: 'other@example.com' }
    const { id } = await post<{ id: string }>(apiRoutes.invites, invite)
    return { url: pathOf(apiRoutes.invite, { id }) }
  },
  'PUT /api/settings/:section': async () => ({
    url: pathOf(apiRoutes.settingsSection, { section: 'tax' }),
    payload: { version: 0, values: { vatRate: '19', vatNumber: null } },
  }),
  'POST /api/settings/mail/test': async () => ({ url: apiRoutes.testMail, payload: {} }),
  'POST /api/admin/notices/:kind/dismiss': async () => {
    const since = '2026-01-01T00:00:00.000Z'
    const script = { url: shop.shop.payments.sdkUrl, hash: 'a'.repeat(64) }
    await db.insert(watchedScripts).values({ ...script, changedAt: new Date(since) })
    return { url: pathOf(apiRoutes.noticeDismiss, { kind: 'card-form' }), payload: { since } }
  },
  'POST /api/admin/notices/restored/sell-counted': async () => {
    await db.insert(restoredBackups).values({ backupAt: new Date() })
    return { url: apiRoutes.sellCounted }
  },
  'POST /api/products': async () => ({ url: apiRoutes.products, payload: product }),
  'PUT /api/products/:id': async () => ({
    url: pathOf(apiRoutes.product, { id: await addProduct() }),
    payload: { ...product, price: '12.00' },
  }),
  'DELETE /api/products/:id': async () => ({
    url: pathOf(apiRoutes.product, { id: await addProduct() }),
  }),
  'POST /api/products/:id/restore': async () => {
    const id = await addProduct()
    await call('DELETE', { url: pathOf(apiRoutes.product, { id }) })
    return { url: pathOf(apiRoutes.productRestore, { id }) }
  },
  'POST /api/products/:id/pause': async () => ({
    url: pathOf(apiRoutes.productPause, { id: await addProduct() }),
  }),
  'POST /api/products/:id/resume': async () => {
    const id = await addProduct()
    await call('POST', { url: pathOf(apiRoutes.productPause, { id }) })
    return { url: pathOf(apiRoutes.productResume, { id }) }
  },
  'POST /api/admin/discount-codes': async () => ({
    url: apiRoutes.discountCodes,
    payload: { code: 'TEN', percent: 10 },
  }),
  'PUT /api/admin/discount-codes/:id': async () => ({
    url: await addCode('CHANGED'),
    payload: { maxUses: 5 },
  }),
  'DELETE /api/admin/discount-codes/:id': async () => ({ url: await addCode('DELETED') }),
  'PATCH /api/orders/:id/status': async () => {
    const [order] = await addOrders(db, [{ status: 'pending' }])
    const url = pathOf(apiRoutes.orderStatus, { id: order?.id ?? '' })
    return { url, payload: { status: 'shipped' } }
  },
  'PUT /api/orders/:id/shipment': async () => {
    const [order] = await addOrders(db, [{ status: 'pending' }])
    const url = pathOf(apiRoutes.orderShipment, { id: order?.id ?? '' })
    return { url, payload: { carrier: 'dhl', trackingNumber: '00340434161094042557' } }
  },
  'DELETE /api/orders/:id/shipment': async () => {
    const shipment = { carrier: 'dhl', trackingNumber: '12345', trackingUrl: null } as const
    const [order] = await addOrders(db, [{ status: 'shipped', shipment }])
    return { url: pathOf(apiRoutes.orderShipment, { id: order?.id ?? '' }) }
  },
  'PUT /api/orders/:id/customer': async () => {
    const [order] = await addOrders(db, [{}])
    const { customerEmail, customerPhone, shippingAddress } = order ?? {}
    const before = { customerEmail, customerPhone, shippingAddress }
    const url = pathOf(apiRoutes.orderCustomer, { id: order?.id ?? '' })
    return { url, payload: { customerEmail: 'otto@example.com', shippingAddress, before } }
  },
  'POST /api/orders/:id/confirmation': async () => {
    const [order] = await addOrders(db, [{}])
    shop.shop.config.mail.smtpUrl = 'smtp://127.0.0.1:1'
    return { url: pathOf(apiRoutes.orderConfirmation, { id: order?.id ?? '' }) }
  },
  'POST /api/orders/:id/notes': async () => {
    const [order] = await addOrders(db, [{}])
    return { url: pathOf(apiRoutes.orderNotes, { id: order?.id ?? '' }), payload: { text: 'A' } }
  },
  'DELETE /api/orders/:id/notes/:noteId': async () => {
    const [order] = await addOrders(db, [{}])
    const id = order?.id ?? ''
    const url = pathOf(apiRoutes.orderNotes, { id })
    const [note] = await post<OrderNote[]>(url, { text: 'A' })
    return { url: pathOf(apiRoutes.orderNote, { id, noteId: note?.id ?? '' }) }
  },
  'POST /api/orders/bulk-changes/:id/undo': async () => {
    const [order] = await addOrders(db, [{ status: 'pending' }])
    const url = pathOf(apiRoutes.orderStatus, { id: order?.id ?? '' })
    const bulkId = crypto.randomUUID()
    await call('PATCH', { url, payload: { status: 'shipped', bulkId } })
    return { url: pathOf(apiRoutes.bulkChangeUndo, { id: bulkId }) }
  },
  'POST /api/orders/:id/refund': async () => {
    const { url: creation, payload } = await decideOn(await addReview(), apiRoutes.reviewOrder, {
      details: delivery,
    })
    const { orderId: id } = await post<{ orderId: string }>(creation, payload ?? {})
    const shown = await app.inject({ url: pathOf(apiRoutes.orderRefunds, { id }), headers })
    const { version } = shown.json()
    return { url: pathOf(apiRoutes.orderRefund, { id }), payload: { version } }
  },
  'POST /api/withdrawals/:id/handled': async () => {
    const statement = { name: 'Anna', orderNumber: '1', email: 'anna@example.com' }
    const [row] = await db.insert(withdrawals).values(statement).returning()
    const url = pathOf(apiRoutes.withdrawalHandled, { id: row?.id ?? '' })
    return { url, payload: { note: 'Not our customer' } }
  },
  'POST /api/withdrawals/dismissed': async () => {
    const statement = { name: 'Anna', orderNumber: '1', email: 'anna@example.com' }
    const [row] = await db.insert(withdrawals).values(statement).returning()
    return { url: apiRoutes.withdrawalsDismissed, payload: { newest: row?.id } }
  },
  'POST /api/sumup/review/:id/order': ofReview(apiRoutes.reviewOrder, { details: delivery }),
  'POST /api/sumup/review/:id/refund': ofReview(apiRoutes.reviewRefund, {}),
  'POST /api/sumup/review/:id/dismiss': ofReview(apiRoutes.reviewDismiss, { note: 'No answer' }),
  'POST /api/sumup/review/:id/restore': async () => {
    const id = await addReview()
    await call('POST', await decideOn(id, apiRoutes.reviewDismiss, { note: 'No answer' }))
    return decideOn(id, apiRoutes.reviewRestore)
  },
  'POST /api/customers/export': async () => {
    await addOrders(db, [{ status: 'completed', customerEmail: 'anna@example.com' }])
    return { url: apiRoutes.customerExport, payload: { email: 'anna@example.com' } }
  },
  'POST /api/customers/erase': async () => {
    await addOrders(db, [{ status: 'completed', customerEmail: 'berta@example.com' }])
    return { url: apiRoutes.customerErase, payload: { ...proof, email: 'berta@example.com' } }
  },
  'POST /api/orders/tests/remove': async () => ({ url: apiRoutes.removeTestData, payload: proof }),
  'PUT /api/admin/account/email': async () => ({
    url: apiRoutes.ownEmail,
    payload: { email: 'new@mugs.example', password },
  }),
  'PUT /api/admin/account/password': async () => ({
    url: apiRoutes.ownPassword,
    payload: { currentPassword: password, newPassword: 'seven quiet rivers and a hill' },
  }),
}

test('every call by which an admin changes something leaves an entry', async () => {
  const changing = [...app.accessOfRoutes]
    .filter(([route, access]) => access === 'admin' && !/^(GET|HEAD)\b/.test(route))
    .map(([route]) => route)
  assert.deepEqual(
    changing.filter((route) => !withoutEntry.has(route)).toSorted(),
    Object.keys(calls).toSorted(),
    'a new route needs a call here',
  )
  for (const [route, prepare] of Object.entries(calls)) {
    const prepared = await prepare()
    const before = await db.$count(auditLog)
    const answer = await call(route.split(' ')[0] as Method, prepared)
    assert.ok(answer.statusCode < 300, `${route}: ${answer.statusCode} ${answer.body}`)
    assert.ok((await db.$count(auditLog)) > before, `${route} leaves no entry`)
  }
})
