import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CheckoutStatus } from '#contract/checkouts.ts'
import { dayIn } from '#contract/days.ts'
import type { LinkCard } from '#contract/link-cards.ts'
import { isCard, listOffered, type MethodSettings } from '#contract/payment-methods.ts'
import {
  apiRoutes,
  codeParameter,
  publicPages,
  returnedParameter,
  thankYouPath,
} from '#contract/paths.ts'
import { pictureOrigin } from '#contract/pictures.ts'
import { productDraftSchema } from '#contract/products.ts'
import { Refusal } from '#contract/refusals.ts'
import type {
  CheckoutPageData,
  MissingPageData,
  PageLanguage,
  RecentOrder,
} from '#contract/public-pages.ts'
import type { Discount } from '#contract/quotes.ts'
import { describeReturned } from '#contract/returned-money.ts'
import type { LinkSettings } from '#contract/shop-settings.ts'
import type { WithdrawalScope } from '#contract/withdrawals.ts'
import { findUnreadRestore } from '#server/admin/restored.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import {
  findEverSold,
  showCheckoutProduct,
  shownVersionOf,
  unsavedId,
  withNote,
  type ProductRow,
} from '#server/catalog/products.ts'
import { describeLeft, previewChoice, showPageChoice } from '#server/catalog/choice.ts'
import { asOffered, listLeft, sumLeft } from '#server/catalog/stock.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, gt, sql } from '#server/db/drizzle.ts'
import { payments } from '#server/db/payment-schema.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { callsOf } from '#server/http/calls.ts'
import { createNonce, sendPage, type ReadyBody } from '#server/http/page.ts'
import type { HashAddress } from '#server/http/client-address.ts'
import type { IsLimitShared } from '#server/http/proxies.ts'
import { linkOrigin } from '#server/http/link-origin.ts'
import { findMailLanguage, findPageLanguage } from '#server/http/page-language.ts'
import { createPaymentPolicy, googlePayHeaders } from '#server/http/security-headers.ts'
import type { ReadFacts } from '#server/http/shop-facts.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import type { Buyers } from '#server/orders/buyer.ts'
import type { Loaded, SaleCase } from '#server/payments/case.ts'
import type { SaleKey } from '#server/payments/flows.ts'
import { isPaymentOfOrder, paymentColumns } from '#server/orders/paid-order.ts'
import type { OrderReader } from '#server/orders/read-order.ts'
import { maxReadsPerMinute } from '#server/orders/calls.ts'
import type { Connection, Payments } from '#server/sumup/payments.ts'
import { findBySumupId } from './case-rows.ts'
import { tryCode, type CodeUse } from './code-uses.ts'
import { chargeFor } from './offer.ts'
import { findEarlierCheckout } from './find-checkout.ts'
import { markThanked } from './ledger.ts'
import type { Settled } from './settle.ts'

type WithId = {
  Params: { id: string }
  Querystring: { key?: string; [codeParameter]?: unknown; [returnedParameter]?: unknown }
}

/** The page does not wait longer for SumUp; its script asks again. */
const maxWaitMs = 1_000

/** States in which nothing is charged unless a card is entered again. */
const overStates: CheckoutStatus['state'][] = ['open', 'declined', 'closed', 'too-many-cards']

type PageDeps = {
  web: WebFiles
  db: Db
  productCache: ProductCache
  payments: Payments
  buyers: Buyers
  hashAddress: HashAddress
  isLimitShared: IsLimitShared
  readOrder: OrderReader
  readFacts: ReadFacts
  config: Config
  describeLink: (
    row: ProductRow & { isSoldOut?: boolean },
    connection: Connection,
    origin: string,
  ) => LinkCard
  settleShared: (loaded: Loaded<SaleCase>) => Promise<Settled>
}

type SharedData = Omit<
  CheckoutPageData,
  | 'product'
  | 'version'
  | 'charge'
  | 'recentOrder'
  | 'link'
  | 'spoken'
  | 'fewLeft'
  | 'choice'
  | 'discount'
  | 'isCodeInvalid'
  | 'otherMethods'
  | 'googlePay'
