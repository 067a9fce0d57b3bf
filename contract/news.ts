import type { z } from 'zod'
import type { news } from './answers/admin.ts'

/**
 * Open pages of the back-office are told this. A further kind is a line here, where it is read in
 * server/news/events.ts, and its words in web/admin/news/news-text.ts: without those nothing compiles.
 */
export const newsKinds = [
  /** A sale. */
  'order',
  /** An admin changed an order, or wrote a note about it. */
  'order-changed',
  /** A refund made at SumUp, or a chargeback, was found. */
  'money-returned',
  /** A buyer withdraws from a purchase. */
  'withdrawal',
  /** An admin has handled a withdrawal. */
  'withdrawal-changed',
  /** A payment needs a person. */
  'review',
  /** An admin has dealt with a payment in review. */
  'review-changed',
  /** An admin added, changed, paused or deleted a product. */
  'product-changed',
] as const

export type NewsKind = (typeof newsKinds)[number]

/** Has no personal data: a page that wants to know more asks the ordinary calls. */
export type NewsEvent = News['events'][number]

export type News = z.infer<typeof news>

/**
 * A header of what admins read: when the server began to, in milliseconds since 1970, by the database's clock. Compared with
 * the time of an event it says whether an answer can be without it.
 */
export const readAtHeader = 'till-read-at'

/** How often an open page asks. It asks for the first time this long after it was opened. */
export const newsEveryMs = 15_000
