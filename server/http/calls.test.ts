import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import fastify, { type HTTPMethods } from 'fastify'
import { defaultMethods } from '#contract/payment-methods.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { refusals, type RefusalCode } from '#contract/refusals.ts'
import { createSession } from '#server/admin/sessions.ts'
import { documentedCalls } from '#server/calls.ts'
import { auditLog, credentials, sessions, users } from '#server/db/admin-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { badCard, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { createAnswerCheck } from '#server/testing/documented-answers.ts'
import { changeConfig } from '#server/testing/prices.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { openTestShop, testBrowser, type TestShop } from '#server/testing/test-shop.ts'
import { prepareValidCalls } from '#server/testing/valid-calls.ts'
import { guardRoutes, type Access } from './access.ts'
import { createOpenApi } from './openapi.ts'
import { readWebFiles } from './web-files.ts'

/*
 * Every call and page of the shop, made from the list of calls: what it is open to, that it succeeds and is answered as the
 * API reference says, what it needs, and that what an admin changes is recorded.
 */

/** Routes that are open to others than admins. A person lists a route here before it works. */
const decided: Record<string, Exclude<Access, 'admin'>> = {
  'GET /api/health/live': 'public',
  'GET /api/health/ready': 'public',
  'GET /api/health/self-check': 'backoffice',
  'GET /api/openapi.json': 'public',
  'GET /metrics': 'backoffice',
  'POST /api/admin/login': 'backoffice',
  'POST /api/admin/logout': 'backoffice',
  'POST /api/admin/invites/accept': 'backoffice',
  'POST /api/admin/invites/check': 'backoffice',
  'GET /api/products/:id': 'public',
  'GET /api/products/:id/link-picture.jpg': 'public',
  'GET /api/objects/:key': 'public',
  'GET /api/objects/:key/icon.png': 'public',
  'PUT /api/objects/incoming/:key': 'public',
  'PUT /api/objects/incoming/:key/:uploadId/:partNumber': 'public',
  'POST /api/sumup/create-checkout': 'public',
  'PUT /api/sumup/checkouts/:checkoutId/details': 'public',
  'GET /api/sumup/checkouts/:checkoutId': 'public',
  'POST /api/sumup/checkouts/:checkoutId/start-over': 'public',
  'POST /api/orders': 'public',
  'GET /api/orders/:id': 'public',
  'POST /api/withdrawals': 'public',
  'GET /api/withdrawals/form': 'public',
  'POST /api/withdrawals/form': 'public',
  'POST /api/sumup/webhook': 'public',
  'POST /api/analytics/track': 'public',
  'GET /checkout/:id': 'public',
  'GET /thank-you/:id': 'public',
  'GET,POST,PUT,OPTIONS /sandbox/*': 'public',
  'GET /assets/*': 'public',
  'GET /robots.txt': 'public',
  'GET /.well-known/apple-developer-merchantid-domain-association': 'public',
  'GET /login': 'backoffice',
  'GET /': 'backoffice',
  'GET /products': 'backoffice',
  'GET /orders': 'backoffice',
  'GET /fulfillment': 'backoffice',
  'GET /analytics': 'backoffice',
}

/** Changes by an admin that are not recorded: none of them matters by itself. */
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

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const mainHost = 'shop.example.com'
const payHost = 'pay.example.com'
const web = await readWebFiles()
const guarded = await openTestShop({
  web,
  environment: { PUBLIC_URL: `https://${mainHost}`, CUSTOM_DOMAIN: payHost },
})
// Without Apple's file its address is like one that does not exist.
changeConfig(guarded, { methods: { ...defaultMethods, applePayFile: '7B22' } })

const shop = await openSaleShop({ web })
const { app, db } = shop
const valid = await prepareValidCalls(shop, await shop.signIn())
const check = createAnswerCheck(documentedCalls)
const reference = createOpenApi(documentedCalls)

const [asset = ''] = await readdir(web.assetsFolder)

