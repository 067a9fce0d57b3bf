import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { products } from '#server/db/schema.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { addMug } from '#server/testing/buyer.ts'
import { addOrder } from '#server/testing/mails.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

/** The form to withdraw, as browsers send it that run no script. */

const shop = await openTestShop({ web: await readWebFiles() })
const { app, db } = shop
const url = apiRoutes.withdrawalForm
let callers = 0

function send(fields: Record<string, string>, ip = `198.51.100.${(callers += 1)}`) {
  const payload = new URLSearchParams(fields).toString()
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': ip,
  }
  return app.inject({ method: 'POST', url, headers, payload })
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('a statement is saved after two steps, and answered the same whether or not an order fits', async () => {
  const order = await addOrder(db, { customerEmail: 'anna@example.com' })
  const first = await app.inject({ url })
  assert.equal(first.statusCode, 200)
  assert.match(first.headers['content-security-policy']?.toString() ?? '', /form-action 'self'/)
  assert.doesNotMatch(first.body, /<script/)
  const fields = { name: 'Anna <b>', orderNumber: `#${order.number}`, email: 'anna@example.com' }
  const second = await send(fields)
  assert.match(textOf(second.body), /I hereby withdraw[^]*Confirm withdrawal/)
  assert.match(second.body, /Anna &lt;b&gt;/)
  assert.equal(await db.$count(withdrawals), 0, 'nothing is stated before it is confirmed')
  const changed = await send({ ...fields, step: 'change' })
  assert.match(changed.body, /value="anna@example.com"/)
  const [fitting, other] = [
    await send({ ...fields, step: 'confirm' }),
    await send({ ...fields, orderNumber: '#999999999', step: 'confirm' }),
  ]
  const withoutTime = ({ body }: typeof fitting) => textOf(body).replace(/on .+? \(UTC\)/, '')
  assert.equal(fitting.statusCode, 200)
  assert.match(textOf(fitting.body), /We have received your withdrawal on .+ \(UTC\)/)
  assert.equal(withoutTime(other), withoutTime(fitting))
  const saved = await db.select().from(withdrawals).orderBy(withdrawals.createdAt)
  assert.deepEqual(
    saved.map(({ orderId, mailId }) => [orderId, mailId !== null]),
    [
      [order.id, true],
      [null, true],
    ],
  )
})

test('what is wrong is said at its field, and what was typed stays', async () => {
  const before = await db.$count(withdrawals)
  for (const [change, field, text] of [
    [{ email: 'anna' }, 'email', 'Enter a valid email address'],
    [{ name: '' }, 'name', 'Enter your name'],
    [{ orderNumber: '' }, 'orderNumber', 'Enter the order number'],
  ] as const) {
    const fields = { name: 'Anna', orderNumber: '#4711', email: 'anna@example.com', ...change }
    const { statusCode, body } = await send({ ...fields, step: 'confirm' })
    assert.equal(statusCode, 400)
    const [invalid, ...others] = body.match(/<input[^>]*aria-invalid="true"[^>]*>/g) ?? []
    assert.match(invalid ?? '', new RegExp(`name="${field}"`))
    assert.match(invalid ?? '', new RegExp(`aria-describedby="withdraw-${field}-problem`))
    assert.deepEqual(others, [])
    assert.match(body, new RegExp(`id="withdraw-${field}-problem"[^>]*>${text}`))
    if (field !== 'orderNumber') assert.match(body, /value="#4711"/)
  }
  for (const payload of ['', '%', 'name=%00', 'a'.repeat(1000)]) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await app.inject({ method: 'POST', url, headers, payload })).statusCode, 400)
  }
  assert.equal(await db.$count(withdrawals), before)
})

test('the form counts with the same limit as the call, and says so without losing anything', async () => {
  const statement = { name: 'Fritz', orderNumber: '#4711', email: 'fritz@example.com' }
  const ip = '203.0.113.77'
  const headers = { 'x-forwarded-for': ip }
  for (let sent = 0; sent < 30; sent += 1)
    await app.inject({
      method: 'POST',
      url: apiRoutes.withdrawals,
      headers,
      payload: statement,
    })
  const refused = await send({ ...statement, step: 'confirm' }, ip)
  assert.equal(refused.statusCode, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.match(textOf(refused.body), /Too many requests[^]*Confirm withdrawal/)
  assert.match(refused.body, /type="hidden" name="email" value="fritz@example.com"/)
})

test('forms of other sites are refused, and no other call takes a form', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = 'name=Anna&orderNumber=1&email=anna@example.com&step=confirm'
  const foreign = { ...headers, 'sec-fetch-site': 'cross-site' }
  const posted = await app.inject({ method: 'POST', url, headers: foreign, payload })
  assert.equal(posted.statusCode, 403)
  const other = await app.inject({ method: 'POST', url: apiRoutes.withdrawals, headers, payload })
  assert.deepEqual([other.statusCode, other.json().code], [415, 'body-type'])
})

test('paused products and missing pages lead to the form too', async () => {
  const productId = await addMug(shop)
  await db
    .update(products)
    .set({ pausedAt: sql`now()` })
    .where(eq(products.id, productId))
  for (const path of [
    checkoutPath(productId),
    checkoutPath('nothing'),
    '/thank-you/nothing',
    '/nowhere',
  ]) {
    const { body } = await app.inject({ url: path })
    assert.match(body, new RegExp(`<a href="${url}"[^>]*>Withdraw from contract here</a>`), path)
  }
})
