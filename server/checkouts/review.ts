import { maxReviewEntries, type ReviewEntry } from '#contract/checkouts.ts'
import type { CheckoutDetails } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import { findChosen } from '#server/catalog/choice.ts'
import {
  findEverSold,
  getProduct,
  productAsSold,
  type ProductRow,
} from '#server/catalog/products.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import type { AdminActor } from '#server/http/audit.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { Bought, Payment, Sale } from '#server/payments/record.ts'
import type { ActNote } from '#server/payments/flow.ts'
import * as flows from '#server/payments/owner.ts'
import { describeRefundProblem } from '#server/payments/owner.ts'
import { questionPayment, findQuestion, showQuestion } from '#server/payments/question.ts'
import type { Connection } from '#server/sumup/payments.ts'
import { findRecord, findRecordOfQuestion, findRecords } from './record-rows.ts'
import { findUsedCode } from './code-uses.ts'
import { priceFor } from './offer.ts'
import { findRefundLimit, type Refunding } from './refund-allowance.ts'
import { contextOf, runFlow, type CheckoutDeps } from './settle.ts'
import type { DecidedBy } from './write-record.ts'

/** The owner's questions, open and resolved, and how one is decided: it ends as an order, a refund, or dismissed with a note. */

/** Resolved questions (`isArchive`) or open ones; with those of test mode or without. */
type ReviewFilter = { isArchive: boolean; includesTest: boolean }

type Listed = { id: string; recordId: string; handledByEmail: string | null }

export async function listReview(
  { db, sumup }: Pick<CheckoutDeps, 'db' | 'sumup'>,
  filter: ReviewFilter,
): Promise<ReviewEntry[]> {
  const listed = await listQuestions(db, filter)
  const records = await findRecords(
    db,
    listed.map(({ recordId }) => recordId),
  )
  return listed.flatMap(({ id, recordId, handledByEmail }) => {
    const loaded = records.get(recordId)
    const question = loaded?.record.questions.find((one) => one.id === id)
    if (!loaded || !question) return []
    return showQuestion(contextOf({ sumup }), loaded.record, question, loaded.now, handledByEmail)
  })
}

async function listQuestions(db: Db, { isArchive, includesTest }: ReviewFilter): Promise<Listed[]> {
  const condition: SQL = isArchive
    ? sql`handled_at is not null and state in ('ordered', 'refunded', 'dismissed')`
    : sql`state = 'open'`
  const { rows } = await db.execute<Listed>(sql`
    select question.id, coalesce(question.sale_id, question.payment_id) as "recordId", users.email as "handledByEmail"
    from review_entries as question left join users on users.id::text = question.handled_by
    where ${condition} ${includesTest ? sql`` : sql`and not is_test`}
    order by ${isArchive ? sql`handled_at` : sql`opened_at`} desc limit ${maxReviewEntries + 1}`)
  return rows
}

/** A question as it was on the admin's screen. */
type Shown = { id: string; version: string }

type Audit = (note: ActNote) => DecidedBy

async function describeAct(
  db: Db,
  { id, version }: Shown,
  actor: AdminActor,
): Promise<{ act: flows.Act; audit: Audit; sale: Sale | undefined; payment: Payment | undefined }> {
  const recordId = isUuid(id) ? await findRecordOfQuestion(db, id) : undefined
  const found = recordId && (await findRecord(db, recordId))
  const question = found && findQuestion(found.record, id)
  if (!recordId || !question) throw new Refusal('review-missing')
  const payment = questionPayment(found.record, question)
  const { amount, currency } = payment ?? found.record.sale ?? {}
  const detail = { amount: amount ?? '', currency: currency ?? '' }
  const audit: Audit = ({ action, reason, amount: refunded }) => ({
    actor,
    entry: {
      action,
      subject: id,
      detail: { ...detail, ...(refunded && { amount: refunded }), ...(reason && { reason }) },
    },
  })
  const act = { recordId, questionId: id, version, by: actor.admin.id }
  return { act, audit, sale: found.record.sale, payment }
}

