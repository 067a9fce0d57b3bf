import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { listReview } from '#server/checkouts/review-list.ts'
import { getAdminOrder } from '#server/orders/orders.ts'
import {
  handled,
  inReview,
  isPaid,
  openOldShop,
  type Columns,
  type OldShop,
} from '#server/testing/old-shop.ts'
import { carryOverPayments } from './carry-over.ts'

/** `npm run proof -- carry-over` measures a large shop. */
const { values: given } = parseArgs({ strict: false, options: { orders: { type: 'string' } } })
const orderCount = Number(given.orders ?? 2_000)

async function addSales(shop: OldShop) {
  const { addSale, addOrder, addStray } = shop
  const sold = async (name: string, order: Columns = {}, sale: Columns = {}) => {
    await addSale(name, 'paid', { ...isPaid(name), ...sale })
    return addOrder(name, order)
  }
  const orders = {
    plain: await sold('plain'),
    refunded: await sold('refunded', { refunded_amount: '10.00' }),
    chargedBack: await sold('back', { charged_back_at: '2026-01-04' }),
    reviewed: await sold('reviewed', {}, { ...inReview('mismatch'), ...handled }),
    ofStray: await addOrder('stray-ordered', { sumup_checkout_id: null }),
    withoutSale: await addOrder('old', { refunded_amount: '49.00' }),
    demo: await sold(
      'demo',
      { sumup_transaction_id: 'demo-1' },
      { sumup_transaction_id: 'demo-1' },
    ),
  }
  const details = { customerEmail: 'anna@example.com' }
  const cards = {
    declined: await addSale('declined', 'submitted', {
      details,
      failed_ids: ['t-no-1', 't-no-2', '#made-up'],
      seen_ids: ['t-no-1', 't-no-2', '#made-up'],
      known_ids: ['t-no-1', '#made-up'],
    }),
    atBank: await addSale('bank', 'submitted', {
      details,
      failed_ids: ['t-no-3'],
      seen_ids: ['t-no-3', 't-wait'],
      known_ids: ['t-no-3'],
      at_bank_since: '2026-01-02',
    }),
  }
  const sales = {
    open: await addSale('open', 'review', { ...isPaid('open'), ...inReview('no-details') }),
    other: await addSale('other', 'review', {
      ...isPaid('other'),
      ...inReview('mismatch'),
      paid_amount: '1.00',
      paid_currency: 'EUR',
    }),
    unpaid: await addSale('unpaid', 'review', inReview('lost-at-sumup')),
    refunding: await addSale('refunding', 'review', {
      ...isPaid('refunding'),
      ...inReview('no-details'),
      refunding_at: '2026-01-03',
    }),
    refunded: await addSale('gone', 'refunded', {
      ...isPaid('gone'),
      ...inReview('no-details'),
      ...handled,
    }),
    dismissed: await addSale('dismissed', 'dismissed', {
      ...isPaid('dismissed'),
      ...inReview('mismatch'),
      ...handled,
    }),
  }
  const paidTwice = await addSale('twice', 'paid', isPaid('twice'))
  await addOrder('twice')
  const strays = {
    open: await addStray('stray', 'open'),
    second: await addStray('second', 'open', { reason: 'paid-twice', reference: paidTwice }),
    refunding: await addStray('stray-refunding', 'open', { refunding_at: '2026-01-03' }),
    ordered: await addStray('stray-ordered', 'ordered', { ...handled, order_id: orders.ofStray }),
    refunded: await addStray('stray-gone', 'refunded', handled),
    dismissed: await addStray('stray-dismissed', 'dismissed', handled),
  }
  return { orders, cards, sales, strays }
}

async function listPayments({ pool }: OldShop): Promise<Record<string, unknown[]>> {
  const { rows } = await pool.query<{ id: string; facts: unknown[] }>(`
    select transaction_id as id, jsonb_build_array(status, amount::text, refunded::text, charged_back::text,
      merchant_code, sale_id is not null) as facts
    from payments order by transaction_id collate "C"`)
  return Object.fromEntries(rows.map(({ id, facts }) => [id, facts]))
}

