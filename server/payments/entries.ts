import type { ReviewReason } from '#contract/checkouts.ts'
import { openRefundOf, pendingOf, type Case, type Entry, type Sale, type SaleCase } from './case.ts'
import { followRefund, isReturned, type Payment, type Refund } from './payment.ts'
import { followPendingMs, isOlder, nextPaymentRead, stuckAfterMs } from './schedule.ts'

/** Parts that decisions about cases are built from. */

export function withSale<Of extends Case>(kase: Of, changes: Partial<Sale>): Of & SaleCase {
  if (!kase.sale) throw new Error('the case has no sale')
  return { ...kase, sale: { ...kase.sale, ...changes } }
}

export function withEntry(kase: Case, entry: Entry): Case {
  const others = kase.entries.filter(({ id }) => id !== entry.id)
  return { ...kase, entries: [...others, entry] }
}

/** Asks a person. An entry that is open already keeps its time; one that was resolved is asked about anew. */
export function openEntry(
  kase: Case,
  id: string,
  reason: ReviewReason,
  payment: Payment | undefined,
  now: Date,
): Case {
  const known = kase.entries.find((one) => one.id === id)
  return withEntry(kase, {
    id,
    saleId: kase.sale?.id ?? null,
    paymentId: payment?.id ?? null,
    reason,
    state: 'open',
    isTest: kase.sale?.isTest ?? payment?.isTest ?? false,
    openedAt: known?.state === 'open' ? known.openedAt : now,
    note: null,
    handledAt: null,
    handledBy: null,
  })
}

/** SumUp's word made the question unnecessary. */
export function clearEntry<Of extends Case>(kase: Of, id: string, now: Date): Of {
  return endEntry(kase, id, { state: 'cleared', handledAt: now, handledBy: null })
}

export function endEntry<Of extends Case>(kase: Of, id: string, changes: Partial<Entry>): Of {
  const entries = kase.entries.map((one) =>
    one.id === id && one.state === 'open' ? { ...one, ...changes } : one,
  )
  return { ...kase, entries }
}

/** Refunds as far as SumUp shows them. */
export function finishRefunds<Of extends Case>(kase: Of, now: Date): Of {
  const refunds = kase.refunds.map((refund): Refund => {
    const payment = kase.payments.find(({ id }) => id === refund.paymentId)
    const state = payment ? followRefund(refund, payment, { isRefused: false }) : refund.state
    return state === refund.state ? refund : { ...refund, state, endedAt: now }
  })
  return { ...kase, refunds }
}

/** With the sale, what its cards do is read too. */
const isSaleAsked = ({ sale }: Case) => sale !== undefined && sale.nextCheckAt !== null

/** Asks a person about cards that the bank has not answered about for a week, although nobody asks about their sale any more. */
export function withStuckCards(kase: Case, now: Date): Case {
  const isBefore = (one: Date, other: Date | null) => other === null || one <= other
  const isTold = ({ id, foundAt }: Payment) =>
    kase.entries.some(
      (entry) =>
        entry.reason === 'stuck' &&
        entry.state !== 'cleared' &&
        (entry.id === id || (entry.id === kase.sale?.id && isBefore(foundAt, entry.handledAt))),
    )
  const stuck = isSaleAsked(kase)
    ? []
    : pendingOf(kase).filter((one) => isOlder(one.foundAt, stuckAfterMs, now) && !isTold(one))
  const ended = kase.payments.filter(
    (one) => one.status !== 'pending' && findStuckCard(kase, one) !== undefined,
  )
  const settled = ended.reduce((known, { id }) => clearEntry(known, id, now), kase)
  return stuck.reduce((known, one) => openEntry(known, one.id, 'stuck', one, now), settled)
}

function findStuckCard({ entries }: Case, { id }: Payment): Entry | undefined {
  return entries.find((one) => one.id === id && one.reason === 'stuck' && one.state === 'open')
}

/**
 * A payment is read by itself while one of its refunds is open, and while its card is at the bank although nobody asks about its sale any more: SumUp's history lists it by the time when it began,
 * which may be long ago when the bank says yes.
 */
export function followPayments<Of extends Case>(kase: Of, now: Date): Of {
  const isAsked = isSaleAsked(kase)
  const payments = kase.payments.map((payment) => {
    const isWaitedFor =
      !isOlder(payment.foundAt, followPendingMs, now) || findStuckCard(kase, payment) !== undefined
    const isFollowed =
      payment.isRefundPending ||
      openRefundOf(kase, payment) !== undefined ||
      (payment.status === 'pending' && isWaitedFor && !isAsked)
    if (!isFollowed)
      return payment.nextReadAt ? { ...payment, nextReadAt: null, reads: 0 } : payment
    if (payment.nextReadAt && payment.nextReadAt > now) return payment
    return { ...payment, nextReadAt: nextPaymentRead(payment, now), reads: payment.reads + 1 }
  })
  return { ...kase, payments }
}

/** Ends entries about payments that went back to the buyer; the sale's own only if that was our refund. */
export function withoutReturned<Of extends Case>(kase: Of, now: Date): Of {
  const entries = kase.entries.map((entry) => {
    const payment = kase.payments.find(({ id }) => id === entry.paymentId)
    if (entry.state !== 'open' || !payment || !isReturned(payment)) return entry
    const refund = kase.refunds.find(
      ({ paymentId, state }) => paymentId === payment.id && state === 'done',
    )
    if (!refund && entry.id === kase.sale?.id) return entry
    const handledBy = refund ? refund.askedBy : null
    return { ...entry, state: 'refunded', handledAt: now, handledBy }
  })
  return { ...kase, entries }
}
