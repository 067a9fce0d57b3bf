import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditPage } from '#contract/audit.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { auditLog } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { desc, eq, sql } from '#server/db/drizzle.ts'
import { reviewEntries } from '#server/db/payment-schema.ts'
import { orders, products } from '#server/db/schema.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { addOrders } from '#server/testing/orders.ts'
import {
  getOnlyCheckout,
  loseSale,
  openSaleShop,
  sendWebhook,
  versionOf,
} from '#server/testing/sale.ts'
import { openTestShop, testAdmin, type TestShop } from '#server/testing/test-shop.ts'
import { deleteOldAudit, recordAudit, recordFailedSignIn, shellActor } from './audit.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

async function openAuditShop<Shop extends TestShop>(shop: Shop) {
  const headers = { ...(await shop.signIn()), 'x-forwarded-for': '203.0.113.77' }
  const call = async (method: Method, url: string, payload?: object) =>
    shop.app.inject({ method, url, headers, ...(payload && { payload }) })
  const readLog = async (query = '') =>
    (await call('GET', `${apiRoutes.auditLog}${query}`)).json() as AuditPage
  const readLatest = async () => {
    const [latest] = (await readLog('?limit=1')).entries
    assert.ok(latest, 'the audit log is empty')
    return latest
  }
  return { shop, call, readLog, readLatest }
}

const proxied = { environment: { TRUST_PROXY: '1' } }
const lamp = { name: 'Lamp', price: '10.00', headerLogoUrl: 'https://example.com/logo.png' }

test('a product’s creation, changes and end are recorded, with the price before and after', async () => {
  const { call, readLatest, readLog } = await openAuditShop(await openTestShop(proxied))
  const { id } = (await call('POST', apiRoutes.products, lamp)).json()
  assert.partialDeepStrictEqual(await readLatest(), {
    action: 'product-created',
    adminName: testAdmin.username,
    subject: id,
    detail: { name: 'Lamp', price: '10.00' },
    address: '203.0.113.0',
    count: 1,
  })
  const url = pathOf(apiRoutes.product, { id })
  const dearer = { ...lamp, price: '12.50', description: 'Brighter' }
  assert.equal((await call('PUT', url, dearer)).statusCode, 200)
  const changed = await readLatest()
  assert.equal(changed.action, 'product-changed')
  assert.deepEqual(changed.detail, {
    price: { from: '10.00', to: '12.50' },
    changed: ['description'],
  })
  assert.equal((await call('DELETE', url)).statusCode, 204)
  assert.partialDeepStrictEqual(await readLatest(), { action: 'product-deleted', subject: id })
  for (const [route, action] of [
    [apiRoutes.productRestore, 'product-restored'],
    [apiRoutes.productPause, 'product-paused'],
    [apiRoutes.productResume, 'product-resumed'],
  ] as const) {
    for (const _again of [1, 2])
      assert.equal((await call('POST', pathOf(route, { id }))).statusCode, 200)
    const entry = { action, subject: id, detail: { name: 'Lamp' } }
    assert.partialDeepStrictEqual(await readLatest(), entry)
    assert.equal((await readLog(`?action=${action}`)).entries.length, 1)
  }
})

test('without its entry nothing is changed', async () => {
  const { shop, call } = await openAuditShop(await openSaleShop(proxied))
  const { db } = shop
  const [order] = await addOrders(db, [{ status: 'pending' }])
  const stray = await addStray(shop)
  const version = await versionOf(shop, stray)
  const { id } = (await call('POST', apiRoutes.products, lamp)).json()
  await db.execute(sql`alter table audit_log add check (id < 0) not valid`)
  const url = pathOf(apiRoutes.product, { id })
  const status = pathOf(apiRoutes.orderStatus, { id: order?.id ?? '' })
  const refused = await Promise.all([
    call('POST', apiRoutes.products, lamp),
    call('PUT', url, { ...lamp, price: '99.00' }),
    call('DELETE', url),
    call('PATCH', status, { status: 'shipped' }),
    call('POST', pathOf(apiRoutes.reviewDismiss, { id: stray }), {
      version,
      note: 'Nothing to do',
    }),
    call('GET', apiRoutes.orderExport),
  ])
  assert.deepEqual(
    refused.map(({ statusCode }) => statusCode),
    [500, 500, 500, 500, 500, 500],
  )
  const [product] = await db.select().from(products).where(eq(products.id, id))
  assert.deepEqual([product?.price, product?.deletedAt], ['10.00', null])
  assert.equal(await db.$count(products, eq(products.name, 'Lamp')), 1)
  const [unchanged] = await db.select().from(orders)
  assert.equal(unchanged?.status, 'pending')
  const [entry] = await db.select().from(reviewEntries)
  assert.equal(entry?.state, 'open')
})

