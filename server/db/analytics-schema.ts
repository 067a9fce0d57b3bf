import type { DeviceType } from '#contract/analytics.ts'
import { createdAt, isTest } from './columns.ts'
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  uniqueIndex,
  uuid,
  varchar,
} from './drizzle.ts'

/** What happened on pages: every view but those of crawlers, and each event of an order once. Rows are only added. */
export const analyticsEvents = pgTable(
  'analytics_events',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    eventType: varchar('event_type', { length: 50 }).notNull(),
    productId: uuid('product_id'),
    orderId: uuid('order_id'),
    visitorIp: varchar('visitor_ip', { length: 45 }),
    country: varchar('country', { length: 100 }),
    city: varchar('city', { length: 100 }),
    deviceType: varchar('device_type', { length: 50 }),
    browser: varchar('browser', { length: 100 }),
    os: varchar('os', { length: 100 }),
    referrer: varchar('referrer', { length: 500 }),
    metadata: jsonb('metadata'),
    /** It is a view, or of an order of ours, or a completion that a program reported in test mode. Others are only listed. */
    isCounted: boolean('is_counted').notNull().default(true),
    /** The first view of this browser today, by its cookie. */
    isNewVisitor: boolean('is_new_visitor').notNull().default(true),
    /** The event is of a test order, or a view in test mode. */
    isTest: isTest(),
    createdAt: createdAt(),
  },
  (table) => [
    // Read backwards: newest first.
    index('analytics_events_age_idx').on(table.createdAt, table.id),
    uniqueIndex('analytics_events_once_per_order_key')
      .on(table.orderId, table.eventType)
      .where(sql`order_id is not null`),
    // The last visit of a link that nobody opens would read all events.
    index('analytics_events_product_idx')
      .on(table.productId, table.createdAt)
      .where(sql`event_type = 'checkout_view'`),
    index('analytics_events_test_idx')
      .on(table.id)
      .where(sql`is_test`),
  ],
)

/**
 * Events and started payments of finished days, counted (server/analytics/days.ts). Each is counted in one row of each kind, in
 * the time zone that the shop had then; after a change of the zone, days whose events still exist are counted anew.
 */
export const analyticsDays = pgTable(
  'analytics_days',
  {
    day: date('day').notNull(),
    zone: varchar('zone', { length: 64 }).notNull(),
    /** total, device, country or referrer */
    kind: varchar('kind', { length: 20 }).notNull(),
    /** Which device, country or referrer; empty for the total. */
    key: varchar('key', { length: 500 }).notNull(),
    /** Test mode is counted apart, so that a shop that goes live begins with nothing. */
    isTest: isTest(),
    views: integer('views').notNull(),
    visitors: integer('visitors').notNull(),
    started: integer('started').notNull(),
    completed: integer('completed').notNull(),
    thanked: integer('thanked').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.zone, table.kind, table.key, table.isTest] }),
  ],
)

/** All that is stored about a visitor, in columns of an event. */
export type VisitorFacts = {
  /** Without its last part. */
  visitorIp?: string | undefined
  deviceType?: DeviceType | undefined
  browser?: string | undefined
  os?: string | undefined
  country?: string | undefined
  city?: string | undefined
  /** The origin of the site they came from. */
  referrer?: string | undefined
}

/** A visitor stored with a checkout, between the first view and the order. */
export type Visitor = { facts: VisitorFacts }
