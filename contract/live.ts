/**
 * What open pages of the back-office are told of. A further kind is a line here, where it is read in
 * server/live/events.ts, and its words in web/admin/live/live-text.ts: without those nothing compiles.
 */
export const liveKinds = [
  /** A sale. */
  'order',
  /** An admin changed an order, or wrote a note about it. */
  'order-changed',
  /** A refund made at SumUp, or a chargeback, was found. */
  'money-returned',
  /** A buyer withdraws from a purchase. */
  'withdrawal',
  /** An admin has handled one. */
  'withdrawal-changed',
  /** A payment needs a person. */
  'review',
  /** An admin has dealt with one. */
  'review-changed',
  /** An admin added, changed, paused or deleted a product. */
  'product-changed',
] as const

export type LiveKind = (typeof liveKinds)[number]

/** Without personal data: whoever wants to know more asks the ordinary calls. */
export type LiveEvent = {
  /** The same event never has another key: a stream that is taken up again may tell it twice. */
  key: string
  kind: LiveKind
  /** Of the order, the withdrawal, the payment in review or the product. */
  id: string
  /** What was read since then has it. In milliseconds since 1970, by the database's clock, as `readAtHeader`. */
  seenAt: number
}

/**
 * A header of what admins read: when the server began to, in milliseconds since 1970, by the database's clock. Compared with
 * `seenAt` it says whether an answer can be without an event.
 */
export const readAtHeader = 'till-read-at'

/**
 * Why the server ends a stream. `logged-out`: the session is over. `replaced`: the session has opened too many others. After
 * both nobody should come back by themselves; after `closing` another node answers.
 */
export const streamEnds = ['logged-out', 'replaced', 'closing'] as const

export type StreamEnd = (typeof streamEnds)[number]

/**
 * How often a quiet stream says something: below the shortest time for which proxies usually wait (10 s). One on which
 * nothing arrived for three of these is broken.
 */
export const heartbeatMs = 8_000

/** A session lasts no longer, so nobody has missed more. */
export const maxMissedMs = 24 * 60 * 60 * 1000
