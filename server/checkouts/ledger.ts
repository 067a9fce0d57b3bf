import { countStartedSteps, startedValues } from '#server/analytics/sale-figures.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { runPrepared, runStatement, writeStatement, type Statement } from '#server/db/prepared.ts'
import { checkouts, erasedToken, type OrderRow } from '#server/db/schema.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'
import { auditStep, type AdminActor, type AuditNote } from '#server/http/audit.ts'
import {
  consumeLimitSql,
  formatLimitKey,
  limitValues,
  type Counted,
} from '#server/http/rate-limits.ts'
import { createOrderRow, insertOrderSteps, orderValues } from '#server/orders/orders.ts'
import {
  mutableColumns,
  priorities,
  type CheckoutRow,
  type Decision,
  type Payment,
} from './decision.ts'
import { columns, rememberCheckout, type ReadCheckout } from './find-checkout.ts'
import { createRow, firstCheckSeconds, validMinutes, type Offer } from './offer.ts'

/** The only code that writes rows of `checkouts`; tools/structure.test.ts holds that nobody else does. */

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
): Promise<ReadCheckout | NotInserted> {
  const { product, charge, buyerTokenHash, addressKey, merchantCode, isTest, visitor } = offer
  const [result] = await runStatement<{
    now: string
    is_added: boolean
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
  if (!result.is_added) return { why: 'limit', secondsLeft: result.seconds_left ?? 0 }
  const now = new Date(result.now)
  return { row: createRow(id, offer, now), now }
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
    added as (
      insert into checkouts (id, product_id, product, amount, currency, buyer_token_hash, address_key, merchant_code,
        is_test, visitor, valid_until, next_check_at)
      select ${placeholder('id')}::uuid, ${placeholder('productId')}::uuid, ${placeholder('product')}::jsonb,
        ${placeholder('amount')}::numeric, ${placeholder('currency')}, ${placeholder('buyerTokenHash')},
        ${placeholder('addressKey')}, ${placeholder('merchantCode')}, ${placeholder('isTest')},
        ${placeholder('visitor')}::jsonb,
        date_trunc('milliseconds', now()) + make_interval(mins => ${validMinutes}),
        date_trunc('milliseconds', now()) + make_interval(secs => ${firstCheckSeconds})
      where ${fits('address')} and ${fits('buyer')}
      returning id)
    select date_trunc('milliseconds', now())::text as now, exists (select from added) as is_added,
      is_offered, is_declined, coalesce(${secondsLeft('address')}, ${secondsLeft('buyer')}) as seconds_left
    from possible`
}

/** The row changed since it was read; the decision must be made again. */
export class StaleCheckout extends Error {
  override readonly name = 'StaleCheckout'
}

/** Another checkout of the same browser and product has a card in progress. */
export class OtherCardUnderWay extends Error {
  override readonly name = 'OtherCardUnderWay'
}

/** The payment already belongs to another sale. */
export class PaymentReused extends Error {
  override readonly name = 'PaymentReused'
}

/** The admin who decided, and what the audit log says about it; without one the shop did. */
export type DecidedBy = { actor: AdminActor; entry: AuditNote }

export type Applied = { row: CheckoutRow; order: OrderRow | undefined }

/**
 * Writes a decision with the order, its mails and the analytics in one statement. Nothing is written if the row has
 * changed since it was read.
 */
export async function applyDecision(
  db: Db,
  { row, now }: ReadCheckout,
  decision: Decision,
  by?: DecidedBy,
): Promise<Applied> {
  const { changes, orderFor, extraPayments = [] } = decision
  const next: CheckoutRow = { ...row, ...changes, version: row.version + 1 }
  if (Object.keys(changes).length === 0) return { row, order: undefined }
  const actorId = by?.actor.admin.id ?? 'shop'
  const sale = orderFor && describeSale(next, row.visitor, orderFor, actorId, now)
  const order = sale && createOrderRow(sale)
  const isStart = row.startedAt === null && Boolean(changes.startedAt) && !orderFor
  const columns = mutableColumns.filter((name) => name in changes)
  const shape = { columns, isStart, isOrder: order !== undefined }
  const rare = [
    ...(extraPayments.length > 0 ? [extraPaymentsStep(row, extraPayments, now)] : []),
    ...(by ? [auditStep(by.actor, by.entry, sql`changed`)] : []),
  ]
  const statement =
    rare.length > 0 ? writeStatement(decisionSql(shape, rare)) : findDecisionStatement(shape)
  const [written] = await runStatement<{ now: string }>(
    db,
    statement,
    Object.fromEntries(columns.map((name) => [`new ${name}`, changes[name] ?? null])),
    { checkout: row.id, version: row.version },
    ...(order ? orderValues(order, sale) : []),
    ...(isStart ? startedValues(row) : []),
  ).catch(explainConflict)
  if (!written) throw new StaleCheckout(`checkout ${row.id} was changed concurrently`)
  // Its buyer goes on within minutes, mostly.
  if (isStart || changes.state === 'open')
    rememberCheckout(db, { row: next, now: new Date(written.now) })
  return { row: next, order }
}

type MutableColumn = (typeof mutableColumns)[number]

/** Decisions of the same shape are the same statement with other values. */
type DecisionShape = { columns: MutableColumn[]; isStart: boolean; isOrder: boolean }

/** There are some dozen shapes, since only `decide` makes them. */
const decisionStatements = new Map<string, Statement>()

function findDecisionStatement(shape: DecisionShape): Statement {
  const key = `${shape.columns.join()} ${shape.isStart} ${shape.isOrder}`
  const known = decisionStatements.get(key) ?? writeStatement(decisionSql(shape))
  decisionStatements.set(key, known)
  return known
}

function decisionSql({ columns, isStart, isOrder }: DecisionShape, rare: SQL[] = []): SQL {
  const changed = sql`changed`
  const steps = [
    sql`changed as (
      update checkouts set ${assignments(columns)}, version = version + 1, updated_at = now()
      where id = ${placeholder('checkout')} and version = ${placeholder('version')} returning id)`,
    ...(isOrder ? insertOrderSteps(changed) : []),
    ...(isStart ? countStartedSteps(changed) : []),
    ...rare,
  ]
  return sql`with ${sql.join(steps, sql`, `)}
    select date_trunc('milliseconds', now())::text as now from changed`
}

function describeSale(
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
    isTest: row.isTest,
    visitor,
    actor,
    now,
  }
}

function assignments(columns: MutableColumn[]): SQL {
  const set = columns.map((name) => {
    const column = checkouts[name]
    return sql`${sql.identifier(column.name)} = ${sql.param(placeholder(`new ${name}`), column)}`
  })
  return sql.join(set, sql`, `)
}

function extraPaymentsStep(row: CheckoutRow, payments: Payment[], now: Date): SQL {
  const rows = payments.map(({ id, code, amount, currency }) => ({ id, code, amount, currency }))
  return sql`extra as (
    insert into stray_payments (reason, sumup_transaction_id, sumup_transaction_code, reference, merchant_code,
      is_test, amount, currency, paid_at)
    select 'paid-twice', extra_payment.id, extra_payment.code, ${row.id}, ${row.merchantCode}, ${row.isTest}, extra_payment.amount, extra_payment.currency,
      ${now.toISOString()}::timestamptz
    from changed cross join json_to_recordset(${JSON.stringify(rows)}::json)
      as extra_payment (id text, code text, amount numeric, currency text)
    on conflict (sumup_transaction_id) do nothing)`
}

const uniqueViolation = '23505'

/** Names the violated unique index. */
function explainConflict(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause) || cause.code !== uniqueViolation) continue
    const constraint = 'constraint' in cause ? String(cause.constraint) : ''
    if (constraint.includes('transaction_id'))
      throw new PaymentReused('the payment belongs to another sale', { cause })
    if (constraint === 'checkouts_one_card_key')
      throw new OtherCardUnderWay('another card of this buyer is in progress', { cause })
  }
  throw error
}

/** Stores the payment of an order that an admin created before it was known. */
export async function adoptPayment(db: Db, row: CheckoutRow, transactionId: string): Promise<void> {
  await db.execute(sql`
    with known as (
      update checkouts set sumup_transaction_id = ${transactionId}, version = version + 1
      where id = ${row.id} and sumup_transaction_id is null returning sumup_checkout_id)
    update orders set sumup_transaction_id = ${transactionId}
    from known where orders.sumup_checkout_id = known.sumup_checkout_id`)
}

/** The order was sent to the buyer's browser. */
export async function markTold(db: Db, { id, toldAt }: CheckoutRow): Promise<void> {
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
export async function claimDue(db: Db, limit: number): Promise<ReadCheckout[]> {
  const due = sql`
    select id from checkouts where next_check_at <= now() and state <> 'paid'
    order by priority desc nulls last, next_check_at limit ${limit} for update skip locked`
  const rows = await db
    .update(checkouts)
    .set({ nextCheckAt: sql`now() + make_interval(secs => ${leaseSeconds})` })
    // As an array the subquery runs once; with `in` PostgreSQL may run it again and claim too many.
    .where(sql`${checkouts.id} = any(array(${due}))`)
    .returning(columns)
  return rows.map(({ now, ...row }) => ({ row, now }))
}

/** Closes unused checkouts that have expired, without asking SumUp: a webhook or the comparison would report a payment. */
export async function closeUnused(db: Db): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update checkouts set state = 'closed', next_check_at = null, version = version + 1, updated_at = now()
    where id = any(array(select id from checkouts where state = 'open' and valid_until < now()
      and next_check_at is null limit 5000 for update skip locked))`)
  return rowCount ?? 0
}

/** Makes sales of another SumUp account due now, because they can no longer be queried. */
export async function expediteOtherAccounts(
  db: Db,
  merchantCode: string,
  isTest: boolean | undefined,
): Promise<void> {
  await db.execute(sql`
    update checkouts set next_check_at = now(), priority = ${priorities.fresh}, version = version + 1
    where state in ('created', 'open', 'submitted')
      and (merchant_code not in ('', ${merchantCode}) or is_test <> ${isTest ?? null}::boolean)`)
}

/** Deletes up to `limit` checkouts of test mode, whatever their state. */
export async function deleteTestCheckouts(tx: Db, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from checkouts where is_test and id = any(array(
      select id from checkouts where is_test order by id limit ${limit} for update))`)
  return rowCount ?? 0
}

/** Marks checkouts of a test account that were stored before Till told tests apart. */
export async function markTestCheckouts(tx: Db, ofAccount: SQL): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    update checkouts set is_test = true, version = version + 1 where ${ofAccount} and not is_test`)
  return rowCount ?? 0
}

/** What a row may lose: the buyer's details and address, the visitor, the admin's note, and whose browser it was. */
const erased = {
  details: sql`null`,
  visitor: sql`null`,
  address_key: sql`null`,
  note: sql`null`,
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
