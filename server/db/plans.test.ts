import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import type { PoolClient } from 'pg'
import { rollUpEvents } from '#server/analytics/days.ts'
import { listEvents as listAnalyticsEvents } from '#server/analytics/events.ts'
import { readSummary } from '#server/analytics/summary.ts'
import { findPieces } from '#server/catalog/stock.ts'
import { findBySumupId, findRecord, findSale } from '#server/checkouts/record-rows.ts'
import { findDiscount } from '#server/checkouts/code-uses.ts'
import { listKnown } from '#server/checkouts/compare.ts'
import { findEarlierCheckout } from '#server/checkouts/find-checkout.ts'
import { claimDue, claimDuePayments, closeUnused } from '#server/checkouts/ledger.ts'
import { readActivity } from '#server/checks/link-health.ts'
import { writeRecord } from '#server/checkouts/write-record.ts'
import { readConfig } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import { sendDueMails, type MailDeps } from '#server/mail/outbox.ts'
import { readNews } from '#server/news/events.ts'
import { listPage, streamOrders } from '#server/orders/list.ts'
import { getAdminOrder, findOrderByCheckout } from '#server/orders/orders.ts'
import { createOrderReader } from '#server/orders/read-order.ts'
import { searchOrders, type OrderSearch } from '#server/orders/search.ts'
import { countOrders } from '#server/orders/status.ts'
import { listEvents } from '#server/orders/timeline.ts'
import { decideRefund } from '#server/payments/owner.ts'
import { openQuestion } from '#server/payments/question.ts'
import { deleteOldData } from '#server/privacy/retention.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openSecondPool, openTestDatabase } from '#server/testing/test-database.ts'
import { loadDemo } from '#tools/seed/demo.ts'
import { demoProducts } from '#tools/seed/products.ts'
import { sql } from './drizzle.ts'
import { discountCodes } from './order-schema.ts'
import { orders, products } from './schema.ts'

/*
 * How PostgreSQL answers the statements that run all the time, with enough rows that it chooses as in a large shop: by the
 * index that is meant for each, and never by reading a whole table. The statements are recorded from the code itself.
 */

const orderCount = 20_000
const { db, pool } = await openTestDatabase()
type Statement = { text: string; values: unknown[]; isPrepared: boolean }
const sent: Statement[] = []
pool.on('connect', (client: PoolClient) => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const [asked, given] = args as [string | Partial<Statement & { name: string }>, unknown]
    const { text = '', values, name } = typeof asked === 'string' ? { text: asked } : asked
    const listed = values ?? (Array.isArray(given) ? given : [])
    sent.push({ text, values: listed, isPrepared: Boolean(name) })
    return query(...args)
  }) as typeof client.query
})

const large = [
  'orders',
  'order_timeline',
  'checkouts',
  'payments',
  'refunds',
  'review_entries',
  'mails',
  'analytics_events',
]

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: PlanNode[]
}

