import { isDeepStrictEqual } from 'node:util'
import type { CheckoutDetails } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import { crashPoint } from '#server/crash-point.ts'
import { findCheckout, type ReadCheckout } from './find-checkout.ts'
import { applyEvent, isOwnAccount, type SettlingDeps } from './settle.ts'
import { type CheckoutRow } from './decision.ts'
import { blocksDetails } from './state.ts'

/**
 * Saves contact and delivery before any card: from here on the server can finish the sale alone. Once a card may be in
 * progress SumUp is asked first, and its details are not replaced by a second tab. A form of an account that the shop no
 * longer uses is closed, before anybody pays there.
 */
export async function saveDetails(
  deps: SettlingDeps,
  read: ReadCheckout,
  details: CheckoutDetails,
  { formId, isPaused }: { formId: string; isPaused: boolean },
): Promise<void> {
  const isFresh = read.row.state === 'open' && isOwnAccount(read.row, deps.sumup)
  const current = isFresh ? read : await settleFirst(deps, read, details, formId)
  assertTakesDetails(current.row)
  // What is in review is paid already, and only lacks where to send it.
  if (isPaused && current.row.state !== 'review') throw new Refusal('product-paused')
  crashPoint('details-read')
  const saved = await applyEvent(deps, current, { type: 'details', details, formId })
  crashPoint('details-saved')
  if (saved.row.state === 'submitted' && saved.row.formId === formId) return
  // Another form was faster: the sale is over, or its card is in progress.
  assertTakesDetails(saved.row)
  throw new Refusal('card-under-way', { facts: { checkoutId: saved.row.sumupCheckoutId ?? '' } })
}

async function settleFirst(
  deps: SettlingDeps,
  read: ReadCheckout,
  details: CheckoutDetails,
  formId: string,
): Promise<ReadCheckout> {
  const { row, status } = await deps.settleShared(read)
  const facts = { checkoutId: row.sumupCheckoutId ?? '' }
  if (status.state === 'paid')
    throw new Refusal('already-paid', { facts: { orderId: status.orderId } })
  // SumUp takes no card on it any more.
  if (status.state === 'closed') throw new Refusal('checkout-expired')
  if (status.state === 'at-bank') throw new Refusal('card-under-way', { facts })
  if (status.state === 'waiting' && status.reason === 'unclear')
    throw new Refusal('card-under-way', { facts })
  // Without an answer of SumUp only the same page may try again, with the same details.
  const isRepeated = row.formId === formId && isDeepStrictEqual(row.details, details)
  if (status.state === 'waiting' && status.reason === 'unreachable' && !isRepeated)
    throw new Refusal('payments-away', { retryAfter: 2 })
  const current = await findCheckout(deps.db, row.id)
  if (!current) throw new Refusal('payment-missing')
  if (blocksDetails(current.row, formId, current.now))
    throw new Refusal('card-under-way', { facts })
  return current
}

function assertTakesDetails(row: CheckoutRow): void {
  if (row.hasTooManyCards) throw new Refusal('too-many-cards')
  if (row.state === 'open' || row.state === 'submitted') return
  if (row.state === 'review' && row.reviewReason === 'no-details' && !row.refundingAt) return
  if (row.state === 'paid') throw new Refusal('already-paid')
  if (row.state === 'created' || row.state === 'closed') throw new Refusal('checkout-expired')
  const facts = { reason: row.reviewReason ?? '', checkoutId: row.sumupCheckoutId ?? '' }
  throw new Refusal('payment-in-review', { facts })
}
