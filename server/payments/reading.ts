import { formatCents, toCents } from '#contract/money.ts'
import type {
  HistoryItem,
  SumupCheckout,
  SumupPayment,
  SumupTransaction,
} from '#server/sumup/answers.ts'
import type { Case } from './case.ts'
import { observe, observeUnread, type Payment, type PaymentFacts } from './payment.ts'
import { isOlder, minute } from './schedule.ts'

/** What SumUp answered about one case. */
export type Reading = {
  checkout: CheckoutReading
  transactions: TransactionReading[]
  /** Payments that belong to another sale, whatever this checkout says. */
  reusedIds?: string[]
  /** The checkout was just ended: what says that it is over need not be confirmed. */
  isEnding?: boolean
}

export type CheckoutReading =
  | { type: 'seen'; checkout: SumupCheckout }
  | { type: 'missing' }
  | { type: 'unreachable'; why: string }
  /** The sale was made with another account, which cannot be asked any more. */
  | { type: 'other-account' }
  | { type: 'not-asked' }

export type TransactionReading = {
  transactionId: string
  result: 'missing' | 'unread' | 'forbidden' | SumupTransaction
}

export const notAsked: Reading = { checkout: { type: 'not-asked' }, transactions: [] }

const statuses = {
  SUCCESSFUL: 'successful',
  REFUNDED: 'successful',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'failed',
} as const

/** A payment without an id is no fact: nothing can be read about it. */
function factsOfAttempt(attempt: SumupPayment): PaymentFacts | undefined {
  const { id, code, amount, currency, status, madeAt, method } = attempt
  if (id === undefined) return undefined
  return {
    transactionId: id,
    transactionCode: code,
    amount,
    currency,
    status: statuses[status],
    madeAt,
    method,
    ...(status === 'REFUNDED' && { refunded: amount }),
  }
}

export function factsOfTransaction(transaction: SumupTransaction): PaymentFacts {
  const { id, code, amount, currency, status, refunded, chargedBack, madeAt } = transaction
  return {
    transactionId: id,
    transactionCode: code,
    amount,
    currency,
    status: statuses[status as keyof typeof statuses],
    madeAt,
    method: transaction.method,
    refunded,
    chargedBack,
    isRefundPending: transaction.isRefundPending,
    failedRefunds: transaction.failedRefunds,
    isFull: true,
  }
}

/** What the item of a payment in SumUp's history says about it, except what went back. */
export function factsOfItem(transactionId: string, item: HistoryItem): PaymentFacts {
  const code = item.transaction_code
  if (!isPaymentItem(item)) return { transactionId, transactionCode: code }
  const status = item.status === 'PAID_OUT' ? 'SUCCESSFUL' : item.status
  return {
    transactionId,
    transactionCode: code,
    amount: item.amount,
    currency: item.currency,
    status: statuses[status as keyof typeof statuses],
    madeAt: item.timestamp,
    method: item.method,
  }
}

const endedItems = ['FAILED', 'CANCELLED', 'PENDING', 'SCHEDULED']

/**
 * What the items of SumUp's history let expect to have gone back of a payment. It is only a reason to read the transaction:
 * the history also names refunds that fail later. Items that cannot be told apart count once each.
 */
export function returnsOfItems(items: HistoryItem[], paid: Pick<Payment, 'amount'>) {
  const done = items.filter(({ status = '' }) => !endedItems.includes(status))
  const sum = (type: string) =>
    done
      .filter((item) => item.type === type)
      .reduce((cents, { amount }) => cents + toCents(amount ?? paid.amount ?? '0'), 0)
  const told = items.map((item) => toCents(item.refunded_amount ?? '0'))
  return {
    refunded: formatCents(Math.max(sum('REFUND'), ...told)),
    chargedBack: formatCents(sum('CHARGE_BACK')),
  }
}

export function isPaymentItem({ type = 'PAYMENT' }: HistoryItem): boolean {
  return type === 'PAYMENT'
}

/** The case with everything that the reading says about its payments. */
export function mergeReading(
  kase: Case,
  reading: Reading,
  now: Date,
  createId: (transactionId: string) => string,
): Case {
  const attempts = reading.checkout.type === 'seen' ? reading.checkout.checkout.payments : []
  const facts = [
    ...attempts.flatMap((attempt) => factsOfAttempt(attempt) ?? []),
    ...reading.transactions.flatMap(({ result }) =>
      typeof result === 'string' ? [] : [factsOfTransaction(result)],
    ),
  ].filter(({ transactionId }) => !reading.reusedIds?.includes(transactionId))
  const merged = facts.reduce((known, one) => mergeFacts(known, one, now, createId), kase)
  // One that SumUp has taken and does not find may be shown later: until then nobody can read it.
  const isUnread = ({ transactionId, status }: Payment) =>
    reading.transactions.some(
      (one) =>
        one.transactionId === transactionId &&
        (one.result === 'unread' || (one.result === 'missing' && status === 'successful')),
    )
  const payments = merged.payments.map((one) => (isUnread(one) ? observeUnread(one, now) : one))
  return { ...merged, payments }
}

/** The case with what is known about one payment of it, whatever it was read from. */
export function mergeFacts(
  kase: Case,
  facts: PaymentFacts,
  now: Date,
  createId: (transactionId: string) => string,
): Case {
  const { sale, payments } = kase
  const known = payments.find(({ transactionId }) => transactionId === facts.transactionId)
  // What says nothing about its status is no payment yet.
  if (!known && !facts.status) return kase
  const account = sale ?? payments[0]
  if (!account) return kase
  const owner = {
    id: known?.id ?? createId(facts.transactionId),
    saleId: sale?.id ?? null,
    merchantCode: known?.merchantCode ?? account.merchantCode,
    isTest: account.isTest,
  }
  const observed = observe(known, facts, owner, now)
  return {
    ...kase,
    payments: known
      ? payments.map((one) => (one === known ? observed : one))
      : [...payments, observed],
  }
}

/** A payment younger than this cannot have been refunded yet. */
const youngPaymentMs = minute

/** A refund shows only in the transaction itself, so that is read before an order, unless there was no time for one. */
export function isRefundRuledOut(payment: Payment, reading: Reading, now: Date): boolean {
  const isFresh = ({ readAt }: Payment) => readAt !== null && !isOlder(readAt, youngPaymentMs, now)
  const isForbidden = reading.transactions.some(
    ({ transactionId, result }) =>
      transactionId === payment.transactionId && result === 'forbidden',
  )
  const isAsked = reading.transactions.some((one) => one.transactionId === payment.transactionId)
  const isYoung = payment.madeAt !== null && !isOlder(payment.madeAt, youngPaymentMs, now)
  // An API key without access to transactions must not stop sales.
  return isFresh(payment) || isForbidden || (isYoung && !isAsked)
}
