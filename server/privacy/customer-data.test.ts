import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CustomerData, ErasedCustomer } from '#contract/customers.ts'
import type { AdminOrder, OrderEvent, OrderStatus } from '#contract/orders.ts'
import { nothingReturned } from '#contract/returned-money.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { payments, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, mails, orders } from '#server/db/schema.ts'
import { readConfig } from '#server/config.ts'
import { readMailSettings } from '#server/mail/compose.ts'
import { composeMail } from '#server/mail/messages.ts'
import { challengedCard, createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import {
  getOnlyCheckout,
  listReview,
  openSaleShop,
  sendWebhook,
  type SaleShop,
} from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { buy } from '#server/testing/visitors.ts'

/** What nobody may find after an erasure. The postcode as a word: random ids share its digits. */
const personal = /anna|muster|weg 1|(?<!\.)\b10115\b|\+49 30|berlin/i

async function call(shop: SaleShop, url: string, email: string, password = testAdmin.password) {
  const headers = await shop.signIn()
  return shop.app.inject({ method: 'POST', url, headers, payload: { email, password } })
}
const requestExport = (shop: SaleShop, email = 'anna@example.com') =>
  call(shop, apiRoutes.customerExport, email)
const requestErasure = (shop: SaleShop, email = 'anna@example.com') =>
  call(shop, apiRoutes.customerErase, email)

async function setStatus(shop: SaleShop, status: OrderStatus): Promise<void> {
  const headers = await shop.signIn()
  for (const { id } of await shop.db.select({ id: orders.id }).from(orders)) {
    const url = pathOf(apiRoutes.orderStatus, { id })
    await shop.app.inject({ method: 'PATCH', url, headers, payload: { status } })
  }
}

async function addNote(shop: SaleShop, id: string, text: string): Promise<void> {
  const url = pathOf(apiRoutes.orderNotes, { id })
  const headers = await shop.signIn()
  const answer = await shop.app.inject({ method: 'POST', url, headers, payload: { text } })
  assert.equal(answer.statusCode, 200, answer.body)
}

/** As an admin corrects what a buyer has told on the phone. */
async function correct(shop: SaleShop, id: string, change: object): Promise<void> {
  const headers = await shop.signIn()
  const before: AdminOrder = (
    await shop.app.inject({ url: pathOf(apiRoutes.order, { id }), headers })
  ).json()
  const { customerEmail, customerPhone, shippingAddress } = before
  const url = pathOf(apiRoutes.orderCustomer, { id })
  const payload = { customerEmail, customerPhone, shippingAddress, before, ...change }
  const answer = await shop.app.inject({ method: 'PUT', url, headers, payload })
  assert.equal(answer.statusCode, 200, answer.body)
}

async function correctStreet(shop: SaleShop, id: string): Promise<void> {
  await correct(shop, id, {
    shippingAddress: { ...delivery.shippingAddress, address: 'Weg 11' },
  })
}

/** All rows of all tables, as text. */
async function dump({ db }: SaleShop): Promise<string> {
  const { rows: tables } = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not in ('users', 'credentials')`)
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await db.execute(
        sql`select row_to_json(t) from ${sql.identifier(name)} as t`,
      )
      return JSON.stringify(rows)
    }),
  )
  return texts.join('\n')
}

const secondPayment = (saleId: string) => ({
  saleId,
  merchantCode: 'M',
  transactionId: 'second',
  transactionCode: 'TSECOND',
  amount: '49.00',
  currency: 'EUR',
  status: 'successful',
  refunded: '10.00',
})

test('an export has everything about an e-mail address, in whatever case it is typed', async () => {
  const shop = await openSaleShop()
  const { orderId } = await buy(shop, shop.mug)
  await createBuyer(shop, '203.0.113.2').arrive(shop.mug)
  const other = createBuyer(shop, '203.0.113.3')
  const { checkoutId } = (await other.open(shop.mug)).json()
  await other.saveDetails(checkoutId, { ...delivery, customerEmail: 'otto@example.com' })
  const [sale] = await shop.db.select().from(checkouts).where(eq(checkouts.state, 'paid'))
  const saleId = sale?.id ?? ''
  const [second] = await shop.db.insert(payments).values(secondPayment(saleId)).returning()
  await shop.db.insert(reviewEntries).values({
    id: second?.id ?? '',
    paymentId: second?.id ?? '',
    saleId,
    reason: 'paid-twice',
    state: 'open',
    note: 'Called Anna',
  })
  const kept = { sentAt: new Date(), nextTryAt: null, lastError: 'kept as a file' }
  await shop.db.insert(mails).values({ saleId, kind: 'payment-closed', ...kept })
  await addNote(shop, orderId, 'Anna wants it as a gift')
  await correctStreet(shop, orderId)
  const answer = await requestExport(shop, ' ANNA@Example.com')
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['cache-control'], 'no-store')
  const data: CustomerData = answer.json()
  assert.deepEqual(
    data.orders.map(({ id }) => id),
    [orderId],
  )
  const [order] = data.orders
  assert.deepEqual(order?.timeline[0]?.event, 'placed')
  assert.deepEqual(order?.mails.map(({ kind }) => kind).toSorted(), ['confirmation', 'new-sale'])
  assert.equal(order?.events[0]?.type, 'checkout_complete')
  assert.equal(order?.shippingAddress.address, 'Weg 11')
  assert.deepEqual(
    order?.notes.map(({ text }) => text),
    ['Anna wants it as a gift'],
  )
  assert.deepEqual(order?.timeline.at(-1)?.corrections, [
    { field: 'address', from: 'Weg 1', to: 'Weg 11' },
  ])
  assert.deepEqual(
    data.checkouts.map(({ state, details }) => [state, details?.customerEmail]),
    [
      ['paid', 'anna@example.com'],
      ['submitted', 'anna@example.com'],
    ],
  )
  assert.equal(data.consents[0]?.orderId, orderId)
  const found = data.payments.find(({ transactionCode }) => transactionCode === 'TSECOND')
  assert.deepEqual([found?.amount, found?.refundedAmount], ['49.00', '10.00'])
  assert.deepEqual(
    data.reviews.map(({ reason, state, note }) => [reason, state, note]),
    [['paid-twice', 'open', 'Called Anna']],
  )
  assert.deepEqual(
    data.checkouts[0]?.mails.map(({ kind, sentAt }) => [kind, sentAt]),
    [['payment-closed', null]],
  )
  assert.doesNotMatch(answer.body, /otto|owner@example|buyerToken|till_/)
})

test('an erasure leaves the books and nothing else, on every screen', async () => {
  const shop = await openSaleShop()
  const { orderId, buyer } = await buy(shop, shop.mug)
  const parcel = { carrier: 'dhl', trackingNumber: '00340434161094042557' }
  const shipped = await shop.app.inject({
    method: 'PUT',
    url: pathOf(apiRoutes.orderShipment, { id: orderId }),
    headers: await shop.signIn(),
    payload: parcel,
  })
  assert.equal(shipped.statusCode, 200)
  await addNote(shop, orderId, 'Anna wants it as a gift')
  await correctStreet(shop, orderId)
  const abandoned = createBuyer(shop, '203.0.113.2')
  await abandoned.arrive(shop.mug)
  await shop.db
    .update(checkouts)
    .set({ state: 'closed', nextCheckAt: null })
    .where(eq(checkouts.state, 'submitted'))
  const [before] = await shop.db.select().from(orders)
  const [mail] = await shop.db.select().from(mails)
  const folder = join(shop.shop.config.dataDir, 'mail')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `2026-11-16-confirmation-${mail?.id}.eml`), 'To: anna@example.com')
  writeFileSync(join(folder, '2026-11-16-confirmation-other.eml'), 'To: otto@example.com')

  const answer = await requestErasure(shop, 'Anna@EXAMPLE.com')
  assert.equal(answer.statusCode, 200)
  const erased: ErasedCustomer = answer.json()
  assert.equal(erased.checkouts, 2)
  assert.equal(erased.orders[0]?.id, orderId)
  assert.match(erased.remains.join(' '), /1 order stays for the books.*backups/)
  assert.doesNotMatch(erased.remains.join(' '), /several machines/, 'the built-in database has one')

  assert.doesNotMatch(await dump(shop), personal)
  assert.ok(!(await dump(shop)).includes(parcel.trackingNumber))
  assert.deepEqual(readdirSync(folder), ['2026-11-16-confirmation-other.eml'])
  const [after] = await shop.db.select().from(orders)
  const books = ({
    id,
    productId,
    product,
    amount,
    currency,
    createdAt,
    sumupTransactionId,
  }: typeof orders.$inferSelect) => ({
    id,
    productId,
    product,
    amount,
    currency,
    createdAt,
    sumupTransactionId,
  })
  assert.ok(before && after)
  assert.deepEqual(books(after), books(before))
  assert.equal(after.shippingAddress.country, 'Germany')

  const headers = await shop.signIn()
  const get = (url: string) => shop.app.inject({ url, headers })
  const [listed]: AdminOrder[] = (await get(apiRoutes.orders)).json()
  assert.equal(listed?.customerName, 'Erased')
  assert.ok(listed?.erasedAt)
  assert.deepEqual((await get(`${apiRoutes.orders}?q=anna`)).json(), [])
  assert.match((await get(apiRoutes.orderExport)).body, /,Erased,/)
  const timeline: OrderEvent[] = (
    await get(pathOf(apiRoutes.orderTimeline, { id: orderId }))
  ).json()
  assert.deepEqual(
    timeline.filter(({ mail }) => !mail).map(({ event, who }) => [event, who]),
    [
      ['placed', 'Shop'],
      ['status', 'owner@example.com'],
      ['tracking-added', 'owner@example.com'],
      ['corrected', 'owner@example.com'],
      ['erased', 'owner@example.com'],
    ],
  )
  const own = (await buyer.call('GET', pathOf(apiRoutes.order, { id: orderId }))).json()
  assert.equal(own.isOwn, false, 'the browser is not recognized any more')
  const environment = { SHOP_NAME: 'Mugs', SHOP_EMAIL: 'shop@example.com' }
  const composing = readMailSettings(readConfig(environment), {
    localOrigin: 'http://localhost',
    secret: 'secret',
  })
  const shown = { ...after, ...nothingReturned, isPaid: true }
  assert.equal(composeMail({ id: 'm', kind: 'confirmation' }, shown, composing), undefined)
  const toOwner = composeMail({ id: 'm', kind: 'new-sale' }, shown, composing)
  assert.equal(toOwner?.replyTo, undefined)
  assert.match(toOwner?.text ?? '', /Erased/)
  assert.equal((await requestErasure(shop)).json().code, 'customer-missing')
})

test('an address that an order was corrected from is erased with its own owner', async () => {
  const shop = await openSaleShop()
  const { orderId } = await buy(shop, shop.mug)
  await correct(shop, orderId, { customerEmail: 'otto@example.com' })
  assert.equal((await requestErasure(shop)).statusCode, 200)
  assert.doesNotMatch(await dump(shop), /anna@example/)
  const [order] = await shop.db.select().from(orders)
  assert.equal(order?.customerEmail, 'otto@example.com', 'the order is somebody else’s')
  assert.equal(order?.erasedAt, null)
  assert.match(await dump(shop), /Anna Muster/)
})

test('an address between two corrections is erased too, when nothing else has it', async () => {
  const shop = await openSaleShop()
  const { orderId } = await buy(shop, shop.mug)
  await correct(shop, orderId, { customerEmail: 'between@example.com' })
  await correct(shop, orderId, { customerEmail: 'otto@example.com' })
  const erased = await call(shop, apiRoutes.customerErase, 'between@example.com')
  assert.equal(erased.statusCode, 200, erased.body)
  assert.doesNotMatch(await dump(shop), /between@example/)
})

test('a customer is erased with the password of the admin only', async () => {
  const shop = await openSaleShop()
  await buy(shop, shop.mug)
  await setStatus(shop, 'completed')
  const wrong = await call(shop, apiRoutes.customerErase, 'anna@example.com', 'wrong')
  assert.equal(wrong.json().code, 'wrong-password')
  const none = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.customerErase,
    headers: await shop.signIn(),
    payload: { email: 'anna@example.com' },
  })
  assert.equal(none.statusCode, 400, none.body)
  assert.match(await dump(shop), personal)
  assert.equal((await requestErasure(shop)).statusCode, 200)
})

test('a customer is not erased while an order waits to be shipped', async () => {
  const shop = await openSaleShop()
  const { orderId } = await buy(shop, shop.mug)
  for (const status of ['pending', 'processing'] as const) {
    await setStatus(shop, status)
    const answer = await requestErasure(shop)
    assert.equal(answer.statusCode, 409, status)
    assert.deepEqual([answer.json().code, answer.json().orderId], ['customer-order-open', orderId])
  }
  assert.equal((await shop.db.select().from(orders))[0]?.customerName, 'Anna Muster')
})

test('a customer is not erased while a payment is in review or a card is under way', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId, challengedCard)
  const { code, message } = (await requestErasure(shop)).json()
  assert.equal(code, 'customer-card-under-way')
  assert.match(message, /^A payment of this customer/, 'it may be no card')
  const set = (changes: Partial<typeof checkouts.$inferInsert>) =>
    shop.db.update(checkouts).set(changes)
  await set({ state: 'review' })
  assert.equal((await requestErasure(shop)).json().code, 'customer-in-review')
  await set({ state: 'closed', nextCheckAt: new Date() })
  assert.equal((await requestErasure(shop)).json().code, 'customer-card-under-way', 'it is due')
  assert.ok((await getOnlyCheckout(shop)).details)
  await set({ nextCheckAt: null })
  const { id } = await getOnlyCheckout(shop)
  const entry = { id, saleId: id, reason: 'no-details', state: 'open', note: 'Anna called' }
  await shop.db.insert(reviewEntries).values(entry)
  assert.equal((await requestErasure(shop)).json().code, 'customer-in-review')
  await shop.db.update(reviewEntries).set({ state: 'dismissed', handledAt: new Date() })
  const [mail] = await shop.db
    .insert(mails)
    .values({ saleId: id, kind: 'payment-closed' })
    .returning()
  const folder = join(shop.shop.config.dataDir, 'mail')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `2026-11-16-payment-closed-${mail?.id}.eml`), 'To: anna@example.com')
  assert.equal((await requestErasure(shop)).statusCode, 200)
  assert.doesNotMatch(await dump(shop), personal)
  assert.deepEqual(readdirSync(folder), [])
})

test('money that arrives after an erasure is not lost', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await shop.db.update(checkouts).set({ state: 'closed', nextCheckAt: null })
  assert.equal((await requestErasure(shop)).statusCode, 200)
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  assert.equal((await listReview(shop))[0]?.reason, 'no-details')
})

test('what is not an e-mail address, or not known, is refused', async () => {
  const shop = await openSaleShop()
  for (const request of [requestExport, requestErasure]) {
    assert.equal((await request(shop, 'nobody@example.com')).statusCode, 404)
    for (const email of ['', 'anna', `${'a'.repeat(250)}@example.com`])
      assert.equal((await request(shop, email)).statusCode, 400, email)
  }
})
