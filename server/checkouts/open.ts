import { setTimeout as pause } from 'node:timers/promises'
import type { OpenCheckout } from '#contract/checkouts.ts'
import { Refusal } from '#contract/refusals.ts'
import { crashPoint } from '#server/crash-point.ts'
import { limitOf, widenLimit, type Limit } from '#server/http/rate-limits.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'
import type { Loaded, Sale, SaleCase } from '#server/payments/case.ts'
import { decideOpened, isOurs } from '#server/payments/events.ts'
import { end } from '#server/payments/flows.ts'
import { ProviderUnavailable, SumupRefusal } from '#server/sumup/http.ts'
import { declinesPerAddress, isCardTestingAttack, readDeclines } from './declined-cards.ts'
import { findEarlierCheckout, isReusable } from './find-checkout.ts'
import { insertCheckout } from './ledger.ts'
import type { Offer } from './offer.ts'
import {
  changeSaleNow,
  contextOf,
  isOwnAccount,
  runFlow,
  showSettled,
  type Settled,
  type SettlingDeps,
} from './settle.ts'
import { describePurchase, createReference, formatWebhookUrl } from './signatures.ts'

export type OpenDeps = SettlingDeps & {
  secret: string
  readonly webhookUrl: string | undefined
}

/**
 * Every view of a product opens a checkout, and a mobile network puts thousands of people behind one address: these
 * limits stop runaway programs only. Reuse is free. Declined cards have strict limits of their own.
 */
const perAddress: Limit = { name: 'checkouts address', max: 600, seconds: 600 }
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
  /** Why the product is not sold at the moment. */
  offSale: 'product-paused' | 'product-missing' | undefined
  isRelaxed: boolean
}

/**
 * The checkout of a buyer: the one their browser has, or a new one, stored before SumUp is called. `isNewBuyer` saves
 * looking for an earlier one. For a page (`isPage`) an order counts as known once its thank-you page was seen: the tab
 * that asked for the order may have been closed before the response arrived. Other clients have no such page. A product
 * that is paused or deleted (`offSale`) gets no form, but what is known about an earlier card is told as ever.
 */
export async function openCheckout(
  deps: OpenDeps,
  offer: Offer,
  { isNewBuyer, isPage, offSale, isRelaxed }: OpenOptions,
): Promise<OpenCheckout> {
  crashPoint('checkout-asked')
  const { buyerTokenHash, product, isTest } = offer
  const whose = { buyerTokenHash, productId: product.id, isTest }
  const earlier = isNewBuyer
    ? undefined
    : await findEarlierCheckout(deps.db, whose, isPage ? 'unseen' : 'untold')
  const usable = earlier && (await reuseOrEnd(deps, earlier, offer))
  if (offSale) throw new Refusal(offSale)
  const known = usable?.kase.sale
  if (known?.sumupCheckoutId) return showCheckout(known, known.sumupCheckoutId)
  const created = usable ?? (await createLimited(deps, offer, isRelaxed))
  const { sale } = created.kase
  crashPoint('row-inserted')
  const { id } = await openAtSumup(deps, sale)
  crashPoint('sumup-answered')
  await changeSaleNow(deps, created, ({ kase }) => decideOpened(kase, id))
  crashPoint('checkout-opened')
  return showCheckout(sale, id)
}

/** Before a new checkout the earlier one is reused or ended: if both could be paid, sometimes both would be. */
async function reuseOrEnd(
  deps: OpenDeps,
  earlier: Loaded<SaleCase>,
  { charge }: Offer,
): Promise<Loaded<SaleCase> | undefined> {
  const { now } = earlier
  const { sale } = earlier.kase
  const isUnused = sale.state === 'created' || sale.state === 'open'
  const isOurAccount = isOwnAccount(sale, deps.sumup)
  if (isUnused) {
    if (isOurAccount && isReusable(sale, now, charge)) return earlier
    // Another node may have changed the account a moment ago: two forms at two accounts could both be paid.
    const renewed = isOurAccount ? undefined : await deps.renew?.()
    if (renewed && renewed.sumup !== deps.sumup) throw new Refusal('mode-changed')
    // Another tab may still show it, perhaps at another price.
    const isValid = isOurAccount && sale.validUntil > now
    return isValid ? endCheckout(deps, sale) : undefined
  }
  const { status, kase } = await deps.settleShared(earlier)
  const facts = { checkoutId: sale.sumupCheckoutId ?? '' }
  switch (status.state) {
    case 'paid':
      throw new Refusal('already-paid', { facts: { orderId: status.orderId } })
    case 'review':
      throw new Refusal('payment-in-review', { facts: { ...facts, reason: status.reason } })
    case 'at-bank':
      throw new Refusal('card-at-bank', { facts })
    case 'too-many-cards':
    case 'closed':
      return endCheckout(deps, kase.sale)
    case 'waiting':
      if (status.reason === 'unreachable') throw new Refusal('payments-away', { retryAfter: 5 })
      if (status.reason === 'unclear') throw new Refusal('card-under-way', { facts })
      break
    case 'declined':
    case 'open':
  }
  return isReusable(kase.sale, now, charge) ? { kase, now } : endCheckout(deps, kase.sale)
}

