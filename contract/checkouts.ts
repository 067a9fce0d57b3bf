import type { Country } from './countries.ts'
import type { CurrencyCode } from './currencies.ts'
import type { CheckoutDetails, ChosenValue } from './orders.ts'
import type { ReturnedMoney } from './returned-money.ts'

/** The payment form of one browser for one product. */
export type OpenCheckout = {
  checkoutId: string
  amount: string
  currency: CurrencyCode
  /** Until when a card can be paid on it, as an ISO time. */
  validUntil: string
  /** SumUp knows a way back: paying may lead away from the page, also where a bank asks about a card. */
  mayLeavePage?: true
}

/** What opening a checkout answers. */
export type CheckoutAnswer = OpenCheckout & {
  /** Where the visitor seems to be, where that is known and the shop delivers there. */
  visitorCountry: Country | null
}

/** Why an admin has to decide about a payment. */
export const reviewReasons = [
  /** Paid before contact and delivery were known. */
  'no-details',
  /** A second payment on a checkout that was already paid. */
  'paid-twice',
  /** Refunded or charged back before there was an order. */
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
  /** Created under another SumUp account than the configured one. */
  'account-changed',
  /** Paid after a person had dismissed it. */
  'paid-late',
  /** SumUp has a payment of this shop without a sale here. */
  'no-sale',
  /** There is an order, and SumUp does not have its payment. */
  'not-at-sumup',
] as const
export type ReviewReason = (typeof reviewReasons)[number]

/** SumUp has no payment of this card, contradicts itself, or cannot be reached. */
export const waitingReasons = ['no-card', 'unclear', 'unreachable'] as const
export type WaitingReason = (typeof waitingReasons)[number]

/**
 * How long after its details a card may be unseen: SumUp may show it 15 s late, and requests take time. Until then the server
 * holds the details against other forms, and a page waits that has no answer of SumUp's.
 */
export const maxUnseenCardMs = 20_000

/**
 * The status of a payment, for the page that waits for it. `open`: no details yet. `waiting`: they are saved. `at-bank`: no
 * second form. `closed`: nothing was charged, and nothing is at the bank.
 */
export type CheckoutStatus =
  | { state: 'open' | 'at-bank' | 'declined' | 'closed' | 'too-many-cards' }
  | { state: 'waiting'; reason: WaitingReason }
  | { state: 'paid'; orderId: string }
  /** `dismissed`: an admin looked at it and made no order of it. */
  | { state: 'review'; reason: ReviewReason | 'dismissed' }

/** What an admin decided about a review entry. */
export const reviewStates = ['open', 'ordered', 'refunded', 'dismissed'] as const
export type ReviewState = (typeof reviewStates)[number]

/** A payment that an admin decides about. */
export type ReviewEntry = ReturnedMoney & {
  id: string
  /** Sent back with a decision, which is refused if the entry has changed since. */
  version: string
  state: ReviewState
  reason: ReviewReason
  /** Null for a payment without a sale. */
  product: { id: string; name: string; choice?: ChosenValue } | null
  /** The price of the sale; for a payment without a sale, what was paid. Null if SumUp does not say. */
  amount: string | null
  currency: string | null
  /** What SumUp says was paid, where that is not the sale's amount. */
  paid: { amount: string; currency: string } | null
  /**
   * A refund that SumUp was asked for, and of which nobody knows yet whether it was done. `isOtherAccount`: the shop cannot
   * ask any more.
   */
  refund: { amount: string; askedAt: string; isOtherAccount?: true } | null
  /** What SumUp said about the payment first, and what it said later, in words. */
  conflict: string | null
  transactionCode: string | null
  /** How it was paid, where SumUp has named something else than a card. */
  paymentMethod: string | null
  /** Made in test mode: no money moved. */
  isTest: boolean
  /** What the buyer typed, where they got that far. */
  details: CheckoutDetails | null
  /** When the checkout was opened, or the payment was made. */
  createdAt: string
  /** Whether SumUp has confirmed a payment that the shop still has, at least in part. */
  isPaid: boolean
  /** Whether an order can be made, SumUp can be asked to refund, and it can be dismissed. */
  canOrder: boolean
  canRefund: boolean
  canDismiss: boolean
  /** The order that the payment belongs to or became. */
  orderId: string | null
  note: string | null
  handledAt: string | null
  /** An admin's e-mail; null if settled automatically. */
  handledBy: string | null
}

/** Shown at once. One more is sent if there are more. */
export const maxReviewEntries = 200
