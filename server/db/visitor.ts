import type { DeviceType } from '#contract/analytics.ts'

/** All that is kept of a visitor, in columns of an event. */
export type VisitorFacts = {
  /** Without its end. */
  visitorIp?: string | undefined
  deviceType?: DeviceType | undefined
  browser?: string | undefined
  os?: string | undefined
  country?: string | undefined
  city?: string | undefined
  /** The address of the site they came from, without the page. */
  referrer?: string | undefined
}

/** A visitor on the ledger, for the time between the first look and the order. */
export type Visitor = { facts: VisitorFacts }
