import {
  boolean,
  char,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  sql,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from './drizzle.ts'
import { createdAt, currency, moment, money, updatedAt } from './columns.ts'
import type { Address, CheckoutDetails, ProductAsSold } from '#contract/orders.ts'
import type { QuantityTier } from '#contract/products.ts'
import type { Visitor } from './visitor.ts'

export const products = pgTable(
  'products',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: varchar('name', { length: 500 }).notNull(),
    price: money('price').notNull(),
    currency: currency().notNull().default('EUR'),
    description: text('description'),
    imageUrl: varchar('image_url', { length: 1000 }),
    headerName: varchar('header_name', { length: 200 }),
    headerLogoUrl: varchar('header_logo_url', { length: 1000 }).notNull(),
    quantityPricingEnabled: boolean('quantity_pricing_enabled').notNull().default(false),
    quantityTiers: jsonb('quantity_tiers').$type<QuantityTier[]>(),
    createdBy: varchar('created_by', { length: 255 }).notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Deleting is soft: orders and open checkouts still point here. */
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    index('products_on_sale_idx')
      .on(table.createdAt)
      .where(sql`deleted_at is null`),
    check('products_price_positive', sql`${table.price} > 0`),
  ],
)

/**
 * The ledger of sales: one row per payment asked of SumUp, written before SumUp is asked.
 * Its id is SumUp's checkout_reference.
 */
export const checkouts = pgTable(
  'checkouts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    /** What was offered when the page was opened; edits of the product do not reach it. */
    product: jsonb('product').$type<ProductAsSold>().notNull(),
    amount: money('amount').notNull(),
    currency: currency().notNull(),
    /** created, open, submitted, paid, expired or review */
    state: varchar('state', { length: 20 }).notNull().default('created'),
    /** SHA-256 of the cookie that binds the checkout to the buyer's browser. */
    buyerTokenHash: char('buyer_token_hash', { length: 64 }).notNull(),
    sumupCheckoutId: varchar('sumup_checkout_id', { length: 255 }),
    sumupTransactionId: varchar('sumup_transaction_id', { length: 255 }),
    /** What the owner finds in SumUp's own pages. */
    sumupTransactionCode: varchar('sumup_transaction_code', { length: 50 }),
    failedCards: integer('failed_cards').notNull().default(0),
    /** Declines that were known when the card now under way was submitted; only what comes on top is about it. */
    cardsBefore: integer('cards_before').notNull().default(0),
    /** Closed because too many cards were declined, here or from the same address. */
    hasTooManyCards: boolean('has_too_many_cards').notNull().default(false),
    /** SHA-256 of the address the buyer came from, for limits only. */
    addressHash: char('address_hash', { length: 64 }),
    details: jsonb('details').$type<CheckoutDetails>(),
    /** When details were first handed in: the buyer set about paying. */
    startedAt: moment('started_at'),
    /** What the figures tell of the visitor, until the sale has told them. */
    visitor: jsonb('visitor').$type<Visitor>(),
    /** Why a payment needs a person's attention. */
    reviewReason: text('review_reason'),
    /** Since when SumUp has been contradicting itself about it; empty while its answers fit together. */
    contradictedSince: moment('contradicted_since'),
    /** When an admin was done with a payment that needed attention, and which one. */
    handledAt: moment('handled_at'),
    handledBy: varchar('handled_by', { length: 255 }),
    validUntil: moment('valid_until').notNull(),
    nextCheckAt: moment('next_check_at'),
    checks: integer('checks').notNull().default(0),
    lastError: text('last_error'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('checkouts_sumup_checkout_id_key').on(table.sumupCheckoutId),
    uniqueIndex('checkouts_sumup_transaction_id_key').on(table.sumupTransactionId),
    index('checkouts_buyer_idx').on(table.buyerTokenHash, table.productId),
    index('checkouts_due_idx')
      .on(table.nextCheckAt)
      .where(sql`next_check_at is not null`),
    index('checkouts_review_idx')
      .on(table.createdAt)
      .where(sql`state = 'review'`),
    index('checkouts_cards_idx')
      .on(table.updatedAt)
      .where(sql`failed_cards > 0 or state = 'paid'`),
    index('checkouts_started_idx')
      .on(table.startedAt)
      .where(sql`started_at is not null`),
  ],
)

