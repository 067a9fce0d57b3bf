import type { FastifyRequest } from 'fastify'
import type { Mode } from '#contract/mode.ts'
import { linkActivity, linkHealth } from '#contract/answers/products.ts'
import type { HealthCheck, LinkActivity, LinkHealth } from '#contract/products.ts'
import { apiRoutes } from '#contract/paths.ts'
import { listProducts, type ProductRow } from '#server/catalog/products.ts'
import { isCounted, listPieces } from '#server/catalog/stock.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { findCountedHold } from '#server/db/restored.ts'
import { callsOf } from '#server/http/calls.ts'
import type { Payments } from '#server/sumup/payments.ts'
import { runChecks, showFinding, type Facts } from './check.ts'
import { checks } from './list.ts'
import { askOutside, type Outside } from './facts.ts'
import { productChecks } from './products.ts'

type HealthDeps = {
  db: Db
  config: Config
  payments: Payments
  collectFacts: () => Facts
  outside: Outside
  findMode: () => Mode | undefined
}

const call = callsOf<HealthDeps>('Products', 'admin')

export const linkHealthCalls = [
  call(`GET ${apiRoutes.linkHealth}`, {
    summary: 'Checks whether checkout links work.',
    answers: { 200: linkHealth },
    async handle(deps, { request }): Promise<LinkHealth> {
      const [products, shop] = await Promise.all([listProducts(deps.db), checkShop(deps, request)])
      return { shop, products: await checkProducts(deps, products) }
    },
  }),

  call(`GET ${apiRoutes.linkActivity}`, {
    summary: 'Tells when a checkout link was last used.',
    answers: { 200: linkActivity },
    refusals: ['product-missing'],
    unknownId: 'product-missing',
    handle: ({ db, findMode }, { params }) => readActivity(db, params.id, findMode() === 'test'),
  }),
]

/** What all products need. Another machine that does not answer is no reason to call a link broken. */
async function checkShop(
  { collectFacts, outside }: HealthDeps,
  request: FastifyRequest,
): Promise<HealthCheck[]> {
  const facts = { ...collectFacts(), ...askOutside(outside, request) }
  const shown = checks.filter(
    ({ shownIn: { link } }) => link === 'always' || (link === 'live' && !facts.isSandbox),
  )
  const found = await runChecks(shown, facts)
  return found.map((finding) => {
    const { level, code, isUnreachable } = finding
    const name = `${code[0]?.toUpperCase()}${code.slice(1)}`
    const shown = { name, ...showFinding(finding) }
    if (level === 'note') return { ...shown, status: 'ok' }
    return isUnreachable ? { ...shown, status: 'warn' } : shown
  })
}

async function checkProducts(
  { db, payments, config, findMode }: HealthDeps,
  products: ProductRow[],
): Promise<Record<string, HealthCheck[]>> {
  const counted = products.filter((row) => isCounted(row)).map(({ id }) => id)
  const pieces = await listPieces(db, counted, { isTest: findMode() === 'test' })
  const shop = {
    paymentCurrency: payments.currency,
    accountCurrency: payments.account().currency,
    hasDeliveryPrices: config.delivery.prices.length > 0,
    isHeld: (await findCountedHold(db)) !== undefined,
    /** What buyers can get of each product, or value; what is not counted is left out. */
    left: new Map(Array.from(pieces, ([id, { left }]) => [id, Math.max(0, left)])),
  }
  const checked = products.map(async (row): Promise<[string, HealthCheck[]]> => {
    const found = await runChecks(productChecks, { ...shop, row })
    return [row.id, found.map((finding) => ({ name: finding.code, ...showFinding(finding) }))]
  })
  return Object.fromEntries(await Promise.all(checked))
}

export function lastVisit(id: string, isTest: boolean): SQL {
  return sql`select created_at from analytics_events
    where product_id = ${id} and event_type = 'checkout_view' and is_test = ${isTest}
      and created_at > now() - interval '30 days'
    order by created_at desc limit 1`
}

export async function readActivity(db: Db, id: string, isTest: boolean): Promise<LinkActivity> {
  // Both read the newest entry of an index.
  const { rows } = await db.execute<{ visit: Date | null; sale: Date | null }>(sql`select
    (${lastVisit(id, isTest)}) as visit,
    (select created_at from orders where product_id = ${id} and is_test = ${isTest}
      order by created_at desc limit 1) as sale`)
  const [found] = rows
  const show = (at: Date | string | null | undefined) => (at ? new Date(at).toISOString() : null)
  return { lastVisitAt: show(found?.visit), lastSaleAt: show(found?.sale) }
}
