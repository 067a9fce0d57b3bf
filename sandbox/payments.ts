import { randomUUID } from 'node:crypto'
import type { MerchantAccount } from './accounts.ts'
import type { Context } from './context.ts'
import { checkoutNotFound, invalidCheckoutId } from './errors.ts'
import {
  newAuthCode,
  newInternalId,
  newTransactionCode,
  listNames,
  type Checkout,
  type RefundAttempt,
  type Reversal,
  type Transaction,
  type TransactionStatus,
} from './records.ts'

/** How the bank reacts to a card: at once, after asking the payer, or (a fault) some time later. */
export type Attempt =
  | { outcome: 'approved' | 'declined' }
  | { outcome: 'challenged'; timesOut?: boolean }
  | { outcome: 'late'; settlesAt: number }

export type UsedCard = Pick<Transaction, 'cardType' | 'lastDigits' | 'method'>

/** Every attempt adds a transaction; the checkout's status follows the latest one. */
export function attemptPayment(
  checkout: Checkout,
  card: UsedCard,
  attempt: Attempt,
  now: number,
): { checkout: Checkout; transaction: Transaction } {
  const pending: Transaction = {
    ...newTransaction(checkout, card, 'PENDING', now),
    ...(attempt.outcome === 'challenged' ? { challenge: randomUUID() } : {}),
    ...(attempt.outcome === 'challenged' && attempt.timesOut ? { challengeTimesOut: true } : {}),
    ...(attempt.outcome === 'late' ? { settlesAt: attempt.settlesAt } : {}),
  }
  const begun: Checkout = {
    ...checkout,
    status: 'PENDING',
    transactions: [...checkout.transactions, pending],
  }
  const after =
    attempt.outcome === 'approved' || attempt.outcome === 'declined'
      ? settlePayment(begun, pending.id, attempt.outcome, now)
      : begun
  return { checkout: after, transaction: after.transactions.at(-1) ?? pending }
}

export function newTransaction(
  { amountMinor, currency }: Pick<Checkout, 'amountMinor' | 'currency'>,
  card: UsedCard,
  status: TransactionStatus,
  now: number,
): Transaction {
  return {
    id: randomUUID(),
    code: newTransactionCode(),
    internalId: newInternalId(),
    authCode: newAuthCode(),
    amountMinor,
    currency,
    status,
    cardType: card.cardType,
    lastDigits: card.lastDigits,
    ...(card.method ? { method: card.method } : {}),
    createdAt: now,
    changedAt: now,
    refunds: [],
  }
}

/**
 * Ends an attempt that was PENDING. At most one ever succeeds: the others that are still PENDING are cancelled.
 * An approval also pays a checkout that has expired meanwhile; a decline leaves it expired.
 */
export function settlePayment(
  checkout: Checkout,
  transactionId: string,
  outcome: 'approved' | 'declined' | 'cancelled',
  now: number,
): Checkout {
  const isPending = checkout.transactions.some(
    ({ id, status }) => id === transactionId && status === 'PENDING',
  )
  if (!isPending || checkout.status === 'PAID') return checkout
  const statuses: Record<typeof outcome, TransactionStatus> = {
    approved: 'SUCCESSFUL',
    declined: 'FAILED',
    cancelled: 'CANCELLED',
  }
  const transactions = checkout.transactions.map((transaction) =>
    transaction.id === transactionId
      ? endTransaction(transaction, statuses[outcome], now)
      : transaction,
  )
  if (outcome === 'approved')
    return { ...checkout, status: 'PAID', transactions: cancelPending(transactions, now) }
  if (outcome === 'declined' && checkout.status !== 'EXPIRED')
    return { ...checkout, status: 'FAILED', transactions }
  return { ...checkout, transactions }
}

export function cancelPending(transactions: Transaction[], now: number): Transaction[] {
  return transactions.map((transaction) =>
    transaction.status === 'PENDING' ? endTransaction(transaction, 'CANCELLED', now) : transaction,
  )
}

export function hasPending({ transactions }: Checkout): boolean {
  return transactions.some(({ status }) => status === 'PENDING')
}

