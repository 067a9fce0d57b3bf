import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { sql } from '#server/db/drizzle.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { readWebFiles } from './web-files.ts'
import { guardRoutes, type Access } from './access.ts'

/** Who may use what, decided by people. A new route belongs in here before it works. */
const decided: Record<string, Access> = {
  'GET /api/health/live': 'public',
  'GET /api/health/ready': 'public',
  'GET /api/health/self-check': 'backoffice',
  'GET /api/openapi.json': 'public',
  'GET /metrics': 'backoffice',
  'GET /api/admin/user': 'admin',
  'POST /api/admin/login': 'backoffice',
  'POST /api/admin/logout': 'backoffice',
  'GET /api/admin/account': 'admin',
  'PUT /api/admin/account/password': 'admin',
  'PUT /api/admin/account/email': 'admin',
  'POST /api/admin/account/second-factor': 'admin',
  'POST /api/admin/account/second-factor/confirm': 'admin',
  'POST /api/admin/account/second-factor/off': 'admin',
  'GET /api/admin/sessions': 'admin',
  'DELETE /api/admin/sessions': 'admin',
  'DELETE /api/admin/sessions/:id': 'admin',
  'GET /api/admin/admins': 'admin',
  'POST /api/admin/admins/:id/disable': 'admin',
  'POST /api/admin/admins/:id/enable': 'admin',
  'POST /api/admin/admins/:id/remove': 'admin',
  'GET /api/admin/invites': 'admin',
  'POST /api/admin/invites': 'admin',
  'DELETE /api/admin/invites/:id': 'admin',
  'POST /api/admin/invites/accept': 'backoffice',
  'POST /api/admin/invites/check': 'backoffice',
  'GET /api/admin/audit-log': 'admin',
  'GET /api/admin/notices': 'admin',
  'GET /api/settings': 'admin',
  'GET /api/settings/setup': 'admin',
  'PUT /api/settings/setup/folding': 'admin',
  'PUT /api/settings/:section': 'admin',
  'POST /api/settings/mail/test': 'admin',
  'POST /api/settings/address/check': 'admin',
  'POST /api/settings/sumup/check': 'admin',
  'POST /api/admin/notices/:kind/dismiss': 'admin',
  'POST /api/admin/notices/fold': 'admin',
  'GET /api/products': 'admin',
  'POST /api/products': 'admin',
  'GET /api/products/:id': 'public',
  'PUT /api/products/:id': 'admin',
  'DELETE /api/products/:id': 'admin',
  'GET /api/products/health': 'admin',
  'GET /api/products/:id/activity': 'admin',
  'POST /api/products/preview': 'admin',
  'POST /api/products/:id/pause': 'admin',
  'POST /api/products/:id/resume': 'admin',
  'POST /api/products/:id/restore': 'admin',
  'GET /api/custom-domain': 'admin',
  'POST /api/objects/upload': 'admin',
  'GET /api/objects/:key': 'public',
  'PUT /api/objects/incoming/:key': 'public',
  'PUT /api/objects/incoming/:key/:uploadId/:partNumber': 'public',
  'GET /api/objects/s3/params': 'admin',
  'GET /api/objects/s3/sts': 'admin',
  'POST /api/objects/s3/multipart': 'admin',
  'GET /api/objects/s3/multipart/:uploadId': 'admin',
  'DELETE /api/objects/s3/multipart/:uploadId': 'admin',
  'GET /api/objects/s3/multipart/:uploadId/:partNumber': 'admin',
  'POST /api/objects/s3/multipart/:uploadId/complete': 'admin',
  'POST /api/sumup/create-checkout': 'public',
  'PUT /api/sumup/checkouts/:checkoutId/details': 'public',
  'GET /api/sumup/checkouts/:checkoutId': 'public',
  'POST /api/sumup/checkouts/:checkoutId/start-over': 'public',
  'POST /api/orders': 'public',
  'GET /api/orders': 'admin',
  'GET /api/orders/summary': 'admin',
  'GET /api/orders/found': 'admin',
  'GET /api/orders/marks': 'admin',
  'GET /api/orders/export.csv': 'admin',
  'GET /api/orders/bulk-changes': 'admin',
  'POST /api/orders/bulk-changes/:id/undo': 'admin',
  'GET /api/orders/tests': 'admin',
  'POST /api/orders/tests/remove': 'admin',
  'GET /api/orders/:id': 'public',
  'PATCH /api/orders/:id/status': 'admin',
  'GET /api/orders/:id/timeline': 'admin',
  'POST /api/sumup/webhook': 'public',
  'GET /api/sumup/review': 'admin',
  'POST /api/sumup/review/:id/order': 'admin',
  'POST /api/sumup/review/:id/refund': 'admin',
  'POST /api/sumup/review/:id/dismiss': 'admin',
  'POST /api/sumup/review/:id/restore': 'admin',
  'POST /api/analytics/track': 'public',
  'GET /api/analytics/events': 'admin',
  'GET /api/analytics/summary': 'admin',
  'POST /api/customers/export': 'admin',
  'POST /api/customers/erase': 'admin',
  'GET /checkout/:id': 'public',
  'GET /thank-you/:id': 'public',
  'GET,POST,PUT,OPTIONS /sandbox/*': 'public',
  'GET /assets/*': 'public',
  'GET /login': 'backoffice',
  'GET /': 'backoffice',
  'GET /products': 'backoffice',
  'GET /orders': 'backoffice',
  'GET /fulfillment': 'backoffice',
  'GET /analytics': 'backoffice',
}

const web = await readWebFiles()
const shop = await openTestShop({ web, environment: { CUSTOM_DOMAIN: 'pay.example.com' } })

test('every route has exactly the access listed here', () => {
  const routes = [...shop.app.accessOfRoutes].filter(([route]) => !route.startsWith('HEAD '))
  assert.deepEqual(Object.fromEntries(routes), decided)
})

test('the server does not start with a route that states no access', () => {
  const app = fastify()
  guardRoutes(app, {
    addresses: { publicUrl: undefined, customDomain: undefined },
    findAdmin: async () => undefined,
  })
  assert.throws(() => app.get('/forgotten', async () => 'hello'), /does not say who may use it/)
})

test('admin routes answer nobody without a session', async () => {
  const { cookie: ended } = await shop.signIn()
  await shop.db.execute(sql`update sessions set expire = now()`)
  const buyer = `till_buyer=${'a'.repeat(22)}`
  for (const [route, access] of Object.entries(decided)) {
    if (access !== 'admin') continue
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
  for (const [route, access] of Object.entries(decided)) {
    if (access !== 'admin') continue
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
  for (const [route, access] of Object.entries(decided)) {
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
