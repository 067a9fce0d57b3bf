import type { ProductAsSold } from '#contract/orders.ts'
import { countingStarted } from '#server/analytics/sale-figures.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, getTableColumns, sql, type SQL } from '#server/db/drizzle.ts'
import { plannedQuery, runPlanned } from '#server/db/planned.ts'
import { checkouts } from '#server/db/schema.ts'
import type { Visitor } from '#server/db/visitor.ts'
import { turnStep, type Limit } from '#server/http/shared-limits.ts'
import { bookingSteps, newOrder } from '#server/orders/book-order.ts'
import type { OrderRow } from '#server/orders/orders.ts'
import type { Charge } from './charge.ts'
import {
  mutableColumns,
  priorities,
  type CheckoutRow,
  type Decision,
  type Payment,
} from './decision.ts'

/** The one place that reads and writes rows of `checkouts`; tools/structure.test.ts holds that nobody else writes them. */

/** A row and the database's clock at the moment it was read: no other clock decides anything. */
export type ReadCheckout = { row: CheckoutRow; now: Date }

/** A checkout is good for this long; with less than the margin left nobody starts typing a card any more. */
const validMinutes = 30
const marginMinutes = 5
/** If nothing was heard by then, the sweep looks whether SumUp got to know of the checkout at all. */
const firstLookSeconds = 30
/** Longer than one look takes: a node that dies on the way costs this much. */
const leaseSeconds = 10
/** What a late payment could still need is kept this long. */
const unpaidDetailsDays = 30

const columns = { ...getTableColumns(checkouts), now: sql`now()`.mapWith(checkouts.createdAt) }

const { placeholder } = sql

const byId = plannedQuery('checkout_by_id', (db) =>
  db
    .select(columns)
    .from(checkouts)
    .where(eq(checkouts.id, placeholder('id'))),
)
const bySumupId = plannedQuery('checkout_by_sumup_id', (db) =>
  db
    .select(columns)
    .from(checkouts)
    .where(eq(checkouts.sumupCheckoutId, placeholder('id'))),
)

export async function findCheckout(db: Db, id: string): Promise<ReadCheckout | undefined> {
  return firstOf(await byId(db, { id }))
}

export async function findBySumupId(
  db: Db,
  sumupCheckoutId: string,
): Promise<ReadCheckout | undefined> {
  return firstOf(await bySumupId(db, { id: sumupCheckoutId }))
}

function firstOf([found]: (CheckoutRow & { now: Date })[]): ReadCheckout | undefined {
  if (!found) return undefined
  const { now, ...row } = found
  return { row, now }
}

const earlierWith = (unknown: 'told_at' | 'thanked_at') =>
  plannedQuery(`checkout_before_${unknown}`, (db) =>
    db
      .select(columns)
      .from(checkouts)
      .where(
        and(
          eq(checkouts.buyerTokenHash, placeholder('buyer')),
          eq(checkouts.productId, placeholder('product')),
          sql`(state in ('created', 'open', 'submitted', 'review')
            or (state = 'paid' and ${sql.raw(unknown)} is null))`,
        ),
      )
      .orderBy(
        sql`array_position(array['review', 'submitted', 'paid'], state::text)`,
        desc(checkouts.createdAt),
      )
      .limit(1),
  )
const earlier = { untold: earlierWith('told_at'), unseen: earlierWith('thanked_at') }

/**
 * What an earlier visit of this browser to this product left that matters before another form: a card under way, a
 * payment in review, a form that can still be paid on, or an order that the browser does not know of (`untold`) or whose
 * thank-you page it has not seen (`unseen`).
 */
export async function findEarlier(
  db: Db,
  buyerTokenHash: string,
  productId: string,
  orders: keyof typeof earlier,
): Promise<ReadCheckout | undefined> {
  return firstOf(await earlier[orders](db, { buyer: buyerTokenHash, product: productId }))
}

/** Whether a row still offers what is charged today, with enough time left to type a card. */
export function isReusable({ row, now }: ReadCheckout, charge: Charge): boolean {
  const leftMs = row.validUntil.getTime() - now.getTime()
  const isFresh = leftMs > (row.state === 'submitted' ? 0 : marginMinutes * 60_000)
  return isFresh && row.amount === charge.amount && row.currency === charge.currency
}

export type Offer = {
  product: ProductAsSold
  charge: Charge
  buyerTokenHash: string
  addressHash: string
  merchantCode: string
  visitor: Visitor
}

/**
 * Adds a sale within the limits, in one statement. Reuse of a checkout is free, so only this counts. Answers in how many
 * seconds to try again where a limit was in the way; then nothing was added.
 */
