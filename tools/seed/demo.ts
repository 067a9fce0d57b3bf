import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Pool } from 'pg'
import type { ReviewReason } from '#contract/checkouts.ts'
import { listAdmins } from '#server/admin/admins.ts'
import { deleteDays, rollUpEvents } from '#server/analytics/days.ts'
import { copySettings } from '#server/backup/create-backup.ts'
import { keepShownProduct, productAsSold } from '#server/catalog/products.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { openClient, type Db } from '#server/db/database.ts'
import { drizzle, eq, sql } from '#server/db/drizzle.ts'
import { dropKeys } from '#server/db/keys.ts'
import { payments, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, products } from '#server/db/schema.ts'
import { getZoneName } from '#server/db/time-zones.ts'
import { demoAccount, demoPrefix } from '#server/demo.ts'
import type { Pictures } from '#server/uploads/picture-store.ts'
import type { Bar } from '#tools/terminal.ts'
import { addProducts, demoProducts } from '#tools/seed/products.ts'
import {
  addCheckouts,
  addOrders,
  addSaleEvents,
  addViews,
  eventsPerOrder,
} from '#tools/seed/sales.ts'

const usage = `Usage: npm run seed -- [--orders NUMBER] [--events NUMBER] [--seed NUMBER]
  --orders   orders over the last year (400; at most 2,000,000)
  --events   visits and what came of them (12 per order; 0, or at least 3 per order)
  --seed     another number makes other people (1)
Makes a demo shop, or makes the demo anew: products, orders and visits of an earlier seed are replaced. A shop that has
sold anything itself is left alone.`

type DemoOptions = { orders: number; events: number; seed: number }

export function parseDemoOptions(args: string[]): DemoOptions {
  const given = parseOptions(args)
  const orders = parseNumber('orders', given.orders, 400, 2_000_000)
  const events = parseNumber('events', given.events, orders * 12, 20_000_000)
  const seed = parseNumber('seed', given.seed, 1, 1_000_000_000)
  if (events > 0 && events < orders * eventsPerOrder)
    throw new CannotStart(
      `--events ${events} is too few: each of the ${orders} orders was looked at, paid and thanked for, which is ` +
        `${orders * eventsPerOrder} events. Or say --events 0.`,
    )
  return { orders, events, seed }
}

function parseOptions(args: string[]) {
  const number = { type: 'string' } as const
  try {
    return parseArgs({ args, options: { orders: number, events: number, seed: number } }).values
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CannotStart(`${reason}\n\n${usage}`, { cause })
  }
}

function parseNumber(name: string, text: string | undefined, initial: number, max: number): number {
  if (text === undefined) return initial
  if (/^\d{1,10}$/.test(text) && Number(text) <= max) return Number(text)
  throw new CannotStart(
    `--${name} must be a number from 0 to ${max.toLocaleString('en')}, not "${text}".\n\n${usage}`,
  )
}

/** Runs a part of the demo and says what it is. */
type Step = (title: string, work: () => Promise<unknown>) => Promise<void>

/** The bar counts the steps after the products alike, however long each takes. */
const stepCount = 8

