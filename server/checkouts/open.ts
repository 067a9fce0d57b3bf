import { setTimeout as pause } from 'node:timers/promises'
import type { OpenCheckout } from '#contract/checkouts.ts'
import { Refusal } from '#contract/refusals.ts'
import { crashPoint } from '#server/crash-point.ts'
import type { Limit } from '#server/http/rate-limits.ts'
import type { SumupCheckout } from '#server/sumup/answers.ts'
import { ProviderUnavailable } from '#server/sumup/circuit-breaker.ts'
import { SumupRefusal } from '#server/sumup/http.ts'
import { isCardTestingAttack, readDeclines } from './declined-cards.ts'
import { addCheckout, findEarlier, isReusable, type Offer, type ReadCheckout } from './ledger.ts'
import { bringEvent, isOurs, type CheckoutDeps, type Settled } from './settle.ts'
import { describePurchase, newReference, webhookAddress } from './signatures.ts'
import { endEarlier } from './start-over.ts'
import type { CheckoutRow } from './decision.ts'

export type OpeningDeps = CheckoutDeps & {
  secret: string
  /** Where SumUp tells that something happened to a checkout of ours, if it can reach us. */
  webhookUrl: string | undefined
  settleShared: (read: ReadCheckout) => Promise<Settled>
}

/**
 * Every look at a product opens a checkout, and a phone network puts thousands of people behind one address: these
 * limits are for programs that run wild. Reuse is free. Cards that are declined have strict limits of their own.
 */
const perAddress: Limit = { name: 'checkouts address', max: 600, seconds: 600 }
const perBuyer: Limit = { name: 'checkouts buyer', max: 30, seconds: 600 }
const perTriedAddress: Limit = { ...perAddress, max: 3 }
/** So much more where nobody is harmed, or where all buyers look like one. */
const relaxedFactor = 100

/** Longer than this nobody waits for a payment form to appear. */
const giveUpMs = 6_000
const maxAttempts = 3
/** Before the second attempt; before the third twice as long. */
const pauseMs = 250

/**
 * The checkout a buyer pays on: the one their browser has, or a new one, on our ledger before SumUp hears of it. `isNewBuyer`
 * saves the question what an earlier visit left.
 */
export async function openCheckout(
  deps: OpeningDeps,
  offer: Offer,
  { isNewBuyer, isRelaxed }: { isNewBuyer: boolean; isRelaxed: boolean },
): Promise<OpenCheckout> {
  crashPoint('checkout-asked')
  const { buyerTokenHash, product } = offer
  const earlier = isNewBuyer
    ? undefined
    : await findEarlier(deps.db, buyerTokenHash, product.id, 'untold')
  const usable = earlier && (await reuseOrEnd(deps, earlier, offer))
  if (usable?.row.sumupCheckoutId) return showOpen(usable.row, usable.row.sumupCheckoutId)
  const read = usable ?? (await add(deps, offer, isRelaxed))
  crashPoint('row-kept')
  const { id } = await askUntilKnown(deps, read.row)
  crashPoint('sumup-answered')
  await bringEvent(deps, read, { type: 'opened', sumupCheckoutId: id })
  crashPoint('checkout-opened')
  return showOpen(read.row, id)
}

/**
 * Before a browser gets another form: has the earlier sale been paid, can it still be, or is it over? Two forms that can
 * both be paid would one day both be.
 */
