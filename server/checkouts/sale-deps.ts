import type { Mode } from '#contract/mode.ts'
import type { OpenCheckout } from '#contract/checkouts.ts'
import type { Visitors } from '#server/analytics/visitors.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import type { HashAddress } from '#server/http/client-address.ts'
import type { IsLimitShared } from '#server/http/proxies.ts'
import { createRateLimiter } from '#server/http/rate-limits.ts'
import type { Log } from '#server/log.ts'
import type { Buyers } from '#server/orders/buyer.ts'
import type { Loaded, RecordWithSale } from '#server/payments/record.ts'
import type { Connection, Payments } from '#server/sumup/payments.ts'
import type { OpenDeps } from './open.ts'
import { pinDeps, type Sales } from './sales.ts'
import type { Settled } from './settle.ts'

/** Per minute. A waiting page polls often, and each poll may call SumUp. */
export const maxCallsPerBuyer = 60
/** Per minute, far more than SumUp sends. */
export const maxWebhooksPerSale = 20

/** What the calls of sales need. */
export type SaleDeps = Required<Pick<OpenDeps, 'settleShared'>> &
  Omit<OpenDeps, 'sumup' | 'webhookUrl'> & {
    config: Pick<
      Config,
      | 'shop'
      | 'buyersLanguage'
      | 'policies'
      | 'delivery'
      | 'methods'
      | 'publicUrl'
      | 'customDomain'
      | 'timeZone'
    >
    payments: Payments
    productCache: ProductCache
    buyers: Buyers
    visitors: Visitors
    hashAddress: HashAddress
    isLimitShared: IsLimitShared
    findMode: () => Mode | undefined
    settleForOrder: (loaded: Loaded<RecordWithSale>) => Promise<Settled>
    settleFromWebhook: (loaded: Loaded<RecordWithSale>) => Promise<Settled>
    countCall: (buyer: string) => void
    countWebhook: (saleId: string) => void
    /** Checkouts that are being opened, so that two tabs that load at once get the same. */
    opening: Map<string, Promise<OpenCheckout>>
    /** What one request works with: the account may change before it ends. */
    pin: () => PinnedDeps & { renew: () => Promise<PinnedDeps> }
  }

type PinnedDeps = Omit<OpenDeps, 'renew'> & { connection: Connection }

/** What the calls of a sale work with, for the account in use now. */
function pinForCalls(shop: {
  db: Db
  log: Log
  secret: string
  payments: Payments
  productCache: ProductCache
  sales: Sales
}): SaleDeps['pin'] {
  const { db, log, secret, payments, productCache, sales } = shop
  return pinDeps(payments, (connection) => ({
    db,
    log,
    secret,
    productCache,
    settleShared: sales.settleShared,
    connection,
    sumup: connection.sumup,
    get webhookUrl() {
      return connection.webhookUrl
    },
  }))
}

/** What the calls of one process share. */
export function openSaleCalls(shop: Parameters<typeof pinForCalls>[0]) {
  return {
    pin: pinForCalls(shop),
    countCall: createRateLimiter(maxCallsPerBuyer).consume,
    countWebhook: createRateLimiter(maxWebhooksPerSale).consume,
    opening: new Map<string, Promise<OpenCheckout>>(),
  }
}
