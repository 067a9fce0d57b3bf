import { isDeepStrictEqual } from 'node:util'
import type { CheckoutDetails } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import { crashPoint } from '#server/crash-point.ts'
import { findCheckout, type ReadCheckout } from './ledger.ts'
import { bringEvent, type CheckoutDeps, type Settled } from './settle.ts'
import { type CheckoutRow } from './decision.ts'
import { blocksDetails } from './state.ts'

type DetailsDeps = CheckoutDeps & { settleShared: (read: ReadCheckout) => Promise<Settled> }

/**
 * Contact and delivery, before any card: from here on the server can finish the sale alone. Once a card may be under
 * way SumUp is asked first, and what was typed for it stands: a second tab does not change it.
 */
export async function keepDetails(
  deps: DetailsDeps,
  read: ReadCheckout,
  details: CheckoutDetails,
  formId: string,
): Promise<void> {
  const current = read.row.state === 'open' ? read : await lookFirst(deps, read, details, formId)
  requireOpenForDetails(current.row)
  crashPoint('details-read')
  const kept = await bringEvent(deps, current, { type: 'details', details, formId })
  crashPoint('details-kept')
  if (kept.row.state === 'submitted' && kept.row.formId === formId) return
  // Somebody was faster: the sale is over, or the card of another form is under way by now.
  requireOpenForDetails(kept.row)
  throw new Refusal('card-under-way', { facts: { checkoutId: kept.row.sumupCheckoutId ?? '' } })
}

/** The row as it stands after a look at SumUp. */
async function lookFirst(
  deps: DetailsDeps,
  read: ReadCheckout,
  details: CheckoutDetails,
  formId: string,
): Promise<ReadCheckout> {
  const { row, status } = await deps.settleShared(read)
  const facts = { checkoutId: row.sumupCheckoutId ?? '' }
  if (status.state === 'paid')
    throw new Refusal('already-paid', { facts: { orderId: status.orderId } })
  if (status.state === 'at-bank') throw new Refusal('card-under-way', { facts })
  if (status.state === 'waiting' && status.reason === 'unclear')
    throw new Refusal('card-under-way', { facts })
  // Without SumUp's word only the same page may try again, with the same details.
  const isRepeated = row.formId === formId && isDeepStrictEqual(row.details, details)
  if (status.state === 'waiting' && status.reason === 'unreachable' && !isRepeated)
    throw new Refusal('payments-away', { retryAfter: 2 })
  const current = await findCheckout(deps.db, row.id)
  if (!current) throw new Refusal('payment-missing')
  if (blocksDetails(current.row, formId, current.now))
    throw new Refusal('card-under-way', { facts })
  return current
}

/** A sale that takes no more details says why. */
function requireOpenForDetails(row: CheckoutRow): void {
  if (row.hasTooManyCards) throw new Refusal('too-many-cards')
  if (row.state === 'open' || row.state === 'submitted') return
  if (row.state === 'review' && row.reviewReason === 'no-details' && !row.refundingAt) return
  if (row.state === 'paid') throw new Refusal('already-paid')
  if (row.state === 'created' || row.state === 'closed') throw new Refusal('checkout-expired')
  const facts = { reason: row.reviewReason ?? '', checkoutId: row.sumupCheckoutId ?? '' }
  throw new Refusal('payment-in-review', { facts })
}
