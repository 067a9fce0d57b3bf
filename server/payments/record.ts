import { reviewReasons, type CheckoutStatus, type ReviewReason } from '#contract/checkouts.ts'
import type { SaleMailKind } from '#contract/mails.ts'
import { toCents } from '#contract/money.ts'
import type { CheckoutDetails, ProductAsSold } from '#contract/orders.ts'
import type { payments, refunds, reviewEntries } from '#server/db/payment-schema.ts'
import type { checkouts } from '#server/db/schema.ts'

/** A sale's record: the sale with everything that is known about its money. Decisions are about whole records. */

/** A sale as we stored it, with the product as its page showed it. */
export type Sale = typeof checkouts.$inferSelect & { readonly product: ProductAsSold }

export type Payment = typeof payments.$inferSelect
export type Refund = typeof refunds.$inferSelect
export type Question = typeof reviewEntries.$inferSelect
export type PaymentStatus = 'pending' | 'successful' | 'failed'

export const saleStates = [
  /** We stored it; nobody knows yet whether SumUp has it. */
  'created',
  /** SumUp has it; no details yet. */
  'open',
  /** Details are saved, or money may have moved: a card may be in progress. */
  'submitted',
  /** Exactly one order exists. */
  'paid',
  /** The owner decides. */
  'review',
  /** Nothing was charged and nothing can be. A late payment still becomes an order. */
  'closed',
  /** Decided by the owner: refunded, or nothing to do. */
  'refunded',
  'dismissed',
] as const
export type SaleState = (typeof saleStates)[number]

export type SaleRecord = {
  /** Undefined for a payment whose sale is not here. */
  sale: Sale | undefined
  payments: Payment[]
  refunds: Refund[]
  questions: Question[]
  order: { id: string; transactionId: string | null } | undefined
}
export type RecordWithSale = SaleRecord & { sale: Sale }

/** A record and the database's time when it was read: decisions use no other clock. */
export type Loaded<Of extends SaleRecord = SaleRecord> = {
  record: Of
  now: Date
  /** When this process had read it, by its own clock. */
  atMs?: number
}

/** An order's id is known only once it is inserted. */
export type StatusWithoutOrder = Exclude<CheckoutStatus, { state: 'paid' }> | { state: 'paid' }

/** `by`: the admin who asked for it here; `shop` for what was done at SumUp or by a bank. */
export type Returned = { event: 'refunded' | 'charged-back'; amount: string; by: string }

/** What an admin says was bought with a payment that has no sale. */
export type Bought = Pick<Sale, 'product' | 'terms' | 'discountCodeId'>

export type Decision = {
  /** The record as it should be. The writer stores what differs from the record that was read. */
  after: SaleRecord
  /** What the buyer is told. */
  status: StatusWithoutOrder
  /** An order is created for this payment; undefined where only the owner knows that there was one. */
  order?: { payment: Payment | undefined; details: CheckoutDetails; bought?: Bought }
  /** The order's first payment went back; this one pays for it now. */
  reassignOrderTo?: Payment
  /** What went back to the buyer of the order since the last reading. */
  returned?: Returned[]
  /** Mails to the buyer: the sale ended in another way than its page had promised. */
  mails?: SaleMailKind[]
  /** The checkout is to be ended at SumUp. */
  endAtSumup?: boolean
  /** How many declined cards were seen for the first time. */
  newFailures?: number
}

export function hasSale(record: SaleRecord): record is RecordWithSale {
  return record.sale !== undefined
}

/** The question about the sale itself; others are about single payments. */
export function saleQuestion({ sale, questions }: SaleRecord): Question | undefined {
  return questions.find(({ id }) => id === sale?.id)
}

/** What pays for the order of a record, if that is known. */
export function ordersPayment({ payments, order }: SaleRecord): Payment | undefined {
  return payments.find(({ transactionId }) => transactionId === order?.transactionId)
}

export function openRefundOf(
  { refunds }: Pick<SaleRecord, 'refunds'>,
  payment: Pick<Payment, 'id'>,
): Refund | undefined {
  return refunds.find((one) => one.paymentId === payment.id && isOpenRefund(one))
}

export function reasonOf(question: Pick<Question, 'reason'> | undefined): ReviewReason {
  return reviewReasons.find((reason) => reason === question?.reason) ?? 'contradiction'
}

/** Whether a sale holds what was reserved for it: a piece, and a use of its code. */
export function isHolding({ state, heldAt }: Pick<Sale, 'state' | 'heldAt'>): boolean {
  return heldAt !== null && (state === 'submitted' || state === 'review')
}