/** Applies what is due: late answers of the bank, then valid_until. An expiry leaves payments PENDING. */
function ageCheckout(checkout: Checkout, now: number): Checkout {
  const due = checkout.transactions.find(
    ({ status, settlesAt }) => status === 'PENDING' && settlesAt !== undefined && settlesAt <= now,
  )
  if (due) return settlePayment(checkout, due.id, due.settlesAs ?? 'approved', now)
  const isOpen = checkout.status === 'PENDING' || checkout.status === 'FAILED'
  if (!isOpen || checkout.validUntil === null || checkout.validUntil > now) return checkout
  return { ...checkout, status: 'EXPIRED' }
}

/** When a payment of this checkout ends on its own, if one does. */
export function findSettlesAt(checkout: Checkout): number | undefined {
  return checkout.transactions.find(({ settlesAt }) => settlesAt !== undefined)?.settlesAt
}

/** The successful payment, even if it was refunded since. */
export function findPaid({ transactions }: Checkout): Transaction | undefined {
  return transactions.find(({ status }) => status === 'SUCCESSFUL' || status === 'REFUNDED')
}

/** What may still be refunded: a pending refund holds its amount until it ends. */
export function refundableMinor(transaction: Transaction): number {
  const { status, amountMinor, refunds, refundAttempts = [], chargebacks = [] } = transaction
  const isPaid = status === 'SUCCESSFUL' || status === 'REFUNDED'
  const pending = refundAttempts.filter((attempt) => attempt.status === 'PENDING')
  return isPaid ? amountMinor - sumMinor([...refunds, ...pending, ...chargebacks]) : 0
}

/**
 * Adds a refund or chargeback to a transaction. The checkout stays PAID and the transaction SUCCESSFUL, unless
 * `marksTransaction` asks for the behavior that SumUp documents, where a refund changes the status.
 */
export function reversePayment(
  checkout: Checkout,
  transactionId: string,
  reversal: { type: 'refunds' | 'chargebacks'; amountMinor: number; marksTransaction: boolean },
  now: number,
): Checkout {
  const event = newReversal(reversal.amountMinor, now)
  return changeTransaction(checkout, transactionId, now, (transaction) => ({
    [reversal.type]: [...(transaction[reversal.type] ?? []), event],
    ...(reversal.marksTransaction ? { status: 'REFUNDED' } : {}),
  }))
}

/** Adds a refund that gives nothing back, or nothing yet. */
export function attemptRefund(
  checkout: Checkout,
  transactionId: string,
  { amountMinor, status }: Pick<RefundAttempt, 'amountMinor' | 'status'>,
  now: number,
): Checkout {
  const attempt = { ...newReversal(amountMinor, now), status }
  return changeTransaction(checkout, transactionId, now, ({ refundAttempts = [] }) => ({
    refundAttempts: [...refundAttempts, attempt],
  }))
}

/** Ends a pending refund, which keeps its id. */
export function endRefund(
  checkout: Checkout,
  transactionId: string,
  { status: _pending, ...refund }: RefundAttempt,
  { isDone, marksTransaction }: { isDone: boolean; marksTransaction: boolean },
  now: number,
): Checkout {
  const ended = { ...refund, endedAt: now }
  return changeTransaction(
    checkout,
    transactionId,
    now,
    ({ refunds, refundAttempts = [] }): Partial<Transaction> => {
      const others = refundAttempts.filter(({ id }) => id !== refund.id)
      if (!isDone) return { refundAttempts: [...others, { ...ended, status: 'FAILED' }] }
      return {
        refunds: [...refunds, ended],
        refundAttempts: others,
        ...(marksTransaction ? { status: 'REFUNDED' } : {}),
      }
    },
  )
}

const newReversal = (amountMinor: number, now: number): Reversal => ({
  id: randomUUID(),
  eventId: newInternalId(),
  amountMinor,
  at: now,
})

function changeTransaction(
  checkout: Checkout,
  transactionId: string,
  now: number,
  change: (transaction: Transaction) => Partial<Transaction>,
): Checkout {
  const transactions = checkout.transactions.map((transaction) =>
    transaction.id === transactionId
      ? { ...transaction, ...change(transaction), changedAt: now }
      : transaction,
  )
  return { ...checkout, transactions }
}

