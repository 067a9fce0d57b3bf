import type { CurrencyCode } from './currencies.ts'
import type { CheckoutDetails } from './orders.ts'

/** The payment form of one browser for one product. */
export type OpenCheckout = {
  checkoutId: string
  amount: string
  currency: CurrencyCode
  /** Until when a card can be paid on it, as an ISO time. */
  validUntil: string
}

/** Why a person has to decide about a payment. The words for each are in web/admin/orders/review-text.ts. */
export const reviewReasons = [
  /** Paid before contact and delivery were known. */
  'no-details',
  /** A second payment on a checkout that was already paid. */
  'paid-twice',
  /** Paid, and given back or charged back before there was an order. */
  'refunded',
  /** Another amount, currency, reference or account than the sale's. */
  'mismatch',
  /** SumUp names a payment that already belongs to another sale. */
  'payment-reused',
  /** At the bank for seven days. */
  'stuck',
  /** SumUp's answer contradicts itself. */
  'contradiction',
  /** SumUp's answer cannot be read. */
  'unreadable',
  /** SumUp no longer finds the checkout. */
  'lost-at-sumup',
  /** Begun under another SumUp account than today's. */
  'account-changed',
  /** Paid after a person had dismissed it. */
  'paid-late',
  /** SumUp has a payment of this shop that no sale here belongs to. */
  'no-sale',
] as const
export type ReviewReason = (typeof reviewReasons)[number]

/** How a payment stands, for the page that waits for it. */
export const checkoutStatuses = [
  /** No details yet: the form can be paid on. */
  'open',
  /** Details are kept; `reason` says what is known of a card. */
  'waiting',
  /** A card is at the bank: no second form. */
  'at-bank',
  'declined',
  'paid',
  'review',
  /** Nothing was taken on it, and nothing is at the bank. */
  'closed',
  'too-many-cards',
] as const

/** What is known while waiting: SumUp has no payment of this card, contradicts itself, or cannot be asked. */
export const waitingReasons = ['no-card', 'unclear', 'unreachable'] as const
export type WaitingReason = (typeof waitingReasons)[number]

export type CheckoutStatus =
  | { state: 'open' | 'at-bank' | 'declined' | 'closed' | 'too-many-cards' }
  | { state: 'waiting'; reason: WaitingReason }
  | { state: 'paid'; orderId: string }
  | { state: 'review'; reason: ReviewReason }

/** What an owner has done about a review entry. */
export const reviewStates = ['open', 'ordered', 'refunded', 'dismissed'] as const
export type ReviewState = (typeof reviewStates)[number]

/** A payment that a person decides about. */
export type ReviewEntry = {
  id: string
  state: ReviewState
  reason: ReviewReason
  /** Null for a payment without a sale. */
  product: { id: string; name: string } | null
  /** What the sale was about; for a payment without a sale, what was paid. */
  amount: string
  currency: string
  /** What SumUp says was paid, where that is not the sale's amount. */
  paid: { amount: string; currency: string } | null
  transactionCode: string | null
  /** What the buyer typed, where they got that far. */
  details: CheckoutDetails | null
  /** When the sale was begun, or the payment was made. */
  createdAt: string
  /** Whether an order can be made, and whether SumUp can be asked to refund. */
  canOrder: boolean
  canRefund: boolean
  /** The order that the payment belongs to or became. */
  orderId: string | null
  note: string | null
  handledAt: string | null
  /** An admin's e-mail; null for what was settled by itself. */
  handledBy: string | null
}

/** So many entries are shown at once. One more is sent when there are more, which is how one knows. */
export const maxReviewEntries = 200