>
type ReadyPage = {
  page: ReadyBody
  policy: string
  headers: Record<string, string>
  /** Beside the product itself they decide about the version that the page names. */
  vatRate: string | null
  withdrawalFor: WithdrawalScope
  shared: SharedData
  connection: Connection
  links: LinkSettings
  methods: MethodSettings
  isChoosable: boolean
  told: string
}

/** Of a product: its languages at a few addresses. */
const maxReadyPages = 20

/** What depends on who opens the page. */
type Visit = {
  origin: string
  spoken: PageLanguage
  recentOrder?: CheckoutPageData['recentOrder'] | undefined
  /** What is said of pieces, and what there is to choose. */
  told: Pick<CheckoutPageData, 'fewLeft' | 'choice'>
  /** What the code of the link takes off; null: it does not count. */
  discount?: Discount | null | undefined
  /** The shop takes cards only, but the payment that this is about may be another. */
  isOtherwise: boolean
}

function isSame(one: SharedData, other: SharedData): boolean {
  const names = Object.keys(one) as (keyof SharedData)[]
  return names.every((name) => one[name] === other[name])
}

/** What is the same for all checkouts. */
function describeShared({ account, sdkUrl }: Connection, readFacts: ReadFacts): SharedData {
  const { mode, country } = account()
  return {
    sdkUrl,
    mode: mode ?? 'live',
    // SumUp requires the ZIP code of US cards.
    needsZipCode: country === 'US',
    shop: readFacts(),
  }
}

/** Nothing at all while there is only the card. */
function describeMethods(
  methods: MethodSettings,
  merchantName: string,
): Pick<CheckoutPageData, 'otherMethods' | 'googlePay'> {
  const offered = listOffered(methods)
  if (offered.length === 0) return {}
  const merchantId = offered.includes('google_pay') ? methods.googlePayMerchantId : null
  return { otherMethods: offered, ...(merchantId && { googlePay: { merchantId, merchantName } }) }
}

type PreviewDeps = Pick<PageDeps, 'payments' | 'readFacts' | 'config'> & {
  web: WebFiles | undefined
}

const call = callsOf<PreviewDeps>('Products', 'admin')

export const previewCalls = [
  call(`POST ${apiRoutes.productPreview}`, {
    summary: 'Renders the checkout page of an unfinished product.',
    note: 'What is not valid yet is shown as a placeholder.',
    body: productDraftSchema,
    example: { name: 'Harbour Mug', price: '24.00', currency: 'EUR' },
    answers: { 200: z.object({ html: z.string() }) },
    handle({ web, payments, readFacts, config }, { body: draft }) {
      if (!web) throw new Refusal('call-missing')
      const { choice, ...content } = draft
      const product = { ...withNote(content), id: unsavedId }
      const html = web.checkoutPreview({
        product,
        version: '',
        charge: chargeFor(product, payments.currency),
        recentOrder: null,
        ...(choice && { choice: previewChoice(choice) }),
        link: null,
        spoken: { language: findMailLanguage(config, null), links: [] },
        ...describeShared(payments.pin(), readFacts),
      })
      return { html }
    },
  }),
]

