import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { OpenCheckout } from '#contract/checkouts.ts'
import { Refusal } from '#contract/refusals.ts'
import { findLanguage, languageQuery } from '#contract/languages.ts'
import { listOffered, mayLeavePage } from '#contract/payment-methods.ts'
import { checkoutPath, choiceParameter, codeParameter, findLinkedValue } from '#contract/paths.ts'
import type { ProductRow } from '#server/catalog/products.ts'
import type { Config } from '#server/config.ts'
import { crashPoint } from '#server/crash-point.ts'
import { linkOrigin } from '#server/http/link-origin.ts'
import { limitOf, type Limit } from '#server/http/rate-limits.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'
import { openForm, type OffSale } from '#server/payments/buyer.ts'
import type { Loaded, Sale, RecordWithSale } from '#server/payments/record.ts'
import type { Created } from '#server/payments/flow.ts'
import { isAboutPrice } from '#server/sumup/form-refusals.ts'
import { ProviderUnavailable, SumupRefusal } from '#server/sumup/http.ts'
import { declinesPerAddress, isCardTestingAttack, readDeclines } from './declined-cards.ts'
import { insertCheckout } from './ledger.ts'
import type { Offer } from './offer.ts'
import { contextOf, runFlow, type CheckoutDeps } from './settle.ts'
import { describePurchase, createReference, formatWebhookUrl } from './signatures.ts'

export type OpenDeps = CheckoutDeps & {
  secret: string
  readonly webhookUrl: string | undefined
}

/**
 * Every view of a product opens a checkout, and a mobile network puts thousands of people behind one address: these
 * limits stop runaway programs only. Reuse is free. Declined cards have strict limits of their own.
 */
const perAddress: Limit = { name: 'checkouts address', max: 600, seconds: 600 }
/** Test mode costs a stranger nothing. */
const perTestAddress: Limit = { ...perAddress, max: 150 }
const perBuyer: Limit = { name: 'checkouts buyer', max: 30, seconds: 600 }
const perSuspectAddress: Limit = { ...perAddress, max: 3 }

/** Buyers do not wait longer for a payment form. */
const openTimeoutMs = 6_000
const maxAttempts = 3
/** Before the second attempt, twice as long before the third. */
const pauseMs = 250

type OpenOptions = {
  isNewBuyer: boolean
  isPage: boolean
  offSale: OffSale | undefined
  isShared: boolean
}

/** The checkout of a buyer (openForm): the one their browser has, or a new one, within the limits of new ones. */
export async function openCheckout(
  deps: OpenDeps,
  offer: Offer,
  { isShared, ...options }: OpenOptions,
): Promise<OpenCheckout> {
  crashPoint('checkout-asked')
  const { buyerTokenHash, product, isTest, terms, discountCodeId = null } = offer
  const { shownVersion, returnUrl } = offer
  const hasReturnUrl = returnUrl !== undefined
  const wanted = { ...offer.charge, terms, discountCodeId, shownVersion, hasReturnUrl }
  const saleKey = { buyerTokenHash, productId: product.id, isTest }
  const flow = openForm(contextOf(deps), { saleKey, wanted, ...options })
  let checkout: string | undefined
  const opening = {
    insert: () => createLimited(deps, offer, isShared),
    create: (sale: Sale) => {
      checkout = sale.id
      return createAtSumup(deps, sale, returnUrl)
    },
  }
  try {
    const { result } = await runFlow(deps, flow, { opening })
    crashPoint('checkout-opened')
    return showCheckout(result.sale, result.checkoutId)
  } catch (error) {
    if (error instanceof Refusal && error.cause)
      deps.log.error({ err: error.cause, checkout }, 'SumUp did not create a checkout')
    throw error
  }
}

/**
 * The page that the buyer is on, in its language and with its code and choice. Only where a method leaves it: with such an address a
 * bank that asks for a card to be confirmed leaves the page too.
 */
export function findReturnUrl(
  config: Pick<Config, 'methods' | 'publicUrl' | 'customDomain'>,
  request: Pick<FastifyRequest, 'protocol' | 'host' | 'headers'>,
  { id, choice }: Pick<ProductRow, 'id' | 'choice'>,
  code: string | undefined,
): string | undefined {
  if (!mayLeavePage(listOffered(config.methods))) return undefined
  const url = new URL(checkoutPath(id), linkOrigin(config, request))
  const page = URL.parse(request.headers.referer ?? '')
  const language = findLanguage(page?.searchParams.get(languageQuery))
  if (language) url.searchParams.set(languageQuery, language)
  if (code) url.searchParams.set(codeParameter, code)
  const value = findLinkedValue(choice?.values, page?.searchParams.get(choiceParameter))
  if (value) url.searchParams.set(choiceParameter, value.id)
  return url.href
}

