import { dayIn } from '#contract/days.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  checkoutStatus,
  openCheckout as openCheckoutAnswer,
  publicOrder,
} from '#contract/answers/orders.ts'
import type { OpenCheckout } from '#contract/checkouts.ts'
import type { CheckoutDetails } from '#contract/orders.ts'
import {
  checkoutDetailsSchema,
  formIdSchema,
  ownFormSchema,
  newCheckoutSchema,
  newOrderSchema,
} from '#contract/order-schemas.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import { findChosen } from '#server/catalog/choice.ts'
import {
  findEverSold,
  productAsSold,
  shownVersionOf,
  versionOf,
  type ProductRow,
} from '#server/catalog/products.ts'
import { asOffered, findLeft } from '#server/catalog/stock.ts'
import { callsOf } from '#server/http/calls.ts'
import { findOrderLanguage } from '#server/http/page-language.ts'
import { isUuid } from '#server/http/uuid.ts'
import { showOwnOrder } from '#server/orders/show-order.ts'
import {
  addDetails,
  findPaidWithoutDetails,
  keepDetails,
  lacksDetailsOnly,
  saveDetails,
  startOver,
  type OffSale,
} from '#server/payments/buyer.ts'
import type { Loaded, Sale, RecordWithSale } from '#server/payments/record.ts'
import { maxCallsPerBuyer, type SaleDeps } from './sale-deps.ts'
import { assertDelivered } from './delivered-details.ts'
import { assertChargeable, assertSameCharge, priceFor } from './offer.ts'
import { findBySumupId } from './record-rows.ts'
import { isUsedUp, tryCode } from './code-uses.ts'
import { findReturnUrl, openCheckout, ProductChanged } from './open.ts'
import { contextOf, runFlow } from './settle.ts'

const exampleId = '3f0c9a52-7d1b-4c5e-9a53-0b6a1f0f7c11'

export const exampleDetails = {
  customerEmail: 'anna@example.com',
  shippingAddress: {
    country: 'Germany',
    firstName: 'Anna',
    lastName: 'Muster',
    address: 'Weg 1',
    city: 'Berlin',
    postcode: '10115',
  },
}

const choiceRefusals = ['choice-missing', 'choice-gone', 'value-sold-out'] as const

const call = callsOf<SaleDeps>('Checkouts', 'public')

