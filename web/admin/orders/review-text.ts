import { nameWithValue } from '#contract/orders.ts'
import type { ReviewEntry, ReviewReason, ReviewState } from '#contract/checkouts.ts'
import { formatCents, formatMoney, toCents } from '#contract/money.ts'
import { listReturned, type ReturnedMoney } from '#contract/returned-money.ts'
import { formatDate } from '#web/admin/dates.ts'

/** The words about payments in review. None claims that money was taken or went back unless the entry says so. */

/** What the entry has buttons for. */
type Choices = Pick<ReviewEntry, 'canOrder' | 'canRefund'>

type ReasonText = {
  /** Whether SumUp confirmed a payment. If not, no text may claim one. */
  isMoneyKnown: boolean
  happened: string
  /** What the owner can do. */
  next: (choices: Choices) => string
}

const refundThere = 'refund it in the SumUp account that was paid and dismiss this'
const lookUpBeforeShipping =
  'Look it up in your SumUp account before you ship the order. Then dismiss this with a note.'
const keepsAsking =
  'The shop keeps asking SumUp, and this entry disappears once the answer is clear. To decide sooner, look it up in your SumUp account.'

/** Why a payment is in review. */
export const reasonTexts: Record<ReviewReason, ReasonText> = {
  'no-details': {
    isMoneyKnown: true,
    happened:
      'The customer paid before telling who they are and where to deliver, or told an address that the shop does not deliver to at this price.',
    next: orderOrRefund('if you can find out where it goes'),
  },
  'paid-twice': {
    isMoneyKnown: true,
    happened: 'The customer paid a second time for the same sale.',
    next: ({ canRefund }) =>
      canRefund
        ? 'Refund the payment. If the customer wanted two, keep it and dismiss this with a note.'
        : 'Refund it in the SumUp account that was paid, or keep it if the customer wanted two. Then dismiss this with a note.',
  },
  refunded: {
    isMoneyKnown: true,
    happened: 'The payment was refunded or charged back before an order was made.',
    next: () => 'Nothing has to be sent. Dismiss it once you know why the money went back.',
  },
  mismatch: {
    isMoneyKnown: true,
    happened:
      'SumUp reports a payment that does not match the sale: another amount, currency, reference or account.',
    next: (choices) =>
      `Look it up in your SumUp account. ${orderOrRefund('if you accept the payment as it is')(choices)}`,
  },
  'payment-reused': {
    isMoneyKnown: false,
    happened: 'SumUp names a payment that already belongs to another sale.',
    next: () =>
      'Look it up in your SumUp account. If the customer was charged twice, refund one payment there; then dismiss this.',
  },
  stuck: {
    isMoneyKnown: false,
    happened: 'The payment has been pending at SumUp for seven days.',
    next: () =>
      'The order is created by itself if the payment succeeds. If your SumUp account shows that it failed, dismiss this.',
  },
  contradiction: {
    isMoneyKnown: false,
    happened: 'SumUp’s answers contradict each other.',
    next: () => keepsAsking,
  },
  unreadable: {
    isMoneyKnown: false,
    happened: 'SumUp’s answer could not be read.',
    next: () => keepsAsking,
  },
  'lost-at-sumup': {
    isMoneyKnown: false,
    happened: 'The customer started to pay, and SumUp no longer finds the sale.',
    next: searchAccount('your SumUp account'),
  },
  'account-changed': {
    isMoneyKnown: false,
    happened: 'This was begun under another SumUp account than the one the shop uses now.',
    next: searchAccount('the other account'),
  },
  'paid-late': {
    isMoneyKnown: true,
    happened: 'SumUp has a payment for this sale, which was resolved without it.',
    next: orderOrRefund('if the customer still wants it'),
  },
  'no-sale': {
    isMoneyKnown: true,
    happened:
      'SumUp has this payment of your shop, and no sale here belongs to it. That can happen when the database was restored from a backup.',
    next: (choices) =>
      `Your SumUp account may show who paid. ${orderOrRefund('if you can find out where it goes')(choices)}`,
  },
  'not-at-sumup': {
    isMoneyKnown: false,
    happened: 'There is an order, and SumUp does not have its payment.',
    next: () => lookUpBeforeShipping,
  },
}

function orderOrRefund(condition: string) {
  return ({ canOrder, canRefund }: Choices): string => {
    const refund = canRefund ? 'refund the payment' : refundThere
    return canOrder ? `Create the order ${condition}, or ${refund}.` : `Please ${refund}.`
  }
}

/** No later answer of SumUp tells which of two was true, so this entry does not disappear by itself. */
function settleConflict(entry: Choices & Pick<ReviewEntry, 'orderId'>): string {
  if (entry.orderId) return lookUpBeforeShipping
  return `Look it up in your SumUp account. ${orderOrRefund('if the money is there')(entry)} If nothing was taken, dismiss this with a note.`
}

function searchAccount(account: string) {
  return ({ canOrder, canRefund }: Choices): string =>
    `Search ${account} for this amount on that day. If there is such a payment, ${canOrder ? 'create the order or ' : ''}refund ${canRefund ? 'the payment' : 'it there'}; if not, dismiss this.`
}

/** Whether SumUp confirmed a payment. */
export function isMoneyKnown({ reason, isPaid }: Pick<ReviewEntry, 'reason' | 'isPaid'>): boolean {
  return reasonTexts[reason].isMoneyKnown || isPaid
}

