import type { FastifyRequest } from 'fastify'
import type { Mode } from '#contract/mode.ts'
import { linkActivity, linkHealth } from '#contract/answers/products.ts'
import { findCurrencyProblem } from '#contract/charges.ts'
import type { HealthCheck, LinkActivity, LinkHealth } from '#contract/products.ts'
import { formatMoney } from '#contract/money.ts'
import { apiRoutes } from '#contract/paths.ts'
import { listProducts, productAsSold, type ProductRow } from '#server/catalog/products.ts'
import { isCounted, listPieces, sumLeft } from '#server/catalog/stock.ts'
import { chargeFor, hasForbiddenCents } from '#server/checkouts/offer.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { findCountedHold } from '#server/db/restored.ts'
import { isAskedThrough } from '#server/http/access.ts'
import { callsOf } from '#server/http/calls.ts'
import { rememberFor } from '#server/memoize.ts'
import type { Payments } from '#server/sumup/payments.ts'
import { attempt, type Check } from './check.ts'
import { checkPublicUrl } from './outside-checks.ts'

type HealthDeps = {
  db: Db
  config: Config
  payments: Payments
  findMode: () => Mode | undefined
  /** Asks our own address whether it leads here. */
  askAddress: (publicUrl: string) => Promise<Check>
}

/** How long an answer about our own address is good for. */
const reachedForMs = 60_000

export function openLinkHealth({ config }: Pick<HealthDeps, 'config'>) {
  const askAddress = rememberFor(reachedForMs, (_publicUrl: string) =>
    attempt('address', () => checkPublicUrl(config, true)),
  )
  return { askAddress }
}

const call = callsOf<HealthDeps>('Products', 'admin')

export const linkHealthCalls = [
  call(`GET ${apiRoutes.linkHealth}`, {
    summary: 'Checks whether checkout links work.',
    answers: { 200: linkHealth },
    async handle(deps, { request }): Promise<LinkHealth> {
      const [products, messages] = await Promise.all([
        listProducts(deps.db),
        checkMessages(deps, request),
      ])
      const left = await listLeftOf(deps, products)
      const isHeld = (await findCountedHold(deps.db)) !== undefined
      const checked = products.map((row) => [row.id, checkProduct(deps, row, left, isHeld)])
      return {
        shop: [checkKey(deps.payments), messages],
        products: Object.fromEntries(checked),
      }
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

/** What buyers can get of each product, or value; what is not counted is left out. */
async function listLeftOf(
  { db, findMode }: HealthDeps,
  products: ProductRow[],
): Promise<Map<string, number>> {
  const ids = products.filter((row) => isCounted(row)).map(({ id }) => id)
  const pieces = await listPieces(db, ids, { isTest: findMode() === 'test' })
  return new Map(Array.from(pieces, ([id, { left }]) => [id, Math.max(0, left)]))
}

function checkProduct(
  { payments, config }: HealthDeps,
  row: ProductRow,
  left: Map<string, number>,
  isHeld: boolean,
): HealthCheck[] {
  const product = productAsSold(row)
  const charge = chargeFor(product, payments.currency)
  const account = payments.account()
  const price = formatMoney(charge.amount, charge.currency)
  const shipping =
    config.delivery.prices.length > 0 ? ', and what shipping to their country costs' : ''
  const checks = [check('Price', 'ok', `Buyers are charged ${price}${shipping}.`)]
  const problem = findCurrencyProblem(product, {
    paymentCurrency: payments.currency,
    accountCurrency: account.currency,
  })
  if (problem) checks[0] = { name: 'Currency', status: 'fail', ...problem }
  else if (hasForbiddenCents(charge))
    checks[0] = check(
      'Price',
      'fail',
      `${charge.currency} has no cents, so ${price} cannot be charged.`,
    )
  if (row.pausedAt) checks.push(check('Sale', 'warn', 'Paused: the checkout takes no payments.'))
  else if (isHeld && isCounted(row)) checks.push(check('Sale', 'warn', heldBack))
  else if (sumLeft(row, left) === 0) checks.push(check('Sale', 'warn', soldOut))
  return checks
}

const heldBack =
  'The shop was restored from a backup, and its pieces may be gone: the checkout takes no payments until that is known.'
const soldOut = 'All pieces are sold, or are being paid for: the checkout takes no payments.'

function checkKey(payments: Payments): HealthCheck {
  const name = 'SumUp'
  const { problem, isUnknown, mode } = payments.account()
  if (problem) return check(name, isUnknown ? 'warn' : 'fail', problem)
  if (mode === 'test') return check(name, 'ok', 'Test mode: cards work, and no money is taken.')
  return check(name, 'ok', 'SumUp accepts the key of your account.')
}

/** SumUp announces payments at our public address. */
async function checkMessages(
  { config, payments, askAddress }: HealthDeps,
  request: FastifyRequest,
): Promise<HealthCheck> {
  const name = 'Payment messages'
  const { publicUrl } = config
  if (payments.sandboxUrl)
    return check(name, 'ok', 'Test mode: payments are announced on this machine.')
  if (!publicUrl)
    return check(
      name,
      'warn',
      'The shop has no public address, so SumUp cannot announce payments. The shop asks by itself, a little later.',
    )
  const leadsHere = check(name, 'ok', `SumUp can announce payments at ${publicUrl}.`)
  if (isAskedThrough(request, publicUrl)) return leadsHere
  const { status, found, todo, isUnreachable } = await askAddress(publicUrl)
  if (status === 'ok') return leadsHere
  return {
    ...check(name, isUnreachable ? 'warn' : status, found),
    ...(todo !== undefined && { todo }),
  }
}

function check(name: string, status: HealthCheck['status'], found: string): HealthCheck {
  return { name, status, found }
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