/** An admin decides that the payment is an order. */
export async function createOrder(
  deps: OrderDeps,
  shown: Shown,
  given: {
    productId?: string | undefined
    details?: CheckoutDetails | undefined
    choice?: string | undefined
    code?: string | undefined
  },
  actor: AdminActor,
  settings: OrderSettings,
): Promise<string> {
  const { act, audit, sale, payment } = await describeAct(deps.db, shown, actor)
  const { productId, details, choice } = given
  const row = productId ? await getProduct(deps.db, productId) : undefined
  const sold = sale ? await findEverSold(deps.db, sale.productId) : row
  // What the buyer chose stays as it was sold.
  const chosen = sold && !sale?.chosen ? findChosen(sold, choice) : undefined
  const bought =
    row && !sale ? await describeBought(deps, row, payment, given, settings) : undefined
  const typed = { details, chosen, ...(bought && { bought }) }
  const flow = flows.createOrder(contextOf(deps), act, typed)
  const { order } = await runFlow(deps, flow, { audit })
  if (!order) throw new Refusal('review-done')
  return order.id
}

type OrderDeps = CheckoutDeps & { connection: Pick<Connection, 'currency'> }

type OrderSettings = Pick<Config, 'shop' | 'policies' | 'delivery'>

/**
 * What was bought with a payment that the shop has no sale of, as after a restore. A code counts as used whatever was
 * paid; the parts of the price are kept only if they make what was paid.
 */
async function describeBought(
  { db, connection }: OrderDeps,
  row: ProductRow,
  payment: Payment | undefined,
  { details, code }: { details?: CheckoutDetails | undefined; code?: string | undefined },
  settings: OrderSettings,
): Promise<Bought> {
  const product = productAsSold(row, settings)
  const isTest = payment?.isTest ?? false
  const used = code ? await findUsedCode(db, { code, isTest, productId: row.id }) : undefined
  if (code && !used)
    throw new Refusal('bad-request', {
      text: `This product has no discount code ${code}. Check it, or leave it out`,
      facts: { field: 'code' },
    })
  const { delivery } = settings
  const country = delivery.countries.find((one) => one === details?.shippingAddress.country)
  const priced = priceFor(
    product,
    connection.currency,
    { delivery, discount: used?.discount ?? null },
    { country },
  )
  const isPaid =
    typeof priced !== 'string' &&
    priced.charge.amount === payment?.amount &&
    priced.charge.currency === payment.currency
  return { product, terms: isPaid ? priced.terms : null, discountCodeId: used?.id ?? null }
}

/** Refunds what is left of the payment, and says so only once SumUp shows it. */
export async function refundPayment(
  deps: CheckoutDeps,
  shown: Shown,
  password: string | undefined,
  refunding: Refunding,
): Promise<void> {
  const { act, audit } = await describeAct(deps.db, shown, refunding.actor)
  const options = { audit, refunding: await findRefundLimit(deps.db, password, refunding) }
  const { result } = await runFlow(deps, flows.refund(contextOf(deps), act), options)
  if (result.state === 'failed')
    throw new Refusal('refund-refused', { text: describeRefundProblem(result.problem) })
  if (result.state !== 'done') throw new Refusal('refund-unknown')
}

export async function dismiss(
  deps: CheckoutDeps,
  shown: Shown,
  note: string,
  actor: AdminActor,
): Promise<void> {
  const { act, audit } = await describeAct(deps.db, shown, actor)
  await runFlow(deps, flows.dismiss(contextOf(deps), act, note), { audit })
}

/** Undoes a dismissal. */
export async function restore(deps: CheckoutDeps, shown: Shown, actor: AdminActor): Promise<void> {
  const { act, audit } = await describeAct(deps.db, shown, actor)
  await runFlow(deps, flows.restore(act), { audit })
}
