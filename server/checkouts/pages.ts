import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CheckoutStatus } from '#contract/checkouts.ts'
import { dayIn } from '#contract/days.ts'
import { isCard } from '#contract/payment-methods.ts'
import {
  apiRoutes,
  codeParameter,
  publicPages,
  returnedParameter,
  thankYouPath,
} from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { CheckoutPageData, MissingPageData, RecentOrder } from '#contract/public-pages.ts'
import { describeReturned } from '#contract/returned-money.ts'
import { findUnreadRestore } from '#server/admin/restored.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import { findEverSold, showCheckoutProduct, type ProductRow } from '#server/catalog/products.ts'
import { describeLeft, showPageChoice } from '#server/catalog/choice.ts'
import { asOffered, listLeft, sumLeft } from '#server/catalog/stock.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, gt, sql } from '#server/db/drizzle.ts'
import { payments } from '#server/db/payment-schema.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { sendPage } from '#server/http/page.ts'
import type { HashAddress } from '#server/http/client-address.ts'
import type { IsLimitShared } from '#server/http/proxies.ts'
import { linkOrigin } from '#server/http/link-origin.ts'
import { findPageLanguage } from '#server/http/page-language.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { Buyers } from '#server/orders/buyer.ts'
import type { Loaded, RecordWithSale } from '#server/payments/record.ts'
import type { SaleKey } from '#server/payments/flow.ts'
import { isPaymentOfOrder, paymentColumns } from '#server/orders/paid-order.ts'
import type { OrderReader } from '#server/orders/read-order.ts'
import { maxReadsPerMinute } from '#server/orders/calls.ts'
import type { Connection, Payments } from '#server/sumup/payments.ts'
import { findBySumupId } from './record-rows.ts'
import { createCheckoutPages, type CheckoutPageDeps } from './checkout-page.ts'
import { tryCode } from './code-uses.ts'
import { findEarlierCheckout } from './find-checkout.ts'
import { markThanked } from './ledger.ts'
import type { Settled } from './settle.ts'

type PageRequest = FastifyRequest<{
  Params: { id: string }
  Querystring: { key?: string; [codeParameter]?: unknown; [returnedParameter]?: unknown }
}>

type PageDeps = CheckoutPageDeps & {
  db: Db
  productCache: ProductCache
  payments: Payments
  buyers: Buyers
  hashAddress: HashAddress
  isLimitShared: IsLimitShared
  readOrder: OrderReader
  settleShared: (loaded: Loaded<RecordWithSale>) => Promise<Settled>
}

/** The buyer's pages, rendered on the server: who gets which. What a checkout page shows is in checkout-page.ts. */
export function mountBuyerPages(app: FastifyInstance, deps: PageDeps): void {
  const findPage = createCheckoutPages(deps)
  app.get(
    publicPages.checkout,
    { config: { access: 'public', isBuyerPage: true }, compress: false },
    (request: PageRequest, reply) => sendCheckout(deps, findPage, request, reply),
  )
  app.get(
    publicPages.thankYou,
    {
      config: {
        access: 'public',
        isBuyerPage: true,
        knowsAdmins: true,
        maxPerMinute: maxReadsPerMinute,
        countedWith: apiRoutes.order,
      },
    },
    (request: PageRequest, reply) => sendThankYou(deps, request, reply),
  )
}

