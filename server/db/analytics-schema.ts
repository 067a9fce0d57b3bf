import { createdAt } from './columns.ts'
import { index, jsonb, pgTable, sql, uuid, varchar } from './drizzle.ts'

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
    createdAt: createdAt(),
  },
  (table) => [
    index('analytics_events_newest_idx').on(table.createdAt),
    index('analytics_events_order_idx')
      .on(table.orderId)
      .where(sql`order_id is not null`),
  ],
)