/** The calls of a buyer. */
export const checkoutCalls = [
  call(`POST ${apiRoutes.createCheckout}`, {
    summary: 'Opens the payment form of a browser for a product, or returns the one it has.',
    note: 'Amount and currency are only compared: the server charges the product’s price, with delivery and less the discount where there are such. The card itself is entered in SumUp’s widget and never reaches the shop.',
    body: newCheckoutSchema,
    example: { productId: exampleId, amount: '24.00', currency: 'EUR' },
    answers: { 200: openCheckoutAnswer },
    headers: { 'Set-Cookie': 'Names this browser, which alone can use the form.' },
    refusals: [
      'product-missing',
      'product-paused',
      'sold-out',
      'country-needed',
      'not-delivered',
      'code-unknown',
      'code-used-up',
      'price-changed',
      'page-outdated',
      'price-without-cents',
      'price-not-payable',
      'mode-changed',
      'payment-missing',
      'already-paid',
      'payment-in-review',
      'card-at-bank',
      'card-under-way',
      'payments-away',
      'too-many-checkouts',
      'too-many-cards',
    ],
    handle: (deps, { body, request, reply }) => createCheckout(deps, body, request, reply),
  }),

  call(`PUT ${apiRoutes.checkoutDetails}`, {
    summary: 'Saves contact, delivery and billing, before any card is submitted.',
    body: z.intersection(checkoutDetailsSchema, formIdSchema),
    example: exampleDetails,
    answers: { 204: null },
    refusals: [
      'payment-missing',
      'product-missing',
      'product-paused',
      'sold-out',
      'not-delivered',
      'terms-changed',
      'code-used-up',
      ...choiceRefusals,
      'note-needed',
      'already-paid',
      'checkout-expired',
      'card-under-way',
      'payment-in-review',
      'payments-away',
      'too-many-cards',
      'too-many-holds',
    ],
    isOfBuyer: true,
    async handle(deps, { params, body, request }) {
      const loaded = await getOwn(deps, params.checkoutId, request)
      const { formId, pressId, isCardUnsent, choice, choiceName, note, ...typed } = body
      const language = findOrderLanguage(deps.config, typed.language)
      const spoken = { ...typed, ...(language && { language }) }
      const pinned = deps.pin()
      const isPage = isOwnPage(request)
      const { isAddressShared } = request
      await keepIfPaid(deps, loaded, spoken, async (own) => {
        // What is paid already is an order, although the page does not show what there is now.
        const isPaid = own.record.sale.state === 'review'
        const mustBeShown = isPage && !isPaid
        const sent = assertDelivered(spoken, deps.config.delivery, { mustBeShown })
        const chosen = await readChosen(deps, own, choice, isPaid ? undefined : choiceName)
        const details = { ...sent, ...(await readNote(deps, own, note, { mustBeThere: true })) }
        const options = { offSale: await readOffSale(deps, own), isPage }
        const given = { details, chosen, formId, pressId, isCardUnsent, isForCard: true }
        const flow = saveDetails(contextOf(pinned), own, given, options)
        await runFlow(pinned, flow, { isAddressShared })
      })
    },
  }),

  call(`GET ${apiRoutes.checkout}`, {
    summary: 'Tells what is known about a payment.',
    note: `The shop asks SumUp; ${maxCallsPerBuyer} calls a minute for each browser. With \`formId\` it is refused once another page has saved details.`,
    query: ownFormSchema,
    answers: { 200: checkoutStatus },
    refusals: ['payment-missing', 'foreign-origin', 'details-replaced'],
    isOfBuyer: true,
    options: { config: { isCookieBound: true } },
    async handle(deps, { params, query: { formId }, request }) {
      const own = await getOwn(deps, params.checkoutId, request)
      if (formId !== undefined && own.record.sale.formId !== formId)
        throw new Refusal('details-replaced')
      return (await deps.settleShared(own)).status
    },
  }),

  call(`POST ${apiRoutes.startOver}`, {
    summary: 'Gives up a card that may be at the bank, for a new form.',
    answers: { 204: null },
    refusals: [
      'payment-missing',
      'already-paid',
      'payment-in-review',
      'card-at-bank',
      'card-under-way',
      'payments-away',
    ],
    isOfBuyer: true,
    async handle(deps, { params, request }) {
      const pinned = deps.pin()
      const own = await getOwn(deps, params.checkoutId, request)
      await runFlow(pinned, startOver(contextOf(pinned), own))
    },
  }),

  call(`POST ${apiRoutes.orders}`, {
    summary: 'Makes the order of a payment, once: again it answers the same order with 200.',
    note: 'Sent after paying. Price, status and payment are decided by the server. 202 while the bank has not answered.',
    body: newOrderSchema,
    example: { sumupCheckoutId: exampleId, ...exampleDetails },
    answers: { 200: publicOrder, 201: publicOrder, 202: checkoutStatus },
    refusals: [
      'payment-missing',
      'product-missing',
      'product-paused',
      'sold-out',
      'not-delivered',
      'terms-changed',
      'code-used-up',
      ...choiceRefusals,
      'payment-declined',
      'too-many-cards',
      'checkout-expired',
      'already-paid',
      'card-under-way',
      'payment-in-review',
    ],
    isOfBuyer: true,
    async handle(deps, { body: { sumupCheckoutId, ...sent }, request, reply }) {
      const own = await getOwn(deps, sumupCheckoutId, request)
      const complete = await withDetails(deps, own, sent, isOwnPage(request))
      const { status, order, isNew } = await deps.settleForOrder(complete)
      if (order) return reply.code(isNew ? 201 : 200).send(showOwnOrder(order))
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
    },
  }),
]

/** A checkout of another browser is answered like one that does not exist. */
async function getOwn(
  { db, buyers, countCall }: SaleDeps,
  checkoutId: string,
  request: FastifyRequest,
): Promise<Loaded<RecordWithSale>> {
  const buyer = buyers.findBuyer(request)
  if (buyer) countCall(buyer)
  const loaded = buyer && isUuid(checkoutId) ? await findBySumupId(db, checkoutId) : undefined
  if (!loaded || loaded.record.sale.buyerTokenHash !== buyer) throw new Refusal('payment-missing')
  return loaded
}

