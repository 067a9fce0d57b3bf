import { setTimeout as delay } from 'node:timers/promises'
import { productSchema } from '#contract/products.ts'
import { createProduct } from '#server/catalog/products.ts'
import { findPieces } from '#server/catalog/stock.ts'
import { sql } from '#server/db/drizzle.ts'
import { payWithCard } from './browser.ts'
import { openOffer, saveDetails } from './buy.ts'
import { beginVisit, type ChaosContext } from './visit.ts'
import { runComparison, runVisitors } from './chaos.ts'
import { createRhythm, startKills, type Pace } from './disturbances.ts'
import { openEnvironment, type Environment } from './environment.ts'
import { createFaultPlan } from './fault-plan.ts'
import { emptyHistory, readFinalState, recordPrice, type History } from './history.ts'
import { createPlainVisitor, planVisitors } from './visitors.ts'

/*
 * `npm run proof -- stock`: many people want products, and values of one, of which there are few pieces, while servers and the database are
 * killed and SumUp loses answers and delays; then payments arrive of sales that had ended. Never more are sold than there are, unless the order says so; at
 * the end no piece is held for nobody.
 */

export type StockOptions = {
  pieces: number
  buyers: number
  concurrency: number
  seed: number
  pace: Pace
  onProgress?: (done: number, total: number) => void
}

const price = '49.00'
const maxSettleMs = 180_000

export async function proveStock(options: StockOptions) {
  await using opened = new AsyncDisposableStack()
  const { pieces, buyers, seed } = options
  const environment = await openEnvironment('real', opened)
  const { db, sumup, servers } = environment
  const history = emptyHistory()
  const stocks = await addProducts(db, pieces)
  const products = [...new Set(stocks.map(({ productId }) => productId))]
  for (const id of products) recordPrice(history, id, price)
  const values = new Map([[products[1] ?? '', stocks.flatMap(({ valueId }) => valueId ?? [])]])
  await Promise.all(servers.map((server) => server.waitUntilReady()))
  const addresses = servers.map(({ address }) => address)
  const context: ChaosContext = { addresses, sumup, products, values, history }
  const late = await beginLateSales(context, environment)
  await sumup.setFaults(createFaultPlan(seed))
  const rhythm = createRhythm(options.pace, buyers)
  const kills = startKills(environment, rhythm, seed + 1)
  const visitors = planVisitors(buyers, seed).map((one) => ({ ...one, attack: undefined }))
  await runVisitors(context, visitors, rhythm, options)
  await kills.stop()
  await sumup.setFaults({ rules: [] })
  await endEverySale(environment)
  await payLate(environment, late)
  const found = await check(environment, { stocks, history })
  return { kills: kills.counts, soldOut: history.soldOut.length, ...found }
}

/** What has pieces of its own: a product, or a value of one with a choice. */
type Stock = { productId: string; valueId: string | undefined; pieces: number }

/** Half of the pieces are of a product, half of two values of another. */
async function addProducts(db: Environment['db'], pieces: number): Promise<Stock[]> {
  const add = (content: object) =>
    createProduct(
      db,
      productSchema.parse({ price, headerLogoUrl: '/logo.png', ...content }),
      'owner',
    )
  const ofPrint = Math.ceil(pieces / 2)
  const ofMedium = Math.ceil((pieces - ofPrint) / 2)
  const ofLarge = pieces - ofPrint - ofMedium
  const print = await add({ name: 'Print', stock: ofPrint })
  const sizes = [
    { name: 'M', stock: ofMedium },
    { name: 'L', stock: ofLarge },
  ]
  const shirt = await add({ name: 'Shirt', choice: { name: 'Size', values: sizes } })
  const [medium, large] = shirt.choice?.values ?? []
  return [
    { productId: print.id, valueId: undefined, pieces: ofPrint },
    { productId: shirt.id, valueId: medium?.id, pieces: ofMedium },
    { productId: shirt.id, valueId: large?.id, pieces: ofLarge },
  ]
}

const lateSales = 6
const firstLateVisitor = 60_000

/** Buyers whose sale has ended, for all that SumUp says, before the others come. */
async function beginLateSales(context: ChaosContext, { db }: Environment): Promise<string[]> {
  const begun: string[] = []
  for (let number = 0; number < lateSales; number += 1) {
    const visit = beginVisit(context, createPlainVisitor(firstLateVisitor + number))
    const offer = await openOffer(visit)
    if (typeof offer !== 'object') throw new Error('no form was opened')
    await saveDetails(visit, offer)
    await db.execute(sql`update checkouts set state = 'closed', next_check_at = null, version = version + 1
      where sumup_checkout_id = ${offer.checkoutId}`)
    begun.push(offer.checkoutId)
  }
  return begun
}

/** Their payments arrive after all, at once. */
async function payLate({ db, sumup }: Environment, checkoutIds: string[]): Promise<void> {
  await Promise.all(checkoutIds.map((one) => payWithCard(sumup.account.url, one, 'good')))
  const ids = sql`any(${sql.param(checkoutIds)}::text[])`
  await db.execute(sql`update checkouts set next_check_at = now() where sumup_checkout_id = ${ids}`)
  const giveUpAt = performance.now() + maxSettleMs
  while (performance.now() < giveUpAt) {
    const { rows } = await db.execute(sql`select from orders where sumup_checkout_id = ${ids}`)
    if (rows.length === checkoutIds.length) return
    await delay(200)
  }
}