test('each change of an order’s status is recorded, and one that changes nothing is not', async () => {
  const { shop, call, readLog } = await openAuditShop(await openTestShop(proxied))
  const [order] = await addOrders(shop.db, [{ status: 'pending' }])
  const url = pathOf(apiRoutes.orderStatus, { id: order?.id ?? '' })
  for (const status of ['shipped', 'shipped', 'completed']) await call('PATCH', url, { status })
  const { entries } = await readLog('?action=order-status')
  assert.deepEqual(
    entries.map(({ subject, detail }) => [subject, detail]),
    [
      [order?.id, { from: 'shipped', to: 'completed' }],
      [order?.id, { from: 'pending', to: 'shipped' }],
    ],
  )
})

test('an export is recorded, without what was searched for', async () => {
  const { call, readLatest } = await openAuditShop(await openTestShop(proxied))
  await call('GET', `${apiRoutes.orderExport}?q=anna@example.com&status=shipped`)
  assert.partialDeepStrictEqual(await readLatest(), {
    action: 'orders-exported',
    detail: { status: 'shipped', isSearch: true },
  })
  await call('GET', `${apiRoutes.orders}?limit=5`)
  assert.partialDeepStrictEqual(await readLatest(), { detail: { status: 'shipped' } }, 'a page')
  await call('GET', apiRoutes.orders)
  assert.partialDeepStrictEqual(await readLatest(), {
    action: 'orders-exported',
    detail: { status: 'all', isSearch: false },
  })
})

type Sales = Awaited<ReturnType<typeof openSaleShop>>

