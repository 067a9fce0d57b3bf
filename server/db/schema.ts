import {
  boolean,
  char,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  sql,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from './drizzle.ts'
import { createdAt, currency, isTest, moment, money, updatedAt } from './columns.ts'
import type { Shipment } from '#contract/carriers.ts'
import type { CurrencyCode } from '#contract/currencies.ts'
import type { Language } from '#contract/languages.ts'
import type {
  Address,
  CheckoutDetails,
  Chosen,
  Correction,
  ProductAsSold,
} from '#contract/orders.ts'
import type { QuantityTier } from '#contract/products.ts'
import type { Terms } from '#contract/quotes.ts'
import type { WithdrawalExemption } from '#contract/withdrawals.ts'
import type { Visitor } from './analytics-schema.ts'

/** Changed under the product's lock only, as its other columns about pieces. Times are as JavaScript writes them. */
export type StoredChoice = { name: string; values: StoredValue[] }
export type StoredValue = {
  id: string
  name: string
  imageUrl: string | null
  stock: number | null
  testStock: number | null
  countedAt: string | null
  lowStockAt: string | null
  soldOutAt: string | null
}

export const products = pgTable(
  'products',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: varchar('name', { length: 500 }).notNull(),
    price: money('price').notNull(),
    currency: currency().$type<CurrencyCode>().notNull().default('EUR'),
    description: text('description'),
    imageUrl: varchar('image_url', { length: 1000 }),
    headerName: varchar('header_name', { length: 200 }),
    headerLogoUrl: varchar('header_logo_url', { length: 1000 }).notNull(),
    quantityPricingEnabled: boolean('quantity_pricing_enabled').notNull().default(false),
    quantityTiers: jsonb('quantity_tiers').$type<QuantityTier[]>(),
    /** Why buyers cannot withdraw from buying it. */
    withdrawalExemption: varchar('withdrawal_exemption', {
      length: 20,
    }).$type<WithdrawalExemption>(),
    /**
     * Pieces for the orders counted from `stock_counted_at` on (server/catalog/stock.ts), of real sales and of tests; null
     * where pieces are not counted.
     */
    stock: integer('stock'),
    testStock: integer('test_stock'),
    /** When the owner last said how many are there. */
    stockCountedAt: moment('stock_counted_at'),
    /** Since when few are left, and none: the owner is told once of each, until the next count. */
    lowStockAt: moment('low_stock_at'),
    soldOutAt: moment('sold_out_at'),
    /** What buyers choose one of. Its values have pieces of their own, and the product has none then. */
    choice: jsonb('choice').$type<StoredChoice>(),
    /** Buyers are told when few are left. */
    showsLeft: boolean('shows_left').notNull().default(false),
    /** What buyers are asked to write, such as 'Engraving'; null: nothing. */
    noteLabel: varchar('note_label', { length: 80 }),
    isNoteRequired: boolean('is_note_required').notNull().default(false),
    createdBy: varchar('created_by', { length: 255 }).notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Since when its checkout takes no new payments. */
    pausedAt: moment('paused_at'),
    /** Deleting is soft: orders and open checkouts still refer to it. */
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    index('products_on_sale_idx')
      .on(table.createdAt)
      .where(sql`deleted_at is null`),
    check('products_price_positive', sql`${table.price} > 0`),
  ],
)

/** Instead of the hash of a buyer's token, once the buyer's browser need not be recognized. */
export const erasedToken = '0'.repeat(64)

/**
 * Products as checkouts showed them: each version once, however many buyers opened it. Only what the owner changes makes
 * a new version, so none is deleted.
 */
