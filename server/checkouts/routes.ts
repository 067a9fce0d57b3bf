import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { OpenCheckout } from '#contract/checkouts.ts'
import { findCountry } from '#contract/countries.ts'
import {
  checkoutDetailsSchema,
  dismissalSchema,
  formIdSchema,
  newCheckoutSchema,
  newOrderSchema,
  reviewOrderSchema,
  reviewVersionSchema,
} from '#contract/order-schemas.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Visitors } from '#server/analytics/visitors.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import { getProduct, productAsSold, versionOf, type ProductRow } from '#server/catalog/products.ts'
import type { Config } from '#server/config.ts'
import { crashPoint } from '#server/crash-point.ts'
import type { Db } from '#server/db/database.ts'
import { getActor } from '#server/http/access.ts'
import { isLoopback, type HashAddress } from '#server/http/client-address.ts'
import type { Log } from '#server/log.ts'
import { createRateLimiter } from '#server/http/rate-limits.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { ReadFacts } from '#server/http/shop-facts.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import type { Buyers } from '#server/orders/buyer.ts'
import { createOrderReader } from '#server/orders/read-order.ts'
import { mountOrders } from '#server/orders/routes.ts'
import type { Loaded, SaleCase } from '#server/payments/case.ts'
import { decideWebhook } from '#server/payments/events.ts'
import { showOwnOrder } from '#server/orders/show-order.ts'
import type { Connection, Payments } from '#server/sumup/payments.ts'
import { mountStandIn } from '#server/sumup/stand-in.ts'
import { chargeFor, assertChargeable, assertSameCharge } from './offer.ts'
import { saveDetails, writeDetails } from './details.ts'
import { mountLinkHealth } from './link-health.ts'
import { findBySumupId } from './case-rows.ts'
import { openCheckout, ProductChanged, startOver, type OpenDeps } from './open.ts'
import { dismiss, createOrder, refundPayment, restore } from './review.ts'
import { listReview } from './review-list.ts'
import { mountBuyerPages } from './pages.ts'
import { pinDeps, type Sales } from './sales.ts'
import { mountTestData } from './test-data.ts'
import { changeSaleNow, type Settled } from './settle.ts'
import { isWebhookKey } from './signatures.ts'

type OfCheckout = { Params: { checkoutId: string } }
type WithId = { Params: { id: string } }

/** Per minute. A waiting page polls often, and each poll may call SumUp. */
export const maxCallsPerBuyer = 60
/** Per minute, far more than SumUp sends. */
export const maxWebhooksPerSale = 20

type RouteDeps = Omit<OpenDeps, 'sumup' | 'webhookUrl'> & {
  config: Pick<Config, 'shop'>
  payments: Payments
  productCache: ProductCache
  buyers: Buyers
  visitors: Visitors
  hashAddress: HashAddress
  isTestMode: () => boolean
  settleForOrder: (loaded: Loaded<SaleCase>) => Promise<Settled>
  settleFromWebhook: (loaded: Loaded<SaleCase>) => Promise<Settled>
  /** What one request works with: the account may change before it ends. */
  pin: () => PinnedDeps & { renew: () => Promise<PinnedDeps> }
}

type PinnedDeps = OpenDeps & { connection: Connection }

/** All routes from the checkout page to the order, and those of the back-office about orders and payments. */
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
    hashAddress: HashAddress
    isTestMode: () => boolean
    readFacts: ReadFacts
    deleteMailFiles: (mailIds: string[]) => Promise<unknown>
    web: WebFiles | undefined
  },
): Promise<void> {
  const { db, payments, sales, buyers, web } = shop
  const { settleShared } = sales
  const pin = pinDeps(payments, (connection) => ({
    db,
    log: shop.log,
    secret: shop.secret,
    settleShared,
    connection,
    sumup: connection.sumup,
    get webhookUrl() {
      return connection.webhookUrl
    },
  }))
  const deps = { ...shop, ...sales, pin }
  mountCheckouts(app, deps)
  const readOrder = createOrderReader(db, buyers, shop.secret)
  mountOrders(app, { ...shop, readOrder })
  mountTestData(app, shop)
  mountLinkHealth(app, shop)
  if (web) {
    mountBuyerPages(app, { ...deps, web, readOrder })
  }
  await mountStandIn(app, () => payments.standInUrl)
}

