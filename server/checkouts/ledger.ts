import type { Mode } from '#contract/mode.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { runPrepared, runStatement, writeStatement, type Statement } from '#server/db/prepared.ts'
import { erasedToken } from '#server/db/schema.ts'
import {
  consumeLimitSql,
  formatLimitKey,
  limitValues,
  type Counted,
} from '#server/http/rate-limits.ts'
import type { Loaded, Sale, SaleCase } from '#server/payments/case.ts'
import { paymentPausesMs, priorities } from '#server/payments/schedule.ts'
import { listSaleCases, parseSaleRow, saleRowJson, type Json } from './case-rows.ts'
import { firstCheckSeconds, validMinutes, type Offer } from './offer.ts'

/**
 * What is written about sales and payments besides decisions (write-case.ts): new sales, claims of the sweep, what a browser
 * has seen, tests, and what is deleted. tools/structure.test.ts holds that nobody else writes them.
 */

/** Longer than one check takes; a node that dies meanwhile delays the next check by this. */
const leaseSeconds = 10

const { placeholder } = sql

/** Why a checkout was not inserted. */
export type NotInserted =
  | { why: 'limit'; secondsLeft: number }
  /** The product is not as it was offered, or not on sale any more. */
  | { why: 'product' }
  /** Cards of this address were declined lately. */
  | { why: 'declines' }

/**
 * Inserts a checkout if all is well, in one statement: the product is as offered, no card of this address was declined
 * lately (`declines`; without it nobody looks), and the limits have room. Otherwise nothing is inserted, and only a
 * checkout that could have been inserted counts towards the limits.
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
): Promise<Loaded<SaleCase> | NotInserted> {
  const { product, charge, buyerTokenHash, addressKey, merchantCode, isTest, visitor } = offer
  const [result] = await runStatement<{
    now: string
    sale: Json | null
    is_offered: boolean
    is_declined: boolean
    seconds_left: number | null
  }>(
    db,
    (insertStatement ??= writeStatement(insertSql())),
    {
      id,
      productId: product.id,
      product: JSON.stringify(product),
      buyerTokenHash,
      addressKey,
      merchantCode,
      isTest,
      visitor: JSON.stringify(visitor),
      terms: offer.terms && JSON.stringify(offer.terms),
      discountCodeId: offer.discountCodeId ?? null,
      shownVersion: offer.shownVersion,
      hasReturnUrl: offer.returnUrl !== undefined,
      declines: declines ? formatLimitKey(declines) : '',
    },
    charge,
    offer.productVersion,
    limitValues('address', perAddress),
    limitValues('buyer', perBuyer),
  )
  if (!result) throw new Error('inserting a checkout returned no row')
  if (!result.is_offered) return { why: 'product' }
  if (result.is_declined) return { why: 'declines' }
  if (!result.sale) return { why: 'limit', secondsLeft: result.seconds_left ?? 0 }
  const sale = { ...parseSaleRow(result.sale), product }
  const kase = { sale, payments: [], refunds: [], entries: [], order: undefined }
  return { kase, now: new Date(result.now) }
}

let insertStatement: Statement | undefined

function insertSql(): SQL {
  const fits = (name: 'address' | 'buyer') =>
    sql`(select used <= ${placeholder(`${name} limit max`)} from ${sql.raw(name)}_limit)`
  const secondsLeft = (name: 'address' | 'buyer') =>
    sql`(select seconds_left from ${sql.raw(name)}_limit where used > ${placeholder(`${name} limit max`)})`
  return sql`with possible as (
      select exists (select from products where id = ${placeholder('productId')}::uuid and deleted_at is null
          and date_trunc('milliseconds', updated_at) = ${placeholder('productUpdatedAt')}::timestamptz
          and price = ${placeholder('productPrice')}::numeric and currency = ${placeholder('productCurrency')}
          and (paused_at is not null) = ${placeholder('isPaused')}::boolean) as is_offered,
        exists (select from rate_limits where key = ${placeholder('declines')} and resets_at > now() and count > 0)
          as is_declined),
    counted as (select from possible where is_offered and not is_declined),
    address_limit as (${consumeLimitSql('address', sql`counted`)}),
    buyer_limit as (${consumeLimitSql('buyer', sql`counted`)}),
    shown as (
      insert into shown_products (version, product)
      select ${placeholder('shownVersion')}, ${placeholder('product')}::jsonb
      where ${fits('address')} and ${fits('buyer')} on conflict do nothing),
    added as (
      insert into checkouts (id, product_id, amount, currency, buyer_token_hash, address_key, merchant_code,
        is_test, visitor, terms, discount_code_id, shown_version, has_return_url, valid_until, next_check_at)
      select ${placeholder('id')}::uuid, ${placeholder('productId')}::uuid,
        ${placeholder('amount')}::numeric, ${placeholder('currency')}, ${placeholder('buyerTokenHash')},
        ${placeholder('addressKey')}, ${placeholder('merchantCode')}, ${placeholder('isTest')},
        ${placeholder('visitor')}::jsonb, ${placeholder('terms')}::jsonb,
        ${placeholder('discountCodeId')}::uuid, ${placeholder('shownVersion')}, ${placeholder('hasReturnUrl')}::boolean,
        date_trunc('milliseconds', now()) + make_interval(mins => ${validMinutes}),
        date_trunc('milliseconds', now()) + make_interval(secs => ${firstCheckSeconds})
      where ${fits('address')} and ${fits('buyer')}
      returning ${saleRowJson('checkouts')} as sale)
    select date_trunc('milliseconds', now())::text as now, (select sale from added) as sale,
      is_offered, is_declined, coalesce(${secondsLeft('address')}, ${secondsLeft('buyer')}) as seconds_left
    from possible`
}

/** The order was sent to the buyer's browser. */
export async function markTold(db: Db, { id, toldAt }: Sale): Promise<void> {
  if (toldAt === null) await db.execute(sql`update checkouts set told_at = now() where id = ${id}`)
}