const routes = [...guarded.app.accessOfRoutes].flatMap(([route, access]) => {
  const [names = '', url = ''] = route.split(' ')
  return names.split(',').map((method) => ({ method, url, access }))
})

test('only what is listed here is open to others than admins', () => {
  const open = [...guarded.app.accessOfRoutes].filter(
    ([route, access]) => access !== 'admin' && !route.startsWith('HEAD '),
  )
  assert.deepEqual(Object.fromEntries(open), decided)
})

test('the server does not start with a route that states no access, or a call without definition', () => {
  const app = fastify()
  guardRoutes(app, {
    addresses: { publicUrl: undefined, customDomain: undefined },
    findSession: async () => undefined,
  })
  assert.throws(() => app.get('/forgotten', async () => 'hello'), /does not say who may use it/)
  const config = { access: 'admin' } as const
  assert.throws(() => app.get('/api/forgotten', { config }, async () => ''), /mount it with/)
})

type Caller = {
  headers: (shop: TestShop) => Promise<Record<string, string>> | Record<string, string>
  /** A signed-in admin on the right address, asking from our own pages. */
  isAdmin?: true
  isForeign?: true
  isOnPayHost?: true
}

const session = (token: string) => ({ cookie: `__Host-till_session=${token}` })
const asAdmin =
  (more: Record<string, string>): Caller['headers'] =>
  async (shop) => ({ ...(await shop.signIn()), ...more })

const callers: Record<string, Caller> = {
  nobody: { headers: () => ({}) },
  'an admin': { headers: asAdmin({}), isAdmin: true },
  'an admin, from an own page': {
    headers: asAdmin({ 'sec-fetch-site': 'same-origin' }),
    isAdmin: true,
  },
  'a disabled admin': { headers: signInAsDisabled },
  'an expired session': { headers: signInExpired },
  'a forged session': { headers: () => session(randomBytes(32).toString('base64url')) },
  // A sub-domain of another owner can set cookies for ours, but none whose name begins with __Host-.
  'a session under the plain name': {
    headers: async ({ signIn }) => ({ cookie: (await signIn()).cookie.replace('__Host-', '') }),
  },
  'an injected session': { headers: () => session(`' or 1=1 --`) },
  'a forged buyer': {
    headers: () => ({ cookie: `__Host-till_buyer=${'a'.repeat(22)}.${'b'.repeat(22)}` }),
  },
  'a page of another site, by Origin': {
    headers: asAdmin({ origin: 'https://evil.example' }),
    isForeign: true,
  },
  'a page of another site, by Sec-Fetch-Site': {
    headers: asAdmin({ 'sec-fetch-site': 'cross-site' }),
    isForeign: true,
  },
  'a sandboxed frame': { headers: asAdmin({ origin: 'null' }), isForeign: true },
  'an admin on the custom domain, by Host': {
    headers: asAdmin({ host: payHost }),
    isOnPayHost: true,
  },
  'an admin on the custom domain, by X-Forwarded-Host': {
    headers: asAdmin({ 'x-forwarded-host': payHost }),
    isOnPayHost: true,
  },
  'nobody on the custom domain, written otherwise': {
    headers: () => ({ host: `${payHost.toUpperCase()}.:443` }),
    isOnPayHost: true,
  },
}

/** Public reads that answer by the buyer's cookie, and are closed to other sites for that reason. */
const cookieBound = new Set<string>([apiRoutes.checkout])

/**
 * Returns the refusal that must come, or `allowed`: any answer of the route itself. The rules are written anew here, and use nothing of
 * access.ts but its type.
 */
function expectOutcome(access: Access, url: string, method: string, caller: Caller): string {
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  const isClosedToOthers = !isRead || access === 'admin' || cookieBound.has(url)
  if (caller.isForeign && isClosedToOthers) return 'foreign-origin'
  // Only for who has the secret; to all others it is no call.
  if (url === apiRoutes.selfCheck) return 'call-missing'
  if (caller.isForeign || access === 'public') return 'allowed'
  if (caller.isOnPayHost) return 'call-missing'
  return access === 'admin' && !caller.isAdmin ? 'unauthorized' : 'allowed'
}

