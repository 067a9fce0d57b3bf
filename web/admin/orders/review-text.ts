import type { ReviewEntry, ReviewReason, ReviewState } from '#contract/checkouts.ts'
import { formatMoney } from '#contract/money.ts'

type ReasonText = {
  /** Whether SumUp confirmed a payment. If not, the text must not claim one. */
  isMoneyKnown: boolean
  happened: string
  /** What the owner can do. */
  next: string
  /** Instead of `next`, where a refund can only be made at SumUp: the shop has no key of that account. */
  nextWithoutRefund?: string
}

const refundThere = 'refund it in the SumUp account that was paid and dismiss this'

const keepsAsking =
  'The shop keeps asking SumUp, and this entry disappears once the answer is clear. To decide sooner, look it up in your SumUp account.'

/** Why a payment is in review. */
export const reasonTexts: Record<ReviewReason, ReasonText> = {
  'no-details': {
    isMoneyKnown: true,
    happened: 'The customer paid before telling who they are and where to deliver.',
    next: 'Create the order if you can find out where it goes, or refund the payment.',
    nextWithoutRefund: `Create the order if you can find out where it goes, or ${refundThere}.`,
  },
  'paid-twice': {
    isMoneyKnown: true,
    happened: 'The customer paid a second time for a sale that already has its order.',
    next: 'Refund this payment. If the customer wanted two, keep it and dismiss this with a note.',
    nextWithoutRefund:
      'Refund it in the SumUp account that was paid, or keep it if the customer wanted two. Then dismiss this with a note.',
  },
  refunded: {
    isMoneyKnown: true,
    happened: 'The payment was refunded or charged back before an order was made.',
    next: 'Nothing has to be sent. Dismiss it once you know why the money went back.',
  },
  mismatch: {
    isMoneyKnown: true,
    happened:
      'SumUp reports a payment that does not match the sale: another amount, currency, reference or account.',
    next: 'Look it up in your SumUp account. Create the order if you accept the payment as it is, or refund it.',
    nextWithoutRefund: `Look it up in your SumUp account. Create the order if you accept the payment as it is, or ${refundThere}.`,
  },
  'payment-reused': {
    isMoneyKnown: false,
    happened:
      'SumUp names a payment that already belongs to another sale. It is not known whether money was taken for this one.',
    next: 'Look it up in your SumUp account. If the customer was charged twice, refund one payment there; then dismiss this.',
  },
  stuck: {
    isMoneyKnown: false,
    happened:
      'The payment has been with the customer’s bank for seven days. It is not known whether money was taken.',
    next: 'Look it up in your SumUp account. If money was taken, create the order; if not, dismiss this.',
  },
  contradiction: {
    isMoneyKnown: false,
    happened: 'SumUp’s answers contradict each other. It is not known whether money was taken.',
    next: keepsAsking,
  },
  unreadable: {
    isMoneyKnown: false,
    happened: 'SumUp’s answer could not be read. It is not known whether money was taken.',
    next: keepsAsking,
  },
  'lost-at-sumup': {
    isMoneyKnown: false,
    happened:
      'The customer started to pay, and SumUp no longer finds the sale. It is not known whether money was taken.',
    next: 'Search your SumUp account for this amount on that day. If there is such a payment, create the order or refund it there; if not, dismiss this.',
  },
  'account-changed': {
    isMoneyKnown: false,
    happened:
      'This was begun under another SumUp account than the one the shop uses now. It is not known whether money was taken.',
    next: 'Search the other account for this amount on that day. If there is such a payment, create the order or refund it there; if not, dismiss this.',
  },
  'paid-late': {
    isMoneyKnown: true,
    happened: 'A payment arrived after this sale had been dismissed.',
    next: 'Create the order if the customer still wants it, or refund the payment.',
    nextWithoutRefund: `Create the order if the customer still wants it, or ${refundThere}.`,
  },
  'no-sale': {
    isMoneyKnown: true,
    happened:
      'SumUp has this payment of your shop, and no sale here belongs to it. That can happen when the database was restored from a backup.',
    next: 'Your SumUp account may show who paid. Create the order, or refund the payment.',
    nextWithoutRefund: `Your SumUp account may show who paid. Create the order, or ${refundThere}.`,
  },
}

/** What the owner can do with this entry, and nothing that it has no button for. */
export function describeNext({
  reason,
  canRefund,
}: Pick<ReviewEntry, 'reason' | 'canRefund'>): string {
  const { next, nextWithoutRefund } = reasonTexts[reason]
  return canRefund ? next : (nextWithoutRefund ?? next)
}

export const reviewStateLabels: Record<ReviewState, string> = {
  open: 'In review',
  ordered: 'Order created',
  refunded: 'Refunded',
  dismissed: 'Dismissed',
}

/** What the payment was for, as far as it is known. */
export function formatSubject({ product, reason }: ReviewEntry): string {
  return product?.name ?? (reason === 'no-sale' ? 'Payment without a sale' : 'Second payment')
}

/** What SumUp says was paid; if that is not known, the amount of the sale. */
export function formatPaid({ paid, amount, currency }: ReviewEntry): string {
  return paid ? formatMoney(paid.amount, paid.currency) : formatMoney(amount, currency)
}