/** A sale that was paid before its details came: somebody must decide about it. */
async function addReview(shop: Sales): Promise<string> {
  const { checkoutId } = (await createBuyer(shop).open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  return (await getOnlyCheckout(shop)).id
}

async function addStray(shop: Sales): Promise<string> {
  await addReview(shop)
  return (await loseSale(shop)).id
}

for (const [kind, add] of [
  ['sale', addReview],
  ['payment without a sale', addStray],
] as const) {
  test(`decisions about a ${kind} in review are recorded once each`, async () => {
    const { shop, call, readLog } = await openAuditShop(await openSaleShop(proxied))
    const id = await add(shop)
    const decide = async (route: string, given: object = {}) => {
      const version = await versionOf(shop, id)
      return call('POST', pathOf(route, { id }), { version, ...given })
    }
    assert.equal((await decide(apiRoutes.reviewDismiss, { note: 'No answer' })).statusCode, 204)
    assert.equal((await decide(apiRoutes.reviewRestore)).statusCode, 204)
    const order = { productId: shop.mug, details: delivery }
    const made = await Promise.all([
      decide(apiRoutes.reviewOrder, order),
      decide(apiRoutes.reviewOrder, order),
    ])
    assert.deepEqual(
      made.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
      [201, 409],
    )
    const { entries } = await readLog()
    assert.deepEqual(
      entries.map(({ action, subject }) => [action, subject]),
      [
        ['review-ordered', id],
        ['review-restored', id],
        ['review-dismissed', id],
      ],
    )
    assert.partialDeepStrictEqual(entries[0], { detail: { amount: '49.00', currency: 'EUR' } })
  })

  test(`a refund of a ${kind} is recorded before SumUp is asked, and its result after`, async () => {
    const { shop, call, readLog } = await openAuditShop(await openSaleShop(proxied))
    const id = await add(shop)
    const refund = async () =>
      (
        await call('POST', pathOf(apiRoutes.reviewRefund, { id }), {
          version: await versionOf(shop, id),
        })
      ).statusCode
    const readRefunds = () =>
      shop.sandbox.ledger().transactions.flatMap(({ refunds }) => refunds).length
    await shop.db.execute(sql`alter table audit_log add constraint closed check (id < 0) not valid`)
    assert.deepEqual([await refund(), readRefunds()], [500, 0], 'without an entry')
    await shop.db.execute(sql`alter table audit_log drop constraint closed`)
    shop.sandbox.faults.set({ rules: [{ on: 'refund', kind: 'refund-rejected', count: 1 }] })
    assert.equal(await refund(), 409)
    assert.deepEqual([await refund(), readRefunds()], [204, 1])
    const { entries } = await readLog()
    assert.deepEqual(
      entries.map(({ action, subject, adminName, detail }) => [
        action,
        subject === id && adminName === testAdmin.username,
        detail?.reason,
      ]),
      [
        ['review-refunded', true, undefined],
        ['review-refund-begun', true, undefined],
        ['review-refund-failed', true, 'The payment processor rejected the refund'],
        ['review-refund-begun', true, undefined],
      ],
    )
  })
}

test('signing in, failing to and signing out are recorded, and no password is', async () => {
  const { shop, call, readLog } = await openAuditShop(await openTestShop(proxied))
  const { username, password } = testAdmin
  const login = (payload: object) => call('POST', apiRoutes.adminLogin, payload)
  await login({ username: 'a typed secret', password: 'a typed secret' })
  const signedIn = await login({ username, password })
  await shop.app.inject({
    method: 'POST',
    url: apiRoutes.adminLogout,
    headers: { cookie: `till_session=${signedIn.cookies[0]?.value}` },
  })
  // The first session ended with the second sign-in.
  const { entries } = await (await openAuditShop(shop)).readLog()
  assert.deepEqual(
    entries.map(({ action, adminName }) => [action, adminName]),
    [
      ['sign-out', 'owner'],
      ['sign-in', 'owner'],
      ['sign-in-failed', null],
    ],
  )
  const failed = entries[2]
  assert.equal(failed?.address, '203.0.113.0')
  assert.deepEqual(failed?.detail, { reason: 'password' }, 'a password in the wrong field is kept')
  assert.doesNotMatch(JSON.stringify(entries), /a typed secret|good password/)
  assert.equal((await readLog()).entries, undefined, 'the ended session reads the log')
})

test('strangers who fail to sign in add one entry for each address and hour, and a hundred at most', async () => {
  const { shop, readLog } = await openAuditShop(await openTestShop())
  const fail = (db: Db, address: string, name = 'owner') =>
    recordFailedSignIn(db, address, { name, reason: 'password' })
  // In a transaction, where it is always the same hour.
  await shop.db.transaction(async (tx) => {
    for (let host = 0; host < 13; host += 1) await fail(tx, `198.51.100.${host}`)
    for (let net = 0; net < 120; net += 1) await fail(tx, `10.0.${net}.1`)
    await fail(tx, '198.51.100.7', 'the last name')
  })
  const { entries } = await readLog('?limit=200')
  assert.equal(entries.length, 101)
  assert.partialDeepStrictEqual(entries[0], { address: null, count: 21 })
  assert.partialDeepStrictEqual(entries.at(-1), {
    address: '198.51.100.0',
    count: 14,
    detail: { name: 'the last name' },
  })

  await shop.db.update(auditLog).set({
    at: sql`at - interval '1 hour'`,
    mergeKey: sql`'an hour ago ' || id`,
  })
  await Promise.all([7, 8, 9].map((host) => fail(shop.db, `198.51.100.${host}`)))
  assert.equal((await readLog()).entries[0]?.address, '198.51.100.0', 'a new hour begins anew')
})

test('the log is read page by page, newest first, by action and by admin', async () => {
  const { shop, call, readLog } = await openAuditShop(await openTestShop())
  const admin = (await call('GET', apiRoutes.adminUser)).json()
  const actor = { admin, address: '::1' }
  for (let n = 0; n < 5; n += 1)
    await recordAudit(shop.db, n % 2 ? shellActor : actor, {
      action: n === 4 ? 'sign-out' : 'test-data-removed',
      subject: String(n),
    })
  const subjects = ({ entries }: AuditPage) => entries.map(({ subject }) => subject)
  const first = await readLog('?limit=2')
  assert.deepEqual(subjects(first), ['4', '3'])
  const second = await readLog(`?limit=2&cursor=${first.next}`)
  assert.deepEqual(subjects(second), ['2', '1'])
  const third = await readLog(`?limit=2&cursor=${second.next}`)
  assert.deepEqual([subjects(third), third.next], [['0'], null])
  assert.deepEqual(subjects(await readLog(`?adminId=${admin.id}`)), ['4', '2', '0'])
  assert.deepEqual(subjects(await readLog('?action=test-data-removed&limit=1')), ['3'])
  for (const query of [
    'action=nonsense',
    'adminId=1',
    'cursor=0',
    'cursor=x',
    'limit=0',
    'limit=999',
  ])
    assert.equal((await call('GET', `${apiRoutes.auditLog}?${query}`)).statusCode, 400, query)
})

test('an entry of another version does not hide the others', async () => {
  const { shop, readLog } = await openAuditShop(await openTestShop())
  await recordAudit(shop.db, shellActor, { action: 'sign-out' })
  await shop.db.execute(sql`insert into audit_log (action) values ('moon-landing')`)
  assert.deepEqual(
    (await readLog()).entries.map(({ action }) => action),
    ['unknown', 'sign-out'],
  )
})

test('an entry is bounded, whatever it describes', async () => {
  const { shop, readLatest } = await openAuditShop(await openTestShop())
  const long = 'ä'.repeat(10_000)
  const entry = { action: 'test-data-removed', subject: long } as const
  await recordAudit(shop.db, shellActor, { ...entry, detail: { long } })
  const { subject, detail } = await readLatest()
  assert.equal(subject?.length, 255)
  assert.equal(String(detail?.long).length, 200)
  const many = Array.from({ length: 500 }, (_, n) => `entry ${n}`)
  await recordAudit(shop.db, shellActor, { ...entry, detail: { many } })
  assert.deepEqual((await readLatest()).detail, { isTooLong: true })
})

test('no call changes the log, and entries end after two years', async () => {
  const { shop, call } = await openAuditShop(await openTestShop())
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    assert.equal((await call(method, apiRoutes.auditLog)).statusCode, 404, method)
  await recordAudit(shop.db, shellActor, { action: 'test-data-removed', subject: 'old' })
  await shop.db.update(auditLog).set({ at: sql`now() - interval '731 days'` })
  await recordAudit(shop.db, shellActor, { action: 'test-data-removed', subject: 'new' })
  await deleteOldAudit(shop.db, 730)
  const left = await shop.db.select().from(auditLog).orderBy(desc(auditLog.id))
  assert.deepEqual(
    left.map(({ subject }) => subject),
    ['new'],
  )
})

test('people, passwords, sessions and second factors leave entries', async () => {
  const { shop, call, readLog } = await openAuditShop(await openTestShop(proxied))
  const proof = { password: testAdmin.password }
  const invited = await call('POST', apiRoutes.invites, { ...proof, email: 'helper@example.com' })
  const token = invited.json().link.split('#invite=')[1]
  const helper = { token, username: 'helper', password: 'quiet river under seven bridges' }
  const { id } = (await call('POST', apiRoutes.acceptInvite, helper)).json()
  await call('POST', pathOf(apiRoutes.adminDisable, { id }), proof)
  await call('POST', pathOf(apiRoutes.adminEnable, { id }), proof)
  await call('POST', pathOf(apiRoutes.adminRemove, { id }), proof)
  const second = await call('POST', apiRoutes.invites, { ...proof, email: 'other@example.com' })
  await call('DELETE', pathOf(apiRoutes.invite, { id: second.json().id }))
  await shop.signIn()
  const [other] = (await call('GET', apiRoutes.adminSessions)).json()
  await call('DELETE', pathOf(apiRoutes.adminSession, { id: other.id }))
  await shop.signIn()
  await call('DELETE', apiRoutes.adminSessions)
  const change = { currentPassword: testAdmin.password, newPassword: helper.password }
  await call('PUT', apiRoutes.ownPassword, change)
  const actions = (await readLog()).entries.map(({ action }) => action)
  assert.deepEqual(actions.toReversed(), [
    'admin-invited',
    'admin-added',
    'admin-disabled',
    'admin-enabled',
    'admin-removed',
    'admin-invited',
    'invite-withdrawn',
    'session-ended',
    'sessions-ended',
    'password-changed',
  ])
  assert.ok(!JSON.stringify(await readLog()).includes(token), 'the log shows a token')
})
