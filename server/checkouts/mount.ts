import type { FastifyInstance } from 'fastify'
import type { ShopFacts } from '#contract/public-pages.ts'
import type { Visitors } from '#server/analytics/visitors.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import type { Buyers } from '#server/orders/buyer.ts'
import { mountOrderList } from '#server/orders/list/routes.ts'
import { orderReader } from '#server/orders/read-order.ts'
import { mountOrder } from '#server/orders/routes.ts'
import type { Payments } from '#server/sumup/payments.ts'
import { mountStandIn } from '#server/sumup/stand-in-proxy.ts'
import { mountBuyerPages } from './pages.ts'
import { mountCheckouts } from './routes.ts'
import type { Sales } from './sales.ts'

/** The way of a buyer, from the first look to the order, and what the back-office reads of it. */
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
  const { config, db, payments, sales, buyers, web } = shop
  const { sumup, webhookUrl } = payments
  const deps = { ...shop, ...sales, sumup, webhookUrl }
  mountCheckouts(app, deps)
  const readOrder = orderReader(db, buyers, shop.secret)
  mountOrder(app, readOrder)
  mountOrderList(app, db)
  if (web) mountBuyerPages(app, { ...deps, web, readOrder, facts: factsOf(config) })
  if (payments.standInUrl) await mountStandIn(app, payments.standInUrl)
}

function factsOf({ shop, policies }: Config): ShopFacts {
  return { name: shop.name ?? null, email: shop.email ?? null, policies }
}
