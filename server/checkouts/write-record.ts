import { formatCents, toCents } from '#contract/money.ts'
import type { SaleMailKind } from '#contract/mails.ts'
import { soldProduct } from '#contract/orders.ts'
import { recordCompletion } from '#server/analytics/events.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'
import { findDatabaseCode, type Db } from '#server/db/database.ts'
import { and, eq, getTableColumns, isNull, ne, or, sql } from '#server/db/drizzle.ts'
import { payments, refunds, reviewEntries } from '#server/db/payment-schema.ts'
import { placeholdersFor, prepareQuery } from '#server/db/prepared.ts'
import { checkouts, mails, orders, orderTimeline } from '#server/db/schema.ts'
import { recordAudit, type AdminActor, type AuditNote } from '#server/http/audit.ts'
import { createOrderRow, insertOrder } from '#server/orders/orders.ts'
import { describePayment, type UnnumberedOrder } from '#server/orders/paid-order.ts'
import {
  applyDecision,
  changedOrderPayment,
  changesNothing,
  listChanges,
  methodOf,
  type SaleRecord,
  type Decision,
  type Question,
  type Loaded,
  type MutableColumn,
  type Payment,
  type Refund,
  type Returned,
  type Sale,
} from '#server/payments/record.ts'
import type { OnlyIfFree, Written } from '#server/payments/flow.ts'
import { takeCodeUse, type CodeTaken } from './code-uses.ts'
import { lockPiece, recordPiece, type PieceUse } from './pieces.ts'
import { assertMayRefund, type LimitedRefund } from './refund-allowance.ts'

/*
 * The only code that writes decisions: rows of sales, payments, refunds and questions, with the order, its mails and
 * its event, in one transaction. Nothing is written if the record has changed since it was read: every change of a record
 * increments the version of its sale, or of the payment where there is no sale.
 *
 * Rows are locked in one order, so that no two transactions wait for each other: what an admin may refund (an advisory
 * lock), the product, its discount code, the sale (or the payment that has none), its payments, refunds and
 * questions, its order, the order's timeline, mails and event. Whatever else locks several of these rows keeps to this
 * order: the erasure of a customer, the removal of test data, changes of products, codes and orders.
 */

const { placeholder } = sql

/** The admin who decided, and what the audit log says about it; without one the shop did. */
export type DecidedBy = { actor: AdminActor; entry: AuditNote }

type RecordWritten =
  | Exclude<Written, { type: 'written' }>
  | (Extract<Written, { type: 'written' }> & { order?: UnnumberedOrder })

type WriteOptions = {
  by?: DecidedBy | undefined
  onlyIfFree?: OnlyIfFree | undefined
  piece?: PieceUse | undefined
  /** The use of a discount code that the sale reserves, or that its order takes. */
  code?: CodeTaken | undefined
  /** A new refund, where the admin did not give the password. */
  refund?: LimitedRefund | undefined
}

export async function writeRecord(
  db: Db,
  loaded: Loaded,
  decision: Decision,
  options: WriteOptions = {},
): Promise<RecordWritten> {
  const { record: before } = loaded
  const { after } = decision
  const { by } = options
  if (!by && changesNothing(before, decision)) return { type: 'written', record: before }
  const parts = listParts(loaded, decision, options)
  const takeVersion = (on: Db) => takeVersionOf(on, before, after)
  try {
    const written = isEmpty(parts)
      ? (await takeVersion(db)) && { order: undefined }
      : await db.transaction((tx) => writeParts(tx, takeVersion, parts))
    if (!written) return { type: 'stale' }
    const { order } = written
    const record = applyDecision(before, decision, order?.id ?? '')
    return { type: 'written', record, ...(order && { order }) }
  } catch (error) {
    if (error instanceof OtherPayment) return { type: 'other-card' }
    return explainConflict(db, error, before, after)
  }
}