/** Runs what is asked, and plans each of its statements again; prepared ones also without their values. */
async function explain(work: () => Promise<unknown>): Promise<PlanNode[]> {
  sent.length = 0
  await work()
  const statements = sent.filter(({ text }) =>
    /^\s*\(?(select|with|insert|update|delete)\b/i.test(text),
  )
  assert.ok(statements.length > 0, 'nothing was asked')
  const nodes: PlanNode[] = []
  const flatten = (node: PlanNode) => {
    nodes.push(node)
    node.Plans?.forEach(flatten)
  }
  type Answer = { 'QUERY PLAN': { Plan: PlanNode }[] }
  for (const { text, values, isPrepared } of statements) {
    const plans = [await pool.query<Answer>(`explain (format json) ${text}`, values)]
    if (isPrepared) plans.push(await pool.query(`explain (generic_plan, format json) ${text}`))
    for (const { rows } of plans) flatten(rows[0]?.['QUERY PLAN'][0]?.Plan ?? { 'Node Type': '' })
  }
  return nodes
}

function describe(node: PlanNode): string {
  return [node['Node Type'], node['Relation Name'], node['Index Name']].filter(Boolean).join(' ')
}

async function assertIndexes(
  name: string,
  work: () => Promise<unknown>,
  indexes: string[],
): Promise<PlanNode[]> {
  const nodes = await explain(work)
  const whole = nodes.filter(
    (node) => node['Node Type'] === 'Seq Scan' && large.includes(node['Relation Name'] ?? ''),
  )
  const used = new Set(nodes.map((node) => node['Index Name']))
  const text = [name, ...nodes.map((node) => describe(node))].join('\n')
  assert.deepEqual(whole, [], `reads a whole table: ${text}`)
  for (const index of indexes) assert.ok(used.has(index), `does not use ${index}: ${text}`)
  return nodes
}

const log = { info() {}, warn: assert.fail, error: assert.fail } as unknown as Log
const zone = 'Europe/Berlin'
const shown = { timeZone: zone, currency: 'EUR', includesTest: true }
let some = {
  id: '',
  checkoutId: '',
  sumupCheckoutId: '',
  transactionId: '',
  productId: '',
  email: '',
  lonePaymentId: '',
}

/** The pool's timeouts are for buyers. */
const patient = openSecondPool(pool, { statement_timeout: 0, query_timeout: 0 })
const load = (text: string) => patient.pool.query(text)

before(async () => {
  for (const { id, name, price } of demoProducts)
    await db.insert(products).values({
      id,
      name,
      price,
      headerLogoUrl: 'https://example.com/logo.png',
      createdBy: 'admin',
    })
  const now = new Date()
  const demo = { orders: orderCount, events: orderCount * 4, seed: 1, actor: 'admin', now }
  await loadDemo(patient.pool, demo)
  assert.equal(await db.$count(orders), orderCount)
  await load(`insert into payments (sale_id, merchant_code, transaction_id, amount, currency, status)
    select checkouts.id, merchant_code, orders.sumup_transaction_id, orders.amount, orders.currency, 'successful'
    from orders join checkouts using (sumup_checkout_id)`)
  await load(`insert into payments (merchant_code, transaction_id, amount, currency, status)
    select 'M', 'lone-' || number, 49, 'EUR', 'successful' from generate_series(1, 5000) as number`)
  await load(`insert into review_entries (id, sale_id, payment_id, reason, state, handled_at)
    select coalesce(sale_id, id), sale_id, id, 'no-details', 'dismissed', now() from payments limit 10000
    on conflict do nothing`)
  await load(`insert into refunds (payment_id, amount, currency, state, refunded_before, failed_before, asked_by, ended_at)
    select id, 1, 'EUR', 'done', 0, 0, 'admin', now() from payments limit 10000`)
  // All mails are sent and old data is gone, as in a shop that has sold for a year.
  await load(`insert into mails (order_id, kind, next_try_at, sent_at, created_at)
    select id, kind, null, created_at, created_at from orders, (values ('confirmation'), ('new-sale')) as kinds(kind)`)
  await tidy()
  await rollUpEvents(db, zone)
  await load('vacuum (analyze)')
  await patient.close()
  const { rows } = await pool.query<typeof some>(`
    select orders.id, checkouts.id as "checkoutId", orders.sumup_checkout_id as "sumupCheckoutId",
      orders.sumup_transaction_id as "transactionId", orders.product_id as "productId", customer_email as email,
      (select id from payments where transaction_id = 'lone-2500') as "lonePaymentId"
    from orders join checkouts using (sumup_checkout_id)
    order by orders.created_at offset ${orderCount / 2} limit 1`)
  const [found] = rows
  assert.ok(found)
  some = found
})

async function tidy(): Promise<void> {
  await pool.query(`delete from node_jobs where name = 'retention'`)
  const config = readConfig({ DATA_DIR: temporaryFolder() })
  await deleteOldData({ db, log, config })
}

const isoDay = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

const list = (search: Partial<OrderSearch>) =>
  listPage(db, {
    search: { words: [], includesTest: true, sort: 'newest', ...search },
    after: undefined,
    limit: 50,
  })

test('lists of orders are read from an index in their order', async () => {
  const days = { from: isoDay(-90), to: isoDay(-30), tz: zone }
  const { productId } = some
  const cases: [Partial<OrderSearch>, string][] = [
    [{}, 'orders_age_idx'],
    [{ sort: 'oldest' }, 'orders_age_idx'],
    [{ days }, 'orders_age_idx'],
    [{ status: 'pending' }, 'orders_status_age_idx'],
    [{ status: 'completed', days }, 'orders_status_age_idx'],
    [{ productId }, 'orders_product_age_idx'],
    [{ productId, days, sort: 'oldest' }, 'orders_product_age_idx'],
    [{ sort: 'highest' }, 'orders_amount_idx'],
    [{ sort: 'lowest' }, 'orders_amount_idx'],
    [{ sort: 'highest', status: 'completed' }, 'orders_amount_idx'],
  ]
  for (const [given, index] of cases) {
    const search: OrderSearch = { words: [], includesTest: true, sort: 'newest', ...given }
    const readPages = async () => {
      let pages = 0
      for await (const page of searchOrders(db, search, undefined, 20)) {
        assert.equal(page.length, 20)
        pages += 1
        if (pages === 3) break
      }
    }
    const nodes = await assertIndexes(JSON.stringify(given), readPages, [index])
    assert.ok(!nodes.some((node) => node['Node Type'] === 'Sort'), nodes.map(describe).join('\n'))
  }
  const whole: OrderSearch = { words: [], includesTest: true, sort: 'newest' }
  const readSome = async () => {
    const pieces = streamOrders(db, whole)
    for (let piece = 0; piece < 60; piece += 1) await pieces.next()
    await pieces.return(undefined)
  }
  await assertIndexes('all orders', readSome, [
    'orders_age_idx',
    'orders_pkey',
    'orders_buyer_idx',
    'payments_transaction_key',
  ])
})

test('frequent words are found by looking through the list, others by an index of words', async () => {
  const byAge = 'orders_age_idx'
  const byWords = 'orders_search_idx'
  const cases: [Partial<OrderSearch>, string[]][] = [
    [{ words: ['mug'] }, [byAge]],
    [{ words: ['mug'], status: 'pending' }, ['orders_status_age_idx']],
    [{ words: ['mug'], sort: 'lowest' }, ['orders_amount_idx']],
    [{ words: ['ü', 'an'] }, [byAge]],
    [{ words: [some.email] }, [byAge, byWords]],
    [{ words: ['qqzz', 'nobody'] }, [byAge, byWords]],
    // Only old orders have these: reading the list until they come would take long.
    [{ words: ['honey', 'candle'] }, [byAge, byWords]],
    [{ words: ['honey', 'candle'], status: 'shipped' }, ['orders_status_age_idx', byWords]],
    [{ words: ['nobody'], productId: some.productId }, [byWords]],
    [{ words: ['qx', 'nobody'] }, [byAge, byWords]],
  ]
  for (const [search, indexes] of cases) {
    const name = JSON.stringify(search)
    await assertIndexes(name, () => list(search), indexes)
  }
})

test('counts read their index, and no orders', async () => {
  for (const includesTest of [true, false]) {
    const nodes = await explain(() => countOrders(db, includesTest))
    const reads = nodes.filter((node) => node['Relation Name']).map(describe)
    assert.deepEqual(reads, ['Index Only Scan orders orders_counts_idx'])
  }
})

test('an order and its sale are found by their keys', async () => {
  const readOrder = createOrderReader(db, { findBuyer: () => undefined } as never, 'x'.repeat(32))
  const ofRecord = ['payments_sale_idx', 'orders_sumup_checkout_id_key']
  const cases: Record<string, [() => Promise<unknown>, string[]]> = {
    'for the buyer': [
      () => readOrder({} as never, some.id, undefined),
      ['orders_pkey', 'checkouts_sumup_checkout_id_key', 'payments_transaction_key'],
    ],
    'for an admin': [
      () => getAdminOrder(db, some.id),
      ['orders_pkey', 'orders_buyer_idx', 'payments_transaction_key'],
    ],
    'of a checkout': [
      () => findOrderByCheckout(db, some),
      ['orders_sumup_checkout_id_key', 'payments_transaction_key'],
    ],
    timeline: [
      () => listEvents(db, some.id),
      ['order_timeline_order_idx', 'mails_once_per_order_key'],
    ],
    'record of a sale': [() => findSale(db, some.checkoutId), ['checkouts_pkey', ...ofRecord]],
    'record by SumUp id': [
      () => findBySumupId(db, some.sumupCheckoutId),
      ['checkouts_sumup_checkout_id_key', ...ofRecord],
    ],
    'payments of history items': [
      () =>
        listKnown(db, [
          { type: 'PAYMENT', transaction_id: 'lone-2500' },
          { type: 'REFUND', transaction_code: 'TAAAAAAAA1' },
        ]),
      ['payments_transaction_key', 'payments_code_idx'],
    ],
    'payment without a sale': [
      () => findRecord(db, some.lonePaymentId),
      ['payments_pkey', 'orders_sumup_transaction_id_key'],
    ],
  }
  for (const [name, [work, indexes]] of Object.entries(cases))
    await assertIndexes(name, work, indexes)
})

test('a decision is written by keys, whatever it changes', async () => {
  /** Changes every row of a record, and adds a payment to a sale. */
  const changeAll = async (recordId: string) => {
    const loaded = await findRecord(db, recordId)
    const { record, now } = loaded ?? {}
    const [paid] = record?.payments ?? []
    assert.ok(loaded && record && now && paid)
    const added = { ...paid, id: randomUUID(), transactionId: randomUUID() }
    const payments = [{ ...paid, reads: paid.reads + 1 }, ...(record.sale ? [added] : [])]
    const known = {
      ...record,
      sale: record.sale && { ...record.sale, checks: record.sale.checks + 1 },
    }
    const { questions } = openQuestion(known, paid.id, 'paid-twice', paid, now)
    const asked = { by: 'admin', now, createId: randomUUID }
    const begun = decideRefund({ ...known, payments }, paid, 1, asked)
    const after = { ...begun.decision.after, questions }
    assert.equal((await writeRecord(db, loaded, { ...begun.decision, after })).type, 'written')
  }
  await assertIndexes('a sale', () => changeAll(some.checkoutId), [
    'checkouts_pkey',
    'payments_pkey',
  ])
  await assertIndexes('no sale', () => changeAll(some.lonePaymentId), ['payments_pkey'])
})

test('an earlier sale of a browser is found by its cookie', async () => {
  const asked = { buyerTokenHash: 'f'.repeat(64), productId: some.productId, isTest: true }
  for (const which of ['unsent', 'unseen'] as const)
    await assertIndexes(which, () => findEarlierCheckout(db, asked, which), ['checkouts_buyer_idx'])
})

test('sweep, unused checkouts and outbox read what is due only', async () => {
  await assertIndexes('sweep', () => claimDue(db, 20), ['checkouts_due_idx', 'checkouts_pkey'])
  await assertIndexes('refunds', () => claimDuePayments(db, 20), ['payments_due_idx'])
  await assertIndexes('unused', () => closeUnused(db), ['checkouts_open_idx'])
  const deps = { db, log } as MailDeps
  await assertIndexes('outbox', () => sendDueMails(deps), [
    'mails_due_idx',
    'orders_pkey',
    'checkouts_pkey',
    'payments_transaction_key',
    'payments_sale_idx',
  ])
})

test('what is new is read from the end of indexes, however much is older', async () => {
  await db.execute(sql`insert into audit_log (action, at)
    select 'sign-in', now() - age * interval '1 minute' from generate_series(1, 20000) as age`)
  await db.execute(sql`analyze audit_log`)
  await assertIndexes(
    'news',
    () => readNews(db, { adminId: randomUUID(), mode: 'test', since: Date.now() }),
    ['orders_age_idx', 'audit_log_at_idx', 'review_entries_open_idx'],
  )
})

test('analytics read days, revenue and events by indexes of their time', async () => {
  for (const query of [{}, { from: isoDay(-30) }]) {
    await assertIndexes('summary', () => readSummary(db, query, shown), [
      'analytics_events_age_idx',
      'checkouts_started_idx',
      'orders_revenue_idx',
      'payments_returned_idx',
    ])
  }
  const listSome = async () => {
    const pieces = listAnalyticsEvents(db, true)
    for (let piece = 0; piece < 3; piece += 1) await pieces.next()
    await pieces.return(undefined)
  }
  await assertIndexes('events', listSome, ['analytics_events_age_idx'])
  const link = () => readActivity(db, randomUUID(), true)
  await assertIndexes('links', link, ['analytics_events_product_idx', 'orders_product_age_idx'])
})

test('what is old is found by its age, once what was there is deleted', async () => {
  await assertIndexes('retention', tidy, [
    'checkouts_address_idx',
    'checkouts_personal_idx',
    'mails_done_idx',
    'analytics_events_age_idx',
  ])
  assert.ok((await db.execute(sql`select from orders limit 1`)).rows.length > 0)
})

test('pieces, and uses of a discount code, are counted without reading other orders and sales', async () => {
  await db.update(products).set({ stock: 5, testStock: 5, stockCountedAt: new Date() })
  const count = () => findPieces(db, some.productId, { isTest: true })
  await assertIndexes('pieces', count, ['orders_product_age_idx', 'checkouts_held_idx'])
  const value = { id: some.id, stock: 5, testStock: 5, countedAt: new Date() }
  await db.update(products).set({ stock: null, choice: { values: [value] } as never })
  await assertIndexes('pieces of values', count, ['orders_choice_idx', 'checkouts_held_idx'])
  await db.insert(discountCodes).values({ code: 'TEN', percent: 10, maxUses: 1, createdBy: 'x' })
  const use = {
    code: 'TEN',
    productId: some.id,
    isTest: true,
    buyerTokenHash: '',
    today: '2026-11-19',
  }
  const ofCode = ['orders_code_idx', 'checkouts_held_idx']
  await assertIndexes('uses of a code', () => findDiscount(db, use), ofCode)
})