/** The buyer's pages, rendered on the server. */
export function mountBuyerPages(app: FastifyInstance, deps: PageDeps): void {
  const { web, payments, readFacts, config, describeLink } = deps

  app.get<WithId>(
    publicPages.checkout,
    { config: { access: 'public', isBuyerPage: true }, compress: false },
    async (request, reply) => {
      const { id } = request.params
      const buyer = deps.buyers.findBuyer(request)
      const onSale = isUuid(id) ? await deps.productCache.find(id) : undefined
      const returned = await findReturned(deps.db, id, request.query[returnedParameter])
      const mayHavePaid = buyer !== undefined || returned !== undefined
      const row =
        onSale ?? (mayHavePaid && isUuid(id) ? await findEverSold(deps.db, id) : undefined)
      if (!row) return sendMissing(request, reply, deps, { text: 'Product not found' })
      const connection = payments.pin()
      const isTest = connection.account().mode === 'test'
      const saleKey = buyer ? { productId: row.id, isTest, buyerTokenHash: buyer } : undefined
      const earlier = saleKey && (await settleEarlier(deps, saleKey))
      if (earlier?.orderId) return reply.redirect(thankYouPath(earlier.orderId), 303)
      // Who may have paid is told about that, by the page's script.
      const isFollowed = returned !== undefined || earlier?.isUnderWay
      if (!onSale && !isFollowed)
        return sendMissing(request, reply, deps, { text: 'Product not found' })
      const spoken = findPageLanguage(config, request)
      const left = await listLeft(deps.db, row, { isTest, exceptBuyer: buyer ?? '' })
      const { isSoldOut = false, fewLeft } = describeLeft(sumLeft(row, left), row)
      const offered = await asOffered(deps.db, row)
      if ((offered.pausedAt || isSoldOut) && !isFollowed) {
        const linked = { ...offered, isSoldOut }
        const link = describeLink(linked, connection, linkOrigin(config, request))
        const product = showCheckoutProduct(row)
        const reason = offered.pausedAt ? 'paused' : 'soldOut'
        const page = web.notForSalePage({ reason, product, shop: readFacts(), link, spoken })
        return sendPage(reply, page, reply.pagePolicy())
      }
      const choice = showPageChoice(row, left)
      // Of a choice each value says it.
      const told = choice ? { choice } : fewLeft === undefined ? {} : { fewLeft }
      const recentOrder = saleKey && (await findRecentOrder(deps.db, saleKey))
      const origin = linkOrigin(config, request)
      const code = request.query[codeParameter]
      const discount =
        typeof code === 'string' && code !== ''
          ? await findLinkDiscount(
              deps,
              { code, isTest, buyerTokenHash: buyer ?? '', productId: row.id },
              request,
            )
          : undefined
      // What is said of a payment must be true of it, also once the shop takes cards only.
      const isOtherwise =
        !readFacts().isMoreThanCards &&
        [returned, earlier?.kase].some((one) => one && isPaidOtherwise(one))
      const visit = { origin, spoken, recentOrder, told, discount, isOtherwise }
      // What is for one visitor alone is not kept for others.
      const isShared = !recentOrder && !discount && !isOtherwise
      const { page, policy, headers } = isShared
        ? findReadyPage(row, connection, visit)
        : renderCheckout(row, connection, visit)
      return sendPage(reply.headers(headers), page, policy)
    },
  )

  function renderCheckout(
    row: ProductRow,
    connection: Connection,
    { origin, spoken, recentOrder = null, told, discount, isOtherwise }: Visit,
  ): ReadyPage {
    const product = showCheckoutProduct(row)
    const { imageUrl, headerLogoUrl } = product
    const ofValues = (told.choice?.values ?? []).map((value) => value.imageUrl)
    const shown = [imageUrl, headerLogoUrl, ...ofValues]
    const pictures = [...new Set(shown.flatMap((url) => pictureOrigin(url) ?? []))]
    const shared = describeShared(connection, readFacts)
    const charge = chargeFor(product, connection.currency)
    // For as long as the page is the same: it allows style tags of SumUp's widget, and no script.
    const nonce = createNonce()
    const link = describeLink(row, connection, origin)
    const coded = discount === null ? { isCodeInvalid: true as const } : discount && { discount }
    const methods = describeMethods(config.methods, shared.shop.name ?? product.name)
    // The sandbox brings wallets of its own.
    const wallets = connection.sandboxUrl ? [] : (methods.otherMethods ?? [])
    const ofVisit = { recentOrder, link, spoken, ...told, ...coded }
    const shop = isOtherwise ? { ...shared.shop, isMoreThanCards: true } : shared.shop
    const version = shownVersionOf(row, config)
    const { vatRate } = config.shop
    const { withdrawalFor } = config.policies
    const data = { product, version, charge, ...ofVisit, ...shared, ...methods, shop }
    return {
      page: web.checkoutPage(data, nonce),
      policy: createPaymentPolicy(connection.cardFormOrigins, pictures, wallets)(nonce),
      headers: googlePayHeaders(wallets),
      vatRate,
      withdrawalFor,
      shared,
      connection,
      links: config.links,
      methods: config.methods,
      isChoosable: spoken.links.length > 0,
      told: JSON.stringify(told),
    }
  }

  /** Rendered and compressed once for as long as product, settings and account are the same. */
  const readyPages = new WeakMap<ProductRow, Map<string, ReadyPage>>()

  function findReadyPage(row: ProductRow, connection: Connection, visit: Visit): ReadyPage {
    const { language, links } = visit.spoken
    const ofProduct = readyPages.get(row) ?? new Map<string, ReadyPage>()
    readyPages.set(row, ofProduct)
    const key = `${language} ${visit.origin}${visit.discount === null ? ' unknown code' : ''}`
    const ready = ofProduct.get(key)
    const isCurrent =
      ready?.connection === connection &&
      ready.links === config.links &&
      ready.vatRate === config.shop.vatRate &&
      ready.withdrawalFor === config.policies.withdrawalFor &&
      ready.methods === config.methods &&
      ready.isChoosable === links.length > 0 &&
      ready.told === JSON.stringify(visit.told) &&
      isSame(ready.shared, describeShared(connection, readFacts))
    if (isCurrent) return ready
    const rendered = renderCheckout(row, connection, visit)
    // Anybody can make up addresses where the shop has none.
    if (ofProduct.size >= maxReadyPages) ofProduct.clear()
    ofProduct.set(key, rendered)
    return rendered
  }

  app.get<WithId>(
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
    async (request, reply) => {
      const found = await deps.readOrder(request, request.params.id, request.query.key)
      if (!found) {
        const isRestored = (await findUnreadRestore(deps.db)) !== undefined
        return sendMissing(request, reply, deps, { text: 'Order not found', isRestored })
      }
      const { order, ownCheckoutId, language } = found
      if (ownCheckoutId) await markThanked(deps.db, ownCheckoutId)
      reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
      const { key } = request.query
      const spoken = findPageLanguage(config, request, { remembered: language, key })
      // What was paid in another way goes back in that way, also once the shop takes cards only.
      const isMoreThanCards = readFacts().isMoreThanCards || !isCard(order.paymentMethod)
      const page = web.thankYouPage({ order, shop: { ...readFacts(), isMoreThanCards }, spoken })
      return sendPage(reply, page, reply.pagePolicy())
    },
  )
}

