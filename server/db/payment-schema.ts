import {
  boolean,
  char,
  index,
  integer,
  pgTable,
  sql,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from './drizzle.ts'
import { currency, isTest, moment, money } from './columns.ts'

/**
 * A mirror of SumUp: one row per transaction of this shop, whatever became of it. Written by one function
 * (server/payments/observe.ts), whichever answer of SumUp it was read from.
 */
export const payments = pgTable(
  'payments',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The sale it was made on. Null if there is none here: a restored backup may lack it. */
    saleId: uuid('sale_id'),
    merchantCode: varchar('merchant_code', { length: 50 }).notNull(),
    isTest: isTest(),
    /** SumUp's id, and the code that its dashboard shows. Orders refer to the id. */
    transactionId: varchar('transaction_id', { length: 255 }).notNull(),
    transactionCode: varchar('transaction_code', { length: 50 }),
    /** Null while SumUp has not told it readably. */
    amount: money('amount'),
    currency: char('currency', { length: 3 }),
    /** pending, successful or failed */
    status: varchar('status', { length: 20 }).notNull(),
    /** Totals that went back to the buyer. A refund that failed is in neither. */
    refunded: money('refunded').notNull().default('0.00'),
    chargedBack: money('charged_back').notNull().default('0.00'),
    /** Whether SumUp is still working on a refund, and how many have failed. */
    isRefundPending: boolean('is_refund_pending').notNull().default(false),
    failedRefunds: integer('failed_refunds').notNull().default(0),
    /** What SumUp said later against what it had said before; shown, and never averaged. */
    conflict: text('conflict'),
    /** The id of the method if it was no card; 'sumup' if it is one that the shop does not know. */
    method: varchar('method', { length: 50 }),
    /** According to SumUp. */
    madeAt: moment('made_at'),
    foundAt: moment('found_at').notNull().defaultNow(),
    /** When its transaction was last read, and since when reading it has failed. */
    readAt: moment('read_at'),
    unreadSince: moment('unread_since'),
    /** When the sweep reads it by itself: it has an open refund, or is at the bank and nobody asks about its sale. */
    nextReadAt: moment('next_read_at'),
    reads: integer('reads').notNull().default(0),
    /** Incremented with each change; guards payments without a sale. */
    version: integer('version').notNull().default(1),
  },
  (table) => [
    uniqueIndex('payments_transaction_key').on(table.transactionId, table.merchantCode),
    index('payments_sale_idx')
      .on(table.saleId)
      .where(sql`sale_id is not null`),
    index('payments_due_idx')
      .on(table.nextReadAt)
      .where(sql`next_read_at is not null`),
    // Items of SumUp's history that have no id.
    index('payments_code_idx')
      .on(table.transactionCode)
      .where(sql`transaction_code is not null`),
    index('payments_found_idx').on(table.foundAt),
    // Has all that is taken off revenue.
    index('payments_returned_idx')
      .on(table.transactionId, table.amount, table.refunded, table.chargedBack)
      .where(sql`refunded + charged_back > 0`),
    index('payments_test_idx')
      .on(table.id)
      .where(sql`is_test`),
  ],
)

/** What SumUp was asked to give back, stored before it is asked. */
export const refunds = pgTable(
  'refunds',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    amount: money('amount').notNull(),
    currency: currency().notNull(),
    /** asked, done, failed, or unknown if SumUp's answer was lost or says nothing */
    state: varchar('state', { length: 20 }).notNull(),
    /** The payment's figures when it was asked for: it is done or failed once they have grown. */
    refundedBefore: money('refunded_before').notNull(),
    failedBefore: integer('failed_before').notNull(),
    askedBy: varchar('asked_by', { length: 255 }).notNull(),
    askedAt: moment('asked_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
    /** Why it failed: in SumUp's words, or `noTrace` of contract/refunds.ts. */
    problem: text('problem'),
  },
  (table) => [
    index('refunds_payment_idx').on(table.paymentId),
    // For the alert about those that nobody was told of.
    index('refunds_asked_idx').on(table.askedAt),
    uniqueIndex('refunds_one_open_key')
      .on(table.paymentId)
      .where(sql`ended_at is null`),
  ],
)

/** What a person has to decide about, or has decided. Its id is that of its sale, or of its payment. */
export const reviewEntries = pgTable(
  'review_entries',
  {
    id: uuid('id').primaryKey(),
    saleId: uuid('sale_id'),
    paymentId: uuid('payment_id'),
    /** A code of reviewReasons in contract/checkouts.ts. */
    reason: varchar('reason', { length: 30 }).notNull(),
    /** open, ordered, refunded, dismissed, or cleared: SumUp's word made it unnecessary */
    state: varchar('state', { length: 20 }).notNull(),
    isTest: isTest(),
    openedAt: moment('opened_at').notNull().defaultNow(),
    note: text('note'),
    handledAt: moment('handled_at'),
    /** An admin's id; null if it was settled automatically. */
    handledBy: varchar('handled_by', { length: 255 }),
  },
  (table) => [
    index('review_entries_open_idx')
      .on(table.openedAt)
      .where(sql`state = 'open'`),
    index('review_entries_handled_idx')
      .on(table.handledAt)
      .where(sql`handled_at is not null`),
    index('review_entries_sale_idx')
      .on(table.saleId)
      .where(sql`sale_id is not null`),
    index('review_entries_test_idx')
      .on(table.id)
      .where(sql`is_test`),
  ],
)