async function createLimited(
  deps: OpenDeps,
  offer: Offer,
  isShared: boolean,
): Promise<Loaded<RecordWithSale>> {
  const { db, secret } = deps
  const { buyerTokenHash, addressKey, product } = offer
  const widened = (limit: Limit) => limitOf(addressKey, limit, { isShared })
  const ofAddress = offer.isTest ? perTestAddress : perAddress
  const limits = {
    perAddress: { limit: widened(ofAddress), key: addressKey },
    perBuyer: { limit: widened(perBuyer), key: `${buyerTokenHash}\n${product.id}` },
  }
  const declines = { limit: declinesPerAddress, key: addressKey }
  const id = createReference(secret)
  let added = await insertCheckout(db, id, offer, { ...limits, declines })
  if ('why' in added && added.why === 'declines') {
    const { isOver, secondsLeft } = await readDeclines(db, addressKey)
    if (isOver) throw new Refusal('too-many-cards', { retryAfter: secondsLeft })
    const isSuspect = await isCardTestingAttack(db, offer.isTest)
    const strictLimit = limitOf(addressKey, perSuspectAddress)
    const strict = isSuspect && { perAddress: { limit: strictLimit, key: addressKey } }
    added = await insertCheckout(db, id, offer, { ...limits, ...strict })
  }
  if (!('why' in added)) return added
  if (added.why === 'limit')
    throw new Refusal('too-many-checkouts', { retryAfter: added.secondsLeft })
  throw new ProductChanged('the product is no longer as it was offered')
}

/** The offer was made from what the cache knew: it must be made again. */
export class ProductChanged extends Error {
  override readonly name = 'ProductChanged'
}

function showCheckout(row: Sale, checkoutId: string): OpenCheckout {
  const { amount, currency, validUntil, hasReturnUrl } = row
  return {
    checkoutId,
    amount,
    currency: currency as OpenCheckout['currency'],
    validUntil: validUntil.toISOString(),
    ...(hasReturnUrl && { mayLeavePage: true as const }),
  }
}

/** Creates SumUp's checkout. If a response was lost, or the reference is taken, it is looked up instead. */
async function createAtSumup(
  deps: OpenDeps,
  row: Sale,
  returnUrl: string | undefined,
): Promise<Created> {
  crashPoint('row-inserted')
  const deadline = performance.now() + openTimeoutMs
  let lastError: unknown
  for (let attempt = 1; attempt <= maxAttempts && performance.now() < deadline; attempt += 1) {
    try {
      const checkout = await findOrCreate(deps, row, { mayExist: attempt > 1, returnUrl })
      if (!checkout) continue
      crashPoint('sumup-answered')
      return { type: 'created', checkout }
    } catch (error) {
      lastError = error
      // A definite error (a rejected amount, currency or key) is not retried.
      if (!(error instanceof ProviderUnavailable) || error.isKeyRefused) break
      const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000
      if (attempt < maxAttempts)
        await pause(Math.min(openTimeoutMs, Math.max(attempt * pauseMs, retryAfterMs + 10)))
    }
  }
  const isRefused = lastError instanceof SumupRefusal && isAboutPrice(lastError)
  return { type: isRefused ? 'refused' : 'unreachable', cause: lastError }
}

async function findOrCreate(
  { sumup, secret, webhookUrl }: OpenDeps,
  row: Sale,
  { mayExist, returnUrl }: { mayExist: boolean; returnUrl: string | undefined },
): Promise<SumupCheckout | undefined> {
  if (mayExist) {
    const found = await sumup.findCheckoutByReference(row.id)
    if (found) return found
  }
  const made = await sumup.createCheckout({
    reference: row.id,
    amount: row.amount,
    currency: row.currency,
    description: describePurchase(row.product.name, row.id),
    validUntil: row.validUntil,
    webhookUrl: webhookUrl && formatWebhookUrl(webhookUrl, row.id, secret),
    returnUrl,
  })
  return made === 'taken' ? sumup.findCheckoutByReference(row.id) : made
}
