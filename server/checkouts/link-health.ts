import type { FastifyInstance } from 'fastify'
import type { HealthCheck, LinkActivity, LinkHealth } from '#contract/link-health.ts'
import { formatMoney } from '#contract/money.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { listProducts, productAsSold, type ProductRow } from '#server/catalog/products.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { readStart } from '#server/http/self-check.ts'
import { isUuid } from '#server/http/uuid.ts'
import { rememberFor } from '#server/memoize.ts'
import type { Payments } from '#server/sumup/payments.ts'
import { assertChargeable, chargeFor } from './charge.ts'

type HealthDeps = { db: Db; payments: Payments; isTestMode: () => boolean }

/** How long an answer about our own address is good for. */
const reachedForMs = 60_000
const reachTimeoutMs = 5_000

export function mountLinkHealth(app: FastifyInstance, deps: HealthDeps): void {
  const { db, payments } = deps
  const admin = { config: { access: 'admin' } } as const
  const checkWebhook = rememberFor(reachedForMs, checkOwnAddress)

  app.get(apiRoutes.linkHealth, admin, async (): Promise<LinkHealth> => {
    const [products, webhook] = await Promise.all([
      listProducts(db),
      checkWebhook(payments.standInUrl ? 'test mode' : payments.webhookUrl),
    ])
    return {
      shop: [checkKey(payments), webhook],
      products: Object.fromEntries(products.map((row) => [row.id, checkProduct(row, payments)])),
    }
  })

  app.get<{ Params: { id: string } }>(apiRoutes.linkActivity, admin, async (request) => {
    const { id } = request.params
    if (!isUuid(id)) throw new Refusal('product-missing')
    return readActivity(db, id, deps.isTestMode())
  })
}

function checkProduct(row: ProductRow, payments: Payments): HealthCheck[] {
  const product = productAsSold(row)
  const charge = chargeFor(product, payments.currency)
  const account = payments.account()
  const price = formatMoney(charge.amount, charge.currency)
  const checks = [check('Price', 'ok', `Buyers are charged ${price}.`)]
  try {
    assertChargeable(charge, account.currency)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    checks[0] =
      error.code === 'price-without-cents'
        ? check('Price', 'fail', `${charge.currency} has no cents, so ${price} cannot be charged.`)
        : check(
            'Currency',
            'fail',
            `Buyers would be charged in ${charge.currency}, but your SumUp account is paid in ${account.currency}.`,
          )
  }
  if (row.pausedAt) checks.push(check('Sale', 'warn', 'Paused: the checkout takes no payments.'))
  return checks
}

function checkKey(payments: Payments): HealthCheck {
  const name = 'SumUp'
  const { problem, isUnknown, isSandbox } = payments.account()
  if (problem) return check(name, isUnknown ? 'warn' : 'fail', problem)
  if (isSandbox) return check(name, 'ok', 'Test mode: cards work, and no money is taken.')
  return check(name, 'ok', 'SumUp accepts the key of your account.')
}

/** SumUp announces payments at our public address. Whether that leads here is seen from here only. */
async function checkOwnAddress(webhookUrl: string | undefined): Promise<HealthCheck> {
  const name = 'Payment messages'
  if (webhookUrl === 'test mode')
    return check(name, 'ok', 'Test mode: payments are announced on this machine.')
  if (!webhookUrl)
    return check(
      name,
      'warn',
      'The shop has no public address, so SumUp cannot announce payments. The shop asks by itself, a little later.',
    )
  const { origin } = new URL(webhookUrl)
  try {
    const signal = AbortSignal.timeout(reachTimeoutMs)
    const response = await fetch(`${origin}${apiRoutes.healthLive}`, { redirect: 'manual', signal })
    if (response.status === 200 && (await readStart(response)) === '{"status":"live"}')
      return check(name, 'ok', `SumUp can announce payments at ${origin}.`)
    return check(name, 'fail', `${origin} answers, but it is not this shop.`)
  } catch {
    return check(
      name,
      'warn',
      `${origin} cannot be reached from the shop itself. If others can reach it, all is well.`,
    )
  }
}

function check(name: string, status: HealthCheck['status'], text: string): HealthCheck {
  return { name, status, text }
}

async function readActivity(db: Db, id: string, isTest: boolean): Promise<LinkActivity> {
  // Both read from the newest backwards; the visits not further than 30 days, since a link may never have been opened.
  const { rows } = await db.execute<{ visit: Date | null; sale: Date | null }>(sql`select
    (select created_at from analytics_events
      where product_id = ${id} and event_type = 'checkout_view' and is_test = ${isTest}
        and created_at > now() - interval '30 days'
      order by created_at desc limit 1) as visit,
    (select created_at from orders where product_id = ${id} and is_test = ${isTest}
      order by created_at desc limit 1) as sale`)
  const [found] = rows
  const show = (at: Date | string | null | undefined) => (at ? new Date(at).toISOString() : null)
  return { lastVisitAt: show(found?.visit), lastSaleAt: show(found?.sale) }
}
