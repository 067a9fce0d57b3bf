import type { Mode } from '#contract/mode.ts'
import type { Db } from '#server/db/database.ts'
import { and, eq, isNull, sql, type SQL } from '#server/db/drizzle.ts'
import { placeholdersFor, prepareQuery } from '#server/db/prepared.ts'
import { checkouts, erasedToken, products, shownProducts } from '#server/db/schema.ts'
import { consumeLimits, readLimit, type Counted } from '#server/http/rate-limits.ts'
import type { Loaded, Sale, RecordWithSale } from '#server/payments/record.ts'
import { paymentPausesMs, priorities } from '#server/payments/schedule.ts'
import { listSaleRecords } from './record-rows.ts'
import { firstCheckSeconds, validMinutes, type Offer } from './offer.ts'

/**
 * What is written about sales and payments besides decisions (write-record.ts): new sales, claims of the sweep, what a browser
 * has seen, tests, and what is deleted. tools/structure.test.ts holds that nobody else writes them.
 */

/** Longer than one check takes; a node that dies meanwhile delays the next check by this. */
const leaseSeconds = 10

const { placeholder } = sql

/** Why a checkout was not inserted. */
type NotInserted =
  | { why: 'limit'; secondsLeft: number }
  /** The product is not as it was offered, or not on sale any more. */
  | { why: 'product' }
  /** Cards of this address were declined lately. */
  | { why: 'declines' }

/**
 * Inserts a checkout if all is well: the product is as offered, no card of this address was declined lately (`declines`;
 * without it nobody looks), and the limits have room. Only a checkout that could have been inserted counts towards them,
 * in a statement of its own: in a transaction, all buyers of one address would wait for its row.
 */
export async function insertCheckout(
  db: Db,
  id: string,
  offer: Offer,
  {
    perAddress,
    perBuyer,
    declines,
  }: { perAddress: Counted; perBuyer: Counted; declines?: Counted },
): Promise<Loaded<RecordWithSale> | NotInserted> {
  if (!(await isStillOffered(db, offer))) return { why: 'product' }
  if (declines && (await readLimit(db, declines.limit, declines.key)).used > 0)
    return { why: 'declines' }
  const usages = await consumeLimits(db, [perAddress, perBuyer])
  const used = usages.find(({ isAllowed }) => !isAllowed)
  if (used) return { why: 'limit', secondsLeft: used.secondsLeft }
  const { product, charge } = offer
  await insertShownProduct(db, { version: offer.shownVersion, product })
  const [inserted] = await insertSale(db, {
    ...offer,
    ...charge,
    id,
    productId: product.id,
    discountCodeId: offer.discountCodeId ?? null,
    hasReturnUrl: offer.returnUrl !== undefined,
  })
  if (!inserted) throw new Error('inserting a checkout returned no row')
  const sale = { ...inserted, product }
  const record = { sale, payments: [], refunds: [], questions: [], order: undefined }
  return { record, now: inserted.createdAt }
}

const insertShownProduct = prepareQuery('insert_shown_product', (db) =>
  db
    .insert(shownProducts)
    .values(placeholdersFor(['version', 'product']))
    .onConflictDoNothing(),
)

/** In milliseconds, as JavaScript reads times. */
const fromNow = (unit: 'mins' | 'secs', count: number) =>
  sql`date_trunc('milliseconds', now()) + make_interval(${sql.raw(unit)} => ${count})`

const insertSale = prepareQuery('insert_sale', (db) => {
  const given = placeholdersFor([
    'id',
    'productId',
    'shownVersion',
    'amount',
    'currency',
    'terms',
    'discountCodeId',
    'buyerTokenHash',
    'addressKey',
    'merchantCode',
    'isTest',
    'hasReturnUrl',
    'visitor',
  ])
  const validUntil = fromNow('mins', validMinutes)
  const nextCheckAt = fromNow('secs', firstCheckSeconds)
  return db
    .insert(checkouts)
    .values({ ...given, validUntil, nextCheckAt })
    .returning()
})

/** Whether the product is on sale as it was offered. */
async function isStillOffered(db: Db, { product, productVersion }: Offer): Promise<boolean> {
  const found = await findOffered(db, { id: product.id, ...productVersion })
  return found.length > 0
}

const findOffered = prepareQuery('offered_product', (db) =>
  db
    .select({ id: products.id })
    .from(products)
    .where(
      and(
        eq(products.id, placeholder('id')),
        isNull(products.deletedAt),
        // A Date has no microseconds.
        sql`date_trunc('milliseconds', ${products.updatedAt}) = ${placeholder('productUpdatedAt')}`,
        eq(products.price, placeholder('productPrice')),
        eq(products.currency, placeholder('productCurrency')),
        sql`(${products.pausedAt} is not null) = ${placeholder('isPaused')}`,
      ),
    ),
)

/** The order was sent to the buyer's browser. */
export async function markTold(db: Db, { id, toldAt }: Sale): Promise<void> {
  if (toldAt === null) await db.execute(sql`update checkouts set told_at = now() where id = ${id}`)
}

/** The buyer's browser has seen the thank-you page. */
export async function markThanked(db: Db, sumupCheckoutId: string): Promise<void> {
  await thank(db, { sumupCheckoutId })
}