async function createLimited(
  deps: OpenDeps,
  offer: Offer,
  isRelaxed: boolean,
): Promise<Loaded<SaleCase>> {
  const { db, secret } = deps
  const { buyerTokenHash, addressKey: whose, product } = offer
  // In test mode, or where all buyers share the loopback address.
  const widened = (limit: Limit) => (isRelaxed ? widenLimit(limit) : limit)
  const limits = {
    perAddress: { limit: widened(perAddress), whose },
    perBuyer: { limit: widened(perBuyer), whose: `${buyerTokenHash}\n${product.id}` },
  }
  const declines = { limit: declinesPerAddress, whose }
  const id = createReference(secret)
  let added = await insertCheckout(db, id, offer, { ...limits, declines })
  if ('why' in added && added.why === 'declines') {
    const { isOver, secondsLeft } = await readDeclines(db, whose)
    if (isOver) throw new Refusal('too-many-cards', { retryAfter: secondsLeft })
    const isSuspect = await isCardTestingAttack(db, offer.isTest)
    const strict = isSuspect && { perAddress: { limit: limitOf(whose, perSuspectAddress), whose } }
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
  const { amount, currency, validUntil } = row
  return {
    checkoutId,
    amount,
    currency: currency as OpenCheckout['currency'],
    validUntil: validUntil.toISOString(),
  }
}

/** Creates SumUp's checkout. If a response was lost, or the reference is taken, it is looked up instead. */
async function openAtSumup(deps: OpenDeps, row: Sale): Promise<SumupCheckout> {
  const deadline = performance.now() + openTimeoutMs
  let lastError: unknown
  for (let attempt = 1; attempt <= maxAttempts && performance.now() < deadline; attempt += 1) {
    try {
      const made = await findOrCreate(deps, row, attempt > 1)
      if (!made) continue
      if (isOurs(row, made)) return made
      lastError = new Error('SumUp created a checkout with other values')
      break
    } catch (error) {
      lastError = error
      // A definite error (a rejected amount, currency or key) is not retried.
      if (!(error instanceof ProviderUnavailable) || error.isKeyRefused) break
      const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000
      if (attempt < maxAttempts)
        await pause(Math.min(openTimeoutMs, Math.max(attempt * pauseMs, retryAfterMs + 10)))
    }
  }
  deps.log.error({ err: lastError, checkout: row.id }, 'SumUp did not create a checkout')
  if (lastError instanceof SumupRefusal)
    throw new Refusal('price-not-payable', { cause: lastError })
  throw new Refusal('payments-away', { cause: lastError, retryAfter: 5 })
}

async function findOrCreate(
  { sumup, secret, webhookUrl }: OpenDeps,
  row: Sale,
  mayExist: boolean,
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
  })
  return made === 'taken' ? sumup.findCheckoutByReference(row.id) : made
}

/**
 * A buyer gives up on a card that may be at the bank. There is a new form only after SumUp confirmed that the old
 * checkout cannot be charged any more.
 */
export async function startOver(deps: SettlingDeps, loaded: Loaded<SaleCase>): Promise<void> {
  const settled = await deps.settleShared(loaded)
  assertUnpaid(settled)
  const { status } = settled
  const { sale } = settled.kase
  if (status.state === 'waiting' && status.reason === 'unreachable')
    throw new Refusal('payments-away', { retryAfter: 5 })
  // Not confirmed yet: a card may be hidden behind the expiry.
  if (status.state === 'waiting' && sale.expiredSince)
    throw new Refusal('card-under-way', { facts: { checkoutId: sale.sumupCheckoutId ?? '' } })
  await endCheckout(deps, sale)
}

/** Ends a checkout at SumUp and here; refuses while SumUp's word is not that it is over. */
export async function endCheckout(deps: SettlingDeps, sale: Sale): Promise<undefined> {
  if (sale.state === 'closed' || !sale.sumupCheckoutId) return undefined
  const { result: ended, order } = await runFlow(deps, end(contextOf(deps), sale))
  if (!ended) throw new Refusal('payment-missing')
  assertUnpaid(await showSettled(deps, ended, order))
  if (ended.kase.sale.state === 'closed') return undefined
  // Without SumUp there is no new form either.
  if (ended.isUnreachable) throw new Refusal('payments-away', { retryAfter: 5 })
  const code = ended.status.state === 'at-bank' ? 'card-at-bank' : 'card-under-way'
  throw new Refusal(code, { facts: { checkoutId: sale.sumupCheckoutId } })
}

function assertUnpaid({ status, kase }: Settled): void {
  if (status.state === 'paid')
    throw new Refusal('already-paid', { facts: { orderId: status.orderId } })
  if (status.state === 'review')
    throw new Refusal('payment-in-review', {
      facts: { reason: status.reason, checkoutId: kase.sale.sumupCheckoutId ?? '' },
    })
}
