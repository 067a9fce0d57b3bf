import type { FastifyInstance } from 'fastify'
import type { ShopFacts } from '#contract/public-pages.ts'
import type { Visitors } from '#server/analytics/visitors.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import { turnsPerMinute } from '#server/http/turns-per-minute.ts'
import type { Payments } from '#server/payments/open-payments.ts'
import { mountStandIn } from '#server/payments/stand-in-proxy.ts'
import { webhookAddress } from '#server/payments/webhook-key.ts'
import type { Buyers } from './buyer.ts'
import { mountOrderList } from './list/routes.ts'
import { mountBuyerPages } from './pages.ts'
import { mountPayments } from './payment-routes.ts'
import { orderReader } from './read-order.ts'
import { mountWebhook } from './webhook.ts'
import { mountReview } from './review.ts'
import { mountOrders } from './routes.ts'
import type { Sales } from './sales.ts'

const callsOfOneBuyer = 60

/** The way of a buyer, from the first look to the order. */
export async function mountSales(
  app: FastifyInstance,
  shop: {
    config: Config
    db: Db
    log: Log
    secret: string
    productCache: ProductCache
    payments: Payments
    sales: Sales
    buyers: Buyers
    visitors: Visitors
    web: WebFiles | undefined
  },
): Promise<void> {
  const { config, db, log, secret, payments, sales, buyers, visitors, web } = shop
  const { sumup, webhookUrl } = payments
  const room = {
    till: {
      db,
      sumup,
      log,
      webhookFor: (id: string) => webhookUrl && webhookAddress(webhookUrl, id, secret),
    },
    buyers,
    visitors,
    paymentCurrency: payments.currency,
    isTestMode: () => payments.account().isSandbox,
    countTurn: turnsPerMinute(callsOfOneBuyer).take,
    settleOnce: sales.settleOnce,
  }
  mountPayments(app, room)
  const readOrder = orderReader(db, room.buyers, secret)
  mountOrders(app, { ...room, readOrder })
  const { sweepSoon } = sales
  mountWebhook(app, { db, secret, hasPublicAddress: webhookUrl !== undefined, sweepSoon })
  mountOrderList(app, db)
  mountReview(app, db)
  if (web) mountBuyerPages(app, { ...shop, ...room, web, readOrder, facts: factsOf(config) })
  if (payments.standInUrl) await mountStandIn(app, payments.standInUrl)
}

function factsOf({ shop, policies }: Config): ShopFacts {
  return { name: shop.name ?? null, email: shop.email ?? null, policies }
}
