import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { orderStatuses } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { createApp } from '#server/app.ts'
import { backups } from '#server/db/admin-schema.ts'
import { eq } from '#server/db/drizzle.ts'
import { reviewEntries } from '#server/db/payment-schema.ts'
import { mails } from '#server/db/schema.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { addSaleMail } from '#server/testing/mails.ts'
import { openTestShop, type TestShop } from '#server/testing/test-shop.ts'
import { figuresQuery } from './metrics.ts'

const token = 'a-token-for-tests-0123456789'

async function read({ app }: TestShop, headers: Record<string, string> = {}): Promise<string> {
  const answer = await app.inject({ url: apiRoutes.metrics, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.match(String(answer.headers['content-type']), /^text\/plain; version=0\.0\.4/)
  return answer.body
}

/** From another app of the same shop: each keeps the database's figures for some seconds. */
async function readFresh(shop: TestShop): Promise<string> {
  const app = await createApp(shop.shop)
  try {
    return await read({ ...shop, app })
  } finally {
    await app.close()
  }
}

/** The value of one series, by its name and labels as they are written. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
  assert.ok(line, `${series} is not in\n${text}`)
  return Number(line.slice(series.length + 1))
}

test('without a token metrics are for this machine alone, and not for those whom a proxy on it serves', async () => {
  const shop = await openTestShop()
  await read(shop)
  const ask = async (call: { headers?: Record<string, string>; remoteAddress?: string }) => {
    const answer = await shop.app.inject({ url: apiRoutes.metrics, ...call })
    return [answer.statusCode, answer.json().code]
  }
  const closed = [403, 'metrics-closed']
  assert.deepEqual(await ask({ remoteAddress: '203.0.113.9' }), closed)
  assert.deepEqual(await ask({ remoteAddress: '10.0.0.5' }), closed)
  for (const headers of [
    { host: 'shop.example.com' },
    { host: 'localhost.example.com' },
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-real-ip': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { via: '1.1 proxy' },
    { 'x-forwarded-proto': 'https' },
  ])
    assert.deepEqual(await ask({ headers }), closed)
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
    assert.equal(
      (await shop.app.inject({ url: apiRoutes.metrics, headers: { host } })).statusCode,
      200,
    )
})

test('without a token there are no metrics once the shop has a public address, whatever a proxy hides', async () => {
  const ask = async (environment: Record<string, string>) =>
    (await (await openTestShop({ environment })).app.inject(apiRoutes.metrics)).statusCode
  assert.equal(await ask({ PUBLIC_URL: 'https://shop.example.com' }), 403)
  assert.equal(await ask({ CUSTOM_DOMAIN: 'pay.example.com' }), 403)
  assert.equal(await ask({ PUBLIC_URL: 'http://localhost:3000' }), 200, 'no address for others')
})

test('with a token metrics are for whoever has it, from wherever', async () => {
  const shop = await openTestShop({ environment: { METRICS_TOKEN: token } })
  const ask = async (authorization?: string) => {
    const headers = { 'x-forwarded-for': '203.0.113.9', ...(authorization && { authorization }) }
    return (await shop.app.inject({ url: apiRoutes.metrics, headers })).statusCode
  }
  assert.equal(await ask(`Bearer ${token}`), 200)
  assert.equal(await ask(`bearer ${token}`), 200)
  for (const wrong of [undefined, token, `Bearer ${token}x`, `Basic ${token}`, 'Bearer '])
    assert.equal(await ask(wrong), 403, wrong)
  const local = await shop.app.inject({ url: apiRoutes.metrics })
  assert.equal(local.statusCode, 403, 'the token is needed on this machine too')
})

test('on the custom domain there are no metrics, with or without the token', async () => {
  const environment = { METRICS_TOKEN: token, CUSTOM_DOMAIN: 'pay.example.com' }
  const shop = await openTestShop({ environment })
  const headers = { host: 'pay.example.com', authorization: `Bearer ${token}` }
  const answer = await shop.app.inject({ url: apiRoutes.metrics, headers })
  assert.deepEqual([answer.statusCode, answer.json().code], [404, 'call-missing'])
})

test('a sale shows in the metrics: the payment, the order, its speed, its mails and the calls it took', async () => {
  const shop = await openTestShop()
  const counts = async () => {
    const text = await read(shop)
    const valueOrZero = (series: string) =>
      text.includes(`\n${series} `) ? valueOf(text, series) : 0
    return {
      orders: valueOrZero('till_paid_to_order_seconds_count{test="true"}'),
      created: valueOrZero(
        'till_sumup_call_seconds_count{operation="create-checkout",result="ok"}',
      ),
      opened: valueOrZero(
        `till_http_request_seconds_count{method="POST",route="${apiRoutes.createCheckout}",status="2xx"}`,
      ),
    }
  }
  const before = await counts()
  const mug = await addMug(shop)
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(mug)).json()
  await buyer.saveDetails(checkoutId)
  await shop.shop.pool.query(`update checkouts set details_at = now() - interval '1 hour'`)
  {
    const text = await readFresh(shop)
    assert.equal(valueOf(text, 'till_checkouts{state="submitted",test="true"}'), 1)
    assert.equal(valueOf(text, 'till_checkouts{state="submitted",test="false"}'), 0)
    assert.ok(valueOf(text, 'till_oldest_submitted_seconds{test="true"}') >= 3_600)
  }
  await payByCard(shop.sandbox, checkoutId)
  await buyer.look(checkoutId)
  {
    const text = await readFresh(shop)
    assert.equal(valueOf(text, 'till_checkouts{state="submitted",test="true"}'), 0)
    assert.equal(valueOf(text, 'till_orders{status="pending",test="true"}'), 1)
    assert.equal(valueOf(text, 'till_orders{status="pending",test="false"}'), 0)
    assert.ok(valueOf(text, 'till_mails_unsent{test="true"}') >= 1)
    assert.equal(valueOf(text, 'till_database_up'), 1)
    assert.ok(valueOf(text, 'till_disk_free_bytes') > 0)
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
  }
  const afterwards = await counts()
  assert.equal(afterwards.orders, before.orders + 1)
  assert.ok(afterwards.created > before.created)
  assert.ok(afterwards.opened > before.opened)
})

test('a database that does not answer is one figure of the metrics, and costs none of the others', async () => {
  const shop = await openTestShop()
  const holder = await shop.shop.pool.connect()
  await holder.query('begin; lock table mails in access exclusive mode')
  const app = await createApp({ ...shop.shop, figuresWithinMs: 1 })
  const text = await read({ ...shop, app })
  await app.close()
  await holder.query('rollback')
  holder.release()
  assert.equal(valueOf(text, 'till_database_up'), 0)
  assert.equal(text.includes('till_checkouts{'), false)
  assert.ok(valueOf(text, 'till_disk_free_bytes') > 0)
  assert.match(text, /^process_cpu_seconds_total /m)
})

test('whatever is asked for, the metrics name routes by their template and no others', async () => {
  const shop = await openTestShop()
  for (const method of ['GET', 'DELETE', 'PROPFIND'] as const)
    await shop.app.inject({
      method: method as 'GET',
      url: `/nowhere-${method}/somebody@example.com`,
    })
  const text = await read(shop)
  assert.equal(text.includes('nowhere'), false)
  const unknown = text.match(/^till_http_request_seconds_count\{.*route="none".*$/gm) ?? []
  assert.ok(unknown.length > 0)
  assert.ok(unknown.every((line) => line.includes('method="any"')))
})

test('the age of the last backup is never negative, and grows while every backup fails', async () => {
  const { db, shop } = await openTestShop()
  const readAge = async () => {
    const { rows } = await shop.pool.query<{ name: string; value: number }>(figuresQuery)
    return rows.find(({ name }) => name === 'till_backup_age_seconds')?.value ?? -1
  }
  const failedAt = new Date(Date.now() - 40 * 3_600_000)
  await db.insert(backups).values({ file: 'a', error: 'full', failedAt, createdAt: failedAt })
  assert.ok((await readAge()) > 36 * 3_600)
  const future = new Date(Date.now() + 3_600_000)
  await db.insert(backups).values({ file: 'b', bytes: 1, createdAt: future })
  assert.equal(await readAge(), 0)
})

test('alerts and dashboard ask for metrics that the shop has', async () => {
  const shop = await openTestShop()
  await shop.db.insert(backups).values({ file: 'till.backup', bytes: 1 })
  const text = await read(shop)
  assert.ok(valueOf(text, 'till_backup_age_seconds') < 60)
  for (const level of ['warn', 'error', 'fatal'])
    assert.ok(valueOf(text, `till_log_lines_total{level="${level}"}`) >= 0)
  assert.equal(valueOf(text, 'till_backup_expected'), 0)
  const exported = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
  for (const file of ['deploy/prometheus/alerts.yml', 'deploy/grafana/till.json']) {
    const content = readFileSync(file, 'utf8')
    const named = new Set(content.match(/\b(till|nodejs|process)_\w+/g))
    assert.ok(named.size > 10)
    assert.deepEqual(
      [...named].filter((name) => !exported.has(name)),
      [],
      file,
    )
    for (const [, label = '', values = ''] of content.matchAll(
      /\b(level|state|kind|test|status)=~?\\?"([\w|]+)\\?"/g,
    ))
      for (const value of values.split('|'))
        assert.ok(knownValues[label]?.includes(value), `${file}: ${label}="${value}"`)
  }
})

const knownValues: Record<string, string[]> = {
  level: ['warn', 'error', 'fatal'],
  state: ['created', 'open', 'submitted', 'review', 'idle', 'busy'],
  kind: ['sale', 'stray'],
  test: ['true', 'false'],
  status: ['2xx', '3xx', '4xx', '5xx', 'gone', ...orderStatuses],
}

test('a scrape reads what is not over, by indexes that hold nothing else, however much was sold', async () => {
  const { shop } = await openTestShop()
  const client = await shop.pool.connect()
  // Which index is chosen depends on statistics; that these are enough shows when there are no others.
  await client.query('begin')
  const { rows: constraints } = await client.query(
    `select conname as name, conrelid::regclass::text as owner from pg_constraint
      where conrelid in ('checkouts'::regclass, 'mails'::regclass, 'review_entries'::regclass) and contype in ('p', 'u', 'x')`,
  )
  for (const { name, owner } of constraints)
    if (!keys.has(name)) await client.query(`alter table ${owner} drop constraint ${name} cascade`)
  const { rows: indexes } = await client.query(
    `select indexname as name from pg_indexes where schemaname = 'public' and tablename in ('checkouts', 'mails', 'review_entries')`,
  )
  for (const { name } of indexes)
    if (!partialIndexes.has(name) && !keys.has(name)) await client.query(`drop index ${name}`)
  await client.query('set local enable_seqscan = off')
  const { rows } = await client.query(`explain ${figuresQuery}`)
  await client.query('rollback')
  client.release()
  const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
  assert.doesNotMatch(plan, /Seq Scan on (checkouts|mails|orders|review_entries)\b/)
  assert.doesNotMatch(plan, /using checkouts_pkey.*\n(?!\s+Index Cond)/, 'a key finds single rows')
})

const partialIndexes = new Set([
  'checkouts_due_idx',
  'checkouts_open_idx',
  'checkouts_one_card_key',
  'mails_due_idx',
  'mails_given_up_idx',
  'review_entries_open_idx',
])
/** Which sale a mail is about. */
const keys = new Set(['checkouts_pkey'])

test('open reviews and mails about sales are counted, tests apart', async () => {
  const shop = await openTestShop()
  const saleId = randomUUID()
  const open = { state: 'open', reason: 'no-details' }
  await shop.db.insert(reviewEntries).values([
    { ...open, id: saleId, saleId },
    { ...open, id: randomUUID(), saleId, reason: 'paid-twice' },
    { ...open, id: randomUUID(), reason: 'no-sale' },
    { ...open, id: randomUUID(), reason: 'no-sale', isTest: true },
    { ...open, id: randomUUID(), reason: 'no-sale', state: 'refunded' },
  ])
  await addSaleMail(shop.db, 'not-charged', { isTest: true })
  const { mail } = await addSaleMail(shop.db, 'not-charged')
  await shop.db
    .update(mails)
    .set({ nextTryAt: null, givenUpAt: new Date() })
    .where(eq(mails.id, mail.id))
  const text = await readFresh(shop)
  const values = {
    'till_checkouts{state="review",test="false"}': 1,
    'till_reviews_open{kind="sale",test="false"}': 2,
    'till_reviews_open{kind="stray",test="false"}': 1,
    'till_reviews_open{kind="stray",test="true"}': 1,
    'till_mails_unsent{test="true"}': 1,
    'till_mails_unsent{test="false"}': 0,
    'till_mails_given_up{test="false"}': 1,
  }
  for (const [series, value] of Object.entries(values))
    assert.equal(valueOf(text, series), value, series)
})
