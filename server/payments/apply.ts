import { toCents } from '#contract/money.ts'
import { ordersPayment, type Case, type Decision, type Sale } from './case.ts'
import { returnedCents, type Payment } from './payment.ts'

/** How a decision changes the rows of a case. server/checkouts/write-case.ts does so in SQL, proof/explore on these alone. */

/** The columns of a sale that a decision may change. All others are set once, on insert, or by ledger.ts. */
export const mutableColumns = [
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

/** The columns and rows that differ between two cases. */
export type Changes = {
  columns: MutableColumn[]
  addedPayments: Case['payments']
  changedPayments: Case['payments']
  refunds: Case['refunds']
  entries: Case['entries']
}

export function listChanges(before: Case, after: Case): Changes {
  const isAdded = ({ id }: { id: string }) => !before.payments.some((one) => one.id === id)
  const payments = changed(before.payments, after.payments)
  return {
    columns: mutableColumns.filter(
      (name) => before.sale && after.sale && !isSame(before.sale[name], after.sale[name]),
    ),
    addedPayments: payments.filter(isAdded),
    changedPayments: payments.filter((one) => !isAdded(one)),
    refunds: changed(before.refunds, after.refunds),
    entries: changed(before.entries, after.entries),
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
export function changesNothing(before: Case, decision: Decision): boolean {
  const { after, order, orderMovesTo, mails = [], returned = [] } = decision
  const hasReturned = returned.length > 0 && before.order !== undefined
  if (order || orderMovesTo || mails.length > 0 || hasReturned) return false
  return Object.values(listChanges(before, after)).every(({ length }) => length === 0)
}

/** By how many cents more went back of the order that exists; less, if another payment pays for it now. */
export function returnedChange(before: Case, { after, orderMovesTo }: Decision): number {
  if (!before.order) return 0
  const was = ordersPayment(before)
  const paying = orderMovesTo?.id ?? was?.id
  const is = after.payments.find(({ id }) => id === paying)
  return (is ? countReturned(is) : 0) - (was ? countReturned(was) : 0)
}

/** What pays for the order that exists, where that is another payment from now on, or its method was not known before. */
export function changedOrderPayment(
  before: Case,
  { after, orderMovesTo }: Decision,
): Payment | undefined {
  if (!before.order || orderMovesTo) return orderMovesTo
  const paying = ordersPayment(after)
  return paying && paying.method !== (ordersPayment(before)?.method ?? null) ? paying : undefined
}

/** For the order: without a name it is a card. */
export function methodOf(payment: Payment | undefined): string {
  return payment?.method ?? 'card'
}

/** At most all of it: a bank may take back what was refunded before. */
function countReturned(payment: Payment): number {
  return Math.min(returnedCents(payment), toCents(payment.amount ?? '0'))
}

/** The decision, where its order is sent to the browser that waits for it. */
export function tellBuyer(decision: Decision, now: Date): Decision {
  const { after, order } = decision
  if (!order || !after.sale) return decision
  return { ...decision, after: { ...after, sale: { ...after.sale, toldAt: now } } }
}

/** The case as it is read after a decision was written. `orderId`: of the order that was created. */
export function applyDecision(before: Case, decision: Decision, orderId: string): Case {
  const { after } = decision
  const { sale } = before
  const written = Object.fromEntries(mutableColumns.map((name) => [name, after.sale?.[name]]))
  return {
    sale: sale && { ...sale, ...(written as Partial<Sale>), version: sale.version + 1 },
    payments: after.payments.map((one) => {
      const known = before.payments.find(({ id }) => id === one.id)
      // It guards itself where there is no sale.
      return { ...one, version: known ? known.version + (sale ? 0 : 1) : 1 }
    }),
    refunds: after.refunds,
    entries: after.entries,
    order: orderAfter(decision, orderId),
  }
}

function orderAfter({ after, order, orderMovesTo }: Decision, id: string): Case['order'] {
  if (order) return { id, transactionId: order.payment?.transactionId ?? null }
  return after.order && orderMovesTo
    ? { ...after.order, transactionId: orderMovesTo.transactionId }
    : after.order
}
