import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { sql } from '#server/db/drizzle.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { readWebFiles } from './web-files.ts'
import { guardRoutes, type Access } from './access.ts'

/** What is open to others than admins, decided by people: such a route belongs in here before it works. */
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

const web = await readWebFiles()
const shop = await openTestShop({ web, environment: { CUSTOM_DOMAIN: 'pay.example.com' } })

const routes = [...shop.app.accessOfRoutes].filter(([route]) => !route.startsWith('HEAD '))
const adminRoutes = routes.flatMap(([route, access]) => (access === 'admin' ? [route] : []))

test('only what is listed here is open to others than admins', () => {
  const open = routes.filter(([, access]) => access !== 'admin')
  assert.deepEqual(Object.fromEntries(open), decided)
  assert.ok(adminRoutes.length > 50)
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

test('admin routes answer nobody without a session', async () => {
  const { cookie: ended } = await shop.signIn()
  await shop.db.execute(sql`update sessions set expire = now()`)
  const buyer = `till_buyer=${'a'.repeat(22)}`
  for (const route of adminRoutes) {
    const [method, url] = route.split(' ') as ['GET', string]
    for (const cookie of ['', 'till_session=forged', '__Host-till_session=forged', ended, buyer]) {
      const answer = await shop.app.inject({
        method,
        url: url.replace(/:\w+/, 'x'),
        headers: { cookie },
      })
      assert.equal(answer.statusCode, 401, route)
      assert.match(answer.body, /Unauthorized/)
    }
  }
})

test('a page of another site cannot use an admin route, even with the admin’s cookie', async () => {
  const { cookie } = await shop.signIn()
  for (const route of adminRoutes) {
    const [method, url] = route.split(' ') as ['GET', string]
    const answer = await shop.app.inject({
      method,
      url: url.replace(/:\w+/, 'x'),
      headers: { cookie, 'sec-fetch-site': 'cross-site' },
    })
    assert.equal(answer.statusCode, 403, route)
  }
})

test('on the custom domain the back-office is not found, signed in or not', async () => {
  const { cookie } = await shop.signIn()
  for (const [route, access] of routes) {
    if (access === 'public') continue
    const [method, url] = route.split(' ') as ['GET', string]
    const answer = await shop.app.inject({
      method,
      url,
      headers: { cookie, host: 'pay.example.com' },
    })
    assert.equal(answer.statusCode, 404, route)
  }
  const live = await shop.app.inject({
    url: '/api/health/live',
    headers: { host: 'pay.example.com' },
  })
  assert.equal(live.statusCode, 200)
})