/** Whether the price of a sale was agreed for where its details say that it goes. */
export function isAgreed({ terms }: Pick<Sale, 'terms'>, details: CheckoutDetails): boolean {
  const { shippingAddress, isPickup = false } = details
  const isOtherCountry = terms?.country && terms.country !== shippingAddress.country
  return !isOtherCountry && isPickup === (terms?.isPickup ?? false)
}

/** States in which a card may still be charged. */
export function isUnfinished({ state }: Pick<Sale, 'state'>): boolean {
  return state === 'created' || state === 'open' || state === 'submitted'
}

/** Whether SumUp need not be asked about a sale any more. */
export function isSettled(record: RecordWithSale): boolean {
  const { sale } = record
  // An order that the owner made is looked at until its payment was read.
  if (record.order) return sale.nextCheckAt === null
  return ['review', 'refunded', 'dismissed'].includes(sale.state) && sale.nextCheckAt === null
}

export function pendingOf({ payments }: SaleRecord): Payment[] {
  return payments.filter(({ status }) => status === 'pending')
}

/** Since when a card is known to be at the bank; for one that SumUp shows without an id, since the sale began. */
export function pendingSince(record: RecordWithSale): Date {
  const [first, ...others] = pendingOf(record).map(({ foundAt }) => foundAt)
  if (!first) return record.sale.startedAt ?? record.sale.createdAt
  return others.reduce((earliest, foundAt) => (foundAt < earliest ? foundAt : earliest), first)
}

export function failedOf({ payments }: SaleRecord): Payment[] {
  return payments.filter(({ status }) => status === 'failed')
}

/** A decline belongs to a card: while fewer cards are known to have failed than were sent, one of them may succeed. */
export function isEveryCardDeclined(record: RecordWithSale): boolean {
  return record.sale.submits > 0 && failedOf(record).length >= record.sale.submits
}

/** What the buyer may be told without asking SumUp. */
export function statusOf(record: SaleRecord): StatusWithoutOrder {
  const { sale } = record
  if (!sale) return { state: 'review', reason: reasonOf(record.questions[0]) }
  if (sale.state === 'paid') return { state: 'paid' }
  if (sale.state === 'refunded') return { state: 'review', reason: 'refunded' }
  if (sale.state === 'dismissed') return { state: 'review', reason: 'dismissed' }
  if (sale.state === 'review') return { state: 'review', reason: reasonOf(saleQuestion(record)) }
  // The money was taken, and the sale is not settled yet.
  if (record.payments.some(isKept)) return { state: 'waiting', reason: 'unclear' }
  const isUnclear = sale.unclearSince || (sale.expiredSince && !sale.hasTooManyCards)
  if (sale.state === 'submitted' && isUnclear) return { state: 'waiting', reason: 'unclear' }
  if (sale.hasTooManyCards) return { state: 'too-many-cards' }
  if (!isUnfinished(sale)) return { state: 'closed' }
  if (pendingOf(record).length > 0) return { state: 'at-bank' }
  return sale.state === 'submitted' ? { state: 'waiting', reason: 'no-card' } : { state: 'open' }
}

export function returnedCents({ refunded, chargedBack }: Payment): number {
  return toCents(refunded) + toCents(chargedBack)
}

/** What the shop still has of a payment. 0 if its amount is not known. */
export function remainingCents(payment: Payment): number {
  if (payment.status !== 'successful' || payment.amount === null) return 0
  return Math.max(0, toCents(payment.amount) - returnedCents(payment))
}

/** Whether SumUp has named two amounts or currencies. Nobody here can tell then what all of it is. */
function isAmountDisputed({ conflict }: Payment): boolean {
  return conflict !== null && !conflict.startsWith('status')
}

/** Whether all of it went back to the buyer. */
export function isReturned(payment: Payment): boolean {
  const { status, amount } = payment
  if (status !== 'successful' || amount === null || isAmountDisputed(payment)) return false
  return toCents(amount) > 0 && remainingCents(payment) === 0
}

/** Whether the shop has the money: it was taken, and not all of it went back. */
export function isKept(payment: Payment): boolean {
  return payment.status === 'successful' && !isReturned(payment)
}

export function isOpenRefund({ state }: Pick<Refund, 'state'>): boolean {
  return state === 'asked' || state === 'unknown'
}