const sumup = { merchantCode: 'M', findMode: () => 'live' } as Parameters<
  typeof listReview
>[0]['sumup']

/** The entries that an admin sees, by id: state, reason, amounts and what can be done. */
async function readReview({ db }: OldShop, isArchive: boolean) {
  const entries = await listReview({ db, sumup }, { isArchive, includesTest: true })
  return new Map(entries.map((entry) => [entry.id, entry]))
}

/** All that was carried over, without times. */
async function dump({ pool }: OldShop): Promise<unknown[]> {
  const { rows } = await pool.query(`
    select to_jsonb(payments) - 'next_read_at' as row from payments union all select to_jsonb(refunds) from refunds
    union all select to_jsonb(review_entries) from review_entries
    union all select to_jsonb(checkouts) from checkouts union all select to_jsonb(stray_payments) from stray_payments`)
  return rows.map(({ row }) => JSON.stringify(row)).toSorted()
}

test('payments, refunds and review entries of the last release are carried over, once', async () => {
  const shop = await openOldShop()
  const { orders, cards, sales, strays } = await addSales(shop)
  await shop.update()
  assert.ok((await carryOverPayments(shop.pool)) > 0)

  const kept = ['successful', '49.00', '0.00', '0.00', 'M']
  const gone = ['successful', '49.00', '49.00', '0.00', 'M']
  assert.deepEqual(await listPayments(shop), {
    't-back': ['successful', '49.00', '0.00', '49.00', 'M', true],
    't-dismissed': [...kept, true],
    't-gone': [...gone, true],
    't-no-1': ['failed', '49.00', '0.00', '0.00', 'M', true],
    't-no-2': ['failed', '49.00', '0.00', '0.00', 'M', true],
    't-no-3': ['failed', '49.00', '0.00', '0.00', 'M', true],
    't-old': ['successful', '49.00', '49.00', '0.00', '', false],
    't-open': [...kept, true],
    't-other': ['successful', '1.00', '0.00', '0.00', 'M', true],
    't-plain': [...kept, true],
    't-refunded': ['successful', '49.00', '10.00', '0.00', 'M', true],
    't-refunding': [...kept, true],
    't-reviewed': [...kept, true],
    't-second': [...kept, true],
    't-stray': [...kept, false],
    't-stray-dismissed': [...kept, false],
    't-stray-gone': [...gone, false],
    't-stray-ordered': [...kept, false],
    't-stray-refunding': [...kept, false],
    't-twice': [...kept, true],
    't-wait': ['pending', '49.00', '0.00', '0.00', 'M', true],
  })
  const { rows: refunds } = await shop.pool.query(`
    select transaction_id as id, refunds.state, refunds.amount, next_read_at is not null as is_followed
    from refunds join payments on payments.id = payment_id order by 1`)
  assert.deepEqual(
    refunds.map((refund) => Object.values(refund)),
    [
      ['t-refunding', 'unknown', '49.00', true],
      ['t-stray-refunding', 'unknown', '49.00', true],
    ],
  )
  const { rows: submits } = await shop.pool.query(
    'select id, submits from checkouts where submits > 0',
  )
  assert.deepEqual(
    new Map(submits.map((row) => [row.id, row.submits])),
    new Map([
      [cards.declined, 2],
      [cards.atBank, 2],
    ]),
  )

  const open = await readReview(shop, false)
  const shown = [sales.open, sales.other, sales.unpaid, sales.refunding]
  const ids = [...shown, strays.open, strays.second, strays.refunding]
  assert.deepEqual([...open.keys()].toSorted(), ids.toSorted())
  const reasons = ids.map((id) => open.get(id)?.reason)
  assert.deepEqual(reasons, [
    'no-details',
    'mismatch',
    'lost-at-sumup',
    'no-details',
    'no-sale',
    'paid-twice',
    'no-sale',
  ])
  assert.deepEqual(open.get(sales.other)?.paid, { amount: '1.00', currency: 'EUR' })
  const acts = (id: string) => [open.get(id)?.canOrder, open.get(id)?.canRefund]
  assert.deepEqual(
    [acts(sales.open), acts(sales.refunding)],
    [
      [true, true],
      // Asked for more than an hour ago.
      [false, true],
    ],
  )
  const archive = await readReview(shop, true)
  const archived = [strays.ordered, strays.refunded, strays.dismissed]
  const reviewed = [...archive.values()].find(({ orderId }) => orderId === orders.reviewed)
  assert.deepEqual(
    [...archive.keys()].toSorted(),
    [reviewed?.id ?? '', sales.refunded, sales.dismissed, ...archived].toSorted(),
  )
  assert.equal(archive.get(strays.ordered)?.orderId, orders.ofStray)
  for (const { note } of archive.values()) assert.equal(note, 'Anna called')
  const { rows: notes } = await shop.pool.query(`select note from checkouts where note is not null
    union all select note from stray_payments where note is not null`)
  assert.deepEqual(notes, [], 'nothing would erase them')

  const amounts = async (id: string) => {
    const { refundedAmount, chargedBackAmount } = await getAdminOrder(shop.db, id)
    return [refundedAmount, chargedBackAmount]
  }
  assert.deepEqual(await amounts(orders.plain), ['0.00', '0.00'])
  assert.deepEqual(await amounts(orders.refunded), ['10.00', '0.00'])
  assert.deepEqual(await amounts(orders.chargedBack), ['0.00', '49.00'])
  assert.deepEqual(await amounts(orders.withoutSale), ['49.00', '0.00'])
  assert.deepEqual(await amounts(orders.demo), ['0.00', '0.00'])

  const before = await dump(shop)
  assert.equal(await carryOverPayments(shop.pool), 0)
  assert.deepEqual(await dump(shop), before)
})