function mountCheckouts(app: FastifyInstance, deps: RouteDeps): void {
  const { db, buyers, pin } = deps
  const countCall = createRateLimiter(maxCallsPerBuyer).consume
  const opening = new Map<string, Promise<OpenCheckout>>()

  /** A checkout of another browser is answered like one that does not exist. */
  async function getOwn(checkoutId: string, request: FastifyRequest): Promise<Loaded<SaleCase>> {
    const buyer = buyers.findBuyer(request)
    if (buyer) countCall(buyer)
    const loaded = buyer && isUuid(checkoutId) ? await findBySumupId(db, checkoutId) : undefined
    if (!loaded || loaded.kase.sale.buyerTokenHash !== buyer) throw new Refusal('payment-missing')
    return loaded
  }

  app.post(apiRoutes.createCheckout, { config: { access: 'public' } }, async (request, reply) => {
    const shown = newCheckoutSchema.parse(request.body)
    const pinned = pin()
    const { connection } = pinned
    const isNewBuyer = buyers.findBuyer(request) === undefined
    const { merchantCode } = pinned.sumup
    const isTest = await connection.isTest()
    const addressKey = deps.hashAddress(request)
    const visitor = { facts: (await deps.visitors.identify(request)).facts }
    const isPage = isOwnPage(request)
    const isRelaxed = isTest || isLoopback(request.address)
    // A page from before says the wrong thing about money, or has the card form of test mode for a real account.
    const isOtherMode = shown.isTest !== undefined && shown.isTest !== isTest
    const isOtherForm = shown.sdkUrl !== undefined && shown.sdkUrl !== connection.sdkUrl
    if (isOtherMode || isOtherForm) throw new Refusal('mode-changed')
    let buyerTokenHash: string | undefined

    const open = async (row: ProductRow): Promise<OpenCheckout> => {
      const product = productAsSold(row, deps.config.shop.vatRate)
      const productVersion = versionOf(row)
      const { isPaused } = productVersion
      const charge = chargeFor(product, connection.currency)
      assertSameCharge(charge, shown)
      assertChargeable(charge, connection.account().currency)
      buyerTokenHash ??= buyers.ensureBuyer(request, reply)
      const whose = { buyerTokenHash, addressKey, visitor }
      const offer = { product, productVersion, charge, merchantCode, isTest, ...whose }
      // Two tabs that load at once get the same checkout.
      const key = `${buyerTokenHash}${product.id}${charge.amount}${charge.currency}${isPage}${isPaused}${merchantCode}${isTest}`
      const running =
        opening.get(key) ?? openCheckout(pinned, offer, { isNewBuyer, isPage, isPaused, isRelaxed })
      opening.set(key, running)
      return running.finally(() => opening.delete(key))
    }

    // What a known buyer gets may be an earlier checkout, which is not compared with the product as a new one is.
    const mayBeCached = isNewBuyer
    const checkout = await withProduct(deps, shown.productId, { mayBeCached }, open)
    const visitorCountry = findCountry(visitor.facts.country) ?? null
    return reply.header('cache-control', 'no-store').send({ ...checkout, visitorCountry })
  })

  app.put<OfCheckout>(
    apiRoutes.checkoutDetails,
    { config: { access: 'public' } },
    async (request, reply) => {
      const own = await getOwn(request.params.checkoutId, request)
      const details = checkoutDetailsSchema.parse(request.body)
      const form = formIdSchema.parse(request.body)
      const product = await deps.productCache.find(own.kase.sale.productId)
      await saveDetails(
        pin(),
        own,
        { details, ...form },
        {
          isPaused: product !== undefined && product.pausedAt !== null,
          isDeleted: product === undefined,
          isPage: isOwnPage(request),
        },
      )
      return reply.code(204).send()
    },
  )

  const ownOnly = { config: { access: 'public', isCookieBound: true } } as const
  app.get<OfCheckout>(apiRoutes.checkout, ownOnly, async (request, reply) => {
    const own = await getOwn(request.params.checkoutId, request)
    const { status } = await deps.settleShared(own)
    return reply.header('cache-control', 'no-store').send(status)
  })

  app.post<OfCheckout>(
    apiRoutes.startOver,
    { config: { access: 'public' } },
    async (request, reply) => {
      await startOver(pin(), await getOwn(request.params.checkoutId, request))
      return reply.code(204).send()
    },
  )

  app.post(apiRoutes.orders, { config: { access: 'public' } }, async (request, reply) => {
    const { sumupCheckoutId, details } = newOrderSchema.parse(request.body)
    const own = await getOwn(sumupCheckoutId, request)
    const complete = await withDetails(deps, own, details, isOwnPage(request))
    const { status, order, isNew } = await deps.settleForOrder(complete)
    if (order)
      return reply
        .code(isNew ? 201 : 200)
        .header('cache-control', 'no-store')
        .send(showOwnOrder(order))
    switch (status.state) {
      case 'declined':
        throw new Refusal('payment-declined')
      case 'too-many-cards':
        throw new Refusal('too-many-cards')
      case 'closed':
        throw new Refusal('checkout-expired')
      case 'review':
        throw new Refusal('payment-in-review', {
          facts: { reason: status.reason, checkoutId: sumupCheckoutId },
        })
      case 'open':
      case 'waiting':
      case 'at-bank':
      case 'paid':
        return reply.code(202).send(status)
    }
  })

  mountWebhook(app, deps)
  mountReview(app, deps)
}

/** Browsers say so of the calls of our own pages (over HTTPS and on localhost), and nobody else does. */
function isOwnPage(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] === 'same-origin'
}

/** Refusals that another version of the product might not meet. */
const aboutProduct = ['price-changed', 'product-paused', 'price-not-payable', 'price-without-cents']
/** For a product that is changed right now. */
const maxProductReads = 3

