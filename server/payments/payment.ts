import { formatCents, toCents } from '#contract/money.ts'
import type { OtherMethod } from '#contract/payment-methods.ts'
import type { payments, refunds } from '#server/db/payment-schema.ts'

/** A payment is what SumUp says happened to money. This is the only code that turns SumUp's words into rows of `payments`. */

export type Payment = typeof payments.$inferSelect
export type Refund = typeof refunds.$inferSelect

export type PaymentStatus = 'pending' | 'successful' | 'failed'

/** What one answer of SumUp says about one transaction. What it does not say, or not readably, is left out. */
export type PaymentFacts = {
  transactionId: string
  transactionCode?: string | undefined
  amount?: string | undefined
  currency?: string | undefined
  status?: PaymentStatus | undefined
  madeAt?: Date | undefined
  /** Not for cards. */
  method?: OtherMethod | 'sumup' | undefined
  /** Totals that went back. A refund that failed or is not done yet is in neither. */
  refunded?: string | undefined
  chargedBack?: string | undefined
  isRefundPending?: boolean | undefined
  failedRefunds?: number | undefined
  /** The transaction itself was read, with its refunds. */
  isFull?: boolean
}

/** Whose payment it is. */
export type PaymentOwner = Pick<Payment, 'id' | 'saleId' | 'merchantCode' | 'isTest'>

/**
 * A payment after an answer of SumUp. The same answer twice changes nothing, and answers may arrive in any order: a
 * payment that has ended stays ended, and what went back only grows. What contradicts an earlier answer is kept beside it.
 */
export function observe(
  known: Payment | undefined,
  facts: PaymentFacts,
  owner: PaymentOwner,
  now: Date,
): Payment {
  const before = known ?? createPayment(facts, owner, now)
  const amount = chooseFact(before, facts, 'amount')
  const currency = chooseFact(before, facts, 'currency')
  const status = endStatus(before.status as PaymentStatus, facts.status)
  const paidCents = amount === null ? Infinity : toCents(amount)
  const isChanged =
    known !== undefined && (amount !== before.amount || currency !== before.currency)
  return {
    ...before,
    saleId: before.saleId ?? owner.saleId,
    transactionCode: before.transactionCode ?? facts.transactionCode ?? null,
    amount,
    currency,
    status,
    refunded: maxMoney(before.refunded, facts.refunded, paidCents),
    chargedBack: maxMoney(before.chargedBack, facts.chargedBack, paidCents),
    isRefundPending: facts.isRefundPending ?? before.isRefundPending,
    failedRefunds: Math.max(before.failedRefunds, facts.failedRefunds ?? 0),
    conflict: before.conflict ?? findConflict(before, facts),
    madeAt: before.madeAt ?? facts.madeAt ?? null,
    method: chooseMethod(before.method, facts.method),
    // What a copy has changed, the transaction itself has not confirmed.
    ...(isChanged && { readAt: null }),
    ...(facts.isFull && { readAt: now, unreadSince: null }),
  }
}

/**
 * What is believed of the amount and the currency: the latest word while the payment is pending, then the first. The
 * transaction itself counts over copies of it in a checkout or in the history.
 */
function chooseFact(before: Payment, facts: PaymentFacts, name: 'amount' | 'currency') {
  const said = facts[name]
  const isBetter = facts.isFull && before.readAt === null
  if (said === undefined) return before[name]
  return before[name] === null || before.status === 'pending' || isBetter ? said : before[name]
}

/** The first word, unless that was only that it is no card. */
function chooseMethod(known: string | null, said: string | undefined): string | null {
  return known && known !== 'sumup' ? known : (said ?? known)
}

function createPayment(facts: PaymentFacts, owner: PaymentOwner, now: Date): Payment {
  return {
    ...owner,
    transactionId: facts.transactionId,
    transactionCode: null,
    amount: null,
    currency: null,
    status: facts.status ?? 'pending',
    refunded: '0.00',
    chargedBack: '0.00',
    isRefundPending: false,
    failedRefunds: 0,
    conflict: null,
    madeAt: null,
    method: null,
    foundAt: now,
    readAt: null,
    unreadSince: null,
    nextReadAt: null,
    reads: 0,
    version: 0,
  }
}

/** The transaction could not be read: what is known stays known. */
export function observeUnread(known: Payment, now: Date): Payment {
  return { ...known, unreadSince: known.unreadSince ?? now }
}

/** Money that was taken once is never forgotten, so `successful` wins over `failed` in either order. */
function endStatus(known: PaymentStatus, said: PaymentStatus | undefined): PaymentStatus {
  if (said === undefined || said === 'pending' || known === 'successful') return known
  return said
}

function findConflict(known: Payment, said: PaymentFacts): string | null {
  if (known.status === 'pending') return null
  const isOther = (one: string | null, other: string | undefined) =>
    one !== null && other !== undefined && one !== other
  const ended = said.status === 'pending' ? undefined : said.status
  if (isOther(known.amount, said.amount)) return `amount ${known.amount}, later ${said.amount}`
  if (isOther(known.currency, said.currency))
    return `currency ${known.currency}, later ${said.currency}`
  if (isOther(known.status, ended)) return `status ${known.status}, later ${ended}`
  return null
}

function maxMoney(known: string, said: string | undefined, maxCents: number): string {
  if (said === undefined || toCents(said) <= toCents(known)) return known
  return formatCents(Math.max(toCents(known), Math.min(toCents(said), maxCents)))
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

/** Taken, and not given back. */
export function isKept(payment: Payment): boolean {
  return payment.status === 'successful' && !isReturned(payment)
}

export function isOpenRefund({ state }: Pick<Refund, 'state'>): boolean {
  return state === 'asked' || state === 'unknown'
}

/**
 * What became of a refund, by what SumUp shows of the payment: an answer to the refund itself proves nothing. `isRefused`:
 * SumUp said that it did not do it, which counts once a reading shows no trace of it.
 */
export function followRefund(
  refund: Refund,
  payment: Payment,
  { isRefused }: { isRefused: boolean },
): Refund['state'] {
  if (!isOpenRefund(refund)) return refund.state
  const wanted = toCents(refund.refundedBefore) + toCents(refund.amount)
  if (toCents(payment.refunded) >= wanted) return 'done'
  if (payment.isRefundPending) return refund.state
  // The buyer's bank took back what was left of it.
  if (isReturned(payment)) return 'failed'
  if (isRefused || payment.failedRefunds > refund.failedBefore) return 'failed'
  return refund.state
}