/** Writes everything that is not empty. Undefined, and nothing is written, if the record has changed. */
async function writeParts(
  tx: Db,
  takeVersion: (on: Db) => Promise<boolean>,
  parts: Parts,
): Promise<{ order: UnnumberedOrder | undefined } | undefined> {
  const { refund, piece, code, by } = parts
  // Others may want the same: it is counted under a lock, and refused if none is left.
  if (refund) await assertMayRefund(tx, refund)
  const locked = piece && (await lockPiece(tx, piece))
  const isCodeOverused = code ? await takeCodeUse(tx, code) : false

  if (!(await takeVersion(tx))) return undefined
  if (parts.onlyIfFree) await assertNoOtherPayment(tx, parts.onlyIfFree.sale, parts.onlyIfFree)

  await addPayments(tx, parts.addedPayments)
  await updatePayments(tx, parts.changedPayments)
  await upsertRefunds(tx, parts.refunds)
  await upsertQuestions(tx, parts.questions)
  const flags = { ...locked?.flags, isCodeOverused }
  const placed = parts.order && { ...parts.order, row: { ...parts.order.row, ...flags } }
  if (placed) await insertOrder(tx, placed.row, placed.actor)
  if (parts.move) await moveOrder(tx, parts.move)
  if (piece && locked) await recordPiece(tx, piece, locked)
  if (parts.returned) await addReturnedMoney(tx, parts.returned)
  if (parts.saleMails) await queueSaleMails(tx, parts.saleMails)
  if (by) await recordAudit(tx, by.actor, by.entry)
  // Whether or not the browser reports it.
  if (placed) await recordCompletion(tx, placed.row, placed.visitor)
  return { order: placed?.row }
}

/** What a decision writes beside the row whose version it takes. Of nearly all decisions most parts are empty. */
type Parts = Pick<WriteOptions, 'by' | 'piece' | 'code' | 'refund'> & {
  onlyIfFree: (OnlyIfFree & { sale: Sale }) | undefined
  addedPayments: Payment[]
  changedPayments: Payment[]
  refunds: Refund[]
  questions: Question[]
  order: { row: UnnumberedOrder; actor: string; visitor: Visitor | null } | undefined
  move: { orderId: string; payment: Payment } | undefined
  returned: ReturnedMoney | undefined
  saleMails: { saleId: string | null; kinds: SaleMailKind[] } | undefined
}

/** Whether only the sale changes: one statement does that, without a transaction. */
function isEmpty(parts: Parts): boolean {
  return Object.values(parts).every(
    (part) => part === undefined || (Array.isArray(part) && part.length === 0),
  )
}

function listParts(
  { record: before, now }: Loaded,
  decision: Decision,
  { by, piece, code, refund, onlyIfFree }: WriteOptions,
): Parts {
  const { after, mails: kinds = [] } = decision
  const changes = listChanges(before, after)
  const order = decision.order && describeOrder(before, decision, by?.actor.admin.id ?? 'shop', now)
  const orderId = order?.row.id ?? before.order?.id
  const moved = changedOrderPayment(before, decision)
  const isWithoutSale = before.sale === undefined
  return {
    by,
    piece,
    code,
    refund,
    onlyIfFree: onlyIfFree && before.sale && { ...onlyIfFree, sale: before.sale },
    // A payment that has no sale is written with its version.
    addedPayments: isWithoutSale && before.payments.length === 0 ? [] : changes.addedPayments,
    changedPayments: isWithoutSale ? [] : changes.changedPayments,
    refunds: changes.refunds,
    questions: changes.questions,
    order,
    move: moved && orderId !== undefined ? { orderId, payment: moved } : undefined,
    returned: describeReturned(decision, orderId, order === undefined),
    saleMails: kinds.length > 0 ? { saleId: before.sale?.id ?? null, kinds } : undefined,
  }
}

/**
 * Takes the record if it is as it was read, and writes its sale. Whoever comes second waits for the row, and then finds
 * another version.
 */
async function takeVersionOf(db: Db, before: SaleRecord, after: SaleRecord): Promise<boolean> {
  const { sale } = before
  if (!sale) return takePayment(db, before, after)
  const { columns } = listChanges(before, after)
  const changed = Object.fromEntries(columns.map((name) => [name, after.sale?.[name] ?? null]))
  const { rowCount } = await updateSale(columns)(db, {
    ...changed,
    id: sale.id,
    known: sale.version,
  })
  return rowCount === 1
}

type SaleUpdate = ReturnType<typeof prepareSaleUpdate>
/** By what they change: decisions change the same columns again and again. */
const saleUpdates = new Map<string, SaleUpdate>()

function updateSale(columns: MutableColumn[]): SaleUpdate {
  const key = columns.join()
  const known = saleUpdates.get(key)
  if (known) return known
  const added = prepareSaleUpdate(columns)
  saleUpdates.set(key, added)
  return added
}