async function reuseOrEnd(
  deps: OpeningDeps,
  earlier: ReadCheckout,
  { charge }: Offer,
): Promise<ReadCheckout | undefined> {
  const { row } = earlier
  const isUntouched = row.state === 'created' || row.state === 'open'
  const isOfToday = row.merchantCode === '' || row.merchantCode === deps.sumup.merchantCode
  if (isUntouched) {
    if (isOfToday && isReusable(earlier, charge)) return earlier
    // Another tab may still show it, at another price perhaps: it takes no card any more.
    const isLive = isOfToday && row.validUntil > earlier.now
    return isLive ? endEarlier(deps, row) : undefined
  }
  const { status, row: looked } = await deps.settleShared(earlier)
  const facts = { checkoutId: row.sumupCheckoutId ?? '' }
  switch (status.state) {
    case 'paid':
      throw new Refusal('already-paid', { facts: { orderId: status.orderId } })
    case 'review':
      throw new Refusal('payment-in-review', { facts: { ...facts, reason: status.reason } })
    case 'at-bank':
      throw new Refusal('card-at-bank', { facts })
    case 'too-many-cards':
    case 'closed':
      return endEarlier(deps, looked)
    case 'waiting':
      if (status.reason === 'unreachable') throw new Refusal('payments-away', { retryAfter: 5 })
      if (status.reason === 'unclear') throw new Refusal('card-under-way', { facts })
      break
    case 'declined':
    case 'open':
  }
  const current = { row: looked, now: earlier.now }
  return isReusable(current, charge) ? current : endEarlier(deps, looked)
}

async function add(deps: OpeningDeps, offer: Offer, isRelaxed: boolean): Promise<ReadCheckout> {
  const { buyerTokenHash, addressHash, product } = offer
  const declines = await readDeclines(deps.db, addressHash)
  if (declines.isOver) throw new Refusal('too-many-cards', { retryAfter: declines.secondsLeft })
  const isTried = declines.used > 0 && (await isCardTestingAttack(deps.db))
  const widened = (limit: Limit) =>
    isRelaxed ? { ...limit, max: limit.max * relaxedFactor } : limit
  const id = newReference(deps.secret)
  const added = await addCheckout(deps.db, id, offer, [
    { limit: isTried ? perTriedAddress : widened(perAddress), whose: addressHash },
    { limit: widened(perBuyer), whose: `${buyerTokenHash}\n${product.id}` },
  ])
  if ('secondsLeft' in added)
    throw new Refusal('too-many-checkouts', { retryAfter: added.secondsLeft })
  return added
}

function showOpen(row: CheckoutRow, checkoutId: string): OpenCheckout {
  const { amount, currency, validUntil } = row
  return {
    checkoutId,
    amount,
    currency: currency as OpenCheckout['currency'],
    validUntil: validUntil.toISOString(),
  }
}

/**
 * SumUp's checkout for a row. Where the answer was lost, or the reference is taken, it is looked up by our reference
 * instead of being made a second time.
 */
async function askUntilKnown(deps: OpeningDeps, row: CheckoutRow): Promise<SumupCheckout> {
  const deadline = performance.now() + giveUpMs
  let trouble: unknown
  for (let attempt = 1; attempt <= maxAttempts && performance.now() < deadline; attempt += 1) {
    try {
      const made = await lookUpOrCreate(deps, row, attempt > 1)
      if (!made) continue
      if (isOurs(row, made)) return made
      trouble = new Error('SumUp made another checkout than it was asked for')
      break
    } catch (error) {
      trouble = error
      // A definite no (an amount or a currency that SumUp does not take, a wrong key) does not change by asking again.
      if (!(error instanceof ProviderUnavailable) || error.isKeyRefused) break
      const askedForMs = (error.retryAfterSeconds ?? 0) * 1000
      if (attempt < maxAttempts)
        await pause(Math.min(giveUpMs, Math.max(attempt * pauseMs, askedForMs + 10)))
    }
  }
  deps.log.error({ err: trouble, checkout: row.id }, 'SumUp did not open a checkout')
  if (trouble instanceof SumupRefusal) throw new Refusal('price-not-payable', { cause: trouble })
  throw new Refusal('payments-away', { cause: trouble, retryAfter: 5 })
}

async function lookUpOrCreate(
  { sumup, secret, webhookUrl }: OpeningDeps,
  row: CheckoutRow,
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
    webhookUrl: webhookUrl && webhookAddress(webhookUrl, row.id, secret),
  })
  return made === 'taken' ? sumup.findCheckoutByReference(row.id) : made
}