export const shownProducts = pgTable('shown_products', {
  /** See shownVersionOf in server/catalog/products.ts. */
  version: varchar('version', { length: 16 }).primaryKey(),
  product: jsonb('product').$type<ProductAsSold>().notNull(),
})

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
    /** What the page showed; later edits of the product do not change it. For another version there is another form. */
    shownVersion: varchar('shown_version', { length: 16 })
      .notNull()
      .references(() => shownProducts.version),
    /** Null where there was nothing to choose, or not chosen yet. */
    chosen: jsonb('chosen').$type<Chosen>(),
    amount: money('amount').notNull(),
    currency: currency().notNull(),
    /** What the amount was agreed for; null where it is the product's price, wherever it goes. */
    terms: jsonb('terms').$type<Terms>(),
    /** One of saleStates in server/payments/record.ts. */
    state: varchar('state', { length: 20 }).notNull().default('created'),
    /** Incremented with each change, for optimistic locking. */
    version: integer('version').notNull().default(1),
    /** SHA-256 of the cookie that binds the checkout to the buyer's browser, or `erasedToken`. */
    buyerTokenHash: char('buyer_token_hash', { length: 64 }).notNull(),
    /** The SumUp account it was created under. */
    merchantCode: varchar('merchant_code', { length: 50 }).notNull(),
    /** Opened in test mode, so that no money moves. Set once; its order and payments carry the same. */
    isTest: isTest(),
    sumupCheckoutId: varchar('sumup_checkout_id', { length: 255 }),
    /** Whether SumUp was told where a payment that leaves the page leads back to. */
    hasReturnUrl: boolean('has_return_url').notNull().default(false),
    /** Too many cards were declined, here or from the same address. */
    hasTooManyCards: boolean('has_too_many_cards').notNull().default(false),
    /** The address the buyer came from, as hashAddress names it for a day. For limits only; deleted after a day. */
    addressKey: char('address_key', { length: 64 }),
    details: jsonb('details').$type<CheckoutDetails>(),
    detailsAt: moment('details_at'),
    /** The page that sent the details. */
    formId: varchar('form_id', { length: 64 }).notNull().default(''),
    /** The press of Pay now that sent them: again, if the answer was lost. Empty where the sender names none. */
    pressId: varchar('press_id', { length: 64 }).notNull().default(''),
    /** How often details were saved right before a card: so many cards may have been sent. */
    submits: integer('submits').notNull().default(0),
    /** The discount code among its terms: another one may have the same name later. */
    discountCodeId: uuid('discount_code_id'),
    /** Since when it holds a piece, and a use of its code; null before Pay now, and once the hold lapsed. */
    heldAt: moment('held_at'),
    /** How often a piece or a use was reserved for it. */
    holds: smallint('holds').notNull().default(0),
    /** When details were first sent: the buyer started to pay. */
    startedAt: moment('started_at'),
    /** For analytics, until the sale is counted. */
    visitor: jsonb('visitor').$type<Visitor>(),
    /** When the buyer's browser asked for its order and got it, and when it was shown the thank-you page. */
    toldAt: moment('told_at'),
    thankedAt: moment('thanked_at'),
    /** Since when SumUp's answers are unclear, or say that it expired. */
    unclearSince: moment('unclear_since'),
    expiredSince: moment('expired_since'),
    /** Since when SumUp could not be asked about it. */
    unreadSince: moment('unread_since'),
    validUntil: moment('valid_until').notNull(),
    nextCheckAt: moment('next_check_at'),
    /** The order in which the sweep checks rows: see server/payments/schedule.ts. */
    priority: smallint('priority').notNull().default(0),
    /** Checks at SumUp since the last change; each delays the next one. */
    checks: integer('checks').notNull().default(0),
    /** Why SumUp could not be asked at the last check. */
    lastError: text('last_error'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('checkouts_sumup_checkout_id_key').on(table.sumupCheckoutId),
    index('checkouts_buyer_idx').on(table.buyerTokenHash, table.productId, table.createdAt),
    // One browser never has two cards in progress for one product, even in a race.
    uniqueIndex('checkouts_one_card_key')
      .on(table.buyerTokenHash, table.productId, table.isTest)
      .where(sql`state = 'submitted'`),
    index('checkouts_due_idx')
      .on(table.priority.desc(), table.nextCheckAt)
      .where(sql`next_check_at is not null`),
    index('checkouts_open_idx')
      .on(table.validUntil)
      .where(sql`state = 'open'`),
    // For retention: rows that still have something to delete. Whose browser it was goes last.
    index('checkouts_personal_idx')
      .on(table.state, table.validUntil)
      .where(sql`buyer_token_hash <> ${sql.raw(`'${erasedToken}'`)}`),
    index('checkouts_address_idx')
      .on(table.createdAt)
      .where(sql`address_key is not null`),
    index('checkouts_started_idx')
      .on(table.startedAt)
      .where(sql`started_at is not null`),
    // Pieces and uses of codes that are held: always few. And how many an address reserved lately.
    index('checkouts_held_idx')
      .on(table.productId)
      .where(sql`held_at is not null`),
    index('checkouts_holds_idx')
      .on(table.addressKey, table.detailsAt)
      .where(sql`holds > 0`),
    index('checkouts_test_idx')
      .on(table.id)
      .where(sql`is_test`),
  ],
)