/** When the owner was last told by mail of each kind of trouble. */
export const ownerAlerts = pgTable('owner_alerts', {
  kind: varchar('kind', { length: 30 }).primaryKey(),
  toldAt: moment('told_at').notNull().defaultNow(),
})

export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    product: jsonb('product').$type<ProductAsSold>().notNull(),
    customerEmail: varchar('customer_email', { length: 255 }),
    customerPhone: varchar('customer_phone', { length: 50 }),
    customerName: varchar('customer_name', { length: 255 }),
    shippingAddress: jsonb('shipping_address').$type<Address>().notNull(),
    billingAddress: jsonb('billing_address').$type<Address>(),
    quantity: integer('quantity').notNull().default(1),
    amount: money('amount').notNull(),
    currency: currency().notNull(),
    status: varchar('status', { length: 50 }).notNull().default('pending'),
    sumupCheckoutId: varchar('sumup_checkout_id', { length: 255 }),
    sumupTransactionId: varchar('sumup_transaction_id', { length: 255 }),
    paymentMethod: varchar('payment_method', { length: 50 }),
    /** When the buyer asked for news and offers; empty means they did not. */
    acceptsNewsAt: moment('accepts_news_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('orders_sumup_checkout_id_key').on(table.sumupCheckoutId),
    uniqueIndex('orders_sumup_transaction_id_key').on(table.sumupTransactionId),
    // Read backwards: newest first.
    index('orders_age_idx').on(table.createdAt, table.id),
    index('orders_status_age_idx').on(table.status, table.createdAt, table.id),
    index('orders_product_idx').on(table.productId),
    index('orders_buyer_idx').on(
      sql`lower(${table.customerEmail})`,
      table.productId,
      table.createdAt,
    ),
    check('orders_quantity_positive', sql`${table.quantity} > 0`),
    check(
      'orders_status_known',
      sql`${table.status} in ('pending', 'processing', 'shipped', 'completed')`,
    ),
  ],
)

/** Mails to be sent, added with the order they tell of: a mail server that is away loses none. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    /** confirmation (to the buyer) or new-sale (to the owner) */
    kind: varchar('kind', { length: 20 }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    /** Empty once it is sent, or given up. */
    nextTryAt: moment('next_try_at').defaultNow(),
    sentAt: moment('sent_at'),
    givenUpAt: moment('given_up_at'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('mails_once_per_order_key').on(table.orderId, table.kind),
    index('mails_due_idx')
      .on(table.nextTryAt)
      .where(sql`next_try_at is not null`),
    index('mails_given_up_idx')
      .on(table.givenUpAt)
      .where(sql`given_up_at is not null`),
  ],
)

/** What happened to an order, and who did it. */
export const orderTimeline = pgTable(
  'order_timeline',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    /** The admin's user id, or 'shop' for what happens by itself. */
    actor: varchar('actor', { length: 255 }).notNull(),
    event: varchar('event', { length: 50 }).notNull(),
    fromStatus: varchar('from_status', { length: 50 }),
    toStatus: varchar('to_status', { length: 50 }),
    createdAt: createdAt(),
  },
  (table) => [index('order_timeline_order_idx').on(table.orderId, table.createdAt)],
)

/** Uploaded pictures. The key is random and chosen by us; a path is never built from input. */
export const objects = pgTable(
  'objects',
  {
    key: varchar('key', { length: 64 }).primaryKey(),
    /** image or logo: they have different size limits */
    kind: varchar('kind', { length: 20 }).notNull(),
    /** Empty until the bytes have arrived and were checked. */
    contentType: varchar('content_type', { length: 100 }),
    size: integer('size'),
    width: integer('width'),
    height: integer('height'),
    /** MD5 of the bytes: what an upload is answered with, and what browsers compare. */
    etag: char('etag', { length: 32 }),
    /** Why the bytes were refused, by its code in contract/refusals.ts. */
    refusal: varchar('refusal', { length: 50 }),
    /** The store's name of an upload in parts. */
    uploadId: varchar('upload_id', { length: 1000 }),
    createdBy: varchar('created_by', { length: 255 }).notNull(),
    createdAt: createdAt(),
    storedAt: moment('stored_at'),
    /** When somebody was last known to need it; what nobody needs is removed a day later. */
    neededAt: moment('needed_at').notNull().defaultNow(),
  },
  (table) => [index('objects_needed_idx').on(table.neededAt)],
)
