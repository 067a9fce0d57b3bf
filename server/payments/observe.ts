import { formatCents, toCents } from '#contract/money.ts'
import type { OtherMethod } from '#contract/payment-methods.ts'
import type {
  HistoryItem,
  SumupCheckout,
  SumupPayment,
  SumupTransaction,
} from '#server/sumup/answers.ts'
import {
  isOpenRefund,
  isReturned,
  type SaleRecord,
  type Payment,
  type PaymentStatus,
  type Refund,
  type Sale,
} from './record.ts'
import { isOlder, minute } from './schedule.ts'

/** A payment is what SumUp says happened to money. This is the only code that turns SumUp's words into rows of `payments`. */

/** What SumUp answered about one record. */
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

/** What one answer of SumUp says about one transaction. What it does not say, or not readably, is left out. */
export type PaymentFacts = {
  transactionId: string
  transactionCode?: string | undefined
  amount?: string | undefined
  currency?: string | undefined
  status?: PaymentStatus | undefined
  madeAt?: Date | undefined
  /** How it was paid. Undefined for cards. */
  method?: OtherMethod | 'sumup' | undefined
  /** Totals that went back. A refund that failed or is not done yet is in neither. */
  refunded?: string | undefined
  chargedBack?: string | undefined
  isRefundPending?: boolean | undefined
  failedRefunds?: number | undefined
  /** The transaction itself was read, with its refunds. */
  isFull?: boolean
}

/** The sale, account and mode that a payment belongs to. */
type PaymentOwner = Pick<Payment, 'id' | 'saleId' | 'merchantCode' | 'isTest'>

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

/** Whether SumUp's checkout has this sale's reference, account and price. */
export function isOurs(
  sale: Pick<Sale, 'id' | 'amount' | 'currency' | 'merchantCode'>,
  made: {
    reference: string | undefined
    merchantCode: string | undefined
    amount: string | undefined
    currency: string | undefined
  },
): boolean {
  return (
    made.reference === sale.id &&
    (sale.merchantCode === '' || made.merchantCode === sale.merchantCode) &&
    made.amount === sale.amount &&
    made.currency === sale.currency
  )
}

/** The record with everything that the reading says about its payments. */
export function mergeReading(
  record: SaleRecord,
  reading: Reading,
  now: Date,
  createId: (transactionId: string) => string,
): SaleRecord {
  const attempts = reading.checkout.type === 'seen' ? reading.checkout.checkout.payments : []
  const facts = [
    ...attempts.flatMap((attempt) => factsOfAttempt(attempt) ?? []),
    ...reading.transactions.flatMap(({ result }) =>
      typeof result === 'string' ? [] : [factsOfTransaction(result)],
    ),
  ].filter(({ transactionId }) => !reading.reusedIds?.includes(transactionId))
  const merged = facts.reduce((known, one) => mergeFacts(known, one, now, createId), record)
  // SumUp took a payment and does not find it: it may be shown later, and until then nobody can read it.
  const isUnread = ({ transactionId, status }: Payment) =>
    reading.transactions.some(
      (one) =>
        one.transactionId === transactionId &&
        (one.result === 'unread' || (one.result === 'missing' && status === 'successful')),
    )
  const payments = merged.payments.map((one) => (isUnread(one) ? observeUnread(one, now) : one))
  return { ...merged, payments }
}

/** The record with what is known about one payment of it, whatever it was read from. */
export function mergeFacts(
  record: SaleRecord,
  facts: PaymentFacts,
  now: Date,
  createId: (transactionId: string) => string,
): SaleRecord {
  const { sale, payments } = record
  const known = payments.find(({ transactionId }) => transactionId === facts.transactionId)
  // Without a status there is no payment yet.
  if (!known && !facts.status) return record
  const account = sale ?? payments[0]
  if (!account) return record
  const owner = {
    id: known?.id ?? createId(facts.transactionId),
    saleId: sale?.id ?? null,
    merchantCode: known?.merchantCode ?? account.merchantCode,
    isTest: account.isTest,
  }
  const observed = observe(known, facts, owner, now)
  return {
    ...record,
    payments: known
      ? payments.map((one) => (one === known ? observed : one))
      : [...payments, observed],
  }
}

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
    // A copy changed it, and the transaction itself has not confirmed that.
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

/** SumUp's first word counts, unless it only said that the payment was no card. */
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
function observeUnread(known: Payment, now: Date): Payment {
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