/** What nobody finished ends at SumUp, and the shop learns of it: hours go by on the database's clock. */
async function endEverySale(environment: Environment): Promise<void> {
  const { db, sumup } = environment
  const giveUpAt = performance.now() + maxSettleMs
  for (;;) {
    await runComparison(environment).catch(() => undefined)
    const { rows } = await db.execute<{ id: string; sumupId: string | null }>(sql`
      update checkouts set next_check_at = now(), expired_since = expired_since - interval '20 minutes',
        valid_until = valid_until - interval '1 hour', version = version + 1
      where state = 'submitted' returning id, sumup_checkout_id as "sumupId"`)
    if (rows.length === 0 || performance.now() > giveUpAt) return
    for (const { sumupId } of rows) {
      const about = { checkout: sumupId ?? '' }
      // Whose bank never answers, or whose checkout has ended already, is refused here.
      await sumup.control('answer-bank', { ...about, outcome: 'decline' }).catch(() => undefined)
      await sumup.control('expire', about).catch(() => undefined)
    }
    await delay(2_000)
  }
}

type About = { stocks: Stock[]; history: History }

/** How the books of one stock end. */
async function readStock({ db }: Environment, { productId, valueId, pieces }: Stock) {
  const ofStock = sql`product_id = ${productId}::uuid
    and product -> 'choice' ->> 'id' is not distinct from ${valueId ?? null}::text`
  const { rows } = await db.execute<{ isOversold: boolean; isTest: boolean }>(
    sql`select is_oversold as "isOversold", is_test as "isTest" from orders where ${ofStock}`,
  )
  const { rows: reviews } = await db.execute(
    sql`select from checkouts where state = 'review' and ${ofStock}`,
  )
  const flagged = rows.filter(({ isOversold }) => isOversold).length
  const sold = rows.length - flagged
  const [{ isTest } = { isTest: true }] = rows
  const counted = await findPieces(db, productId, { isTest }, valueId)
  const { stock = 0, reserved = 0 } = counted ?? {}
  return {
    sold,
    flagged,
    inReview: reviews.length,
    stock,
    tooMany: Math.max(0, sold - pieces),
    heldForNobody: Math.max(0, reserved - reviews.length),
    lost: Math.abs(pieces - sold - stock),
    needlessFlags: Math.min(flagged, Math.max(0, pieces - sold - reviews.length)),
  }
}

async function check(environment: Environment, { stocks, history }: About) {
  const final = await readFinalState(environment)
  const ends = await Promise.all(stocks.map((one) => readStock(environment, one)))
  const sum = (of: keyof (typeof ends)[number]) => ends.reduce((total, one) => total + one[of], 0)
  /** Of values alone; the first stock is that of a product. */
  const soldValues = ends.slice(1).reduce((total, one) => total + one.sold + one.flagged, 0)
  const chosen = await environment.db.execute(
    sql`select from orders where product_id = ${stocks[1]?.productId}::uuid`,
  )
  // Told that no card was sent on this form: SumUp knows of none until then.
  const untrue = history.soldOut.filter(({ checkoutId, receivedAt }) =>
    final.attempts.some((one) => one.checkoutId === checkoutId && one.createdAt < receivedAt),
  )
  const paid = new Set(final.payments.map(({ checkoutId }) => checkoutId))
  const ordered = new Set(final.orders.map(({ sumupCheckoutId }) => sumupCheckoutId))
  const reviewed = new Set(
    final.ledger.flatMap((one) => (one.state === 'review' ? [one.sumupCheckoutId] : [])),
  )
  return {
    sold: sum('sold'),
    soldValues,
    flagged: sum('flagged'),
    inReview: sum('inReview'),
    stock: sum('stock'),
    faults: {
      'sold without a piece and without a flag': sum('tooMany'),
      'pieces held for nobody': sum('heldForNobody'),
      'pieces lost or too many': sum('lost'),
      'flagged although a piece was left': sum('needlessFlags'),
      'orders without the value that was chosen': chosen.rows.length - soldValues,
      'paid, and neither an order nor in review': [...paid].filter(
        (one) => !ordered.has(one) && !reviewed.has(one),
      ).length,
      'told that no card was sent, when one was': untrue.length,
      'server errors': history.serverErrors.length,
    },
  }
}

export type StockReport = Awaited<ReturnType<typeof proveStock>>

/** Whether pieces ran out, servers were killed and payments came too late: without these a run proves nothing. */
export function isConclusive({ soldOut, soldValues, flagged, kills }: StockReport): boolean {
  return [soldOut, soldValues, flagged, kills.servers].every((count) => count > 0)
}

export function describeStock({ kills, faults, ...report }: StockReport): string[] {
  const { sold, soldValues, flagged, inReview, stock, soldOut } = report
  return [
    `sold ${sold}, orders of values ${soldValues}, flagged as oversold ${flagged}, in review ${inReview}, still there ${stock}`,
    `told that it is sold out: ${soldOut} times; killed: servers ${kills.servers} times, database ${kills.databases} times`,
    ...Object.entries(faults).map(([name, count]) => `${name}: ${count}`),
  ]
}
