import type { FastifyInstance } from 'fastify'
import type { ShopFacts } from '#contract/public-pages.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import { ownCookie } from '#server/http/own-cookie.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import { turnsPerMinute } from '#server/http/turns-per-minute.ts'
import type { Payments } from '#server/payments/open-payments.ts'
import { mountStandIn } from '#server/payments/stand-in-proxy.ts'
import { buyerDays, buyersBy } from './buyer.ts'
import { mountBuyerPages } from './pages.ts'
import { mountPayments } from './payment-routes.ts'
import { orderReader } from './read-order.ts'
import { mountOrders } from './routes.ts'
import type { Sales } from './sales.ts'

const secondsADay = 86_400
const callsOfOneBuyer = 60

/** The way of a buyer, from the first look to the order. */
export function mountSales(
  app: FastifyInstance,
  shop: {
    config: Config
    db: Db
    log: Log
    secret: string
    productCache: ProductCache
    payments: Payments
    sales: Sales
    web: WebFiles | undefined
  },
): void {
  const { config, db, log, secret, payments, sales, web } = shop
  const { sumup, webhookUrl } = payments
  const urls = [config.publicUrl, config.customDomain]
  const room = {
    till: { db, sumup, log, webhookUrl },
    buyers: buyersBy(ownCookie('till_buyer', urls, buyerDays * secondsADay)),
    paymentCurrency: payments.currency,
    countTurn: turnsPerMinute(callsOfOneBuyer),
    settleOnce: sales.settleOnce,
  }
  mountPayments(app, room)
  const readOrder = orderReader(db, room.buyers, secret)
  mountOrders(app, { ...room, readOrder, sweepSoon: sales.sweepSoon })
  if (web) mountBuyerPages(app, { ...shop, ...room, web, readOrder, facts: factsOf(config) })
  if (payments.standInUrl) mountStandIn(app, payments.standInUrl)
}

function factsOf({ shop, policies }: Config): ShopFacts {
  return { name: shop.name ?? null, email: shop.email ?? null, policies }
}