async function sendCheckout(
  deps: PageDeps,
  findPage: ReturnType<typeof createCheckoutPages>,
  request: PageRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, config, readFacts } = deps
  const { params, query } = request
  if (!isUuid(params.id)) return sendMissing(request, reply, deps, { text: 'Product not found' })
  const productId = params.id.toLowerCase()
  const onSale = await deps.productCache.find(productId)
  const connection = deps.payments.pin()
  const isTest = connection.account().mode === 'test'
  const buyerTokenHash = deps.buyers.findBuyer(request)
  const saleKey = buyerTokenHash ? { productId, isTest, buyerTokenHash } : undefined
  const earlier = await findEarlier(deps, productId, saleKey, query[returnedParameter])
  if (earlier.orderId) return reply.redirect(thankYouPath(earlier.orderId), 303)
  // Who may have paid is told about that, by the page's script, whether the product is still sold or not.
  const { mayHavePaid } = earlier
  const product = onSale ?? (mayHavePaid ? await findEverSold(db, productId) : undefined)
  if (!product) return sendMissing(request, reply, deps, { text: 'Product not found' })
  const left = await listLeft(db, product, { isTest, exceptBuyer: buyerTokenHash ?? '' })
  const { isSoldOut = false, fewLeft } = describeLeft(sumLeft(product, left), product)
  const offered = await asOffered(db, product)
  if ((offered.pausedAt || isSoldOut) && !mayHavePaid)
    return sendNotForSale(deps, { ...offered, isSoldOut }, connection, request, reply)
  const choice = showPageChoice(product, left)
  const { body, policy, headers } = findPage(product, connection, {
    origin: linkOrigin(config, request),
    spoken: findPageLanguage(config, request),
    // Of a choice each value says how many are left.
    ...(choice ? { choice } : fewLeft !== undefined && { fewLeft }),
    recentOrder: saleKey ? await findRecentOrder(db, saleKey) : null,
    ...(await readCode(deps, { productId, isTest, buyerTokenHash: buyerTokenHash ?? '' }, request)),
    // What is said of a payment must be true of it, also once the shop takes cards only.
    isOtherwise: earlier.isOtherwise && !readFacts().isMoreThanCards,
  })
  return sendPage(reply.headers(headers), body, policy)
}

/** In place of the checkout while the product is paused, held back after a restore, or sold out. */
function sendNotForSale(
  { web, config, readFacts, describeLink }: PageDeps,
  offered: ProductRow & { isSoldOut: boolean },
  connection: Connection,
  request: PageRequest,
  reply: FastifyReply,
): FastifyReply {
  const page = web.notForSalePage({
    reason: offered.pausedAt ? 'paused' : 'soldOut',
    product: showCheckoutProduct(offered),
    shop: readFacts(),
    link: describeLink(offered, connection, linkOrigin(config, request)),
    spoken: findPageLanguage(config, request),
  })
  return sendPage(reply, page, reply.pagePolicy())
}

async function sendThankYou(
  deps: PageDeps,
  request: PageRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, web, config, readFacts } = deps
  const { id } = request.params
  const { key } = request.query
  const found = await deps.readOrder(request, id, key)
  if (!found) {
    const isRestored = (await findUnreadRestore(db)) !== undefined
    return sendMissing(request, reply, deps, { text: 'Order not found', isRestored })
  }
  const { order, ownCheckoutId, language } = found
  if (ownCheckoutId) await markThanked(db, ownCheckoutId)
  reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
  const spoken = findPageLanguage(config, request, { remembered: language, key })
  // What was paid in another way goes back in that way, also once the shop takes cards only.
  const isMoreThanCards = readFacts().isMoreThanCards || !isCard(order.paymentMethod)
  const page = web.thankYouPage({ order, shop: { ...readFacts(), isMoreThanCards }, spoken })
  return sendPage(reply, page, reply.pagePolicy())
}

function sendMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  { web, readFacts, config }: PageDeps,
  missing: Pick<MissingPageData, 'text' | 'isRestored'>,
): FastifyReply {
  const spoken = findPageLanguage(config, request)
  const page = web.missingPage({ ...missing, shop: readFacts(), spoken })
  return sendPage(reply.code(404), page, reply.pagePolicy())
}

/** The page does not wait longer for SumUp; its script asks again. */
const maxWaitMs = 1_000

/** States in which nothing is charged unless a card is entered again. */
const overStates: CheckoutStatus['state'][] = ['open', 'declined', 'closed', 'too-many-cards']

type Earlier = {
  /** A sale became this order, whose thank-you page was not seen yet. */
  orderId?: string | undefined
  mayHavePaid: boolean
  /** By another method than a card, or one was offered that leaves the page. */
  isOtherwise: boolean
}

/**
 * What was begun before, nothing for most visitors: in this browser, or in another one if SumUp led the buyer here with
 * `checkoutId` in the address.
 */