export function withSale<Of extends SaleRecord>(
  record: Of,
  changes: Partial<Sale>,
): Of & RecordWithSale {
  if (!record.sale) throw new Error('the record has no sale')
  return { ...record, sale: { ...record.sale, ...changes } }
}

export function unchanged(record: SaleRecord): Decision {
  return { after: record, status: statusOf(record) }
}

/** How a decision changes the rows of a record. server/checkouts/write-record.ts does so in SQL, proof/explore on these alone. */

/** The columns of a sale that a decision may change. All others are set once, on insert, or by ledger.ts. */
const mutableColumns = [
  'state',
  'sumupCheckoutId',
  'hasTooManyCards',
  'chosen',
  'details',
  'detailsAt',
  'formId',
  'pressId',
  'submits',
  'heldAt',
  'holds',
  'startedAt',
  'visitor',
  'toldAt',
  'unclearSince',
  'expiredSince',
  'unreadSince',
  'nextCheckAt',
  'priority',
  'checks',
  'lastError',
] as const satisfies (keyof Sale)[]

export type MutableColumn = (typeof mutableColumns)[number]

/** The columns and rows that differ between two records. */
type Changes = {
  columns: MutableColumn[]
  addedPayments: SaleRecord['payments']
  changedPayments: SaleRecord['payments']
  refunds: SaleRecord['refunds']
  questions: SaleRecord['questions']
}

export function listChanges(before: SaleRecord, after: SaleRecord): Changes {
  const isAdded = ({ id }: { id: string }) => !before.payments.some((one) => one.id === id)
  const payments = changed(before.payments, after.payments)
  return {
    columns: mutableColumns.filter(
      (name) => before.sale && after.sale && !isSame(before.sale[name], after.sale[name]),
    ),
    addedPayments: payments.filter(isAdded),
    changedPayments: payments.filter((one) => !isAdded(one)),
    refunds: changed(before.refunds, after.refunds),
    questions: changed(before.questions, after.questions),
  }
}

function changed<Row extends { id: string }>(known: Row[], rows: Row[]): Row[] {
  return rows.filter(
    (row) =>
      !isSame(
        known.find(({ id }) => id === row.id),
        row,
      ),
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** Whether nothing is written: then the version stays, too. */
export function changesNothing(before: SaleRecord, decision: Decision): boolean {
  const { after, order, reassignOrderTo, mails = [], returned = [] } = decision
  const hasReturned = returned.length > 0 && before.order !== undefined
  if (order || reassignOrderTo || mails.length > 0 || hasReturned) return false
  return Object.values(listChanges(before, after)).every(({ length }) => length === 0)
}

/** What pays for the order that exists, where that is another payment from now on, or its method was not known before. */
export function changedOrderPayment(
  before: SaleRecord,
  { after, reassignOrderTo }: Decision,
): Payment | undefined {
  if (!before.order || reassignOrderTo) return reassignOrderTo
  const paying = ordersPayment(after)
  return paying && paying.method !== (ordersPayment(before)?.method ?? null) ? paying : undefined
}

/** How the order was paid. A payment whose method SumUp does not name was made by card. */
export function methodOf(payment: Payment | undefined): string {
  return payment?.method ?? 'card'
}

/** Marks the order as told, if it is sent to the browser that waits for it. */
export function tellBuyer(decision: Decision, now: Date): Decision {
  const { after, order } = decision
  if (!order || !after.sale) return decision
  return { ...decision, after: { ...after, sale: { ...after.sale, toldAt: now } } }
}

/** The record as it is read after a decision was written. `orderId`: of the order that was created. */
export function applyDecision(before: SaleRecord, decision: Decision, orderId: string): SaleRecord {
  const { after } = decision
  const { sale } = before
  const written = Object.fromEntries(mutableColumns.map((name) => [name, after.sale?.[name]]))
  return {
    sale: sale && { ...sale, ...(written as Partial<Sale>), version: sale.version + 1 },
    payments: after.payments.map((one) => {
      const known = before.payments.find(({ id }) => id === one.id)
      // A payment without a sale has the version that guards the write.
      return { ...one, version: known ? known.version + (sale ? 0 : 1) : 1 }
    }),
    refunds: after.refunds,
    questions: after.questions,
    order: orderAfter(decision, orderId),
  }
}

function orderAfter({ after, order, reassignOrderTo }: Decision, id: string): SaleRecord['order'] {
  if (order) return { id, transactionId: order.payment?.transactionId ?? null }
  return after.order && reassignOrderTo
    ? { ...after.order, transactionId: reassignOrderTo.transactionId }
    : after.order
}
