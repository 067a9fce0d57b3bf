import type { DeviceType } from '#contract/analytics.ts'
import { createdAt, isTest, moment } from './columns.ts'
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  sql,
  uniqueIndex,
  uuid,
  varchar,
} from './drizzle.ts'

/**
 * Events reported by pages: every view but those of crawlers, and each event of an order once. All of them count except
 * those after a view that name no order of ours.
 */
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

/** The time zone whose days the figures are of: one row. */
export const analyticsZones = pgTable('analytics_zones', {
  zone: varchar('zone', { length: 64 }).primaryKey(),
  /** When its figures were counted. */
  usedAt: moment('used_at').notNull().defaultNow(),
})

/**
 * The figures of each day in this zone, updated in the transactions that change them, so that the cost of a
 * summary depends on its days only. `npm run recount` compares them with the events and orders they are computed from.
 */
export const analyticsDays = pgTable(
  'analytics_days',
  {
    zone: varchar('zone', { length: 64 }).notNull(),
    day: date('day').notNull(),
    /** total, device, country, referrer, currency or product */
    kind: varchar('kind', { length: 20 }).notNull(),
    /** Which device, country, referrer or currency; of a product its id and the currency; of the total nothing. */
    key: varchar('key', { length: 500 }).notNull(),
    /** Figures of test mode are kept apart, so that a shop that goes live begins with none. */
    isTest: isTest(),
    /** Figures are sums over the shards, so that sales at the same moment rarely wait for each other. */
    shard: smallint('shard').notNull(),
    views: integer('views').notNull(),
    visitors: integer('visitors').notNull().default(0),
    started: integer('started').notNull(),
    completed: integer('completed').notNull(),
    thanked: integer('thanked').notNull(),
    orders: integer('orders').notNull(),
    revenue: numeric('revenue', { precision: 14, scale: 2 }).notNull(),
    /** What went back of the revenue of this day's orders, whenever that was. */
    returned: numeric('returned', { precision: 14, scale: 2 }).notNull().default('0.00'),
  },
  (table) => [
    primaryKey({
      columns: [table.zone, table.day, table.kind, table.key, table.isTest, table.shard],
    }),
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
