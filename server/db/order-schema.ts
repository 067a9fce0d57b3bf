import type { Language } from '#contract/languages.ts'
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  sql,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from './drizzle.ts'
import { createdAt, isTest, moment, money, updatedAt } from './columns.ts'
import { orders } from './schema.ts'

/** Changes of many orders at once, each of which is in the order's timeline. The browser chooses the id. */
export const bulkChanges = pgTable(
  'bulk_changes',
  {
    id: uuid('id').primaryKey(),
    /** The admin's user id. */
    actor: varchar('actor', { length: 255 }).notNull(),
    toStatus: varchar('to_status', { length: 50 }).notNull(),
    createdAt: createdAt(),
    undoneAt: moment('undone_at'),
    undoneBy: varchar('undone_by', { length: 255 }),
  },
  (table) => [index('bulk_changes_age_idx').on(table.createdAt)],
)

/** What admins wrote about an order, for themselves. Personal data: it goes when the customer is erased. */
export const orderNotes = pgTable(
  'order_notes',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    /** The admin's user id. */
    author: varchar('author', { length: 255 }).notNull(),
    text: text('text').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('order_notes_order_idx').on(table.orderId, table.createdAt)],
)

/**
 * Statements of buyers who withdraw from a purchase, as they were typed, also those that fit no order. Personal data: it goes
 * when the customer is erased.
 */
export const withdrawals = pgTable(
  'withdrawals',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    orderId: uuid('order_id').references(() => orders.id),
    name: varchar('name', { length: 255 }).notNull(),
    orderNumber: varchar('order_number', { length: 40 }).notNull(),
    email: varchar('email', { length: 255 }).notNull(),
    /** Of the page on which it was stated, for the mail that acknowledges it; null where it is not known. */
    language: varchar('language', { length: 5 }).$type<Language>(),
    isLate: boolean('is_late').notNull().default(false),
    /** An earlier one about its order still waits for the owner. */
    isRepeat: boolean('is_repeat').notNull().default(false),
    isTest: isTest(),
    /** The mail that acknowledges it; null where the address had too many. Mails are deleted earlier, so no foreign key. */
    mailId: uuid('mail_id'),
    createdAt: createdAt(),
    handledAt: moment('handled_at'),
    /** The admin's user id. */
    handledBy: varchar('handled_by', { length: 255 }),
    note: text('note'),
  },
  (table) => [
    // The owner is told once of an order, even if two statements arrive at once.
    uniqueIndex('withdrawals_first_of_order_key')
      .on(table.orderId)
      .where(sql`not is_repeat and handled_at is null`),
    index('withdrawals_order_idx').on(table.orderId, table.createdAt),
    index('withdrawals_email_idx').on(sql`lower(${table.email})`),
    uniqueIndex('withdrawals_mail_key').on(table.mailId),
    index('withdrawals_open_idx')
      .on(table.createdAt)
      .where(sql`handled_at is null`),
  ],
)

/** Codes in checkout links that make a product cheaper. */
export const discountCodes = pgTable(
  'discount_codes',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** In capitals, as it stands in links. */
    code: varchar('code', { length: 40 }).notNull(),
    /** One of the two. */
    percent: integer('percent'),
    amount: money('amount'),
    /** Null: for every product. */
    productId: uuid('product_id'),
    maxUses: integer('max_uses'),
    /** Counts until its end in the time zone that the shop has then. */
    lastDay: date('last_day'),
    createdBy: varchar('created_by', { length: 255 }).notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Orders that used it keep it; it can be given again. */
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    uniqueIndex('discount_codes_code_key')
      .on(table.code)
      .where(sql`deleted_at is null`),
    check(
      'discount_codes_one_kind',
      sql`(percent between 1 and 99 and amount is null) or (percent is null and amount > 0)`,
    ),
  ],
)

export type DiscountCodeRow = typeof discountCodes.$inferSelect