export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** A number that people can say. A deleted test order leaves a gap, and none is given twice. */
    number: integer('number')
      .notNull()
      .generatedByDefaultAsIdentity({ name: 'order_numbers', startWith: 1001 }),
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
    /** What the amount was agreed for, from its sale; null where it is the product's price. */
    terms: jsonb('terms').$type<Terms>(),
    /** What the buyer wrote: an engraving, a gift text. Personal data. */
    buyerNote: text('buyer_note'),
    status: varchar('status', { length: 50 }).notNull().default('pending'),
    sumupCheckoutId: varchar('sumup_checkout_id', { length: 255 }),
    sumupTransactionId: varchar('sumup_transaction_id', { length: 255 }),
    paymentMethod: varchar('payment_method', { length: 50 }),
    /** Carrier and tracking, where the owner gave them. The status says whether it was sent. */
    shipment: jsonb('shipment').$type<Shipment>(),
    /** When the buyer agreed to news and offers. */
    acceptsNewsAt: moment('accepts_news_at'),
    /** Of the page on which it was bought, and of its mails; null: not known, as the owner's setting says. */
    language: varchar('language', { length: 5 }).$type<Language>(),
    /** When name, addresses and contact were erased; what book-keeping needs is kept. */
    erasedAt: moment('erased_at'),
    /** Paid in test mode. Set once, from its checkout. */
    isTest: isTest(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** The discount code among its terms. */
    discountCodeId: uuid('discount_code_id'),
    /** No piece was left for it. It takes none of the stock. */
    isOversold: boolean('is_oversold').notNull().default(false),
    /** Paid when its discount code was used up. */
    isCodeOverused: boolean('is_code_overused').notNull().default(false),
    /** Its product has a choice whose pieces are counted, and it has none of these values: it takes no piece of any. */
    isChoiceMissing: boolean('is_choice_missing').notNull().default(false),
    /** It was refunded, and the owner said that its piece can be sold again: it takes none of the stock any more. */
    isPieceReturned: boolean('is_piece_returned').notNull().default(false),
    /** Counts corrections of the e-mail address: each ends the links that were mailed before. */
    linkVersion: smallint('link_version').notNull().default(0),
    /**
     * The text that a search looks through: id, number, e-mail, name, product and chosen value, buyer's text, street, city,
     * postcode, amount and phone in lower case, each on its own line, so that no match spans two. Postcodes and phones are
     * without spaces; a phone is there a second time with its digits only.
     */
    searchText: text('search_text').notNull().generatedAlwaysAs(sql`order_search_text(
      id, number, customer_email, customer_name, product, buyer_note, customer_phone, shipping_address, amount)`),
  },
  (table) => [
    uniqueIndex('orders_number_key').on(table.number),
    uniqueIndex('orders_sumup_checkout_id_key').on(table.sumupCheckoutId),
    uniqueIndex('orders_sumup_transaction_id_key').on(table.sumupTransactionId),
    // Words of three letters and more. New entries wait in a list that every search reads, so it is kept short: some 60
    // orders are sorted in at once, in a twentieth of a second.
    index('orders_search_idx')
      .using('gin', table.searchText.op('gin_trgm_ops'))
      .with({ gin_pending_list_limit: 256 }),
    // Counts by status read this index alone.
    index('orders_counts_idx').on(table.status, table.isTest),
    // Read backwards: newest first.
    index('orders_age_idx').on(table.createdAt, table.id),
    index('orders_status_age_idx').on(table.status, table.createdAt, table.id),
    index('orders_product_age_idx').on(table.productId, table.createdAt, table.id),
    // Only orders with a choice are in it.
    index('orders_choice_idx')
      .on(sql`(product -> 'choice' ->> 'id')`, table.createdAt)
      .where(sql`(product -> 'choice' ->> 'id') is not null`),
    // Has all that revenue is summed from, so that no order is read for it.
    index('orders_revenue_idx').on(
      table.createdAt,
      table.isTest,
      table.productId,
      table.currency,
      table.amount,
    ),
    index('orders_amount_idx').on(table.amount, table.createdAt, table.id),
    index('orders_test_idx')
      .on(table.id)
      .where(sql`is_test`),
    // How often a discount code was used.
    index('orders_code_idx')
      .on(table.discountCodeId)
      .where(sql`discount_code_id is not null`),
    index('orders_flagged_idx')
      .on(table.createdAt)
      .where(sql`is_oversold or is_code_overused or is_choice_missing`),
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

/** The text for searches is read by PostgreSQL only. */
export type OrderRow = Omit<typeof orders.$inferSelect, 'searchText'>

/** Mails to be sent, added in the transaction of their order, so that none is lost while the mail server is down. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** What it is about: an order, or a sale that ended without one, which may be deleted before its mails. */
    orderId: uuid('order_id').references(() => orders.id),
    saleId: uuid('sale_id'),
    /** confirmation, shipped, unshipped, refunded-1, withdrawal-1 … (to the buyer), new-sale (to the owner), or one of saleMailKinds */
    kind: varchar('kind', { length: 20 }).notNull(),
    /** What was refunded, of a mail about a refund. */
    amount: money('amount'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    /** Null once it is sent or given up. */
    nextTryAt: moment('next_try_at').defaultNow(),
    sentAt: moment('sent_at'),
    givenUpAt: moment('given_up_at'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('mails_once_per_order_key').on(table.orderId, table.kind),
    uniqueIndex('mails_once_per_sale_key')
      .on(table.saleId, table.kind)
      .where(sql`sale_id is not null`),
    index('mails_due_idx')
      .on(table.nextTryAt)
      .where(sql`next_try_at is not null`),
    // For retention.
    index('mails_done_idx')
      .on(sql`coalesce(sent_at, given_up_at)`)
      .where(sql`next_try_at is null`),
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
    /** The admin's user id, or 'shop' for automatic changes. */
    actor: varchar('actor', { length: 255 }).notNull(),
    event: varchar('event', { length: 50 }).notNull(),
    fromStatus: varchar('from_status', { length: 50 }),
    toStatus: varchar('to_status', { length: 50 }),
    /** What was refunded or charged back. */
    amount: money('amount'),
    /** What was corrected, before and after: personal data, which goes when the customer is erased. */
    corrections: jsonb('corrections').$type<Correction[]>(),
    /** The bulk change that it is part of. */
    bulkId: uuid('bulk_id'),
    createdAt: createdAt(),
  },
  (table) => [
    index('order_timeline_order_idx').on(table.orderId, table.createdAt),
    index('order_timeline_bulk_idx')
      .on(table.bulkId)
      .where(sql`bulk_id is not null`),
    index('order_timeline_corrected_idx')
      .on(table.orderId)
      .where(sql`corrections is not null`),
    // For the alert about money that went back without the shop.
    index('order_timeline_returned_idx')
      .on(table.createdAt)
      .where(sql`(event = 'refunded' or event = 'charged-back') and actor = 'shop'`),
  ],
)

/** Uploaded pictures. The key is random and ours; a path is never built from input. */
export const objects = pgTable(
  'objects',
  {
    key: varchar('key', { length: 64 }).primaryKey(),
    /** image or logo: they have different size limits */
    kind: varchar('kind', { length: 20 }).notNull(),
    /** Null until the bytes have arrived and were checked. */
    contentType: varchar('content_type', { length: 100 }),
    size: integer('size'),
    width: integer('width'),
    height: integer('height'),
    /** MD5 of the bytes: the ETag of the upload's response and of the picture. */
    etag: char('etag', { length: 32 }),
    /** Why the bytes were refused, by its code in contract/refusals.ts. */
    refusal: varchar('refusal', { length: 50 }),
    /** The store's id of a multipart upload. */
    uploadId: varchar('upload_id', { length: 1000 }),
    createdBy: varchar('created_by', { length: 255 }).notNull(),
    createdAt: createdAt(),
    storedAt: moment('stored_at'),
    /** When it was last known to be in use; unused pictures are removed a day later. */
    neededAt: moment('needed_at').notNull().defaultNow(),
  },
  (table) => [index('objects_needed_idx').on(table.neededAt)],
)
