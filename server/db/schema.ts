import {
  boolean,
  char,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  sql,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from './drizzle.ts'
import type { Address, CheckoutDetails, ProductAsSold } from '#contract/orders.ts'
import type { QuantityTier } from '#contract/products.ts'

/** All times are moments (timestamptz), set by the database's clock: no other clock decides anything. */
const moment = (name: string) => timestamp(name, { withTimezone: true })
const createdAt = () => moment('created_at').notNull().defaultNow()
const updatedAt = () => moment('updated_at').notNull().defaultNow()
const money = (name: string) => numeric(name, { precision: 10, scale: 2 })
const currency = () => char('currency', { length: 3 })

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
    details: jsonb('details').$type<CheckoutDetails>(),
    /** Why a payment needs a person's attention. */
    reviewReason: text('review_reason'),
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
  ],
)

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
    index('orders_newest_idx').on(table.createdAt.desc(), table.id.desc()),
    index('orders_status_newest_idx').on(table.status, table.createdAt.desc(), table.id.desc()),
    index('orders_product_idx').on(table.productId),
    check('orders_quantity_positive', sql`${table.quantity} > 0`),
    check(
      'orders_status_known',
      sql`${table.status} in ('pending', 'processing', 'shipped', 'completed')`,
    ),
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
    createdBy: varchar('created_by', { length: 255 }).notNull(),
    createdAt: createdAt(),
    storedAt: moment('stored_at'),
  },
  (table) => [index('objects_created_idx').on(table.createdAt)],
)

export const users = pgTable('users', {
  id: uuid('id').primaryKey().defaultRandom(),
  email: varchar('email', { length: 255 }).notNull().unique(),
  firstName: varchar('first_name', { length: 255 }),
  lastName: varchar('last_name', { length: 255 }),
  profileImageUrl: varchar('profile_image_url', { length: 1000 }),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** How a user signs in, apart from the profile so that no profile read can carry a hash. */
export const credentials = pgTable(
  'credentials',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    username: varchar('username', { length: 255 }).notNull(),
    passwordHash: text('password_hash').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('credentials_username_key').on(sql`lower(${table.username})`)],
)

export type SessionContent = { userId: string; createdAt: string }

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the cookie, so that a copy of this table opens nothing. */
    sid: varchar('sid', { length: 255 }).primaryKey(),
    sess: jsonb('sess').$type<SessionContent>().notNull(),
    expire: moment('expire').notNull(),
  },
  (table) => [index('sessions_expire_idx').on(table.expire)],
)

/** Counters of limits that must hold across nodes: those that guard money and passwords. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: varchar('key', { length: 255 }).primaryKey(),
    count: integer('count').notNull(),
    resetsAt: moment('resets_at').notNull(),
  },
  (table) => [index('rate_limits_resets_idx').on(table.resetsAt)],
)
