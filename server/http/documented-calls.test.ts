import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { apiRoutes, inviteFragment, pathOf } from '#contract/paths.ts'
import { objectUrl } from '#contract/pictures.ts'
import { codeAt } from '#server/admin/second-factor.ts'
import { secondFactors, watchedScripts } from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { documentedCalls } from '#server/calls.ts'
import { fromBase32 } from '#server/testing/admins.ts'
import { badCard, createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { createDocumentedCaller } from '#server/testing/documented-calls.ts'
import { preparePanelCalls } from '#server/testing/order-panel.ts'
import { addOrders } from '#server/testing/orders.ts'
import { noise } from '#server/testing/pictures.ts'
import {
  listReview,
  openChallengedSale,
  openSaleShop,
  sendWebhook,
  versionOf,
} from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { createChallenge, selfCheckHeader } from './self-check.ts'
import { readWebFiles } from './web-files.ts'

const shop = await openSaleShop({ web: await readWebFiles() })
const { app, db, mug, watch } = shop
const admin = await shop.signIn()
const { password } = testAdmin
const nothing = '00000000-0000-4000-8000-000000000000'

const { call, succeed, assertRefused } = createDocumentedCaller(app, admin)

test('products are answered and refused as documented', async () => {
  const product = { name: 'Lamp', price: '10.00', headerLogoUrl: 'https://example.com/logo.png' }
  const tiers = [{ quantity: 2, price: '9' }]
  const payload = { ...product, quantityPricingEnabled: true, quantityTiers: tiers }
  const { id } = (await succeed('POST', apiRoutes.products, { payload })).json()
  const params = { id }
  await succeed('GET', apiRoutes.products)
  await succeed('GET', apiRoutes.product, { params })
  await succeed('GET', apiRoutes.product, { params, headers: { cookie: '' } })
  await succeed('PUT', apiRoutes.product, { params, payload: product })
  const old = { ...product, updatedAt: '2026-01-01T00:00:00.000Z' }
  await assertRefused('product-changed', 'PUT', apiRoutes.product, { params, payload: old })
  await succeed('POST', apiRoutes.productPause, { params })
  await succeed('POST', apiRoutes.productResume, { params })
  await succeed('GET', apiRoutes.linkActivity, { params })
  await succeed('DELETE', apiRoutes.product, { params })
  await assertRefused('product-missing', 'GET', apiRoutes.product, { params })
  await assertRefused('product-missing', 'PUT', apiRoutes.product, { params, payload: product })
  await assertRefused('product-missing', 'DELETE', apiRoutes.product, { params })
  await succeed('POST', apiRoutes.productRestore, { params })
  await succeed('GET', apiRoutes.linkHealth)
  await succeed('GET', apiRoutes.customDomain)
  await succeed('POST', apiRoutes.productPreview, { payload: { name: 'Half a pr' } })
  await succeed('POST', apiRoutes.linkPreview, { payload: { name: 'Half a pr' } })
  await succeed('GET', apiRoutes.linkPicture, { params })
})

test('discount codes are answered and refused as documented', async () => {
  const payload = { code: 'TEN', percent: 10 }
  const { id } = (await succeed('POST', apiRoutes.discountCodes, { payload })).json()
  const params = { id }
  await succeed('GET', apiRoutes.discountCodes)
  await assertRefused('code-taken', 'POST', apiRoutes.discountCodes, { payload })
  const elsewhere = { ...payload, code: 'OTHER', productId: nothing }
  await assertRefused('product-missing', 'POST', apiRoutes.discountCodes, { payload: elsewhere })
  await succeed('PUT', apiRoutes.discountCode, { params, payload: { lastDay: '2027-01-31' } })
  await succeed('DELETE', apiRoutes.discountCode, { params })
  const change = { params, payload: { maxUses: null } }
  await assertRefused('code-missing', 'PUT', apiRoutes.discountCode, change)
  await assertRefused('code-missing', 'DELETE', apiRoutes.discountCode, { params: { id: 'x' } })
})

test('pictures are answered and refused as documented', async () => {
  const bytes = await noise(16, 16).png().toBuffer()
  const send = (url: string, payload: Buffer) =>
    app.inject({ method: 'PUT', url: url.replace(/^https?:\/\/[^/]+/, ''), payload })
  const { objectPath, uploadURL } = (
    await succeed('POST', apiRoutes.upload, { payload: { kind: 'logo' } })
  ).json()
  assert.equal((await send(uploadURL, bytes)).statusCode, 200)
  assert.equal((await app.inject({ url: objectUrl(objectPath) })).statusCode, 200)
  await succeed('GET', apiRoutes.icon, { params: { key: objectPath } })
  await assertRefused('object-missing', 'GET', apiRoutes.icon, { params: { key: 'none' } })
  await assertRefused('object-missing', 'GET', apiRoutes.object, { params: { key: 'none' } })
  const { url } = (await succeed('GET', apiRoutes.uploadParameters)).json()
  assert.equal(
    (await send(url, Buffer.from('<svg onload="alert(1)"/>'))).json().code,
    'picture-svg',
  )
  await assertRefused('no-temporary-credentials', 'GET', apiRoutes.temporaryCredentials)
  for (const isCompleted of [true, false]) {
    const { key, uploadId } = (await succeed('POST', apiRoutes.multipart, { payload: {} })).json()
    const params = { uploadId, partNumber: '1' }
    const part = (await succeed('GET', `${apiRoutes.multipartPart}?key=${key}`, { params })).json()
    const sent = await send(part.url, bytes)
    assert.equal(sent.statusCode, 200)
    await succeed('GET', `${apiRoutes.multipartUpload}?key=${key}`, { params })
    const payload = { parts: [{ PartNumber: 1, ETag: String(sent.headers['etag']) }] }
    if (isCompleted)
      await succeed('POST', `${apiRoutes.multipartComplete}?key=${key}`, { params, payload })
    else await succeed('DELETE', `${apiRoutes.multipartUpload}?key=${key}`, { params })
  }
  const params = { uploadId: 'none' }
  await assertRefused('upload-missing', 'GET', `${apiRoutes.multipartUpload}?key=none`, { params })
})

test('sales are answered and refused as documented', async () => {
  const buyer = createBuyer(shop)
  const opened = await buyer.open(mug)
  const { checkoutId } = opened.json()
  const [cookie] = opened.cookies
  const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
  const params = { checkoutId }
  await succeed('PUT', apiRoutes.checkoutDetails, { params, headers, payload: delivery })
  await succeed('GET', apiRoutes.checkout, { params, headers })
  const payload = { ...delivery, sumupCheckoutId: checkoutId }
  assert.equal((await call('POST', apiRoutes.orders, { headers, payload })).statusCode, 202)
  await payByCard(shop.sandbox, checkoutId, badCard)
  await assertRefused('payment-declined', 'POST', apiRoutes.orders, { headers, payload })
  await payByCard(shop.sandbox, checkoutId)
  const ordered = await succeed('POST', apiRoutes.orders, { headers, payload })
  assert.equal(ordered.statusCode, 201)
  assert.equal((await succeed('POST', apiRoutes.orders, { headers, payload })).statusCode, 200)
  await succeed('GET', apiRoutes.checkout, { params, headers })
  await assertRefused('already-paid', 'POST', apiRoutes.startOver, { params, headers })
  await assertRefused('payment-missing', 'GET', apiRoutes.checkout, { params })
  const { id } = ordered.json()
  for (const reader of [headers, admin, { cookie: '' }])
    await succeed('GET', apiRoutes.order, { params: { id }, headers: reader })
  const event = { eventType: 'thank_you_view', productId: mug, orderId: id }
  await succeed('POST', apiRoutes.track, { payload: event })
  const shown = { productId: mug, amount: '49.00', currency: 'EUR' }
  await succeed('POST', apiRoutes.createCheckout, { payload: shown })
  const cheap = { ...shown, amount: '1.00' }
  await assertRefused('price-changed', 'POST', apiRoutes.createCheckout, { payload: cheap })
  const missing = { ...shown, productId: nothing }
  await assertRefused('product-missing', 'POST', apiRoutes.createCheckout, { payload: missing })
  await call('POST', apiRoutes.productPause, { params: { id: mug } })
  await assertRefused('product-paused', 'POST', apiRoutes.createCheckout, { payload: shown })
  await call('POST', apiRoutes.productResume, { params: { id: mug } })
  const challenged = await openChallengedSale(shop)
  const atBank = { checkoutId: challenged.checkoutId }
  const waiting = await challenged.buyer.call('POST', pathOf(apiRoutes.startOver, atBank))
  assert.equal(waiting.statusCode, 204, waiting.body)
  const message = { event_type: 'CHECKOUT_STATUS_CHANGED', id: challenged.checkoutId }
  await succeed('POST', apiRoutes.paymentWebhook, { payload: message })
})

test('orders, customers and figures are answered and refused as documented', async () => {
  const [order] = await addOrders(db, [
    { status: 'completed', customerEmail: 'berta@example.com' },
    { status: 'pending', customerEmail: 'carla@example.com' },
  ])
  const params = { id: order?.id ?? '' }
  const gone = { id: nothing }
  await succeed('GET', apiRoutes.orders)
  const page = await succeed('GET', `${apiRoutes.orders}?limit=1`)
  assert.ok(page.headers['x-next-cursor'])
  await succeed('GET', apiRoutes.orderCounts)
  for (const path of [apiRoutes.foundOrders, apiRoutes.orderMarks, apiRoutes.orderExport])
    await succeed('GET', `${path}?q=berta`)
  const payload = { status: 'shipped' }
  await succeed('PATCH', apiRoutes.orderStatus, { params, payload })
  await succeed('GET', `${apiRoutes.matchedOrders}?numbers=${params.id}`)
  for (const [method, route, options] of await preparePanelCalls(shop, params.id))
    await succeed(method, route, options)
  await assertRefused('order-missing', 'DELETE', apiRoutes.orderShipment, { params: gone })
  const bulkId = randomUUID()
  const inBulk = { params, payload: { status: 'completed', bulkId } }
  await succeed('PATCH', apiRoutes.orderStatus, inBulk)
  await succeed('GET', apiRoutes.bulkChanges)
  await succeed('POST', apiRoutes.bulkChangeUndo, { params: { id: bulkId } })
  await assertRefused('bulk-change-missing', 'POST', apiRoutes.bulkChangeUndo, { params: gone })
  await assertRefused('order-missing', 'PATCH', apiRoutes.orderStatus, { params: gone, payload })
  await assertRefused('order-missing', 'GET', apiRoutes.order, { params: gone })
  await assertRefused('order-missing', 'GET', apiRoutes.orderTimeline, { params: gone })

  await succeed('GET', apiRoutes.analyticsSummary)
  await succeed('GET', `${apiRoutes.analyticsSummary}?from=2026-01-01&to=2026-01-31`)
  await succeed('GET', apiRoutes.analyticsEvents)

  const berta = { email: 'berta@example.com', password }
  await succeed('POST', apiRoutes.customerExport, { payload: { email: delivery.customerEmail } })
  await succeed('POST', apiRoutes.customerErase, { payload: berta })
  await assertRefused('customer-missing', 'POST', apiRoutes.customerExport, { payload: berta })
  const carla = { email: 'carla@example.com', password }
  await assertRefused('customer-order-open', 'POST', apiRoutes.customerErase, { payload: carla })
})

test('payments in review are answered and refused as documented', async () => {
  async function addReview(): Promise<{ id: string }> {
    const { checkoutId } = (await createBuyer(shop).open(mug)).json()
    await payByCard(shop.sandbox, checkoutId)
    await sendWebhook(shop, checkoutId)
    return { id: (await listReview(shop))[0]?.id ?? '' }
  }
  const params = await addReview()
  await succeed('GET', apiRoutes.review)
  /** The call's options, about an entry as it is listed now. */
  const about = async (entry: { id: string }, given: object = {}) => ({
    params: entry,
    payload: { version: await versionOf(shop, entry.id), ...given },
  })
  const note = { note: 'Settled by phone' }
  const stale = { params, payload: { version: 'of an earlier state', ...note } }
  await assertRefused('review-changed', 'POST', apiRoutes.reviewDismiss, stale)
  await succeed('POST', apiRoutes.reviewDismiss, await about(params, note))
  await assertRefused('review-done', 'POST', apiRoutes.reviewDismiss, await about(params, note))
  await succeed('GET', `${apiRoutes.review}?archive=true`)
  await succeed('POST', apiRoutes.reviewRestore, await about(params))
  const asOrder = await about(params, { details: delivery })
  const created = await succeed('POST', apiRoutes.reviewOrder, asOrder)
  await assertRefused('review-done', 'POST', apiRoutes.reviewRefund, await about(params))
  const order = { id: created.json().orderId }
  const { version } = (await succeed('GET', apiRoutes.orderRefunds, { params: order })).json()
  await succeed('POST', apiRoutes.orderRefund, { params: order, payload: { version } })
  await succeed('POST', apiRoutes.reviewRefund, await about(await addReview()))
  const missing = await about({ id: nothing })
  await assertRefused('review-missing', 'POST', apiRoutes.reviewRefund, missing)
  await succeed('GET', apiRoutes.testData)
  await succeed('POST', apiRoutes.removeTestData, { payload: { password } })
})

test('settings are answered and refused as documented', async () => {
  const { version, values } = (await succeed('GET', apiRoutes.settings)).json()
  const save = (name: string, change: object) => ({
    params: { section: name },
    payload: { version, password, ...change },
  })
  const { tax, address } = values
  const section = apiRoutes.settingsSection
  const wrong = save('address', { version: version + 1, values: address, password: 'wrong' })
  await succeed('PUT', section, save('tax', { values: { ...tax, vatRate: '19' } }))
  await assertRefused('settings-changed', 'PUT', section, save('tax', { values: tax }))
  await assertRefused('wrong-password', 'PUT', section, wrong)
  await assertRefused('settings-missing', 'PUT', section, save('none', { values: tax }))
  await succeed('POST', apiRoutes.testMail, { payload: {} })
  await succeed('GET', `${apiRoutes.mailPreview}?kind=shipped`)
  const url = 'http://127.0.0.1:1'
  await succeed('POST', apiRoutes.addressCheck, { payload: { kind: 'publicUrl', url, password } })
  await assertRefused('sumup-incomplete', 'POST', apiRoutes.sumupCheck, {
    payload: { merchantCode: null },
  })
  const { merchantCode, apiKey } = shop.sandbox
  await succeed('POST', apiRoutes.sumupCheck, {
    payload: { merchantCode, apiKey, currency: 'GBP' },
  })
  await succeed('GET', apiRoutes.setup)
  await succeed('PUT', apiRoutes.setupFolding, { payload: { isFolded: true } })
})

test('accounts and people are answered and refused as documented', async () => {
  const proof = { payload: { password } }
  const wrong = { payload: { password: 'wrong' } }
  const { username } = testAdmin
  await assertRefused('wrong-credentials', 'POST', apiRoutes.adminLogin, {
    payload: { username, password: 'wrong' },
  })
  await succeed('GET', apiRoutes.adminUser)
  await succeed('GET', apiRoutes.ownAccount)
  await succeed('GET', apiRoutes.notices)
  await succeed('GET', apiRoutes.news)
  await succeed('POST', apiRoutes.noticesFold, { payload: { ids: ['mail-3f1c9a7be2d04856'] } })
  await assertRefused('wrong-password', 'POST', apiRoutes.secondFactor, wrong)
  const code = { code: '000000' }
  const early = { payload: code }
  await assertRefused('second-factor-not-begun', 'POST', apiRoutes.secondFactorConfirm, early)
  const { secret } = (await succeed('POST', apiRoutes.secondFactor, proof)).json()
  const readCode = async () => {
    await db.update(secondFactors).set({ lastStep: 0 })
    const { rows } = await db.execute<{ step: number }>(
      sql`select floor(extract(epoch from now()) / 30)::int as step`,
    )
    return { code: codeAt(fromBase32(secret), rows[0]?.step ?? 0) }
  }
  await succeed('POST', apiRoutes.secondFactorConfirm, { payload: await readCode() })
  const login = { username, password }
  await assertRefused('second-factor-needed', 'POST', apiRoutes.adminLogin, { payload: login })
  await succeed('POST', apiRoutes.adminLogin, {
    payload: { ...login, ...(await readCode()) },
    headers: { cookie: '' },
  })
  await succeed('POST', apiRoutes.secondFactorOff, {
    payload: { ...proof.payload, ...(await readCode()) },
  })
  await assertRefused('second-factor-missing', 'POST', apiRoutes.secondFactorOff, {
    payload: { password, ...code },
  })

  const sessions = (await succeed('GET', apiRoutes.adminSessions)).json()
  const other = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
  const ofOther = { params: { id: other.id } }
  await succeed('DELETE', apiRoutes.adminSession, ofOther)
  await assertRefused('session-missing', 'DELETE', apiRoutes.adminSession, ofOther)
  await succeed('DELETE', apiRoutes.adminSessions)

  const email = 'berta@example.com'
  const payload = { email, password }
  const invited = (await succeed('POST', apiRoutes.invites, { payload })).json()
  await succeed('GET', apiRoutes.invites)
  await succeed('DELETE', apiRoutes.invite, { params: { id: invited.id } })
  await assertRefused('invite-missing', 'DELETE', apiRoutes.invite, { params: { id: nothing } })
  const { link } = (await succeed('POST', apiRoutes.invites, { payload })).json()
  const token = link.split(inviteFragment)[1]
  await succeed('POST', apiRoutes.checkInvite, { payload: { token } })
  const berta = { token, username: 'berta', password: 'short' }
  await assertRefused('password-short', 'POST', apiRoutes.acceptInvite, { payload: berta })
  const chosen = { ...berta, password: 'seven quiet rivers' }
  const { id } = (await succeed('POST', apiRoutes.acceptInvite, { payload: chosen })).json()
  const params = { id }
  await assertRefused('invite-missing', 'POST', apiRoutes.acceptInvite, { payload: chosen })
  await assertRefused('invite-missing', 'POST', apiRoutes.checkInvite, { payload: { token } })
  await assertRefused('admin-taken', 'POST', apiRoutes.invites, { payload })
  await succeed('GET', apiRoutes.admins)
  await succeed('POST', apiRoutes.adminDisable, { params, ...proof })
  await succeed('POST', apiRoutes.adminEnable, { params, ...proof })
  await succeed('POST', apiRoutes.adminRemove, { params, ...proof })
  await assertRefused('admin-missing', 'POST', apiRoutes.adminRemove, { params, ...proof })

  const since = '2026-01-01T00:00:00.000Z'
  const script = { url: shop.shop.payments.sdkUrl, hash: 'a'.repeat(64) }
  await db.insert(watchedScripts).values({ ...script, changedAt: new Date(since) })
  await succeed('POST', apiRoutes.noticeDismiss, {
    params: { kind: 'card-form' },
    payload: { since },
  })
  await succeed('POST', apiRoutes.sellCounted)
  const unknown = { params: { kind: 'mail' } }
  await assertRefused('notice-missing', 'POST', apiRoutes.noticeDismiss, unknown)
  await succeed('GET', `${apiRoutes.auditLog}?limit=5`)
  const change = { currentPassword: password, newPassword: 'seven quiet rivers and a hill' }
  await succeed('PUT', apiRoutes.ownEmail, { payload: { email: 'new@example.com', password } })
  await succeed('PUT', apiRoutes.ownPassword, { payload: change })
  await succeed('POST', apiRoutes.adminLogout)
  const gone = await call('GET', apiRoutes.adminUser)
  assert.deepEqual([gone.statusCode, gone.json().code], [401, 'unauthorized'])
})

test('the shop tells its monitors and its doctor as documented', async () => {
  await succeed('GET', apiRoutes.openapi)
  await succeed('GET', apiRoutes.healthLive)
  assert.equal((await app.inject({ url: apiRoutes.healthReady })).statusCode, 200)
  const headers = { [selfCheckHeader]: createChallenge() }
  const seen = await app.inject({ url: apiRoutes.selfCheck, headers })
  assert.equal(seen.statusCode, 200)
})

test('every call of the reference was made here, with an answer that it documents', () => {
  const unseen = documentedCalls.filter(
    ({ route, answers }) =>
      Object.keys(answers).length > 0 &&
      !Object.keys(answers).some((status) => watch.answered.has(`${route} ${status}`)),
  )
  assert.deepEqual(
    unseen.map(({ route }) => route),
    [],
  )
  assert.deepEqual([...watch.undocumented], [])
})
