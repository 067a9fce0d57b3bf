import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '#contract/refusals.ts'
import { crashPoint } from '#server/crash-point.ts'
import { reasonOf, saleEntry, statusOf, type Loaded, type SaleCase } from '#server/payments/case.ts'
import {
  blocksDetails,
  decideDetails,
  lacksDetailsOnly,
  type NewDetails,
} from '#server/payments/events.ts'
import { changeSale } from '#server/payments/flows.ts'
import { findSale } from './case-rows.ts'
import { findEarlierCheckout } from './find-checkout.ts'
import { isOwnAccount, runFlow, type CheckoutDeps, type SettlingDeps } from './settle.ts'

/** How the product is sold at the moment. */
export type OnSale = { isPaused: boolean; isDeleted: boolean }

/**
 * Saves contact and delivery before any card: from here on the server can finish the sale alone. Once a card may be in
 * progress SumUp is asked first, and its details are not replaced by a second tab. A form of an account that the shop no
 * longer uses is closed, before anybody pays there.
 */
export async function saveDetails(
  deps: SettlingDeps,
  loaded: Loaded<SaleCase>,
  given: NewDetails,
  { isPaused, isDeleted, isPage }: OnSale & { isPage: boolean },
): Promise<void> {
  const { sale } = loaded.kase
  const isFresh = sale.state === 'open' && isOwnAccount(sale, deps.sumup)
  const current = isFresh ? loaded : await settleFirst(deps, loaded, given)
  assertTakesDetails(current.kase)
  assertOnSale(current.kase, { isPaused, isDeleted })
  crashPoint('details-read')
  const saved = await writeDetails(deps, current, given, isPage)
  crashPoint('details-saved')
  const { sale: after } = saved
  if (after.state === 'submitted' && after.formId === given.formId) return
  // Another form was faster: the sale is over, or its card is in progress.
  assertTakesDetails(saved)
  throw new Refusal('card-under-way', { facts: { checkoutId: after.sumupCheckoutId ?? '' } })
}

export function assertOnSale({ sale }: SaleCase, { isPaused, isDeleted }: OnSale): void {
  // What is in review is paid already, and only lacks where to send it.
  const isPaid = sale.state === 'review'
  if (isDeleted && !isPaid) throw new Refusal('product-missing')
  if (isPaused && !isPaid) throw new Refusal('product-paused')
}

/** Saves details without asking SumUp. Refuses if another sale of the same browser is paid, in review or under way. */
export async function writeDetails(
  deps: CheckoutDeps,
  first: Loaded<SaleCase>,
  given: NewDetails,
  isPage: boolean,
): Promise<SaleCase> {
  const { sale } = first.kase
  const flow = changeSale(sale.id, ({ kase, now }) => decideDetails(kase, given, now), first)
  const condition = first.kase.sale.state === 'review' ? {} : { onlyIfFree: { isPage } }
  const { result } = await runFlow(deps, flow, condition)
  if (!result) throw new Refusal('payment-missing')
  if (result.written.type === 'other-card') throw await describeOther(deps, first.kase, isPage)
  return result.kase
}

/** Names the sale that is in the way, so that the page can switch to it. */
async function describeOther(
  { db }: CheckoutDeps,
  { sale }: SaleCase,
  isPage: boolean,
): Promise<Refusal> {
  const other = await findEarlierCheckout(db, sale, isPage ? 'unseen' : 'untold')
  const { sale: found, order } = other?.kase ?? { sale: undefined }
  const facts = { checkoutId: found?.sumupCheckoutId ?? '' }
  if (found?.state === 'paid')
    return new Refusal('already-paid', { facts: { ...facts, ...(order && { orderId: order.id }) } })
  if (other && found?.state === 'review')
    return new Refusal('payment-in-review', {
      facts: { ...facts, reason: reasonOf(saleEntry(other.kase)) },
    })
  return new Refusal('card-under-way', { facts })
}

async function settleFirst(
  deps: SettlingDeps,
  loaded: Loaded<SaleCase>,
  { details, formId }: NewDetails,
): Promise<Loaded<SaleCase>> {
  const { kase, status } = await deps.settleShared(loaded)
  const { sale } = kase
  const facts = { checkoutId: sale.sumupCheckoutId ?? '' }
  if (status.state === 'paid')
    throw new Refusal('already-paid', { facts: { orderId: status.orderId } })
  // SumUp takes no card on it any more.
  if (status.state === 'closed') throw new Refusal('checkout-expired')
  if (status.state === 'at-bank') throw new Refusal('card-under-way', { facts })
  if (status.state === 'waiting' && status.reason === 'unclear')
    throw new Refusal('card-under-way', { facts })
  // Without an answer of SumUp only the same page may try again, with the same details.
  const isRepeated = sale.formId === formId && isDeepStrictEqual(sale.details, details)
  if (status.state === 'waiting' && status.reason === 'unreachable' && !isRepeated)
    throw new Refusal('payments-away', { retryAfter: 2 })
  const current = await findSale(deps.db, sale.id)
  if (!current) throw new Refusal('payment-missing')
  if (blocksDetails(current.kase, formId, current.now))
    throw new Refusal('card-under-way', { facts })
  return current
}

function assertTakesDetails(kase: SaleCase): void {
  const { sale } = kase
  if (sale.hasTooManyCards) throw new Refusal('too-many-cards')
  if (sale.state === 'open' || sale.state === 'submitted') return
  if (sale.state === 'review' && lacksDetailsOnly(kase)) return
  if (sale.state === 'paid') throw new Refusal('already-paid')
  if (sale.state === 'created' || sale.state === 'closed') throw new Refusal('checkout-expired')
  const status = statusOf(kase)
  const reason = 'reason' in status ? status.reason : ''
  const facts = { reason, checkoutId: sale.sumupCheckoutId ?? '' }
  throw new Refusal('payment-in-review', { facts })
}
