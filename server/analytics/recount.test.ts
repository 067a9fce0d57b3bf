import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { getProduct, productAsSold, versionOf } from '#server/catalog/products.ts'
import { insertCheckout } from '#server/checkouts/ledger.ts'
import { writeCase } from '#server/checkouts/write-case.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { decideDetails } from '#server/payments/buyer.ts'
import { isSaleCase, type Decision, type Loaded, type SaleCase } from '#server/payments/case.ts'
import { decideOpened } from '#server/payments/flow.ts'
import type { Reading } from '#server/payments/observe.ts'
import { decideReading } from '#server/payments/reconcile.ts'
import { openSecondPool } from '#server/testing/test-database.ts'
import { addMug, delivery } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { findDifferences, getSummary } from '#server/testing/visitors.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { openTracking } from './tracking.ts'
import {
  deleteFigures,
  deleteOldEvents,
  keepFigures,
  rebuildFigures,
  recountAfter,
} from './kept-figures.ts'

const shop = await openTestShop()
const products = [await addMug(shop), await addMug(shop), await addMug(shop)]
const second = openSecondPool(shop.shop.pool)
after(() => second.close())
/** Two nodes of one shop. */
const nodes = [shop.db, second.db].map((db, shard) => ({
  db,
  tracking: openTracking(db, shop.shop.log, shard),
}))

beforeEach(async () => {
  await shop.db.execute(sql`
    truncate analytics_events, analytics_zones, analytics_days, checkouts, payments, orders cascade`)
})

const pick = <Thing>(things: Thing[], number: number) => things[number % things.length] as Thing
const node = (number: number) => pick(nodes, number)

/** A view, at either node. */
function view(number: number): Promise<void> {
  const facts = {
    ...(number % 3 ? { deviceType: 'mobile' as const } : {}),
    ...(number % 5 ? { country: pick(['Germany', 'France', 'Nepal'], number) } : {}),
  }
  return node(number).tracking.track({
    eventType: 'checkout_view',
    productId: pick(products, number),
    orderId: null,
    // In the order of arrival both modes take turns for one visitor.
    isTest: number % 4 === 1,
    isNewVisitor: number % 2 === 0,
    isCounted: true,
    facts,
  })
}

