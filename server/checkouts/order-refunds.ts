import { formatCents } from '#contract/money.ts'
import type { OrderRefund, OrderRefunds, RefundOutcome } from '#contract/refunds.ts'
import { Refusal, refusals } from '#contract/refusals.ts'
import { findProduct } from '#server/catalog/products.ts'
import { hasPiece } from '#server/catalog/stock.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { findOrder } from '#server/orders/orders.ts'
import { ordersPayment, remainingCents, type Loaded, type Refund } from '#server/payments/record.ts'
import type { ActNote } from '#server/payments/flow.ts'
import { describeRefundProblem, otherAccountText, refund } from '#server/payments/owner.ts'
import { orderVersionOf, whyNoOrderRefund } from '#server/payments/question.ts'
import { findRecord } from './record-rows.ts'
import { findRefundLimit, readFreeAmount, type Refunding } from './refund-allowance.ts'
import { contextOf, runFlow, type CheckoutDeps } from './settle.ts'
import type { DecidedBy } from './write-record.ts'

/** Refunds of orders: what was refunded from here, what can be, and the refund itself. */

/** Undefined for an order whose payment is not known here. */
async function findRecordOfOrder(db: Db, orderId: string): Promise<Loaded | undefined> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select coalesce(paid.sale_id, paid.id)::text as id from orders
    join payments as paid on paid.transaction_id = orders.sumup_transaction_id
    where orders.id = ${orderId}::uuid`)
  for (const { id } of rows) {
    const loaded = await findRecord(db, id)
    if (loaded?.record.order?.id === orderId) return loaded
  }
  return undefined
}

export async function readOrderRefunds(
  deps: Pick<CheckoutDeps, 'db' | 'sumup'>,
  orderId: string,
  refunding: Refunding,
): Promise<OrderRefunds> {
  const { db } = deps
  const order = await findOrder(db, orderId)
  if (!order) throw new Refusal('order-missing')
  const loaded = await findRecordOfOrder(db, order.id)
  const payment = loaded && ordersPayment(loaded.record)
  const currency = payment?.currency ?? order.currency
  const freeAmount = await readFreeAmount(db, refunding, currency)
  if (!payment)
    return {
      version: '',
      left: '0.00',
      currency,
      blockedBy: refusals['refund-without-payment'].text,
      freeAmount,
      refunds: [],
    }
  const { record, now } = loaded
  const isOwn = contextOf(deps).isOwn(payment)
  const refused = isOwn ? whyNoOrderRefund(record, now) : 'refund-other-account'
  const emails = await findEmails(db, record.refunds)
  const product = await findProduct(db, order.productId)
  return {
    version: orderVersionOf(record),
    left: formatCents(remainingCents(payment)),
    currency,
    blockedBy: refused ? refusals[refused].text : null,
    freeAmount,
    ...(product && hasPiece(order, product) && { hasPiece: true as const }),
    refunds: record.refunds.map((one) => showRefund(deps, one, loaded, emails)).toReversed(),
  }
}

/** Longer than asking SumUp takes. After it the node that asked has died. */
const askingMs = 30_000

function showRefund(
  deps: Pick<CheckoutDeps, 'db' | 'sumup'>,
  { id, paymentId, amount, state, problem, askedBy, askedAt, endedAt }: Refund,
  { record, now }: Loaded,
  emails: Map<string, string>,
): OrderRefund {
  const payment = record.payments.find((one) => one.id === paymentId)
  const isAsking = state === 'asked' && now.getTime() - askedAt.getTime() < askingMs
  const isPending = isAsking || payment?.isRefundPending === true
  const isOpen = state !== 'done' && state !== 'failed'
  const isOtherAccount = isOpen && payment && !contextOf(deps).isOwn(payment)
  return {
    id,
    amount,
    isOfOrder: payment !== undefined && payment === ordersPayment(record),
    state: isOpen ? (isPending && !isOtherAccount ? 'pending' : 'unknown') : state,
    problem: isOtherAccount
      ? otherAccountText
      : state === 'failed'
        ? describeRefundProblem(problem)
        : null,
    who: emails.get(askedBy) ?? 'A former admin',
    askedAt: askedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }
}

async function findEmails(db: Db, refunds: Refund[]): Promise<Map<string, string>> {
  const ids = [...new Set(refunds.map(({ askedBy }) => askedBy))]
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: string; email: string }>(sql`
    select id::text, email from users where id::text = any(${sql.param(ids)}::text[])`)
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/** As the admin saw it. Without an amount: all that is left. */
type Wanted = {
  orderId: string
  version: string
  amount?: string | undefined
  /** Its piece can be sold again. */
  isBackInStock?: boolean | undefined
}

/** Refunds all or a part of what pays for an order. It is done only once SumUp shows it. */
export async function refundOrder(
  deps: CheckoutDeps,
  { orderId, version, amount: asked, isBackInStock = false }: Wanted,
  password: string | undefined,
  refunding: Refunding,
): Promise<RefundOutcome> {
  const { db } = deps
  const { actor } = refunding
  const found = await findRecordOfOrder(db, orderId)
  const payment = found && ordersPayment(found.record)
  if (!payment) {
    if (!(await findOrder(db, orderId))) throw new Refusal('order-missing')
    throw new Refusal('refund-without-payment')
  }
  const left = remainingCents(payment)
  const amount = asked ?? (left > 0 ? formatCents(left) : undefined)
  const recordId = found.record.sale?.id ?? payment.id
  const act = { recordId, orderId, version, amount, isWhole: isBackInStock, by: actor.admin.id }
  const audit = ({ action, amount: of, reason }: ActNote): DecidedBy => {
    const detail = { amount: of ?? '', currency: payment.currency ?? '' }
    const entry = { action, subject: orderId, detail: { ...detail, ...(reason && { reason }) } }
    return { actor, entry }
  }
  const limit = await findRefundLimit(db, password, refunding)
  const returnedBy = isBackInStock ? actor : undefined
  const options = { audit, refunding: limit, returnedBy }
  const { result } = await runFlow(deps, refund(contextOf(deps), act), options)
  const after = await findRecord(db, recordId)
  const paid = after?.record.payments.find(({ id }) => id === payment.id) ?? payment
  return {
    state: result.state,
    amount: result.amount,
    problem: result.state === 'failed' ? describeRefundProblem(result.problem) : null,
    left: formatCents(remainingCents(paid)),
    isPaidAgain: after !== undefined && ordersPayment(after.record)?.id !== payment.id,
  }
}