/** Works with the product that the cache knows, if it may, and again with what the database has, should they differ. */
async function withProduct<Result>(
  { db, productCache }: RouteDeps,
  id: string,
  { mayBeCached }: { mayBeCached: boolean },
  work: (row: ProductRow) => Promise<Result>,
): Promise<Result> {
  const cached = mayBeCached ? await productCache.find(id) : undefined
  try {
    if (cached) return await work(cached)
  } catch (error) {
    // What SumUp itself refused (the cause) was the product as it is.
    const isRefused = error instanceof Refusal && !error.cause && aboutProduct.includes(error.code)
    if (!isRefused && !(error instanceof ProductChanged)) throw error
    productCache.delete(id)
  }
  for (let read = 1; read <= maxProductReads; read += 1) {
    try {
      return await work(await getProduct(db, id))
    } catch (error) {
      if (!(error instanceof ProductChanged)) throw error
    }
  }
  throw new Refusal('price-changed')
}

/** Details saved before the card are not replaced. */
async function withDetails(
  deps: RouteDeps,
  own: Loaded<SaleCase>,
  details: z.output<typeof newOrderSchema>['details'],
  isPage: boolean,
): Promise<Loaded<SaleCase>> {
  if (own.kase.sale.details) return own
  const kase = await writeDetails(deps.pin(), own, { details, formId: '' }, isPage)
  return { kase, now: own.now }
}

export const webhookSchema = z.object({ event_type: z.string().max(100), id: z.string().max(255) })

/**
 * Anyone can post here, so unknown ids cause no request to SumUp, and where SumUp was given a URL with a key, the key is
 * required. The row is marked as due first, so that it is settled even if this process ends now.
 */
function mountWebhook(app: FastifyInstance, deps: RouteDeps): void {
  const { db, secret, log } = deps
  const countWebhook = createRateLimiter(maxWebhooksPerSale).consume
  app.post<{ Querystring: { key?: unknown } }>(
    apiRoutes.paymentWebhook,
    { config: { access: 'public' } },
    async (request, reply) => {
      const event = webhookSchema.parse(request.body)
      const found = isUuid(event.id) ? await findBySumupId(db, event.id) : undefined
      const sale = found?.kase.sale
      const isAllowed =
        !deps.payments.webhookUrl || isWebhookKey(request.query.key, sale?.id ?? '', secret)
      if (!found || !sale || !isAllowed) throw new Refusal('payment-missing')
      countWebhook(sale.id)
      if (event.event_type === 'CHECKOUT_STATUS_CHANGED' && !found.kase.order) {
        crashPoint('webhook-read')
        const due = await changeSaleNow(deps.pin(), found, ({ kase, now }) =>
          decideWebhook(kase, now),
        )
        crashPoint('webhook-recorded')
        deps
          .settleFromWebhook(due)
          .catch((error: unknown) =>
            log.warn(
              { err: error, checkout: sale.id },
              'A sale could not be settled; it will be tried again',
            ),
          )
      }
      return reply.code(204).send()
    },
  )
}

const trueOrFalse = z.enum(['true', 'false']).optional().catch(undefined)

export const reviewQuerySchema = z.object({
  archive: trueOrFalse.describe('Those that were resolved, instead of those that wait'),
  tests: trueOrFalse.describe('Also those of test mode; in test mode they always are'),
})

function mountReview(app: FastifyInstance, deps: RouteDeps): void {
  const admin = { config: { access: 'admin' } } as const
  /** A decision about money is made with the account of now, also if another node has just changed it. */
  const pinLatest = () => deps.pin().renew()
  app.get(apiRoutes.review, admin, async (request, reply) => {
    const { archive, tests } = reviewQuerySchema.parse(request.query)
    const includesTest = tests === 'true' || deps.isTestMode()
    const entries = await listReview(deps.pin(), { isArchive: archive === 'true', includesTest })
    return reply.header('cache-control', 'no-store').send(entries)
  })
  app.post<WithId>(apiRoutes.reviewOrder, admin, async (request, reply) => {
    const { version, ...given } = reviewOrderSchema.parse(request.body)
    const shown = { id: request.params.id, version }
    const orderId = await createOrder(
      await pinLatest(),
      shown,
      given,
      getActor(request),
      deps.config,
    )
    return reply.code(201).send({ orderId })
  })
  app.post<WithId>(apiRoutes.reviewRefund, admin, async (request, reply) => {
    const { version } = reviewVersionSchema.parse(request.body)
    await refundPayment(await pinLatest(), { id: request.params.id, version }, getActor(request))
    return reply.code(204).send()
  })
  app.post<WithId>(apiRoutes.reviewDismiss, admin, async (request, reply) => {
    const { note, version } = dismissalSchema.parse(request.body)
    const shown = { id: request.params.id, version }
    await dismiss(await pinLatest(), shown, note, getActor(request))
    return reply.code(204).send()
  })
  app.post<WithId>(apiRoutes.reviewRestore, admin, async (request, reply) => {
    const { version } = reviewVersionSchema.parse(request.body)
    await restore(await pinLatest(), { id: request.params.id, version }, getActor(request))
    return reply.code(204).send()
  })
}