async function createCheckout(
  deps: SaleDeps,
  shown: z.output<typeof newCheckoutSchema>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { buyers, opening } = deps
  const pinned = deps.pin()
  const { connection } = pinned
  const { merchantCode } = pinned.sumup
  const isTest = (await connection.getMode()) === 'test'
  const addressKey = deps.hashAddress(request)
  const visitor = { facts: (await deps.visitors.identify(request)).facts }
  const isPage = isOwnPage(request)
  const isShared = deps.isLimitShared(request)
  // A page from before says the wrong thing about money, or has the card form of test mode for a real account.
  const isOtherMode = shown.isTest !== undefined && shown.isTest !== isTest
  const isOtherForm = shown.sdkUrl !== undefined && shown.sdkUrl !== connection.sdkUrl
  if (isOtherMode || isOtherForm) throw new Refusal('mode-changed')
  const knownBuyer = buyers.findBuyer(request)
  const { code, productId } = shown
  const today = dayIn(deps.config.timeZone)
  const use = { isTest, buyerTokenHash: knownBuyer ?? '', productId, today }
  const found = code ? await tryCode(deps.db, { code, ...use }, { addressKey, isShared }) : null
  if (typeof found === 'string') throw new Refusal(found)
  const discount = found?.discount ?? null
  const { delivery } = deps.config
  const visitorCountry = delivery.countries.find((one) => one === visitor.facts.country) ?? null
  const isNewBuyer = knownBuyer === undefined
  let buyerTokenHash: string | undefined

  const open = async (row: ProductRow): Promise<OpenCheckout> => {
    const product = productAsSold(row, deps.config)
    const productVersion = versionOf(row)
    const shownVersion = shownVersionOf(row, deps.config)
    if (shown.version !== undefined && shown.version !== shownVersion)
      throw new Refusal('page-outdated')
    if (row.deletedAt && isNewBuyer) throw new Refusal('product-missing')
    const priced = priceFor(product, connection.currency, { delivery, discount }, shown)
    if (typeof priced === 'string')
      throw new Refusal(priced, { facts: visitorCountry ? { visitorCountry } : {} })
    const { charge, terms } = priced
    assertSameCharge(charge, shown)
    assertChargeable(charge, connection.account().currency)
    buyerTokenHash ??= buyers.ensureBuyer(request, reply)
    const offSale =
      findOffSale(await asOffered(deps.db, row)) ??
      (await findSoldOut(deps, row, { isTest, buyerTokenHash }))
    const buyer = { buyerTokenHash, addressKey, visitor }
    const returnUrl = findReturnUrl(deps.config, request, row, code)
    const discountCodeId = terms?.code ? (found?.id ?? null) : null
    const sold = { product, productVersion, shownVersion, charge, terms, discountCodeId, returnUrl }
    const offer = { ...sold, merchantCode, isTest, ...buyer }
    // Two tabs that load at once get the same checkout.
    const key = `${buyerTokenHash}${product.id}${charge.amount}${charge.currency}${JSON.stringify(terms)}${discountCodeId}${shownVersion}${isPage}${offSale}${merchantCode}${isTest}`
    const options = { isNewBuyer, isPage, offSale, isShared }
    const running = opening.get(key) ?? openCheckout(pinned, offer, options)
    opening.set(key, running)
    return running.finally(() => opening.delete(key))
  }

  // What a known buyer gets may be an earlier checkout, which is not compared with the product as a new one is.
  const mayBeCached = isNewBuyer
  const checkout = await withProduct(deps, shown.productId, { mayBeCached }, open)
  return { ...checkout, visitorCountry }
}

/** Browsers say so of the calls of our own pages (over HTTPS and on localhost), and nobody else does. */
function isOwnPage(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] === 'same-origin'
}

/** Refusals that another version of the product might not meet. */
const aboutProduct = [
  'price-changed',
  'page-outdated',
  'product-paused',
  'price-not-payable',
  'price-without-cents',
]
/** For a product that is changed right now. */
const maxProductReads = 3

/** Works with the product that the cache knows, if it may, and again with what the database has, should they differ. */
async function withProduct<Result>(
  { db, productCache }: SaleDeps,
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
    productCache.outdate(id)
  }
  for (let read = 1; read <= maxProductReads; read += 1) {
    try {
      const row = await findEverSold(db, id)
      if (!row) throw new Refusal('product-missing')
      return await work(row)
    } catch (error) {
      // The page that is loaded again must not be the same one.
      if (error instanceof Refusal && error.code === 'page-outdated') productCache.outdate(id)
      if (!(error instanceof ProductChanged)) throw error
    }
  }
  throw new Refusal('price-changed')
}

function findOffSale({ deletedAt, pausedAt }: ProductRow): OffSale | undefined {
  if (deletedAt) return 'product-missing'
  return pausedAt ? 'product-paused' : undefined
}