async function findEarlier(
  deps: PageDeps,
  productId: string,
  saleKey: SaleKey | undefined,
  checkoutId: unknown,
): Promise<Earlier> {
  const returned = await findReturned(deps.db, productId, checkoutId)
  const own = saleKey && (await settleEarlier(deps, saleKey))
  return {
    orderId: own?.orderId,
    mayHavePaid: returned !== undefined || own?.isUnderWay === true,
    isOtherwise: [returned, own?.record].some((one) => one && isPaidOtherwise(one)),
  }
}

/**
 * The order of a buyer whose tab was closed after the card, or who went back too early; or whether their card is still
 * under way, for all that is known.
 */
async function settleEarlier(
  { db, settleShared }: PageDeps,
  saleKey: SaleKey,
): Promise<{
  orderId?: string | undefined
  isUnderWay: boolean
  record?: RecordWithSale | undefined
}> {
  const earlier = await findEarlierCheckout(db, saleKey, 'unseen')
  const state = earlier?.record.sale.state
  if (!earlier || (state !== 'submitted' && state !== 'paid'))
    return { isUnderWay: state === 'review', record: earlier?.record }
  const settled = await Promise.race([settleShared(earlier), pause(maxWaitMs)])
  const isOver = settled && overStates.includes(settled.status.state)
  const { record } = settled ?? earlier
  return { orderId: settled?.order?.id, isUnderWay: !isOver, record }
}

/** The sale of this product whose payment leads back here, perhaps to another browser than the one that was left. */
async function findReturned(
  db: Db,
  productId: string,
  checkoutId: unknown,
): Promise<RecordWithSale | undefined> {
  if (typeof checkoutId !== 'string' || !isUuid(checkoutId)) return undefined
  const found = await findBySumupId(db, checkoutId)
  return found?.record.sale.productId === productId ? found.record : undefined
}

/** Whether another way than the card was offered that leaves the page, or one has paid. */
function isPaidOtherwise({ sale, payments }: RecordWithSale): boolean {
  return sale.hasReturnUrl || payments.some(({ method }) => !isCard(method))
}

/** What the code in the link takes off, if there is one. Who guesses codes sees the page all the same. */
async function readCode(
  { db, config, hashAddress, isLimitShared }: PageDeps,
  saleKey: SaleKey,
  request: PageRequest,
): Promise<Pick<CheckoutPageData, 'discount' | 'isCodeInvalid'>> {
  const code = request.query[codeParameter]
  if (typeof code !== 'string' || code === '') return {}
  try {
    const guesser = { addressKey: hashAddress(request), isShared: isLimitShared(request) }
    const use = { code, ...saleKey, today: dayIn(config.timeZone) }
    const found = await tryCode(db, use, guesser)
    return typeof found === 'string' ? { isCodeInvalid: true } : { discount: found.discount }
  } catch (error) {
    if (error instanceof Refusal) return { isCodeInvalid: true }
    throw error
  }
}

/** The latest order of this browser for this product in the last half hour. */
async function findRecentOrder(db: Db, saleKey: SaleKey): Promise<RecentOrder | null> {
  const [found] = await findRecent(db, saleKey)
  if (!found) return null
  const { id, minutesAgo, isPaid, ...money } = found
  const returned = describeReturned(money)
  if (returned.extent === 'all') return { id, minutesAgo, money: returned.kind }
  return { id, minutesAgo, money: isPaid ? 'paid' : 'unpaid' }
}

const findRecent = prepareQuery('recent_order', (db) =>
  db
    .select({
      id: orders.id,
      minutesAgo: sql<number>`floor(extract(epoch from now() - ${orders.createdAt}) / 60)::int`.as(
        'minutes_ago',
      ),
      amount: orders.amount,
      ...paymentColumns,
    })
    .from(checkouts)
    .innerJoin(orders, eq(orders.sumupCheckoutId, checkouts.sumupCheckoutId))
    .leftJoin(payments, isPaymentOfOrder)
    .where(
      and(
        eq(checkouts.buyerTokenHash, sql.placeholder('buyerTokenHash')),
        eq(checkouts.productId, sql.placeholder('productId')),
        eq(checkouts.isTest, sql.placeholder('isTest')),
        eq(checkouts.state, 'paid'),
        sql`${checkouts.thankedAt} is not null`,
        gt(orders.createdAt, sql`now() - interval '30 minutes'`),
      ),
    )
    .orderBy(desc(orders.createdAt))
    .limit(1),
)