/** Why the entry needs a decision, and what is known about its money. */
export function describeReason(
  entry: Pick<ReviewEntry, 'reason' | 'isPaid' | 'refund' | 'orderId'>,
): string {
  if (entry.orderId && entry.reason === 'refunded')
    return 'There is an order, and its payment was refunded or charged back before SumUp could be asked.'
  const { happened } = reasonTexts[entry.reason]
  if (reasonTexts[entry.reason].isMoneyKnown) return happened
  // A refund was only asked for because of a payment.
  return isMoneyKnown(entry) || entry.refund
    ? `${happened} SumUp has confirmed a payment.`
    : `${happened} It is not known whether money was taken.`
}

/** What the owner can do with this entry, and nothing that it has no button for. */
export function describeNext(
  entry: Choices &
    Pick<ReviewEntry, 'reason' | 'refund' | 'canDismiss' | 'conflict' | 'orderId' | 'product'>,
): string {
  if (!entry.refund && entry.reason === 'contradiction' && entry.conflict)
    return settleConflict(entry)
  if (entry.orderId && entry.reason === 'refunded')
    return 'Do not ship the order unless it is paid in another way. Then dismiss this with a note.'
  if (entry.reason === 'stuck' && !entry.product)
    return 'It may still be confirmed: then it pays for the order, or you are asked here what to do. If your SumUp account shows that it failed, dismiss this.'
  if (entry.orderId && entry.reason === 'stuck') return lookUpBeforeShipping
  if (!entry.refund) return reasonTexts[entry.reason].next(entry)
  if (entry.refund.isOtherAccount)
    return 'It was asked for at another SumUp account than the one that the shop uses now. Look up there what became of it, then dismiss this with a note.'
  if (entry.canRefund) return 'SumUp shows no sign of it yet. You can ask for the refund again.'
  return entry.canDismiss
    ? 'The shop keeps asking SumUp. If your SumUp account shows what became of it, dismiss this with a note.'
    : 'The shop keeps asking SumUp. Until it is known, nothing else can be decided about this payment.'
}

type Money = ReturnedMoney &
  Pick<ReviewEntry, 'amount' | 'currency' | 'paid' | 'refund' | 'conflict' | 'isTest'>

/** What is special about the money of an entry, one sentence each. */
export function describeMoney(entry: Money): string[] {
  const { amount, paid, refundedAmount, chargedBackAmount, refund, conflict, isTest } = entry
  const currency = paid?.currency ?? entry.currency
  const total = paid?.amount ?? amount
  const sentences: string[] = []
  if (isTest) sentences.push('A payment of test mode: no real money was taken.')
  if (paid) sentences.push(`SumUp says that ${formatAmount(paid.amount, currency)} was paid.`)
  else if (amount === null) sentences.push('SumUp does not tell the amount.')
  if (conflict) sentences.push(`SumUp’s answers about this payment differ: ${conflict}.`)
  const formatPart = (part: string) => {
    const isPart = total === null || toCents(part) < toCents(total)
    return `${formatAmount(part, currency)}${isPart ? ' of it' : ''}`
  }
  if (toCents(refundedAmount) > 0)
    sentences.push(`${formatPart(refundedAmount)} went back to the customer.`)
  if (toCents(chargedBackAmount) > 0)
    sentences.push(`${formatPart(chargedBackAmount)} was charged back to the customer.`)
  if (refund) {
    const { day, time } = formatDate(refund.askedAt)
    sentences.push(
      `A refund of ${formatAmount(refund.amount, currency)} was asked for on ${day} ${time}. SumUp has not told yet whether it was done.`,
    )
  }
  return sentences
}

function formatAmount(amount: string, currency: string | null): string {
  return currency === null ? amount : formatMoney(amount, currency)
}

/** 'Mug · €49.00' without the product: what the entry is about in money. */
export function formatTotal({
  amount,
  currency,
}: Pick<ReviewEntry, 'amount' | 'currency'>): string {
  return amount === null ? 'unknown amount' : formatAmount(amount, currency)
}

/** What a refund gives back: all that has not gone back yet. Undefined if SumUp does not tell the amount. */
export function formatRefundable(
  entry: Omit<Money, 'refund' | 'conflict' | 'isTest'>,
): string | undefined {
  const { amount, currency } = entry.paid ?? entry
  if (amount === null) return undefined
  const returned = toCents(entry.refundedAmount) + toCents(entry.chargedBackAmount)
  const cents = Math.max(0, toCents(amount) - returned)
  return formatAmount(formatCents(cents), currency)
}

const outcomes: Record<ReviewState, string> = {
  open: 'In review',
  ordered: 'Order created',
  // A chargeback returns money as well.
  refunded: 'Money returned',
  dismissed: 'Dismissed',
}

/** How an entry ended: 'Refunded €49.00', 'Charged back €49.00', both, or without any amount. */
export function formatOutcome(
  entry: ReturnedMoney & Pick<ReviewEntry, 'state' | 'currency' | 'paid'>,
): string {
  const { state, paid, currency } = entry
  const parts = listReturned(entry).map(
    ({ label, amount }) => `${label} ${formatAmount(amount, paid?.currency ?? currency)}`,
  )
  return state === 'refunded' && parts.length > 0 ? parts.join(', ') : outcomes[state]
}

const subjects: Partial<Record<ReviewReason, string>> = {
  'no-sale': 'Payment without a sale',
  'paid-twice': 'Second payment',
  'not-at-sumup': 'Payment of an order',
  contradiction: 'Payment of an order',
}

/** What the payment was for, as far as it is known. */
export function formatSubject({
  product,
  reason,
}: Pick<ReviewEntry, 'product' | 'reason'>): string {
  return product ? nameWithValue(product) : (subjects[reason] ?? 'Payment')
}