/** The buyer's browser has seen the thank-you page. */
export async function markThanked(db: Db, sumupCheckoutId: string): Promise<void> {
  await runPrepared(
    db,
    sql`update checkouts set thanked_at = now(), told_at = coalesce(told_at, now())
      where sumup_checkout_id = ${sumupCheckoutId} and thanked_at is null`,
  )
}

/**
 * Claims rows that are due, by priority, and postpones their next check by a lease in the same statement. The result of
 * the check then sets the real time.
 */
export async function claimDue(db: Db, limit: number): Promise<Loaded<SaleCase>[]> {
  const due = sql`
    select id from checkouts where next_check_at <= now()
    order by priority desc nulls last, next_check_at limit ${limit} for update skip locked`
  // As an array the subquery runs once; with `in` PostgreSQL may run it again and claim too many.
  const { rows } = await db.execute<{ id: string }>(sql`
    update checkouts set next_check_at = now() + make_interval(secs => ${leaseSeconds})
    where id = any(array(${due})) returning id`)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  return listSaleCases(db, sql`sale.id = any(${sql.param(ids)}::uuid[])`)
}

const paymentPauses = paymentPausesMs.map((ms) => ms / 1000)

/** Claims payments that are due to be read by themselves, likewise. The lease is the pause before the next read. */
export async function claimDuePayments(
  db: Db,
  limit: number,
): Promise<{ id: string; caseId: string }[]> {
  const { rows } = await db.execute<{ id: string; caseId: string }>(sql`
    update payments set reads = reads + 1, next_read_at = now() + make_interval(
      secs => (${sql.param(paymentPauses)}::float[])[least(reads + 1, ${paymentPauses.length})])
    where id = any(array(select id from payments where next_read_at <= now()
      order by next_read_at limit ${limit} for update skip locked))
    returning id, coalesce(sale_id, id) as "caseId"`)
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
