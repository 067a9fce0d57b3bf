import { formatCents, toCents } from '#contract/money.ts'
import { soldProduct } from '#contract/orders.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'
import type { Db } from '#server/db/database.ts'
import { getTableColumns, sql, type SQL } from '#server/db/drizzle.ts'
import { payments, refunds, reviewEntries } from '#server/db/payment-schema.ts'
import { runStatement, writeStatement, type Statement } from '#server/db/prepared.ts'
import { checkouts } from '#server/db/schema.ts'
import { auditStep, type AdminActor, type AuditNote } from '#server/http/audit.ts'
import {
  createOrderRow,
  insertOrderSteps,
  orderValues,
  type NewOrder,
} from '#server/orders/orders.ts'
import { describePayment, type UnnumberedOrder } from '#server/orders/paid-order.ts'
import {
  applyDecision,
  changedOrderPayment,
  changesNothing,
  listChanges,
  methodOf,
  type Case,
  type Decision,
  type Loaded,
  type MutableColumn,
  type Sale,
} from '#server/payments/case.ts'
import type { OnlyIfFree, Written } from '#server/payments/flow.ts'
import { writeWithCode, type CodeTaken } from './code-uses.ts'
import { writeWithPiece, type PieceFlags, type PieceUse } from './pieces.ts'

/**
 * The only code that writes decisions: rows of sales, payments, refunds and review entries, with the order and its mails,
 * in one statement. Nothing is written if the case has changed since it was read: every change of a case
 * increments the version of its sale, or of the payment where there is no sale.
 */

const { placeholder } = sql

/** The admin who decided, and what the audit log says about it; without one the shop did. */
export type DecidedBy = { actor: AdminActor; entry: AuditNote }

type Table = typeof payments | typeof refunds | typeof reviewEntries

export type CaseWritten =
  | Exclude<Written, { type: 'written' }>
  | (Extract<Written, { type: 'written' }> & { order?: UnnumberedOrder })

type WriteOptions = {
  by?: DecidedBy | undefined
  onlyIfFree?: OnlyIfFree | undefined
  piece?: PieceUse | undefined
  /** The use of a discount code that it reserves, or that its order takes. */
  code?: CodeTaken | undefined
}

export async function writeCase(
  db: Db,
  { kase: before, now }: Loaded,
  decision: Decision,
  { by, onlyIfFree, piece, code }: WriteOptions = {},
): Promise<CaseWritten> {
  const { after } = decision
  if (!by && changesNothing(before, decision)) return { type: 'written', kase: before }
  const changes = describeChanges(before, after)
  const sold = decision.order && describeSale(before, decision, by?.actor.admin.id ?? 'shop', now)
  const order = sold && createOrderRow(sold, describePayment(decision.order?.payment))
  const orderId = order?.id ?? before.order?.id ?? null
  const refunded = sumRefunded(decision)
  const moved = changedOrderPayment(before, decision)
  const shape: Shape = {
    ...changes.shape,
    isOrder: order !== undefined,
    isWithoutSale: before.sale === undefined,
    isNewPayment: before.sale === undefined && before.payments.length === 0,
    isMoved: moved !== undefined,
    hasReturned: (decision.returned ?? []).length > 0 && orderId !== null,
    isRefundTold: refunded > 0 && before.order !== undefined,
    hasMails: (decision.mails ?? []).length > 0,
    isFree: onlyIfFree !== undefined,
  }
  const guard = before.sale ?? before.payments[0]
  const run = async (on: Db, flags: Partial<PieceFlags & { isCodeOverused: boolean }> = {}) => {
    if (order) Object.assign(order, flags)
    const statement = by
      ? writeStatement(caseSql(shape, [auditStep(by.actor, by.entry, sql`changed`)]))
      : findStatement(shape)
    const [written] = await runStatement<{ now: string }>(
      on,
      statement,
      changes.values,
      { guardId: guard?.id ?? null, guardVersion: guard?.version ?? 0 },
      ...(shape.isMoved || shape.hasReturned ? [{ orderOfCase: orderId }] : []),
      ...(moved ? [{ movedTo: moved.transactionId, movedMethod: methodOf(moved) }] : []),
      ...(shape.hasReturned ? [{ returned: JSON.stringify(decision.returned) }] : []),
      ...(shape.isRefundTold ? [{ refundTold: formatCents(refunded) }] : []),
      ...(shape.hasMails
        ? [{ saleMails: decision.mails, mailedSale: before.sale?.id ?? null }]
        : []),
      ...(onlyIfFree && before.sale ? [freeValues(before.sale, onlyIfFree)] : []),
      ...(order && sold ? orderValues(order, sold) : []),
    )
    return written
  }
  try {
    const runWithCode = (on: Db, flags?: PieceFlags) =>
      code
        ? writeWithCode(on, code, (tx, isCodeOverused) => run(tx, { ...flags, isCodeOverused }))
        : run(on, flags)
    const written = piece ? await writeWithPiece(db, piece, runWithCode) : await runWithCode(db)
    if (!written)
      return { type: shape.isFree && (await isUnchanged(db, guard)) ? 'other-card' : 'stale' }
  } catch (error) {
    return explainConflict(db, error, before, after)
  }
  const kase = applyDecision(before, decision, order?.id ?? '')
  return { type: 'written', kase, ...(order && { order }) }
}