let asked = 0

async function ask(method: HTTPMethods, path: string, caller: Caller) {
  asked += 1
  // From many addresses, so that limits do not answer instead of the guard.
  const from = `198.18.${asked >> 8}.${asked & 255}`
  const headers = { host: mainHost, 'x-forwarded-for': from, ...(await caller.headers(guarded)) }
  const answer = await guarded.app.inject({ method: method, url: path, headers })
  return { outcome: readOutcome(answer), status: answer.statusCode }
}

/** Refusals that come before the route itself. */
const guardCodes = new Set(['unauthorized', 'foreign-origin', 'call-missing', 'too-many-requests'])

/** The code of the refusal that the guard or the router gave, or `allowed`. HEAD has no body: there 404 may be either. */
function readOutcome({ statusCode, body }: { statusCode: number; body: string }): string {
  const code: unknown = body.startsWith('{') ? JSON.parse(body).code : undefined
  if (typeof code === 'string') return guardCodes.has(code) ? code : 'allowed'
  if (statusCode === 401) return 'unauthorized'
  if (statusCode === 403) return 'foreign-origin'
  // The page that there is no such page; pages about products and orders have texts of their own.
  const isMissing = statusCode === 404 && (body === '' || body.includes('Page Not Found'))
  return isMissing ? 'call-missing' : 'allowed'
}

const pathFor = (url: string) => url.replaceAll(/:\w+/g, () => randomUUID()).replace('*', asset)

for (const [name, caller] of Object.entries(callers)) {
  test(`every route answers ${name} as its access says`, async () => {
    const wrong: string[] = []
    for (const { method, url, access } of routes) {
      const expected = expectOutcome(access, url, method, caller)
      const { outcome, status } = await ask(method, pathFor(url), caller)
      const isAmbiguous = method === 'HEAD' && status === 404 && expected === 'allowed'
      const isBroken = status >= 500 && status !== 501
      if ((outcome !== expected && !isAmbiguous) || isBroken)
        wrong.push(`${method} ${url}: ${outcome} (${status}) instead of ${expected}`)
    }
    assert.deepEqual(wrong, [])
  })
}

test('a method that a route does not have is missing, also for an admin', async () => {
  const wrong: string[] = []
  for (const url of new Set(routes.map((route) => route.url)))
    for (const method of methods) {
      const path = pathFor(url)
      if (isTaken(method, path)) continue
      for (const caller of [callers.nobody, callers['an admin']]) {
        const { outcome } = caller ? await ask(method, path, caller) : {}
        if (outcome !== 'call-missing') wrong.push(`${method} ${url}: ${outcome}`)
      }
    }
  assert.deepEqual(wrong, [])
})

function isTaken(method: string, path: string): boolean {
  return routes.some((other) => {
    const pattern = other.url.replaceAll(/:\w+/g, '[^/]+').replace('*', '.*')
    return other.method === method && new RegExp(`^${pattern}$`).test(path)
  })
}

/** With its session still there, as on a node that has not heard of it. */
async function signInAsDisabled({ db }: TestShop): Promise<{ cookie: string }> {
  const email = `${randomUUID()}@example.com`
  const [user] = await db.insert(users).values({ email }).returning({ id: users.id })
  const userId = user?.id ?? ''
  await db
    .insert(credentials)
    .values({ userId, username: email, passwordHash: 'none', disabledAt: sql`now()` })
  return session(await createSession(db, userId, testBrowser))
}

async function signInExpired({ db, signIn }: TestShop): Promise<{ cookie: string }> {
  const before = new Set(
    (await db.select({ sid: sessions.sid }).from(sessions)).map(({ sid }) => sid),
  )
  const headers = await signIn()
  const made = await db.select({ sid: sessions.sid }).from(sessions)
  for (const { sid } of made.filter((row) => !before.has(row.sid)))
    await db
      .update(sessions)
      .set({ expire: sql`now()` })
      .where(eq(sessions.sid, sid))
  return headers
}

