import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ReviewEntry } from '#contract/checkouts.ts'
import { apiRoutes, inviteFragment, pathOf } from '#contract/paths.ts'
import { codeAt } from '#server/admin/second-factor.ts'
import type { CallDefinition } from '#server/http/calls.ts'
import { createChallenge, selfCheckHeader } from '#server/http/self-check.ts'
import { restoredBackups, secondFactors, watchedScripts } from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { fromBase32 } from './admins.ts'
import { createBuyer, delivery, payByCard } from './buyer.ts'
import { addOrders } from './orders.ts'
import { noise } from './pictures.ts'
import { listReview, sendWebhook, versionOf, type SaleShop } from './sale.ts'
import { testAdmin } from './test-shop.ts'

/** What a call is sent with. Where it names none: an admin's cookie, and the example of its definition. */
type ValidCall = {
  params?: Record<string, string>
  query?: Record<string, string>
  payload?: object | Buffer
  headers?: Record<string, string>
}

/**
 * Prepares each call of the shop so that it succeeds. A call that is not listed needs nothing but its example. Each makes its
 * own product, order or admin, so that calls can be made in any order, except the last one.
 */
export async function prepareValidCalls(shop: SaleShop, admin: { cookie: string }) {
  const { app, db, mug } = shop
  const { password, username } = testAdmin
  const picture = await noise(16, 16).png().toBuffer()
  // There is a mail server, which is away.
  shop.shop.config.mail.smtpUrl = 'smtp://127.0.0.1:1'

  async function call<Answer>(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
    const answer = await app.inject({ method, url, headers: admin, ...(payload && { payload }) })
    assert.ok(answer.statusCode < 300, `${method} ${url}: ${answer.statusCode} ${answer.body}`)
    return (answer.body === '' ? {} : answer.json()) as Answer
  }
  const add = (url: string, payload: object) => call<{ id: string }>('POST', url, payload)

  const product = { name: 'Lamp', price: '10.00', headerLogoUrl: 'https://example.com/logo.png' }
  const ofProduct = async () => ({ params: { id: (await add(apiRoutes.products, product)).id } })
  const ofProductAfter = (method: 'POST' | 'DELETE', route: string) => async () => {
    const made = await ofProduct()
    await call(method, pathOf(route, made.params))
    return made
  }
  const ofCode = async () => {
    const code = randomUUID().slice(0, 8).toUpperCase()
    return { params: { id: (await add(apiRoutes.discountCodes, { code, percent: 10 })).id } }
  }

  async function upload() {
    const sent = { kind: 'image' }
    return call<{ objectPath: string; uploadURL: string }>('POST', apiRoutes.upload, sent)
  }
  const pathIn = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')
  async function put(url: string) {
    const answer = await app.inject({ method: 'PUT', url: pathIn(url), payload: picture })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer
  }
  const ofPicture = async () => {
    const { objectPath, uploadURL } = await upload()
    await put(uploadURL)
    return { params: { key: objectPath } }
  }
  /** Bytes are sent to addresses of their own, which name the picture. */
  const ofReceiver = async (route: string, url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://shop')
    const names = [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const values = pathname.split('/').slice(-names.length)
    const params = Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
    return { params, query: Object.fromEntries(searchParams), payload: picture }
  }
  async function beginMultipart() {
    const { key, uploadId } = await call<{ key: string; uploadId: string }>(
      'POST',
      apiRoutes.multipart,
      {},
    )
    const part = { uploadId, partNumber: '1' }
    const { url } = await call<{ url: string }>(
      'GET',
      `${pathOf(apiRoutes.multipartPart, part)}?key=${key}`,
    )
    return { params: { uploadId }, query: { key }, url }
  }
  const ofMultipart = async () => {
    const { params, query } = await beginMultipart()
    return { params, query }
  }

  async function addOrder(fields: Parameters<typeof addOrders>[1][number] = {}) {
    const [order] = await addOrders(db, [fields])
    assert.ok(order)
    return order
  }
  const ofOrder = async () => ({ params: { id: (await addOrder()).id } })
  const byOrder = async () => ({ query: { q: (await addOrder()).customerEmail ?? '' } })

  /** A buyer who has paid by card, or has only opened the form. */
  async function arrive(isPaid: boolean) {
    const buyer = createBuyer(shop, `198.51.100.${(buyers += 1)}`)
    const checkoutId = await buyer.arrive(mug)
    if (isPaid) await payByCard(shop.sandbox, checkoutId)
    return { params: { checkoutId }, headers: { cookie: buyer.cookie() } }
  }
  let buyers = 0

  /** A payment without details. */
  async function addReview(): Promise<ReviewEntry> {
    const buyer = createBuyer(shop, `198.51.100.${(buyers += 1)}`)
    const { checkoutId } = (await buyer.open(mug)).json()
    await payByCard(shop.sandbox, checkoutId)
    await sendWebhook(shop, checkoutId)
    const [entry] = await listReview(shop)
    assert.ok(entry)
    return entry
  }
  const ofReview =
    (given: object = {}) =>
    async () =>
      decideOn((await addReview()).id, given)
  const decideOn = async (id: string, given: object = {}) => ({
    params: { id },
    payload: { version: await versionOf(shop, id), ...given },
  })
  async function sellFromReview() {
    const { params, payload } = await decideOn((await addReview()).id, { details: delivery })
    const url = pathOf(apiRoutes.reviewOrder, params)
    const { orderId } = await call<{ orderId: string }>('POST', url, payload)
    return { id: orderId }
  }

  async function addWithdrawal() {
    const statement = { name: 'Anna', orderNumber: '1', email: 'anna@example.com' }
    const [row] = await db.insert(withdrawals).values(statement).returning()
    assert.ok(row)
    return row
  }

  const proof = { payload: { password } }
  const invite = async () => {
    const email = `${randomUUID()}@example.com`
    const made = await call<{ id: string; link: string }>('POST', apiRoutes.invites, {
      email,
      password,
    })
    return { id: made.id, token: made.link.split(inviteFragment)[1] ?? '', email }
  }
  const addHelper = async () => {
    const { token, email } = await invite()
    const chosen = { token, username: email, password: 'seven quiet rivers' }
    return { params: { id: (await add(apiRoutes.acceptInvite, chosen)).id }, ...proof }
  }

  let key: Buffer = Buffer.alloc(0)
  async function readCode(): Promise<string> {
    await db.update(secondFactors).set({ lastStep: 0 })
    const { rows } = await db.execute<{ step: number }>(
      sql`select floor(extract(epoch from now()) / 30)::int as step`,
    )
    return codeAt(key, rows[0]?.step ?? 0)
  }
  async function beginSecondFactor(): Promise<void> {
    key = fromBase32(
      (await call<{ secret: string }>('POST', apiRoutes.secondFactor, { password })).secret,
    )
  }

  const calls: Record<string, () => Promise<ValidCall>> = {
    [`GET ${apiRoutes.product}`]: ofProduct,
    [`PUT ${apiRoutes.product}`]: ofProduct,
    [`DELETE ${apiRoutes.product}`]: ofProduct,
    [`POST ${apiRoutes.productRestore}`]: ofProductAfter('DELETE', apiRoutes.product),
    [`POST ${apiRoutes.productPause}`]: ofProduct,
    [`POST ${apiRoutes.productResume}`]: ofProductAfter('POST', apiRoutes.productPause),
    [`GET ${apiRoutes.linkActivity}`]: ofProduct,
    [`GET ${apiRoutes.linkPicture}`]: ofProduct,
    [`PUT ${apiRoutes.discountCode}`]: ofCode,
    [`DELETE ${apiRoutes.discountCode}`]: ofCode,
    [`GET ${apiRoutes.icon}`]: ofPicture,
    [`GET ${apiRoutes.object}`]: ofPicture,
    [`GET ${apiRoutes.multipartUpload}`]: ofMultipart,
    [`DELETE ${apiRoutes.multipartUpload}`]: ofMultipart,
    async [`GET ${apiRoutes.multipartPart}`]() {
      const { params, query } = await ofMultipart()
      return { params: { ...params, partNumber: '1' }, query }
    },
    async [`POST ${apiRoutes.multipartComplete}`]() {
      const { params, query, url } = await beginMultipart()
      const { headers } = await put(url)
      return { params, query, payload: { parts: [{ PartNumber: 1, ETag: String(headers.etag) }] } }
    },
    [`PUT ${apiRoutes.incomingFile}`]: async () =>
      ofReceiver(apiRoutes.incomingFile, (await upload()).uploadURL),
    [`PUT ${apiRoutes.incomingPart}`]: async () =>
      ofReceiver(apiRoutes.incomingPart, (await beginMultipart()).url),
    [`GET ${apiRoutes.foundOrders}`]: byOrder,
    [`GET ${apiRoutes.orderMarks}`]: byOrder,
    [`GET ${apiRoutes.orderExport}`]: byOrder,
    [`GET ${apiRoutes.matchedOrders}`]: async () => ({ query: { numbers: (await addOrder()).id } }),
    [`GET ${apiRoutes.paper}`]: async () => ({ query: { ids: (await addOrder()).id } }),
    [`GET ${apiRoutes.order}`]: ofOrder,
    [`PATCH ${apiRoutes.orderStatus}`]: ofOrder,
    [`PUT ${apiRoutes.orderShipment}`]: ofOrder,
    async [`DELETE ${apiRoutes.orderShipment}`]() {
      const shipment = { carrier: 'dhl', trackingNumber: '12345', trackingUrl: null } as const
      return { params: { id: (await addOrder({ status: 'shipped', shipment })).id } }
    },
    async [`POST ${apiRoutes.bulkChangeUndo}`]() {
      const url = pathOf(apiRoutes.orderStatus, { id: (await addOrder({ status: 'pending' })).id })
      const payload = { status: 'shipped', bulkId: randomUUID() }
      await app.inject({ method: 'PATCH', url, headers: admin, payload })
      return { params: { id: payload.bulkId } }
    },
    [`GET ${apiRoutes.orderTimeline}`]: ofOrder,
    async [`PUT ${apiRoutes.orderCustomer}`]() {
      const { id, customerEmail, customerPhone, shippingAddress } = await addOrder()
      const before = { customerEmail, customerPhone, shippingAddress }
      return { params: { id }, payload: { ...before, customerEmail: 'otto@example.com', before } }
    },
    [`POST ${apiRoutes.orderConfirmation}`]: ofOrder,
    [`GET ${apiRoutes.orderNotes}`]: ofOrder,
    [`POST ${apiRoutes.orderNotes}`]: ofOrder,
    async [`DELETE ${apiRoutes.orderNote}`]() {
      const { params } = await ofOrder()
      const url = pathOf(apiRoutes.orderNotes, params)
      const [note] = await call<{ id: string }[]>('POST', url, { text: 'A' })
      return { params: { ...params, noteId: note?.id ?? '' } }
    },
    [`GET ${apiRoutes.orderRefunds}`]: async () => ({ params: await sellFromReview() }),
    async [`POST ${apiRoutes.orderRefund}`]() {
      const params = await sellFromReview()
      const shown = await call<{ version: string }>('GET', pathOf(apiRoutes.orderRefunds, params))
      return { params, payload: { version: shown.version } }
    },
    async [`POST ${apiRoutes.withdrawalForm}`]() {
      return { payload: { name: 'Anna', orderNumber: '1', email: 'anna@example.com' } }
    },
    async [`POST ${apiRoutes.withdrawalsDismissed}`]() {
      return { payload: { newest: (await addWithdrawal()).id } }
    },
    [`POST ${apiRoutes.withdrawalHandled}`]: async () => ({
      params: { id: (await addWithdrawal()).id },
    }),
    async [`POST ${apiRoutes.createCheckout}`]() {
      return { payload: { productId: mug, amount: '49.00', currency: 'EUR' }, headers: {} }
    },
    [`PUT ${apiRoutes.checkoutDetails}`]: () => arrive(false),
    [`GET ${apiRoutes.checkout}`]: () => arrive(true),
    [`POST ${apiRoutes.startOver}`]: () => arrive(false),
    async [`POST ${apiRoutes.orders}`]() {
      const { params, headers } = await arrive(true)
      return { payload: { ...delivery, sumupCheckoutId: params.checkoutId }, headers }
    },
    async [`POST ${apiRoutes.paymentWebhook}`]() {
      const { params } = await arrive(true)
      return { payload: { event_type: 'CHECKOUT_STATUS_CHANGED', id: params.checkoutId } }
    },
    [`POST ${apiRoutes.reviewOrder}`]: ofReview({ details: delivery }),
    [`POST ${apiRoutes.reviewRefund}`]: ofReview(),
    [`POST ${apiRoutes.reviewDismiss}`]: ofReview({ note: 'Settled by phone' }),
    async [`POST ${apiRoutes.reviewRestore}`]() {
      const { params, payload } = await ofReview({ note: 'Settled by phone' })()
      await call('POST', pathOf(apiRoutes.reviewDismiss, params), payload)
      return decideOn(params.id)
    },
    async [`POST ${apiRoutes.customerExport}`]() {
      return { payload: { email: (await addOrder()).customerEmail } }
    },
    async [`POST ${apiRoutes.customerErase}`]() {
      const customerEmail = `${randomUUID()}@example.com`
      await addOrder({ status: 'completed', customerEmail })
      return { payload: { email: customerEmail, password } }
    },
    async [`POST ${apiRoutes.track}`]() {
      return { payload: { eventType: 'checkout_view', productId: mug } }
    },
    async [`POST ${apiRoutes.adminLogin}`]() {
      return { payload: { username, password }, headers: {} }
    },
    [`POST ${apiRoutes.adminLogout}`]: async () => ({ headers: await shop.signIn() }),
    async [`POST ${apiRoutes.checkInvite}`]() {
      return { payload: { token: (await invite()).token } }
    },
    async [`POST ${apiRoutes.acceptInvite}`]() {
      const { token, email } = await invite()
      return { payload: { token, username: email, password: 'seven quiet rivers' } }
    },
    async [`PUT ${apiRoutes.ownEmail}`]() {
      return { payload: { email: 'new@mugs.example', password } }
    },
    async [`POST ${apiRoutes.secondFactorConfirm}`]() {
      await beginSecondFactor()
      return { payload: { code: await readCode() } }
    },
    async [`POST ${apiRoutes.secondFactorOff}`]() {
      if (key.length === 0) {
        await beginSecondFactor()
        await call('POST', apiRoutes.secondFactorConfirm, { code: await readCode() })
      }
      return { payload: { password, code: await readCode() } }
    },
    async [`DELETE ${apiRoutes.adminSessions}`]() {
      await shop.signIn()
      return {}
    },
    async [`DELETE ${apiRoutes.adminSession}`]() {
      await shop.signIn()
      const all = await call<{ id: string; isCurrent: boolean }[]>('GET', apiRoutes.adminSessions)
      return { params: { id: all.find(({ isCurrent }) => !isCurrent)?.id ?? '' } }
    },
    [`POST ${apiRoutes.adminDisable}`]: addHelper,
    async [`POST ${apiRoutes.adminEnable}`]() {
      const helper = await addHelper()
      await call('POST', pathOf(apiRoutes.adminDisable, helper.params), { password })
      return helper
    },
    [`POST ${apiRoutes.adminRemove}`]: addHelper,
    [`DELETE ${apiRoutes.invite}`]: async () => ({ params: { id: (await invite()).id } }),
    async [`POST ${apiRoutes.sellCounted}`]() {
      await db.insert(restoredBackups).values({ backupAt: new Date() })
      return {}
    },
    async [`POST ${apiRoutes.noticeDismiss}`]() {
      const since = '2026-01-01T00:00:00.000Z'
      const script = { url: shop.shop.payments.sdkUrl, hash: 'a'.repeat(64) }
      await db.insert(watchedScripts).values({ ...script, changedAt: new Date(since) })
      return { params: { kind: 'card-form' }, payload: { since } }
    },
    async [`PUT ${apiRoutes.settingsSection}`]() {
      const { version } = await call<{ version: number }>('GET', apiRoutes.settings)
      const values = { vatRate: '19', vatNumber: null }
      return { params: { section: 'tax' }, payload: { version, values } }
    },
    async [`GET ${apiRoutes.mailPreview}`]() {
      return { query: { kind: 'shipped' } }
    },
    async [`POST ${apiRoutes.addressCheck}`]() {
      return { payload: { kind: 'publicUrl', url: 'http://127.0.0.1:1', password } }
    },
    async [`POST ${apiRoutes.sumupCheck}`]() {
      const { merchantCode, apiKey } = shop.sandbox
      return { payload: { merchantCode, apiKey, currency: 'GBP' } }
    },
    async [`GET ${apiRoutes.selfCheck}`]() {
      return { headers: { [selfCheckHeader]: createChallenge() } }
    },
    // The last one: from then on the password is another.
    async [`PUT ${apiRoutes.ownPassword}`]() {
      const newPassword = 'seven quiet rivers and a hill'
      return { payload: { currentPassword: password, newPassword } }
    },
  }
  const isLast = ({ route }: CallDefinition) => route === `PUT ${apiRoutes.ownPassword}`

  return {
    /** The calls in the order in which they can be made. */
    sort: (definitions: CallDefinition[]) =>
      definitions.toSorted((one, other) => Number(isLast(one)) - Number(isLast(other))),
    async prepare({ route, example }: CallDefinition): Promise<ValidCall & { payload?: object }> {
      const own = (await calls[route]?.()) ?? {}
      const shown = example as object | undefined
      // The password of an example is made up.
      const byExample = shown && ('password' in shown ? { ...shown, password } : shown)
      const payload = own.payload ?? byExample
      return { headers: admin, ...own, ...(payload && { payload }) }
    },
  }
}