/** Reports an order that does not exist, on both nodes. */
async function trackUnknownOrder(number: number): Promise<void> {
  const orderId = number % 2 ? null : `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const event = { eventType: 'checkout_complete', productId: pick(products, number) } as const
  await Promise.all(
    nodes.map(({ tracking }) =>
      tracking.track({
        ...event,
        orderId,
        isTest: false,
        isNewVisitor: false,
        isCounted: false,
        facts: {},
      }),
    ),
  )
}

/** What SumUp says about a checkout that was paid just now. */
function paidReading(reference: string, checkoutId: string): Reading {
  const charge = { amount: '49.00', currency: 'EUR' }
  const payment = {
    ...charge,
    id: randomUUID(),
    code: undefined,
    status: 'SUCCESSFUL' as const,
    madeAt: new Date(),
  }
  const checkout = {
    ...charge,
    id: checkoutId,
    reference,
    merchantCode: 'M',
    status: 'PAID',
    payments: [payment],
    isReadable: true,
  }
  return { checkout: { type: 'seen', checkout }, transactions: [] }
}

/** Writes one decision after the other. Returns the id of the order. */
async function settleSale(
  db: Db,
  first: Loaded<SaleCase>,
  decisions: ((loaded: Loaded<SaleCase>) => Decision)[],
): Promise<string> {
  let { kase } = first
  let orderId = ''
  for (const decide of decisions) {
    const loaded = { kase, now: first.now }
    const written = await writeCase(db, loaded, decide(loaded))
    if (written.type !== 'written' || !isSaleCase(written.kase)) throw new Error(written.type)
    kase = written.kase
    orderId = written.order?.id ?? orderId
  }
  return orderId
}

/** One sale from the new ledger row to a thank-you page that is reported twice. */
async function sell(number: number): Promise<void> {
  const { db } = node(number)
  const productRow = await getProduct(db, pick(products, number))
  const id = randomUUID()
  const sumupCheckoutId = randomUUID()
  const offer = {
    product: productAsSold(productRow),
    productVersion: versionOf(productRow),
    shownVersion: '',
    charge: { amount: '49.00', currency: 'EUR' } as const,
    terms: null,
    buyerTokenHash: String(number).padStart(64, '0'),
    addressKey: '0'.repeat(64),
    merchantCode: 'M',
    isTest: number % 3 === 0,
    visitor: { facts: { deviceType: 'tablet' as const } },
  }
  const limit = { name: 'none', max: 1e6, seconds: 600 }
  const added = await insertCheckout(db, id, offer, {
    perAddress: { limit, key: 'an address' },
    perBuyer: { limit, key: 'a buyer' },
  })
  assert.ok('kase' in added)
  const { now } = added
  const orderId = await settleSale(db, added, [
    ({ kase }) => decideOpened(kase, sumupCheckoutId),
    ({ kase }) => decideDetails(kase, { details: delivery, formId: '' }, now),
    ({ kase }) => decideReading(kase, paidReading(id, sumupCheckoutId), now),
  ])
  const seen = { eventType: 'thank_you_view', productId: productRow.id, orderId } as const
  await Promise.all(
    nodes.map(({ tracking }) =>
      tracking.track({
        ...seen,
        isTest: offer.isTest,
        isNewVisitor: false,
        isCounted: true,
        facts: {},
      }),
    ),
  )
}

const times = <Thing>(count: number, make: (number: number) => Thing) =>
  Array.from({ length: count }, (_none, number) => make(number))

/** No more at once than two nodes have connections for. */
const sellers = 8

test('two nodes write at once while the time zone changes: no deadlock, and all figures are correct', async () => {
  await keepFigures(shop.db, 'Europe/Berlin')
  await Promise.all([
    ...times(600, view),
    ...times(sellers, async (seller) => {
      for (let sale = 0; sale < 40 / sellers; sale += 1) await sell(seller + sale * sellers)
    }),
    ...['Asia/Kathmandu', 'America/New_York', 'Asia/Kathmandu'].map((zone) =>
      keepFigures(second.db, zone),
    ),
    ...times(200, (number) => view(number + 1_000)),
    ...times(100, trackUnknownOrder),
  ])
  assert.deepEqual(await findDifferences(shop), [])
  const { views, visitors, started, completed, thanked, orders, revenue } = await getSummary(shop)
  assert.deepEqual([started, completed, thanked, orders, revenue], [40, 40, 40, 40, '1960.00'])
  assert.deepEqual([views, visitors], [800, 400])
})

test('when connections are cut, figures still equal what was stored', async () => {
  await keepFigures(shop.db, 'Europe/Berlin')
  let kept = 0
  let cut = 0
  const pids: number[] = []
  for (let round = 0; round < 30 && (kept === 0 || cut === 0); round += 1) {
    const work = [...times(sellers, (number) => sell(number + round)), ...times(90, view)]
    const outcomes = Promise.allSettled(work)
    await shop.db.execute(sql`select 1`).catch(() => {})
    const ended = await shop.db
      .execute<{ pid: number }>(
        sql`select pid, pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and application_name = 'till'`,
      )
      .catch(() => ({ rows: [] }))
    pids.push(...ended.rows.map(({ pid }) => pid))
    const fulfilled = (await outcomes).filter(({ status }) => status === 'fulfilled').length
    kept += fulfilled
    cut += work.length - fulfilled
  }
  assert.ok(kept > 0 && cut > 0, `${kept} kept, ${cut} cut`)
  // One that was cut while it committed may still be at it.
  const left = sql`select from pg_stat_activity where pid = any(${sql.param(pids)}::int[])`
  await waitFor('the cut ones end', async () => (await shop.db.execute(left)).rows.length === 0)
  assert.deepEqual(await findDifferences(shop), [])
})

test('a wrong figure is found, and repaired by a rebuild', async () => {
  await Promise.all([...times(20, view), sell(1)])
  await keepFigures(shop.db, 'UTC')
  await shop.db.execute(sql`update analytics_days set views = views + 1 where kind = 'total'`)
  await shop.db.execute(sql`delete from analytics_days where kind = 'currency'`)
  const found = await findDifferences(shop)
  // The total of both modes, and the currency.
  assert.equal(found.length, 3)
  assert.partialDeepStrictEqual(found, [
    { kind: 'currency', kept: null, counted: '0/0/0/0/0/1/49.00/0.00' },
  ])
  await rebuildFigures(shop.db)
  assert.deepEqual(await findDifferences(shop), [])
})

test('what went back of orders whose events were deleted is counted, also if no zone was kept then', async (story) => {
  story.after(() => deleteFigures(shop.db))
  await sell(1)
  for (const table of ['orders', 'analytics_events'])
    await shop.db.execute(
      sql`update ${sql.identifier(table)} set created_at = now() - interval '100 days'`,
    )
  assert.ok((await deleteOldEvents(shop.db, 30, 'UTC')) > 0)
  const readReturned = async () => {
    const { rows } = await shop.db.execute<{ figure: string }>(sql`
      select kind || ': ' || sum(orders) || ', ' || sum(returned) as figure from analytics_days
      where kind in ('currency', 'product') group by kind order by kind`)
    return rows.map(({ figure }) => figure)
  }
  assert.deepEqual(await readReturned(), ['currency: 1, 0.00', 'product: 1, 0.00'])

  await recountAfter(shop.db, async () => {})
  await shop.db.execute(sql`update payments set refunded = 20`)
  await keepFigures(shop.db, 'UTC')
  const counted = ['currency: 1, 20.00', 'product: 1, 20.00']
  assert.deepEqual(await readReturned(), counted)
  await keepFigures(shop.db, 'Asia/Tokyo')
  assert.deepEqual(await readReturned(), counted)
})