/** Refunds and chargebacks, also those that failed, as events and in the history. */
export function listReversals({ refunds, refundAttempts = [], chargebacks = [] }: Transaction) {
  const listed = [
    ...refunds.map((refund) => ({ ...refund, type: 'REFUND', status: 'REFUNDED' }) as const),
    ...refundAttempts.map((attempt) => ({ ...attempt, type: 'REFUND' }) as const),
    // SumUp has no transaction status for a chargeback, only a type.
    ...chargebacks.map((back) => ({ ...back, type: 'CHARGE_BACK', status: 'SUCCESSFUL' }) as const),
  ]
  return listed.toSorted((a, b) => a.at - b.at)
}

export const sumMinor = (reversals: Reversal[]): number =>
  reversals.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

function endTransaction(
  transaction: Transaction,
  status: TransactionStatus,
  now: number,
): Transaction {
  const { settlesAt: _at, settlesAs: _as, ...rest } = transaction
  return { ...rest, status, changedAt: now }
}

/** Otherwise only its payments are found. */
export const isShown = ({ foreign, vanished }: Checkout): boolean => !foreign && !vanished

/** A merchant finds only its own checkouts; browsers, which have no key, find any. */
export function getCheckout(context: Context, id: string, merchant?: MerchantAccount): Checkout {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) throw invalidCheckoutId(id)
  const checkout = context.ledger.findCheckout(id)
  const isHidden = merchant !== undefined && checkout?.merchantCode !== merchant.code
  if (checkout === undefined || !isShown(checkout) || isHidden) throw checkoutNotFound(id)
  return refreshCheckout(context, checkout)
}

/** The checkout as it is now: it may have expired, or the bank may have answered late. */
export function refreshCheckout(context: Context, known: Checkout): Checkout {
  const aged = ageCheckout(known, Date.now())
  if (aged === known) return known
  const hasEnded = aged.transactions !== known.transactions
  if (hasEnded) void recordOutcome(context, aged)
  else context.ledger.save(aged)
  return aged
}

/** Saves the end of an attempt and its webhooks in one write, durably if it was paid. */
export async function recordOutcome(context: Context, ended: Checkout): Promise<Checkout> {
  const { ledger, lags, faults, webhooks, log } = context
  const before = ledger.findCheckout(ended.id)
  const isPaid = ended.status === 'PAID'
  const lag = isPaid ? faults.trigger('process', ['lag'], listNames(ended)) : undefined
  if (lag && before) {
    const length = lag.reads === undefined ? { until: Date.now() + lag.ms } : { reads: lag.reads }
    lags.begin(before, lag.shows ?? 'as-before', length)
  }
  const planned = webhooks.plan(ended)
  const deliveries = planned.map(({ delivery }) => delivery)
  ledger.save(ended, { deliveries, durable: isPaid })
  log('payment outcome', { checkoutId: ended.id, status: ended.status })
  await webhooks.dispatch(planned)
  return ended
}

/** The payer's choice at the bank. It changes nothing if the payment is no longer PENDING. */
export async function answerBank(
  context: Context,
  checkout: Checkout,
  transaction: Transaction,
  outcome: 'approved' | 'declined' | 'cancelled',
): Promise<Checkout> {
  const after = settlePayment(checkout, transaction.id, outcome, Date.now())
  if (after === checkout) return checkout
  if (outcome !== 'cancelled') return recordOutcome(context, after)
  context.ledger.save(after)
  return after
}

/** The payer is done, and the payment is not: it ends on its own. */
export function delayAnswer(
  context: Context,
  checkout: Checkout,
  transaction: Transaction,
  { settlesAs, settlesAt }: Required<Pick<Transaction, 'settlesAs' | 'settlesAt'>>,
): Checkout {
  if (transaction.status !== 'PENDING') return checkout
  const late = changeTransaction(checkout, transaction.id, Date.now(), () => ({
    settlesAs,
    settlesAt,
  }))
  context.ledger.save(late, { durable: true })
  scheduleLatePayment(context, late)
  return late
}

/** Settles a late payment when it is due, so that its webhook is sent even if nobody reads the checkout. */
export function scheduleLatePayment(context: Context, checkout: Checkout): void {
  const settlesAt = findSettlesAt(checkout)
  if (settlesAt === undefined) return
  setTimeout(
    () => {
      if (context.closing.aborted) return
      const known = context.ledger.findCheckout(checkout.id)
      // A timer may fire slightly early: then it is set again.
      if (known) scheduleLatePayment(context, refreshCheckout(context, known))
    },
    Math.max(0, settlesAt - Date.now()),
  ).unref()
}
