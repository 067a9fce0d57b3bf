import type { ReviewReason, ReviewState } from '#contract/checkouts.ts'

type Words = {
  /** What is known, and no more: whether money was taken is said only where SumUp has said so. */
  happened: string
  /** What the owner can do about it. */
  next: string
}

/** Why a payment is in review, in the owner's words. */
export const reviewWords: Record<ReviewReason, Words> = {
  'no-details': {
    happened: 'The customer paid before telling who they are and where to deliver.',
    next: 'Make the order if you can find out where it goes, or refund the payment.',
  },
  'paid-twice': {
    happened: 'The customer paid a second time for a sale that already has its order.',
    next: 'Refund this payment, unless the customer wanted two.',
  },
  refunded: {
    happened: 'The payment was refunded or charged back before an order was made.',
    next: 'Nothing has to be sent. Dismiss it once you know why the money went back.',
  },
  mismatch: {
    happened:
      'SumUp reports a payment that does not match the sale: another amount, currency, reference or account.',
    next: 'Look it up in your SumUp account. Make the order if you accept the payment as it is, or refund it.',
  },
  'payment-reused': {
    happened:
      'SumUp names a payment that already belongs to another sale. It is not known whether money was taken for this one.',
    next: 'Look it up in your SumUp account by its code. If the customer was charged only once, dismiss this.',
  },
  stuck: {
    happened:
      'The payment has been with the customer’s bank for seven days. It is not known whether money was taken.',
    next: 'Look it up in your SumUp account. If nothing was taken, dismiss it.',
  },
  contradiction: {
    happened: 'SumUp’s answers contradict each other. It is not known whether money was taken.',
    next: 'The shop goes on asking SumUp, and this leaves the list by itself once the answer is clear. To decide sooner, look it up in your SumUp account.',
  },
  unreadable: {
    happened: 'SumUp’s answer could not be read. It is not known whether money was taken.',
    next: 'The shop goes on asking SumUp, and this leaves the list by itself once the answer is clear. To decide sooner, look it up in your SumUp account.',
  },
  'lost-at-sumup': {
    happened:
      'The customer set about paying, and SumUp no longer finds the sale. It is not known whether money was taken.',
    next: 'Search your SumUp account for this amount on that day. If there is no such payment, dismiss this; if there is one, refund it there or write to the customer.',
  },
  'account-changed': {
    happened:
      'This was begun under another SumUp account than the one the shop uses now. It is not known whether money was taken.',
    next: 'Search the other account for this amount on that day. If there is such a payment, refund it there or write to the customer; then dismiss this.',
  },
  'no-sale': {
    happened:
      'SumUp has this payment of your shop, and no sale here belongs to it. That can happen when the database was restored from a backup.',
    next: 'Your SumUp account may show who paid. Make the order, or refund the payment.',
  },
}

/** What became of a payment in review. */
export const reviewStateWords: Record<ReviewState, string> = {
  open: 'In review',
  ordered: 'Order made',
  refunded: 'Refunded',
  dismissed: 'Dismissed',
}