/**
 * The order of a buyer whose tab was closed after the card, or who went back too early; or whether their card is still
 * under way, for all that is known.
 */
async function settleEarlier(
  { db, settleShared }: PageDeps,
  saleKey: SaleKey,
): Promise<{ orderId?: string | undefined; isUnderWay: boolean; kase?: SaleCase | undefined }> {
  const earlier = await findEarlierCheckout(db, saleKey, 'unseen')
  const state = earlier?.kase.sale.state
  if (!earlier || (state !== 'submitted' && state !== 'paid'))
    return { isUnderWay: state === 'review', kase: earlier?.kase }
  const settled = await Promise.race([settleShared(earlier), pause(maxWaitMs)])
  const isOver = settled && overStates.includes(settled.status.state)
  const { kase } = settled ?? earlier
  return { orderId: settled?.order?.id, isUnderWay: !isOver, kase }
}

/** The sale of this product whose payment leads back here, perhaps to another browser than the one that was left. */
async function findReturned(
  db: Db,
  productId: string,
  checkoutId: unknown,
): Promise<SaleCase | undefined> {
  if (typeof checkoutId !== 'string' || !isUuid(checkoutId)) return undefined
  const found = await findBySumupId(db, checkoutId)
  return found?.kase.sale.productId === productId ? found.kase : undefined
}

/** Whether another way than the card was offered that leaves the page, or one has paid. */
function isPaidOtherwise({ sale, payments }: SaleCase): boolean {
  return sale.hasReturnUrl || payments.some(({ method }) => !isCard(method))
}

/** Null for a code that does not count, whatever the reason. Who guesses codes sees the page all the same. */
async function findLinkDiscount(
  { db, config, hashAddress, isLimitShared }: PageDeps,
  use: Omit<CodeUse, 'today'>,
  request: FastifyRequest,
): Promise<Discount | null> {
  try {
    const guesser = { addressKey: hashAddress(request), isShared: isLimitShared(request) }
    const found = await tryCode(db, { ...use, today: dayIn(config.timeZone) }, guesser)
    return typeof found === 'string' ? null : found.discount
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** The latest order of this browser for this product in the last half hour. */
async function findRecentOrder(db: Db, saleKey: SaleKey): Promise<RecentOrder | undefined> {
  const [found] = await findRecent(db, saleKey)
  if (!found) return undefined
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