function prepareSaleUpdate(columns: MutableColumn[]) {
  const { id, version } = checkouts
  return prepareQuery('update_sale', (db) =>
    db
      .update(checkouts)
      .set({
        ...placeholdersFor(columns),
        version: sql`${version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(id, placeholder('id')), eq(version, placeholder('known')))),
  )
}

/** Another sale of this browser and product was paid meanwhile: the transaction is rolled back. */
class OtherPayment extends Error {}

/**
 * No other sale of this browser and product was paid and not seen yet, or is in review. Asked after the sale has taken its
 * place in the index of cards in progress, where it may have waited for the other one.
 */
async function assertNoOtherPayment(
  tx: Db,
  { id, buyerTokenHash, productId, isTest }: Sale,
  { isPage }: OnlyIfFree,
): Promise<void> {
  const find = isPage ? findUnthanked : findUntold
  const found = await find(tx, { id, buyerTokenHash, productId, isTest })
  if (found.length > 0) throw new OtherPayment()
}

const prepareOtherPayment = (name: string, seenAt: 'thankedAt' | 'toldAt') =>
  prepareQuery(name, (db) =>
    db
      .select({ id: checkouts.id })
      .from(checkouts)
      .where(
        and(
          eq(checkouts.buyerTokenHash, placeholder('buyerTokenHash')),
          eq(checkouts.productId, placeholder('productId')),
          eq(checkouts.isTest, placeholder('isTest')),
          ne(checkouts.id, placeholder('id')),
          or(
            eq(checkouts.state, 'review'),
            and(eq(checkouts.state, 'paid'), isNull(checkouts[seenAt])),
          ),
        ),
      )
      .limit(1),
  )
const findUnthanked = prepareOtherPayment('other_payment_unthanked', 'thankedAt')
const findUntold = prepareOtherPayment('other_payment_untold', 'toldAt')

async function addPayments(tx: Db, added: Payment[]): Promise<void> {
  for (const payment of inOneOrder(added)) await insertPayment(tx, payment)
}

const insertPayment = prepareQuery('insert_payment', (db) => {
  const { version: _default, ...columns } = getTableColumns(payments)
  return db
    .insert(payments)
    .values(placeholdersFor(Object.keys(columns) as (keyof typeof columns)[]))
})

async function updatePayments(tx: Db, changed: Payment[]): Promise<void> {
  for (const payment of changed)
    await tx.update(payments).set(withoutVersion(payment)).where(eq(payments.id, payment.id))
}

/** A payment with a sale keeps its version: that of the sale is counted. */
function withoutVersion({ version: _version, ...payment }: Payment): Omit<Payment, 'version'> {
  return payment
}

/** Sorts payments, so that two sales to which SumUp names the same ones cannot wait for each other. */
function inOneOrder(added: Payment[]): Payment[] {
  return added.toSorted((one, other) => (one.transactionId < other.transactionId ? -1 : 1))
}

async function upsertRefunds(tx: Db, changed: Refund[]): Promise<void> {
  for (const refund of changed)
    await tx.insert(refunds).values(refund).onConflictDoUpdate({ target: refunds.id, set: refund })
}

async function upsertQuestions(tx: Db, changed: Question[]): Promise<void> {
  for (const question of changed)
    await tx
      .insert(reviewEntries)
      .values(question)
      .onConflictDoUpdate({ target: reviewEntries.id, set: question })
}

function describeOrder(
  before: SaleRecord,
  decision: Decision,
  actor: string,
  now: Date,
): NonNullable<Parts['order']> {
  const { sale } = before
  const { payment, details, bought } = decision.order ?? {}
  const product = decision.after.sale ? soldProduct(decision.after.sale) : bought?.product
  if (!details || !product) throw new Error('an order needs details and a product')
  const sold = {
    product,
    details,
    amount: payment?.amount ?? sale?.amount ?? '',
    currency: payment?.currency ?? sale?.currency ?? '',
    terms: (sale ?? bought)?.terms ?? null,
    discountCodeId: (sale ?? bought)?.discountCodeId ?? null,
    sumupCheckoutId: sale?.sumupCheckoutId ?? null,
    sumupTransactionId: payment?.transactionId ?? null,
    paymentMethod: methodOf(payment),
    isTest: sale?.isTest ?? payment?.isTest ?? false,
    now,
  }
  const row = createOrderRow(sold, describePayment(payment))
  return { row, actor, visitor: sale?.visitor ?? null }
}

/* What is rare. */

/** A payment without a sale is its own guard: it is found for the first time, or as it was read. */
async function takePayment(
  db: Db,
  before: SaleRecord,
  { payments: found }: SaleRecord,
): Promise<boolean> {
  const [known] = before.payments
  if (!known) {
    const [added] = found.map(withoutVersion)
    if (!added) throw new Error('a record without a sale has a payment')
    const { rowCount } = await db.insert(payments).values(added).onConflictDoNothing()
    return rowCount === 1
  }
  const payment = found.find(({ id }) => id === known.id) ?? known
  const { rowCount } = await db
    .update(payments)
    .set({ ...payment, version: known.version + 1 })
    .where(and(eq(payments.id, known.id), eq(payments.version, known.version)))
  return rowCount === 1
}

/** Another payment pays for the order from now on, or its method was not known before. */
async function moveOrder(tx: Db, { orderId, payment }: NonNullable<Parts['move']>): Promise<void> {
  await tx
    .update(orders)
    .set({
      sumupTransactionId: payment.transactionId,
      paymentMethod: methodOf(payment),
      updatedAt: sql`now()`,
    })
    .where(eq(orders.id, orderId))
}

type ReturnedMoney = {
  orderId: string
  events: Returned[]
  /** What the buyer is told of; of an order that is only now created, nothing. */
  toldCents: number
}

function describeReturned(
  { returned: events = [] }: Decision,
  orderId: string | undefined,
  isTold: boolean,
): ReturnedMoney | undefined {
  if (events.length === 0 || orderId === undefined) return undefined
  const refunded = events.filter(({ event }) => isTold && event === 'refunded')
  const toldCents = refunded.reduce((sum, { amount }) => sum + toCents(amount), 0)
  return { orderId, events, toldCents }
}

/** Money that went back, in the order's timeline, and in a mail to the buyer once it happened. */
async function addReturnedMoney(
  tx: Db,
  { orderId, events, toldCents }: ReturnedMoney,
): Promise<void> {
  // Numbered after the timeline, where nothing is deleted: each refund has a mail of its own.
  const isRefund = and(eq(orderTimeline.orderId, orderId), eq(orderTimeline.event, 'refunded'))
  const number = toldCents > 0 ? 1 + (await tx.$count(orderTimeline, isRefund)) : 0
  await tx.insert(orderTimeline).values(
    events.map(({ event, amount, by }) => ({
      orderId,
      actor: by,
      event,
      amount,
      createdAt: sql`clock_timestamp()`,
    })),
  )
  if (toldCents === 0) return
  const told = and(eq(orders.id, orderId), sql`${orders.customerEmail} is not null`)
  if ((await tx.$count(orders, told)) === 0) return
  const kind = `refunded-${number}`
  const amount = formatCents(toldCents)
  // As the entries in the timeline, to the microsecond: it is listed after them.
  const createdAt = sql`(select max(created_at) from order_timeline where order_id = ${orderId})`
  await tx.insert(mails).values({ orderId, kind, amount, createdAt }).onConflictDoNothing()
}

/** To the buyer of a sale that ended in another way than its page had promised. */
async function queueSaleMails(
  tx: Db,
  { saleId, kinds }: NonNullable<Parts['saleMails']>,
): Promise<void> {
  const rows = kinds.map((kind) => ({ saleId, kind }))
  await tx.insert(mails).values(rows).onConflictDoNothing()
}

const uniqueViolation = '23505'
const deadlock = '40P01'

/** Tells by the violated unique index what was in the way. The transaction was rolled back. */
async function explainConflict(
  db: Db,
  error: unknown,
  before: SaleRecord,
  after: SaleRecord,
): Promise<RecordWritten> {
  // PostgreSQL has ended this transaction for another one that wanted the same rows.
  if (findDatabaseCode(error) === deadlock) return { type: 'stale' }
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

/** Which of these payments another record or order has. */
async function listTaken(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select transaction_id as id from payments where transaction_id = any(${sql.param(ids)}::text[])
    union select sumup_transaction_id from orders where sumup_transaction_id = any(${sql.param(ids)}::text[])`)
  return rows.map(({ id }) => id)
}
