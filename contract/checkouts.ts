import type { z } from 'zod'
import type { checkoutStatus, openCheckout, reviewEntry } from './answers/orders.ts'

/** The payment form of one browser for one product. */
export type OpenCheckout = Omit<CheckoutAnswer, 'visitorCountry'>

/** What opening a checkout answers. */
export type CheckoutAnswer = z.infer<typeof openCheckout>

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

/**
 * How long after its details a card may be unseen: SumUp may show it 15 s late, and requests take time. Until then the server
 * holds the details against other forms, and a page waits that has no answer of SumUp's.
 */
export const maxUnseenCardMs = 20_000

/**
 * The status of a payment, for the page that waits for it. `open`: no details yet. `waiting`: they are saved. `at-bank`: no
 * second form. `closed`: nothing was charged, and nothing is at the bank.
 */
export type CheckoutStatus = z.infer<typeof checkoutStatus>

/** What an admin decided about a review entry. */
export const reviewStates = ['open', 'ordered', 'refunded', 'dismissed'] as const
export type ReviewState = (typeof reviewStates)[number]

/** A payment that an admin decides about. */
export type ReviewEntry = z.infer<typeof reviewEntry>

/** Shown at once. One more is sent if there are more. */
export const maxReviewEntries = 200
