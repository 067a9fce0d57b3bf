import { moment } from './columns.ts'
import { char, index, integer, pgTable, primaryKey, sql, text, uuid, varchar } from './drizzle.ts'
import { orders } from './schema.ts'

/*
 * What makes lists of orders quick. Both tables follow from the orders and are kept by triggers, in the transaction
 * that changes an order (migration 0004_orders-at-volume), so that no code can forget them.
 */

/**
 * What a search looks through: id, e-mail, name and product of an order in small letters, each on a line of its own, so
 * that no match reaches across two. Apart from the orders, whose status changes would rewrite these indexes each time.
 */
export const orderSearch = pgTable(
  'order_search',
  {
    orderId: uuid('order_id')
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    searchText: text('search_text').notNull(),
  },
  (table) => [
    index('order_search_age_idx').on(table.createdAt, table.orderId),
    // Without fastupdate, here and below: entries that pile up make now a search slow, now a sale.
    index('order_search_trigrams_idx')
      .using('gin', table.searchText.op('gin_trgm_ops'))
      .with({ fastupdate: false }),
    // For what is too short for trigrams, or has no letters in a row.
    index('order_search_pairs_idx')
      .using('gin', sql`order_pairs(search_text)`)
      .with({ fastupdate: false }),
  ],
)

/**
 * How many orders stand in each status. Spread over 16 rows per status, by the first digit of the order's id, so that
 * sales at the same moment rarely wait for each other.
 */
export const orderCounts = pgTable(
  'order_counts',
  {
    status: varchar('status', { length: 50 }).notNull(),
    shard: char('shard', { length: 1 }).notNull(),
    orders: integer('orders').notNull(),
  },
  (table) => [primaryKey({ columns: [table.status, table.shard] })],
)