function sumRefunded({ returned = [] }: Decision): number {
  const refunds = returned.filter(({ event }) => event === 'refunded')
  return refunds.reduce((sum, { amount }) => sum + toCents(amount), 0)
}

/** The version is the one that was read: another sale of this browser is in the way. */
async function isUnchanged(
  db: Db,
  guard: { id: string; version: number } | undefined,
): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select from checkouts where id = ${guard?.id} and version = ${guard?.version}`,
  )
  return rows.length > 0
}

type Shape = {
  columns: MutableColumn[]
  newPayments: boolean
  payments: boolean
  refunds: boolean
  entries: boolean
  isOrder: boolean
  isWithoutSale: boolean
  isNewPayment: boolean
  isMoved: boolean
  hasReturned: boolean
  /** The buyer is told of a refund. */
  isRefundTold: boolean
  hasMails: boolean
  isFree: boolean
}

/** What differs between two cases, as the shape of a statement and its values. */
function describeChanges(before: Case, { sale, ...after }: Case) {
  const { columns, addedPayments, changedPayments, refunds, entries } = listChanges(before, {
    sale,
    ...after,
  })
  // A payment without a sale is its own guard, so it is written in any case.
  const updated = sale ? changedPayments : after.payments
  const asJson = (name: string, rows: object[]) =>
    rows.length > 0 ? { [name]: JSON.stringify(rows) } : {}
  return {
    shape: {
      columns,
      newPayments: addedPayments.length > 0,
      payments: changedPayments.length > 0,
      refunds: refunds.length > 0,
      entries: entries.length > 0,
    },
    values: {
      ...Object.fromEntries(columns.map((name) => [`new ${name}`, sale?.[name] ?? null])),
      ...asJson('addedPayments', addedPayments),
      ...asJson('changedPayments', updated),
      ...asJson('changedRefunds', refunds),
      ...asJson('changedEntries', entries),
    },
  }
}

/** Decisions of the same shape are the same statement with other values; there are some dozen. */
const statements = new Map<string, Statement>()

function findStatement(shape: Shape): Statement {
  const key = JSON.stringify(shape)
  const known = statements.get(key) ?? writeStatement(caseSql(shape))
  statements.set(key, known)
  return known
}

function caseSql(shape: Shape, rare: SQL[] = []): SQL {
  const changed = sql`changed`
  const newOrder = shape.isOrder
    ? sql`${placeholder('orderId')}::uuid`
    : sql`${placeholder('orderOfCase')}::uuid`
  const steps = [
    guardStep(shape),
    ...(shape.newPayments && !shape.isNewPayment
      ? [sql`added_payments as (${insertRows(payments, 'addedPayments', changed)})`]
      : []),
    ...(shape.payments && !shape.isWithoutSale
      ? [sql`changed_payments as (${updateRows(payments, 'changedPayments', changed)})`]
      : []),
    ...(shape.refunds
      ? [sql`changed_refunds as (${upsertRows(refunds, 'changedRefunds', changed)})`]
      : []),
    ...(shape.entries
      ? [sql`changed_entries as (${upsertRows(reviewEntries, 'changedEntries', changed)})`]
      : []),
    ...(shape.isMoved
      ? [
          sql`moved_order as (update orders
            set sumup_transaction_id = ${placeholder('movedTo')}, payment_method = ${placeholder('movedMethod')}, updated_at = now()
            from changed where orders.id = ${placeholder('orderOfCase')}::uuid)`,
        ]
      : []),
    ...(shape.isOrder ? insertOrderSteps(changed) : []),
    ...(shape.hasReturned
      ? [
          sql`returned_money as (insert into order_timeline (order_id, actor, event, amount, created_at)
            select ${newOrder}, one.by, one.event, one.amount, clock_timestamp() from changed
            cross join json_to_recordset(${placeholder('returned')}::json) as one (event text, amount numeric, by text)
            returning created_at)`,
        ]
      : []),
    ...(shape.isRefundTold ? [refundMailStep] : []),
    ...(shape.hasMails
      ? [
          sql`sale_mails as (insert into mails (sale_id, kind)
            select ${placeholder('mailedSale')}::uuid, kind from changed
            cross join unnest(${placeholder('saleMails')}::text[]) as kinds (kind) on conflict do nothing)`,
        ]
      : []),
    ...rare,
  ]
  return sql`with ${sql.join(steps, sql`, `)} select now()::text as now from changed`
}

/** Tells the buyer, once it happened. Numbered after the timeline, where nothing is deleted: each refund has a mail of its own. */
const refundMailStep = sql`refund_mail as (insert into mails (order_id, kind, amount, created_at)
  select placed.id, 'refunded-' || (select 1 + count(*) from order_timeline
      where order_id = placed.id and event = 'refunded'), ${placeholder('refundTold')}::numeric,
    (select max(created_at) from returned_money)
  from changed join orders as placed on placed.id = ${placeholder('orderOfCase')}::uuid
  where placed.customer_email is not null on conflict do nothing)`

/** Takes the case if it is as it was read. Everything else happens only then. */
function guardStep({ columns, isWithoutSale, isNewPayment, isFree }: Shape): SQL {
  if (isNewPayment)
    return sql`changed as (${insertRows(payments, 'addedPayments', undefined)} on conflict do nothing returning id)`
  const guard = sql`id = ${placeholder('guardId')}::uuid and version = ${placeholder('guardVersion')}::int`
  // The payment is its own guard: one statement changes a row only once.
  if (isWithoutSale)
    return sql`changed as (update payments set version = version + 1, ${assignments(payments, 'one')}
      from ${recordset(payments, 'changedPayments')} where payments.id = one.id
        and payments.id = ${placeholder('guardId')}::uuid and payments.version = ${placeholder('guardVersion')}::int
      returning payments.id)`
  const set = columns.map((name) => {
    const column = checkouts[name]
    return sql`${sql.identifier(column.name)} = ${sql.param(placeholder(`new ${name}`), column)}`
  })
  const assigned = [...set, sql`version = version + 1`, sql`updated_at = now()`]
  return sql`changed as (update checkouts set ${sql.join(assigned, sql`, `)}
    where ${guard} ${isFree ? sql`and ${noOtherPayment}` : sql``} returning id)`
}

/** No other sale of this browser and product was paid and not seen yet, or is in review. */
const noOtherPayment = sql`not exists (select from checkouts as other
  where other.buyer_token_hash = ${placeholder('freeBuyer')} and other.product_id = ${placeholder('freeProduct')}::uuid
    and other.is_test = ${placeholder('freeTest')}::boolean and other.id <> ${placeholder('freeSale')}::uuid
    and (other.state = 'review' or (other.state = 'paid'
      and case when ${placeholder('freePage')}::boolean then other.thanked_at is null else other.told_at is null end)))`

function freeValues(sale: Sale, { isPage }: OnlyIfFree) {
  return {
    freeBuyer: sale.buyerTokenHash,
    freeProduct: sale.productId,
    freeTest: sale.isTest,
    freeSale: sale.id,
    freePage: isPage,
  }
}

/** The columns that a version counts are written by their own steps. */
const columnsOf = (table: Table) =>
  Object.entries(getTableColumns(table)).filter(([key]) => key !== 'version')

function recordset(table: Table, values: string): SQL {
  const types = columnsOf(table).map(([key, column]) => `"${key}" ${column.getSQLType()}`)
  return sql`json_to_recordset(${placeholder(values)}::json) as one (${sql.raw(types.join(', '))})`
}

const names = (table: Table) =>
  sql.raw(
    columnsOf(table)
      .map(([, column]) => `"${column.name}"`)
      .join(', '),
  )
const ones = (table: Table) =>
  sql.raw(
    columnsOf(table)
      .map(([key]) => `one."${key}"`)
      .join(', '),
  )
const assignments = (table: Table, from: 'one' | 'excluded') =>
  sql.raw(
    columnsOf(table)
      .filter(([key]) => key !== 'id')
      .map(
        ([key, { name }]) =>
          `"${name}" = ${from === 'one' ? `one."${key}"` : `excluded."${name}"`}`,
      )
      .join(', '),
  )

function insertRows(table: Table, values: string, changed: SQL | undefined): SQL {
  const from = changed
    ? sql`${changed} cross join ${recordset(table, values)}`
    : recordset(table, values)
  return sql`insert into ${table} (${names(table)}) select ${ones(table)} from ${from}`
}

function updateRows(table: Table, values: string, changed: SQL): SQL {
  return sql`update ${table} set ${assignments(table, 'one')} from ${changed} cross join ${recordset(table, values)}
    where ${table}.id = one.id`
}

function upsertRows(table: Table, values: string, changed: SQL): SQL {
  return sql`${insertRows(table, values, changed)} on conflict (id) do update set ${assignments(table, 'excluded')}`
}

function describeSale(before: Case, decision: Decision, actor: string, now: Date): NewOrder {
  const { sale } = before
  const { payment, details, bought } = decision.order ?? {}
  const sold = decision.after.sale ? soldProduct(decision.after.sale) : bought?.product
  if (!details || !sold) throw new Error('an order needs details and a product')
  const visitor: Visitor | null = sale?.visitor ?? null
  return {
    product: sold,
    details,
    amount: payment?.amount ?? sale?.amount ?? '',
    currency: payment?.currency ?? sale?.currency ?? '',
    terms: (sale ?? bought)?.terms ?? null,
    discountCodeId: (sale ?? bought)?.discountCodeId ?? null,
    sumupCheckoutId: sale?.sumupCheckoutId ?? null,
    sumupTransactionId: payment?.transactionId ?? null,
    paymentMethod: methodOf(payment),
    isTest: sale?.isTest ?? payment?.isTest ?? false,
    visitor,
    actor,
    now,
  }
}

const uniqueViolation = '23505'

/** Names the violated unique index. */
async function explainConflict(
  db: Db,
  error: unknown,
  before: Case,
  after: Case,
): Promise<CaseWritten> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause) || cause.code !== uniqueViolation) continue
    const constraint = 'constraint' in cause ? String(cause.constraint) : ''
    if (constraint === 'checkouts_one_card_key') return { type: 'other-card' }
    if (constraint === 'refunds_one_open_key') return { type: 'stale' }
    if (constraint.includes('transaction')) {
      const added = after.payments.filter(({ id }) => !before.payments.some((one) => one.id === id))
      const ids = (added.length > 0 ? added : after.payments).map((one) => one.transactionId)
      return { type: 'reused', transactionIds: await listTaken(db, ids) }
    }
  }
  throw error
}

/** Which of these payments another case or order has. */
async function listTaken(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select transaction_id as id from payments where transaction_id = any(${sql.param(ids)}::text[])
    union select sumup_transaction_id from orders where sumup_transaction_id = any(${sql.param(ids)}::text[])`)
  return rows.map(({ id }) => id)
}
