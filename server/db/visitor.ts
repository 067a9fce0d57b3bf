import type { DeviceType } from '#contract/analytics.ts'

/** All that is kept of a visitor, in columns of an event. */
export type VisitorFacts = {
  /** Without its end. */
  visitorIp?: string
  deviceType?: DeviceType
  browser?: string
  os?: string
  country?: string
  city?: string
  /** The address of the site they came from, without the page. */
  referrer?: string
}

/** A visitor on the ledger, for the time between the first look and the order. */
export type Visitor = {
  facts: VisitorFacts
  /** Under which name a visit without a cookie was noted. */
  anonymous: string
}