test('what nodes of the last release write after the first of the new ones has started is carried over too', async () => {
  const shop = await openOldShop()
  const { orders, cards, sales, strays } = await addSales(shop)
  const { pool } = shop
  for (const table of ['checkouts', 'orders'])
    await pool.query(`update ${table} set updated_at = now() - interval '1 day'`)
  await shop.update()
  await carryOverPayments(pool)
  const set = (table: string, id: string, changes: string) =>
    pool.query(`update ${table} set ${changes} where id = $1`, [id])
  const change = (table: string, id: string, changes: string) =>
    set(table, id, `${changes}, updated_at = now()`)
  const decide = "note = 'Called again', handled_at = now(), handled_by = 'admin'"
  await change('orders', orders.plain, "refunded_amount = '49.00'")
  await change('checkouts', cards.atBank, "state = 'paid', sumup_transaction_id = 't-wait'")
  await shop.addOrder('bank', { sumup_transaction_id: 't-wait' })
  await change('checkouts', sales.open, `state = 'dismissed', ${decide}`)
  await change('checkouts', sales.refunding, `state = 'refunded', refunding_at = null, ${decide}`)
  await change(
    'checkouts',
    sales.dismissed,
    "state = 'review', handled_at = null, handled_by = null",
  )
  await set('stray_payments', strays.open, `state = 'dismissed', ${decide}`)
  await set('stray_payments', strays.dismissed, "state = 'open', handled_at = null")
  const fresh = await shop.addSale('fresh', 'review', { ...isPaid('fresh'), ...inReview('stuck') })
  assert.ok((await carryOverPayments(pool)) > 0)

  const paid = await listPayments(shop)
  assert.deepEqual(paid['t-plain']?.slice(0, 3), ['successful', '49.00', '49.00'])
  assert.deepEqual(paid['t-wait']?.[0], 'successful')
  assert.deepEqual(paid['t-refunding']?.[2], '49.00')
  const open = await readReview(shop, false)
  const ids = [sales.other, sales.unpaid, sales.dismissed, fresh]
  assert.deepEqual(
    [...open.keys()].toSorted(),
    [...ids, strays.second, strays.refunding, strays.dismissed].toSorted(),
  )
  const archive = await readReview(shop, true)
  assert.deepEqual(
    [sales.open, sales.refunding, strays.open].map((id) => archive.get(id)?.state),
    ['dismissed', 'refunded', 'dismissed'],
  )
  assert.equal(archive.get(strays.open)?.note, 'Called again')

  // What the new nodes decide since stays as they decided it.
  await pool.query(
    "update review_entries set state = 'open', handled_at = null, note = null where id = $1",
    [strays.open],
  )
  const before = await dump(shop)
  assert.equal(await carryOverPayments(pool), 0)
  assert.deepEqual(await dump(shop), before)
})