/** Creates the demo, or replaces the one of an earlier seed. */
export async function createDemo(
  { db, pool }: { db: Db; pool: Pool },
  pictures: Pictures,
  { orders, events, seed, timeZone }: DemoOptions & { timeZone: string },
  bar: Bar,
): Promise<void> {
  await assertNoSales(db)
  const [admin] = await listAdmins(db)
  const actor = admin?.id ?? 'admin'
  const print = async (title: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    bar.print(`${title} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
  }
  const onProduct = (done: number) =>
    bar.onProgress({ step: 'Products', done, total: demoProducts.length })
  onProduct(0)
  await print('Products with their pictures', () =>
    addProducts(db, pictures, actor, demoProducts, onProduct),
  )
  let done = 0
  const onStep = (detail: string) =>
    bar.onProgress({ step: 'Demo', done, total: stepCount, detail })
  const step: Step = async (title, work) => {
    onStep(title)
    await print(title, async () => {
      await work()
      done += 1
      onStep('')
    })
  }
  await loadDemo(pool, { orders, events, seed, actor, now: new Date() }, step)
  await step('Tidying up', () => db.execute(sql`vacuum (analyze)`))
  // The shop would do so within a quarter of an hour.
  const zone = await getZoneName(db, timeZone)
  await step('Figures of each day', () => rollUpEvents(db, zone))
}

/** Replaces orders and visits in one transaction: an interrupted seed leaves both as they were. */
export async function loadDemo(
  pool: Pool,
  { orders, events, seed, actor, now }: DemoOptions & { actor: string; now: Date },
  step: Step = async (_title, work) => void (await work()),
): Promise<void> {
  const client = openClient(pool)
  await client.connect()
  const runAll = async (statements: string[]) => {
    for (const statement of statements) await client.query(statement)
  }
  try {
    await drizzle(client).transaction(async (tx) => {
      await client.query(loadSettings)
      await clearSales(tx)
      await clearVisits(tx)
      const keys = await dropKeys(client, salesTables, 'between')
      const visitKeys = await dropKeys(client, ['analytics_events'], 'between')
      const title = `${orders.toLocaleString('en')} orders`
      await step(title, () => addOrders(tx, { seed, count: orders, actor, now }))
      await step('Their payments', () => addCheckouts(tx))
      await addReviewedPayment(tx)
      await step('Their indexes', () => runAll(keys))
      await step('Visits', () => addViews(tx, { seed, count: events, orders, now }))
      await step('Visits that led to orders', async () => events > 0 && addSaleEvents(tx))
      await step('Indexes of visits', () => runAll(visitKeys))
      await deleteDays(tx)
    })
  } finally {
    await client.end()
  }
}

/** Emptied by a seed, but for the payments of people who did not buy. */
const salesTables = ['orders', 'order_timeline', 'order_notes', 'withdrawals', 'mails', 'checkouts']

/**
 * Sorting takes memory, in PostgreSQL alone. A second process helps with each index: they share that memory, and need little
 * of /dev/shm, unlike parallel queries.
 */
const loadSettings = `${copySettings}; set local work_mem = '64MB'; set local maintenance_work_mem = '256MB';
  set local max_parallel_maintenance_workers = 1`

const isDemo = sql`coalesce(sumup_checkout_id, '') like ${`${demoPrefix}%`}`

/** Throws if anything was sold that no seed created. */
export async function assertNoSales(db: Db): Promise<void> {
  const { rows } = await db.execute<{ orders: number; payments: number }>(sql`select
    (select count(*)::int from orders where not ${isDemo}) as orders,
    (select count(*)::int from checkouts where state in ('paid', 'review') and not ${isDemo}) as payments`)
  const [real] = rows
  if (!real || real.orders + real.payments === 0) return
  const what = real.orders > 0 ? `${real.orders} order(s)` : `${real.payments} payment(s)`
  throw new CannotStart(
    `This shop has ${what} that no seed made, so it is left alone. A demo belongs in a shop of its own: ` +
      'DATA_DIR=./demo npm run seed, then DATA_DIR=./demo npm start.',
  )
}

/** Deletes sales of an earlier seed. The locks keep buyers waiting, so that nothing is sold meanwhile. */
async function clearSales(tx: Db): Promise<void> {
  await tx.execute(sql`lock table checkouts, orders in access exclusive mode`)
  await assertNoSales(tx)
  await tx.execute(sql`truncate orders cascade`)
  await tx.execute(sql`
    delete from review_entries where sale_id in (select id from checkouts where ${isDemo})`)
  await tx.execute(sql`delete from payments where transaction_id like ${`${demoPrefix}%`}`)
  await tx.execute(sql`delete from checkouts where ${isDemo}`)
}

/** Deletes visits of an earlier seed; those of real people stay. */
async function clearVisits(tx: Db): Promise<void> {
  await tx.execute(sql`lock table analytics_events in access exclusive mode`)
  const isOfDemo = sql`metadata @> '{"demo": true}'`
  const { rows } = await tx.execute(
    sql`select from analytics_events where ${isOfDemo} is not true limit 1`,
  )
  // Millions of rows are truncated at once, and their space is free at once.
  if (rows.length === 0) await tx.execute(sql`truncate analytics_events`)
  else await tx.execute(sql`delete from analytics_events where ${isOfDemo}`)
}

/** One payment that needs attention, to show what the owner can do about it. */
async function addReviewedPayment(tx: Db): Promise<void> {
  const [product] = await tx.select().from(products).where(eq(products.id, demoProducts[0].id))
  if (!product) throw new Error('the demo has no products')
  const sold = productAsSold(product)
  const threeHoursAgo = sql`now() - interval '3 hours'`
  const shared = {
    merchantCode: demoAccount,
    isTest: true,
    amount: sold.price,
    currency: sold.currency,
  }
  const [sale] = await tx
    .insert(checkouts)
    .values({
      ...shared,
      productId: sold.id,
      shownVersion: await keepShownProduct(tx, sold),
      state: 'review',
      buyerTokenHash: createHash('sha256').update(demoPrefix).digest('hex'),
      sumupCheckoutId: `${demoPrefix}review`,
      details: null,
      validUntil: sql`now()`,
      createdAt: threeHoursAgo,
    })
    .returning({ id: checkouts.id })
  if (!sale) throw new Error('no payment in review was added')
  const [payment] = await tx
    .insert(payments)
    .values({
      ...shared,
      saleId: sale.id,
      transactionId: `${demoPrefix}review`,
      transactionCode: 'TDEMO2REVIEW',
      status: 'successful',
      madeAt: threeHoursAgo,
    })
    .returning({ id: payments.id })
  await tx.insert(reviewEntries).values({
    id: sale.id,
    saleId: sale.id,
    paymentId: payment?.id ?? null,
    reason: 'no-details' satisfies ReviewReason,
    state: 'open',
    isTest: true,
    openedAt: threeHoursAgo,
  })
}
