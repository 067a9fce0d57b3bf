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
 * `npm run proof -- stock`: many people want a product of which there are few pieces, while servers and the database are
 * killed and SumUp loses answers and delays; then payments arrive of sales that had ended. Never more are sold than there are, unless the order says so; at
 * the end no piece is held for nobody.
 */

export type StockOptions = {
  pieces: number
  buyers: number
  concurrency: number
  seed: number
  pace: Pace
}

const price = '49.00'
const maxSettleMs = 180_000

export async function proveStock(options: StockOptions) {
  await using opened = new AsyncDisposableStack()
  const { pieces, buyers, concurrency, seed } = options
  const environment = await openEnvironment('real', opened)
  const { db, sumup, servers } = environment
  const history = emptyHistory()
  const content = { name: 'Print', price, headerLogoUrl: '/logo.png', stock: pieces }
  const { id } = await createProduct(db, productSchema.parse(content), 'owner')
  recordPrice(history, id, price)
  await Promise.all(servers.map((server) => server.waitUntilReady()))
  const addresses = servers.map(({ address }) => address)
  const context: ChaosContext = { addresses, sumup, products: [id], history }
  const late = await beginLateSales(context, environment)
  await sumup.setFaults(createFaultPlan(seed))
  const rhythm = createRhythm(options.pace, buyers)
  const kills = startKills(environment, rhythm, seed + 1)
  const visitors = planVisitors(buyers, seed).map((one) => ({ ...one, attack: undefined }))
  await runVisitors(context, visitors, rhythm, { concurrency })
  await kills.stop()
  await sumup.setFaults({ rules: [] })
  await endEverySale(environment)
  await payLate(environment, late)
  const found = await check(environment, { id, pieces, history })
  return { kills: kills.counts, soldOut: history.soldOut.length, ...found }
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

type About = { id: string; pieces: number; history: History }

async function check(environment: Environment, { id, pieces, history }: About) {
  const { db } = environment
  const final = await readFinalState(environment)
  const { rows } = await db.execute<{ isOversold: boolean; isTest: boolean }>(
    sql`select is_oversold as "isOversold", is_test as "isTest" from orders where product_id = ${id}`,
  )
  const flagged = rows.filter(({ isOversold }) => isOversold).length
  const sold = rows.length - flagged
  const [{ isTest } = { isTest: true }] = rows
  const counted = await findPieces(db, id, { isTest })
  const inReview = final.ledger.filter(({ state }) => state === 'review').length
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
    sold,
    flagged,
    inReview,
    stock: counted?.stock,
    faults: {
      'sold without a piece and without a flag': Math.max(0, sold - pieces),
      'pieces held for nobody': (counted?.reserved ?? 0) - inReview,
      'pieces lost': pieces - sold - (counted?.stock ?? 0),
      'flagged although a piece was left': Math.min(flagged, Math.max(0, pieces - sold - inReview)),
      'paid, and neither an order nor in review': [...paid].filter(
        (one) => !ordered.has(one) && !reviewed.has(one),
      ).length,
      'told that no card was sent, when one was': untrue.length,
      'server errors': history.serverErrors.length,
    },
  }
}

export type StockReport = Awaited<ReturnType<typeof proveStock>>

export function describeStock({ kills, faults, ...report }: StockReport): string[] {
  const { sold, flagged, inReview, stock, soldOut } = report
  return [
    `sold ${sold}, flagged as oversold ${flagged}, in review ${inReview}, still there ${stock}`,
    `told that it is sold out: ${soldOut} times; killed: servers ${kills.servers} times, database ${kills.databases} times`,
    ...Object.entries(faults).map(([name, count]) => `${name}: ${count}`),
  ]
}