test('nodes that start at once carry over once', async () => {
  const shop = await openOldShop()
  await addSales(shop)
  await shop.update()
  const written = await Promise.all([1, 2, 3, 4].map(() => carryOverPayments(shop.pool)))
  assert.equal(written.filter((rows) => rows > 0).length, 1)
})

/** Orders with their sales; of each hundred five were refunded, one was in review, and ten cards were declined. */
async function addManySales({ pool, product }: OldShop, count: number): Promise<void> {
  const sold = `'${product}'::uuid, '{"name": "Mug"}'::jsonb, 49, 'EUR', 'c-' || number, 't-' || number`
  const names = 'product_id, product, amount, currency, sumup_checkout_id, sumup_transaction_id'
  // In batches, each within the time that a statement may take.
  for (let first = 1; first <= count; first += 2_000) {
    const numbers = `generate_series(${first}, ${Math.min(count, first + 1_999)}) as number`
    await pool.query(`insert into orders (${names}, updated_at, shipping_address, customer_email, refunded_amount)
      select ${sold}, now() - interval '1 day', '{"city": "Berlin"}', 'b' || number || '@example.com', (number % 20 = 0)::int * 49
      from ${numbers}`)
    await pool.query(`insert into checkouts (${names}, updated_at, state, merchant_code, buyer_token_hash, valid_until,
        failed_ids, review_at, review_reason, handled_at, note)
      select ${sold}, now() - interval '1 day', 'paid', 'M', md5(number::text) || md5(number::text), now(),
        case when number % 10 = 0 then array['no-' || number] else '{}' end,
        case when number % 100 = 0 then now() end, case when number % 100 = 0 then 'no-details' end,
        case when number % 100 = 0 then now() end, case when number % 100 = 0 then 'Anna called' end
      from ${numbers}`)
  }
  await pool.query('analyze')
}

test(`a shop of ${orderCount.toLocaleString('en')} orders is carried over, and then nothing is left to do`, async (context) => {
  const shop = await openOldShop()
  await addManySales(shop, orderCount)
  await shop.update()
  const measure = async () => {
    const startedAt = performance.now()
    const rows = await carryOverPayments(shop.pool)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(2)
    context.diagnostic(`${rows.toLocaleString('en')} rows in ${seconds} s`)
    return rows
  }
  const declined = Math.floor(orderCount / 10)
  const reviewed = Math.floor(orderCount / 100)
  assert.equal(await measure(), orderCount + declined + reviewed)
  assert.equal(await measure(), 0)
  const { rows } = await shop.pool.query(`select (select count(*)::int from orders) as orders,
    (select count(*)::int from payments) as payments, (select count(*)::int from review_entries) as entries,
    (select sum(refunded_amount) from orders) = (select sum(refunded) from payments) as is_same`)
  context.diagnostic(JSON.stringify(rows[0]))
  assert.equal(rows[0].is_same, true)
})