async function readOffSale(
  { db, productCache }: SaleDeps,
  { record }: Loaded<RecordWithSale>,
): Promise<OffSale | undefined> {
  const product = await productCache.find(record.sale.productId)
  return product ? findOffSale(await asOffered(db, product)) : 'product-missing'
}

/** What the buyer chose of the product as it is now, also of one that is not on sale any more. */
async function readChosen(
  { db, productCache }: SaleDeps,
  { record }: Loaded<RecordWithSale>,
  valueId: string | undefined,
  shownName?: string,
) {
  const { productId } = record.sale
  const product = (await productCache.find(productId)) ?? (await findEverSold(db, productId))
  return product && findChosen(product, valueId, shownName)
}

/** What this browser itself holds is left for it. */
async function findSoldOut(
  { db }: SaleDeps,
  row: ProductRow,
  { isTest, buyerTokenHash }: Pick<Sale, 'isTest' | 'buyerTokenHash'>,
): Promise<OffSale | undefined> {
  const left = await findLeft(db, row, { isTest, exceptBuyer: buyerTokenHash })
  return left !== undefined && left < 1 ? 'sold-out' : undefined
}

/** What the buyer wrote, if they were asked for it. What is paid already is an order without it too. */
async function readNote(
  { productCache }: SaleDeps,
  { record: { sale } }: Loaded<RecordWithSale>,
  note: string | undefined,
  { mustBeThere }: { mustBeThere: boolean },
): Promise<{ note?: string }> {
  const product = await productCache.find(sale.productId)
  const isNeeded = product?.noteLabel && product.isNoteRequired && sale.state !== 'review'
  if (!note && isNeeded && mustBeThere)
    throw new Refusal('note-needed', { facts: { field: 'note' } })
  const isAsked = product?.noteLabel ?? sale.product.noteLabel
  return note && isAsked ? { note } : {}
}

/** Details saved before the card are not replaced. */
async function withDetails(
  deps: SaleDeps,
  loaded: Loaded<RecordWithSale>,
  { details: typed, choice }: Omit<z.output<typeof newOrderSchema>, 'sumupCheckoutId'>,
  isPage: boolean,
): Promise<Loaded<RecordWithSale>> {
  if (loaded.record.sale.details && !lacksDetailsOnly(loaded.record)) return loaded
  const { note, ...address } = typed
  return keepIfPaid(deps, loaded, address, async (own) => {
    const { sale } = own.record
    const sent = assertDelivered(address, deps.config.delivery, { mustBeShown: false })
    const chosen = await readChosen(deps, own, choice)
    const details = { ...sent, ...(await readNote(deps, own, note, { mustBeThere: false })) }
    const product = await deps.productCache.find(sale.productId)
    // Only what was paid is an order then: SumUp is asked first.
    const soldOut = product && (await findSoldOut(deps, product, sale))
    const usedUp = (await isUsedUp(deps.db, sale)) ? 'code-used-up' : undefined
    const options = { offSale: (await readOffSale(deps, own)) ?? soldOut ?? usedUp, isPage }
    const flow = addDetails(own, { details, chosen, formId: '' }, options)
    const { result } = await runFlow(deps.pin(), flow)
    return { record: result, now: own.now }
  })
}

/**
 * Refusals of details that say nothing of a payment: the card may be charged already. Those after which a page is loaded
 * again are others: isPageOutdated in web/storefront.
 */
const aboutOffer: RefusalCode[] = [
  'product-missing',
  'product-paused',
  'sold-out',
  'value-sold-out',
  'code-used-up',
  'too-many-holds',
  'choice-missing',
  'choice-gone',
  'note-needed',
  'not-delivered',
  'terms-changed',
]

/**
 * Saves details. If they are refused and the sale is paid, they are tried once more as those of a payment, which becomes an
 * order whatever is left. What is refused even so is kept: the owner must know who has paid.
 */
async function keepIfPaid<Result>(
  deps: SaleDeps,
  own: Loaded<RecordWithSale>,
  details: CheckoutDetails,
  save: (own: Loaded<RecordWithSale>) => Promise<Result>,
): Promise<Result> {
  try {
    return await save(own)
  } catch (error) {
    if (!isAboutOffer(error)) throw error
    const pinned = deps.pin()
    const { result: paid } = await runFlow(pinned, findPaidWithoutDetails(own))
    if (!paid) throw error
    try {
      return await save(paid)
    } catch (again) {
      if (isAboutOffer(again)) await runFlow(pinned, keepDetails(paid, details))
      throw again
    }
  }
}

const isAboutOffer = (error: unknown) => error instanceof Refusal && aboutOffer.includes(error.code)