export async function addCheckout(
  db: Db,
  id: string,
  offer: Offer,
  limits: { limit: Limit; whose: string }[],
): Promise<ReadCheckout | { secondsLeft: number }> {
  const { product, charge, buyerTokenHash, addressHash, merchantCode, visitor } = offer
  const turns = limits.map(({ limit, whose }, place) => {
    const name = sql.raw(`turns_${place}`)
    return {
      step: sql`${name} as (${turnStep(limit, whose)})`,
      fits: sql`(select taken <= ${limit.most} from ${name})`,
      secondsLeft: sql`(select seconds_left from ${name} where taken > ${limit.most})`,
    }
  })
  const list = (parts: SQL[], between: SQL) => sql.join(parts, between)
  const steps = list(
    turns.map(({ step }) => step),
    sql`, `,
  )
  const fits = list(
    turns.map((turn) => turn.fits),
    sql` and `,
  )
  const secondsLeft = list(
    turns.map((turn) => turn.secondsLeft),
    sql`, `,
  )
  const [answer] = await runPlanned<{
    now: string
    is_added: boolean
    seconds_left: number | null
  }>(
    db,
    sql`with ${steps}, added as (
      insert into checkouts (id, product_id, product, amount, currency, buyer_token_hash, address_hash, merchant_code,
        visitor, valid_until, next_check_at)
      select ${id}::uuid, ${product.id}::uuid, ${JSON.stringify(product)}::jsonb, ${charge.amount}::numeric,
        ${charge.currency}, ${buyerTokenHash}, ${addressHash}, ${merchantCode},
        ${JSON.stringify(visitor)}::jsonb, date_trunc('milliseconds', now()) + make_interval(mins => ${validMinutes}),
        date_trunc('milliseconds', now()) + make_interval(secs => ${firstLookSeconds})
      where ${fits}
      returning id)
    select date_trunc('milliseconds', now())::text as now, exists (select from added) as is_added,
      coalesce(${secondsLeft}) as seconds_left`,
  )
  if (!answer?.is_added) return { secondsLeft: answer?.seconds_left ?? 0 }
  const now = new Date(answer.now)
  return { row: newRow(id, offer, now), now }
}

/** A row as the database has it right after it was added. */
function newRow(id: string, offer: Offer, now: Date): CheckoutRow {
  const { product, charge, buyerTokenHash, addressHash, merchantCode, visitor } = offer
  return {
    id,
    productId: product.id,
    product,
    ...charge,
    state: 'created',
    version: 1,
    buyerTokenHash,
    merchantCode,
    sumupCheckoutId: null,
    sumupTransactionId: null,
    sumupTransactionCode: null,
    paidAmount: null,
    paidCurrency: null,
    failedIds: [],
    seenIds: [],
    knownIds: [],
    atBankSince: null,
    hasTooManyCards: false,
    addressHash,
    details: null,
    detailsAt: null,
    formId: '',
    startedAt: null,
    visitor,
    toldAt: null,
    thankedAt: null,
    reviewReason: null,
    reviewAt: null,
    refundingAt: null,
    note: null,
    handledAt: null,
    handledBy: null,
    unclearSince: null,
    expiredSince: null,
    validUntil: new Date(now.getTime() + validMinutes * 60_000),
    nextCheckAt: new Date(now.getTime() + firstLookSeconds * 1000),
    priority: priorities.lazy,
    checks: 0,
    lastError: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Somebody changed the row since it was read: who decided by the older one decides anew. */
export class StaleCheckout extends Error {
  override readonly name = 'StaleCheckout'
}

/** Another sale of the same browser and product has a card under way. */
export class OtherCardUnderWay extends Error {
  override readonly name = 'OtherCardUnderWay'
}

/** A payment that the database knows of another sale. */
export class PaymentReused extends Error {
  override readonly name = 'PaymentReused'
}

export type Applied = { row: CheckoutRow; order: OrderRow | undefined }

/**
 * Writes a decision, and all that follows from it, in one statement: the row, the order with its mails, the figures.
 * Nothing of it happens where the row is no longer the one that was decided about.
 */
export async function applyDecision(
  db: Db,
  { row, now }: ReadCheckout,
  decision: Decision,
  actor = 'shop',
): Promise<Applied> {
  const { changes, book, extraPayments = [] } = decision
  const next: CheckoutRow = { ...row, ...changes, version: row.version + 1 }
  if (Object.keys(changes).length === 0) return { row, order: undefined }
  const changed = sql`changed`
  const sale = book && bookedSale(next, row.visitor, book, actor, now)
  const order = sale && newOrder(sale)
  const steps = [
    sql`changed as (
      update checkouts set ${assignments(changes)}, version = version + 1, updated_at = now()
      where id = ${row.id} and version = ${row.version} returning id)`,
    ...(sale && order ? bookingSteps(order, sale, changed) : []),
    ...(row.startedAt === null && changes.startedAt && !book ? countingStarted(row, changed) : []),
    ...(extraPayments.length > 0 ? [addingExtraPayments(row, extraPayments, now)] : []),
  ]
  const written = await runPlanned(
    db,
    sql`with ${sql.join(steps, sql`, `)} select id from changed`,
  ).catch(explainConflict)
  if (written.length === 0) throw new StaleCheckout(`checkout ${row.id} has changed meanwhile`)
  return { row: next, order }
}

function bookedSale(
  row: CheckoutRow,
  visitor: Visitor | null,
  payment: Payment,
  actor: string,
  now: Date,
) {
  const { details, product, sumupCheckoutId } = row
  if (!details) throw new Error(`checkout ${row.id} cannot become an order without details`)
  return {
    product,
    details,
    amount: payment.amount,
    currency: payment.currency,
    sumupCheckoutId,
    sumupTransactionId: payment.id || null,
    visitor,
    actor,
    now,
  }
}

function assignments(changes: Decision['changes']): SQL {
  const set = mutableColumns
    .filter((name) => name in changes)
    .map((name) => {
      const column = checkouts[name]
      return sql`${sql.identifier(column.name)} = ${sql.param(changes[name] ?? null, column)}`
    })
  return sql.join(set, sql`, `)
}

function addingExtraPayments(row: CheckoutRow, payments: Payment[], now: Date): SQL {
  const rows = payments.map(({ id, code, amount, currency }) => ({ id, code, amount, currency }))
  return sql`extra as (
    insert into stray_payments (reason, sumup_transaction_id, sumup_transaction_code, reference, merchant_code,
      amount, currency, paid_at)
    select 'paid-twice', told.id, told.code, ${row.id}, ${row.merchantCode}, told.amount, told.currency,
      ${now.toISOString()}::timestamptz
    from changed cross join json_to_recordset(${JSON.stringify(rows)}::json)
      as told (id text, code text, amount numeric, currency text)
    on conflict (sumup_transaction_id) do nothing)`
}

const uniqueViolation = '23505'

/** What the database refuses because of another row, by its name. */
function explainConflict(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause) || cause.code !== uniqueViolation) continue
    const constraint = 'constraint' in cause ? String(cause.constraint) : ''
    if (constraint.includes('transaction_id'))
      throw new PaymentReused('the payment belongs to another sale', { cause })
    if (constraint === 'checkouts_one_card_key')
      throw new OtherCardUnderWay('another card of this buyer is under way', { cause })
  }
  throw error
}

