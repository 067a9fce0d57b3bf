import type { ReviewEntry, ReviewState } from '#contract/checkouts.ts'
import { entryPayment, isRefundFresh, versionOf, whyNoOrder, whyNoRefund } from './acts.ts'
import { openRefundOf, reasonOf, type Case, type Entry, type Sale } from './case.ts'
import type { Context } from './flows.ts'
import { isKept } from './payment.ts'

/** What an admin sees of a review entry. */
export function showEntry(
  { isOwn }: Pick<Context, 'isOwn'>,
  kase: Case,
  entry: Entry,
  now: Date,
  handledByEmail: string | null,
): ReviewEntry {
  const { sale, order } = kase
  const payment = entryPayment(kase, entry)
  const isOpen = entry.state === 'open'
  const isOther =
    sale && payment && (payment.amount !== sale.amount || payment.currency !== sale.currency)
  const refund = payment && openRefundOf(kase, payment)
  const isSales = entry.id === sale?.id
  // An order of it is one of what was sold.
  const isOfSale = isSales || entry.reason === 'paid-late'
  return {
    id: entry.id,
    version: versionOf(kase, entry),
    state: showState(entry.state),
    reason: reasonOf(entry),
    product: sale && isOfSale ? showProduct(sale) : null,
    amount: (isSales ? sale?.amount : payment?.amount) ?? null,
    currency: (isSales ? sale?.currency : payment?.currency) ?? null,
    paid:
      isSales && isOther && payment.amount !== null && payment.currency !== null
        ? { amount: payment.amount, currency: payment.currency }
        : null,
    refundedAmount: payment?.refunded ?? '0.00',
    chargedBackAmount: payment?.chargedBack ?? '0.00',
    refund: refund
      ? {
          amount: refund.amount,
          askedAt: refund.askedAt.toISOString(),
          ...(!isOwn(payment) && { isOtherAccount: true as const }),
        }
      : null,
    conflict: payment?.conflict ?? null,
    transactionCode: payment?.transactionCode ?? null,
    paymentMethod: payment?.method ?? null,
    isTest: entry.isTest,
    details: isOfSale ? (sale?.details ?? null) : null,
    createdAt: ((isSales ? sale?.createdAt : payment?.madeAt) ?? entry.openedAt).toISOString(),
    isPaid: payment !== undefined && isKept(payment) && entry.reason !== 'not-at-sumup',
    canOrder: isOpen && whyNoOrder(kase, entry) === undefined,
    canRefund:
      isOpen &&
      payment !== undefined &&
      isOwn(payment) &&
      whyNoRefund(kase, entry, now) === undefined,
    canDismiss: isOpen && !isRefundFresh(kase, entry, now),
    orderId: order?.id ?? null,
    note: entry.note,
    handledAt: entry.handledAt?.toISOString() ?? null,
    handledBy: handledByEmail,
  }
}

function showProduct({ productId, product: { name, choice } }: Sale): ReviewEntry['product'] {
  return { id: productId, name, ...(choice && { choice }) }
}

function showState(state: string): ReviewState {
  return state === 'ordered' || state === 'refunded' || state === 'dismissed' ? state : 'open'
}