test('what is not there is refused with a code that says so', async () => {
  const headers = await shop.signIn()
  const none = { id: 'none', key: 'none', uploadId: 'none', section: 'none', kind: 'none' }
  const since = '2026-01-01T00:00:00.000Z'
  const calls: [RefusalCode, HTTPMethods, string, object?][] = [
    ['product-missing', 'GET', apiRoutes.product],
    ['object-missing', 'GET', apiRoutes.object],
    ['object-missing', 'GET', apiRoutes.icon],
    ['upload-missing', 'GET', `${apiRoutes.multipartUpload}?key=none`],
    ['no-temporary-credentials', 'GET', apiRoutes.temporaryCredentials],
    ['order-missing', 'GET', apiRoutes.order],
    ['payment-missing', 'GET', apiRoutes.checkout],
    ['session-missing', 'DELETE', apiRoutes.adminSession],
    ['second-factor-not-begun', 'POST', apiRoutes.secondFactorConfirm, { code: '000000' }],
    ['notice-missing', 'POST', apiRoutes.noticeDismiss, { since }],
    ['settings-missing', 'PUT', apiRoutes.settingsSection, { version: 0, values: {} }],
  ]
  for (const [code, method, route, payload] of calls) {
    const [path = '', query] = route.split('?')
    const url = [pathOf(path, none), query].filter(Boolean).join('?')
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    assert.equal(answer.json().code, code, `${method} ${route}: ${answer.body}`)
    assert.equal(answer.statusCode, refusals[code].status)
  }
})

test('an order whose card was declined is refused as such', async () => {
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId, badCard)
  const answer = await buyer.order(checkoutId)
  assert.deepEqual([answer.statusCode, answer.json().code], [402, 'payment-declined'])
})

for (const definition of valid.sort(documentedCalls)) {
  const { route, access, answers } = definition
  // The call for temporary credentials is refused always.
  if (Object.keys(answers).length === 0) continue
  const [method, url] = route.split(' ') as [HTTPMethods, string]
  const isChange = access === 'admin' && method !== 'GET'
  const isRecorded = isChange && !withoutEntry.has(route)
  test(`${route} succeeds as documented${isRecorded ? ', and is recorded' : ''}`, async () => {
    const { params = {}, query = {}, payload, headers = {} } = await valid.prepare(definition)
    const send = (sent: object | undefined) =>
      app.inject({
        method: method,
        url: pathOf(url, params),
        query,
        headers,
        ...(sent && { payload: sent }),
      })
    for (const name of listRequired(method, url)) {
      const { [name]: _left, ...rest } = payload as Record<string, unknown>
      assert.equal((await send(rest)).statusCode, 400, `without ${name}`)
    }
    const before = await db.$count(auditLog)
    const { statusCode: status, headers: answered, body: text } = await send(payload)
    assert.ok(status < 300, `${status} ${text}`)
    const type = answered['content-type'] ?? ''
    assert.equal(check({ method, url, status, type, body: text }), undefined)
    const isEntered = (await db.$count(auditLog)) > before
    if (isChange) assert.equal(isEntered, isRecorded, 'recorded in the log')
  })
}

type BodySchema = { required?: string[]; allOf?: BodySchema[] }

/** Lists the fields that the reference calls required. */
function listRequired(method: string, url: string): string[] {
  const path = url.replaceAll(/:(\w+)/g, '{$1}')
  const { requestBody } = reference.paths[path]?.[method.toLowerCase()] ?? {}
  const required = ({ required: own = [], allOf = [] }: BodySchema): string[] => [
    ...own,
    ...allOf.flatMap(required),
  ]
  return required(requestBody?.content['application/json']?.schema ?? {})
}

test('no answer was of another shape, status or refusal than documented', () => {
  assert.deepEqual([...shop.watch.undocumented, ...guarded.watch.undocumented], [])
})