/** An order that the owner made before its payment was known here gets to know it. */
export async function adoptPayment(db: Db, row: CheckoutRow, transactionId: string): Promise<void> {
  await db.execute(sql`
    with known as (
      update checkouts set sumup_transaction_id = ${transactionId}, version = version + 1
      where id = ${row.id} and sumup_transaction_id is null returning sumup_checkout_id)
    update orders set sumup_transaction_id = ${transactionId}
    from known where orders.sumup_checkout_id = known.sumup_checkout_id`)
}

/** The buyer's browser was answered with its order. */
export async function markTold(db: Db, { id, toldAt }: CheckoutRow): Promise<void> {
  if (toldAt === null) await db.execute(sql`update checkouts set told_at = now() where id = ${id}`)
}

/** The buyer's browser has seen the thank-you page. */
export async function markThanked(db: Db, sumupCheckoutId: string): Promise<void> {
  await runPlanned(
    db,
    sql`update checkouts set thanked_at = now(), told_at = coalesce(told_at, now())
      where sumup_checkout_id = ${sumupCheckoutId} and thanked_at is null`,
  )
}

/**
 * Takes rows that are due, the urgent first, and puts off their next look in the same step. What the look finds decides
 * when the one after it is; where SumUp cannot be asked, the lease is all that passes.
 */
export async function claimDue(db: Db, limit: number): Promise<ReadCheckout[]> {
  const due = sql`
    select id from checkouts where next_check_at <= now() and state <> 'paid'
    order by priority desc nulls last, next_check_at limit ${limit} for update skip locked`
  const rows = await db
    .update(checkouts)
    .set({ nextCheckAt: sql`now() + make_interval(secs => ${leaseSeconds})` })
    // As an array the choice is made once; as a list PostgreSQL may make it again and take too many.
    .where(sql`${checkouts.id} = any(array(${due}))`)
    .returning(columns)
  return rows.map(({ now, ...row }) => ({ row, now }))
}

/** Forms that nobody used end by their time, without asking SumUp: a webhook or the comparison still finds a payment. */
export async function closeUnused(db: Db): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update checkouts set state = 'closed', next_check_at = null, version = version + 1, updated_at = now()
    where id = any(array(select id from checkouts where state = 'open' and valid_until < now()
      and next_check_at is null limit 5000 for update skip locked))`)
  return rowCount ?? 0
}

/** Sales of another account than today's are looked at now: nobody can ask about them any more. */
export async function expediteOtherAccounts(db: Db, merchantCode: string): Promise<void> {
  await db.execute(sql`
    update checkouts set next_check_at = now(), priority = ${priorities.fresh}, version = version + 1
    where state in ('created', 'open', 'submitted') and merchant_code not in ('', ${merchantCode})`)
}

/** Who did not buy is forgotten: what they typed is not kept beyond what a late payment could need. */
export async function forgetUnpaidDetails(db: Db): Promise<void> {
  await db.execute(sql`
    update checkouts set details = null, visitor = null, version = version + 1
    where state = 'closed' and (details is not null or visitor is not null)
      and valid_until < now() - make_interval(days => ${unpaidDetailsDays})`)
}
