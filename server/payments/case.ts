import type { CheckoutStatus, ReviewReason } from '#contract/checkouts.ts'
import { reviewReasons } from '#contract/checkouts.ts'
import type { SaleMailKind } from '#contract/mails.ts'
import type { CheckoutDetails, ProductAsSold } from '#contract/orders.ts'
import type { reviewEntries } from '#server/db/payment-schema.ts'
import type { checkouts } from '#server/db/schema.ts'
import { isKept, isOpenRefund, type Payment, type Refund } from './payment.ts'

/** A case is a sale with everything that is known about its money. Decisions are about whole cases. */

/** With the product as its page showed it. */
export type Sale = typeof checkouts.$inferSelect & { readonly product: ProductAsSold }
export type Entry = typeof reviewEntries.$inferSelect

export const saleStates = [
  /** Stored here; not known whether SumUp has it. */
  'created',
  /** SumUp has it; no details yet. */
  'open',
  /** Details are saved, or money may have moved: a card may be in progress. */
  'submitted',
  /** Exactly one order exists. */
  'paid',
  /** A person decides. */
  'review',
  /** Nothing was charged and nothing can be. A late payment still becomes an order. */
  'closed',
  /** Decided by a person: refunded, or nothing to do. */
  'refunded',
  'dismissed',
] as const
export type SaleState = (typeof saleStates)[number]

/** Variables of this type are called `kase`, since `case` is a word of the language. */
export type Case = {
  /** Undefined for a payment whose sale is not here. */
  sale: Sale | undefined
  payments: Payment[]
  refunds: Refund[]
  entries: Entry[]
  order: { id: string; transactionId: string | null } | undefined
}
export type SaleCase = Case & { sale: Sale }

/** A case and the database's time when it was read: decisions use no other clock. */
export type Loaded<Of extends Case = Case> = {
  kase: Of
  now: Date
  /** When this process had read it, by its own clock. */
  atMs?: number
}

/** An order's id is known only once it is inserted. */
export type StatusWithoutOrder = Exclude<CheckoutStatus, { state: 'paid' }> | { state: 'paid' }

/** `by`: the admin who asked for it here; `shop` for what was done at SumUp or by a bank. */
export type Returned = { event: 'refunded' | 'charged-back'; amount: string; by: string }

/** What an admin says was bought with a payment that has no sale. */
export type Bought = Pick<Sale, 'product' | 'terms' | 'discountCodeId'>

export type Decision = {
  /** The case as it should be. The writer stores what differs from the case that was read. */
  after: Case
  /** For the buyer. */
  status: StatusWithoutOrder
  /** An order is created for this payment; undefined where only a person knows that there was one. */
  order?: { payment: Payment | undefined; details: CheckoutDetails; bought?: Bought }
  /** The order that exists is paid by this payment, not by the one it was created for. */
  orderMovesTo?: Payment
  /** What went back to the buyer of the order since the last reading. */
  returned?: Returned[]
  /** To the buyer of a sale that ended in another way than its page had promised. */
  mails?: SaleMailKind[]
  /** The checkout is to be ended at SumUp. */
  endAtSumup?: boolean
  /** Declined cards seen for the first time. */
  newFailures?: number
}

export function isSaleCase(kase: Case): kase is SaleCase {
  return kase.sale !== undefined
}

/** The entry about the sale itself; others are about single payments. */
export function saleEntry({ sale, entries }: Case): Entry | undefined {
  return entries.find(({ id }) => id === sale?.id)
}

/** What pays for the order of a case, if that is known. */
export function ordersPayment({ payments, order }: Case): Payment | undefined {
  return payments.find(({ transactionId }) => transactionId === order?.transactionId)
}

export function openRefundOf(
  { refunds }: Pick<Case, 'refunds'>,
  payment: Pick<Payment, 'id'>,
): Refund | undefined {
  return refunds.find((one) => one.paymentId === payment.id && isOpenRefund(one))
}

export function reasonOf(entry: Pick<Entry, 'reason'> | undefined): ReviewReason {
  return reviewReasons.find((reason) => reason === entry?.reason) ?? 'contradiction'
}

/** Whether a sale holds what was reserved for it: a piece, and a use of its code. */
export function isHolding({ state, heldAt }: Pick<Sale, 'state' | 'heldAt'>): boolean {
  return heldAt !== null && (state === 'submitted' || state === 'review')
}

/** Whether the price of a sale was agreed for where its details say that it goes. */
export function isAgreed({ terms }: Pick<Sale, 'terms'>, details: CheckoutDetails): boolean {
  const { shippingAddress, isPickup = false } = details
  const isOtherCountry = terms?.country && terms.country !== shippingAddress.country
  return !isOtherCountry && isPickup === (terms?.isPickup ?? false)
}

/** States in which a card may still be charged. */
export function isUnfinished({ state }: Pick<Sale, 'state'>): boolean {
  return state === 'created' || state === 'open' || state === 'submitted'
}

export function pendingOf({ payments }: Case): Payment[] {
  return payments.filter(({ status }) => status === 'pending')
}

/** Since when a card is known to be at the bank; for one that SumUp shows without an id, since the sale began. */
export function pendingSince(kase: SaleCase): Date {
  const [first, ...others] = pendingOf(kase).map(({ foundAt }) => foundAt)
  if (!first) return kase.sale.startedAt ?? kase.sale.createdAt
  return others.reduce((earliest, foundAt) => (foundAt < earliest ? foundAt : earliest), first)
}

export function failedOf({ payments }: Case): Payment[] {
  return payments.filter(({ status }) => status === 'failed')
}

/** A decline belongs to a card: while fewer cards are known to have failed than were sent, one of them may succeed. */
export function isEveryCardDeclined(kase: SaleCase): boolean {
  return kase.sale.submits > 0 && failedOf(kase).length >= kase.sale.submits
}

/** What the buyer may be told without asking SumUp. */
export function statusOf(kase: Case): StatusWithoutOrder {
  const { sale } = kase
  if (!sale) return { state: 'review', reason: reasonOf(kase.entries[0]) }
  if (sale.state === 'paid') return { state: 'paid' }
  if (sale.state === 'refunded') return { state: 'review', reason: 'refunded' }
  if (sale.state === 'dismissed') return { state: 'review', reason: 'dismissed' }
  if (sale.state === 'review') return { state: 'review', reason: reasonOf(saleEntry(kase)) }
  // Taken, and not settled yet.
  if (kase.payments.some(isKept)) return { state: 'waiting', reason: 'unclear' }
  const isUnclear = sale.unclearSince || (sale.expiredSince && !sale.hasTooManyCards)
  if (sale.state === 'submitted' && isUnclear) return { state: 'waiting', reason: 'unclear' }
  if (sale.hasTooManyCards) return { state: 'too-many-cards' }
  if (!isUnfinished(sale)) return { state: 'closed' }
  if (pendingOf(kase).length > 0) return { state: 'at-bank' }
  return sale.state === 'submitted' ? { state: 'waiting', reason: 'no-card' } : { state: 'open' }
}