const thank = prepareQuery('thank', (db) =>
  db
    .update(checkouts)
    .set({ thankedAt: sql`now()`, toldAt: sql`coalesce(${checkouts.toldAt}, now())` })
    .where(
      and(
        eq(checkouts.sumupCheckoutId, placeholder('sumupCheckoutId')),
        isNull(checkouts.thankedAt),
      ),
    ),
)

/**
 * Claims rows that are due, by priority, and postpones their next check by a lease in the same statement. The result of
 * the check then sets the real time.
 */
export async function claimDue(db: Db, limit: number): Promise<Loaded<RecordWithSale>[]> {
  const due = sql`
    select id from checkouts where next_check_at <= now()
    order by priority desc nulls last, next_check_at limit ${limit} for update skip locked`
  // As an array the subquery runs once; with `in` PostgreSQL may run it again and claim too many.
  const { rows } = await db.execute<{ id: string }>(sql`
    update checkouts set next_check_at = now() + make_interval(secs => ${leaseSeconds})
    where id = any(array(${due})) returning id`)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  return listSaleRecords(db, sql`sale.id = any(${sql.param(ids)}::uuid[])`)
}

const paymentPauses = paymentPausesMs.map((ms) => ms / 1000)

/** Claims payments that are due to be read by themselves, likewise. The lease is the pause before the next read. */
export async function claimDuePayments(
  db: Db,
  limit: number,
): Promise<{ id: string; recordId: string }[]> {
  const { rows } = await db.execute<{ id: string; recordId: string }>(sql`
    update payments set reads = reads + 1, next_read_at = now() + make_interval(
      secs => (${sql.param(paymentPauses)}::float[])[least(reads + 1, ${paymentPauses.length})])
    where id = any(array(select id from payments where next_read_at <= now()
      order by next_read_at limit ${limit} for update skip locked))
    returning id, coalesce(sale_id, id) as "recordId"`)
  return rows
}

/** Closes unused checkouts that have expired, without asking SumUp: a webhook or the comparison would report a payment. */
export async function closeUnused(db: Db): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update checkouts set state = 'closed', next_check_at = null, version = version + 1, updated_at = now()
    where id = any(array(select id from checkouts where state = 'open' and valid_until < now()
      and next_check_at is null limit 5000 for update skip locked))`)
  return rowCount ?? 0
}

/**
 * Makes sales of another SumUp account due now, because they can no longer be queried, and those that were put in review
 * because of that while their account was not in use.
 */
export async function expediteOtherAccounts(
  db: Db,
  merchantCode: string,
  mode: Mode | undefined,
): Promise<void> {
  const isTest = mode && mode === 'test'
  await db.execute(sql`
    update checkouts set next_check_at = now(), priority = ${priorities.fresh}, version = version + 1
    where state in ('created', 'open', 'submitted')
      and (merchant_code not in ('', ${merchantCode}) or is_test <> ${isTest ?? null}::boolean)`)
  await db.execute(sql`
    update checkouts set next_check_at = now(), version = version + 1
    where id in (select id from review_entries where state = 'open' and reason = 'account-changed')
      and state = 'review' and merchant_code = ${merchantCode}
      and is_test = coalesce(${isTest ?? null}::boolean, is_test)`)
}

/** Deletes up to `limit` checkouts of test mode, whatever their state. */
export async function deleteTestCheckouts(tx: Db, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from checkouts where is_test and id = any(array(
      select id from checkouts where is_test order by id limit ${limit} for update))`)
  return rowCount ?? 0
}

/** Payments and review entries of sales that are gone, and of those that were never here. */
export async function deleteTestPayments(
  tx: Db,
  limit: number,
): Promise<{ deleted: number; withoutSale: number }> {
  const { rows } = await tx.execute<{ isLone: boolean }>(sql`
    delete from payments where id = any(array(select id from payments where is_test
      and not exists (select from checkouts where checkouts.id = sale_id) order by id limit ${limit} for update))
    returning sale_id is null as "isLone"`)
  // After the payments: in this order decisions lock them.
  await tx.execute(sql`delete from review_entries where is_test
    and not exists (select from checkouts where checkouts.id = sale_id)`)
  return { deleted: rows.length, withoutSale: rows.filter(({ isLone }) => isLone).length }
}

/** What a row may lose: the buyer's details and address, the visitor, and whose browser it was. */
const erased = {
  details: sql`null`,
  visitor: sql`null`,
  address_key: sql`null`,
  buyer_token_hash: sql.raw(`'${erasedToken}'`),
}

/** Erases personal data of rows. Which ones, and when, server/privacy decides. Returns how many rows were changed. */
export async function erasePersonalData(
  db: Db,
  columns: (keyof typeof erased)[],
  condition: SQL,
  oldest?: { by: SQL; limit: number },
): Promise<number> {
  const set = columns.map((name) => sql`${sql.identifier(name)} = ${erased[name]}`)
  const { rowCount } = await db.execute(sql`
    update checkouts set ${sql.join(set, sql`, `)}, version = version + 1
    where id = any(array(select id from checkouts where ${condition}
      ${oldest ? sql`order by ${oldest.by} limit ${oldest.limit} for update skip locked` : sql``}))`)
  return rowCount ?? 0
}
