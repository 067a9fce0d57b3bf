import { newAuthCode, newId, newInternalId, newTransactionCode } from './ids.ts'
import type { Checkout, Reversal, Transaction, TransactionStatus } from './records.ts'

/** What the bank says to a card: at once, after asking the payer, or (a fault) some time later. */
export type Attempt =
  | { outcome: 'approved' | 'declined' }
  | { outcome: 'challenged'; timesOut?: boolean }
  | { outcome: 'late'; settlesAt: number }

export type UsedCard = { cardType: string; lastDigits: string }

/** Every attempt appends a transaction; the checkout's status tells how the latest one went. */
export function attemptPayment(
  checkout: Checkout,
  card: UsedCard,
  attempt: Attempt,
  now: number,
): { checkout: Checkout; transaction: Transaction } {
  const pending: Transaction = {
    ...newTransaction(checkout, card, 'PENDING', now),
    ...(attempt.outcome === 'challenged' ? { challenge: newId() } : {}),
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
    id: newId(),
    code: newTransactionCode(),
    internalId: newInternalId(),
    authCode: newAuthCode(),
    amountMinor,
    currency,
    status,
    cardType: card.cardType,
    lastDigits: card.lastDigits,
    createdAt: now,
    changedAt: now,
    refunds: [],
  }
}

/**
 * The end of an attempt that waited for the bank. At most one ever succeeds: the others that still wait are
 * cancelled with it. An approval also pays a checkout that expired meanwhile, a decline leaves it expired.
 */
export function settlePayment(
  checkout: Checkout,
  transactionId: string,
  outcome: 'approved' | 'declined' | 'cancelled',
  now: number,
): Checkout {
  const waits = checkout.transactions.some(
    ({ id, status }) => id === transactionId && status === 'PENDING',
  )
  if (!waits || checkout.status === 'PAID') return checkout
  const ended: Record<typeof outcome, TransactionStatus> = {
    approved: 'SUCCESSFUL',
    declined: 'FAILED',
    cancelled: 'CANCELLED',
  }
  const transactions = checkout.transactions.map((transaction) =>
    transaction.id === transactionId
      ? endTransaction(transaction, ended[outcome], now)
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

/**
 * What time has done to a checkout since it was last looked at: payments that the bank confirmed late,
 * then valid_until. An expiry takes no payment away from the bank: what waits there stays PENDING.
 */
export function ageCheckout(checkout: Checkout, now: number): Checkout {
  const due = checkout.transactions.find(
    ({ status, settlesAt }) => status === 'PENDING' && settlesAt !== undefined && settlesAt <= now,
  )
  if (due) return settlePayment(checkout, due.id, 'approved', now)
  const open = checkout.status === 'PENDING' || checkout.status === 'FAILED'
  if (!open || checkout.validUntil === null || checkout.validUntil > now) return checkout
  return { ...checkout, status: 'EXPIRED' }
}

/** When the bank will confirm a payment of this checkout by itself, if it will. */
export function findSettlesAt(checkout: Checkout): number | undefined {
  return checkout.transactions.find(({ settlesAt }) => settlesAt !== undefined)?.settlesAt
}

/** The payment that was made, whether or not its money went back since. */
export function findPaid({ transactions }: Checkout): Transaction | undefined {
  return transactions.find(({ status }) => status === 'SUCCESSFUL' || status === 'REFUNDED')
}

/** The same card charged once more for a checkout that is paid. */
export function payAgain(checkout: Checkout, paid: Transaction, now: number): Checkout {
  const second = newTransaction(checkout, paid, 'SUCCESSFUL', now)
  return { ...checkout, transactions: [...checkout.transactions, second] }
}

export function refundedMinor({ refunds }: Transaction): number {
  return sumOf(refunds)
}

export function refundableMinor(transaction: Transaction): number {
  const { status, amountMinor, refunds, chargebacks = [] } = transaction
  const paid = status === 'SUCCESSFUL' || status === 'REFUNDED'
  return paid ? amountMinor - sumOf(refunds) - sumOf(chargebacks) : 0
}

/**
 * Money that goes back is an event of its transaction. The checkout stays PAID and the transaction
 * SUCCESSFUL; `marks` is the other way that SumUp documents, in which a refund shows in its status.
 */
export function reversePayment(
  checkout: Checkout,
  transactionId: string,
  reversal: { type: 'refunds' | 'chargebacks'; amountMinor: number; marks?: boolean },
  now: number,
): Checkout {
  const event: Reversal = {
    id: newId(),
    eventId: newInternalId(),
    amountMinor: reversal.amountMinor,
    at: now,
  }
  const transactions = checkout.transactions.map((transaction) =>
    transaction.id === transactionId
      ? {
          ...transaction,
          [reversal.type]: [...(transaction[reversal.type] ?? []), event],
          status: reversal.marks ? ('REFUNDED' as const) : transaction.status,
          changedAt: now,
        }
      : transaction,
  )
  return { ...checkout, transactions }
}

const sumOf = (reversals: Reversal[]): number =>
  reversals.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

function endTransaction(
  transaction: Transaction,
  status: TransactionStatus,
  now: number,
): Transaction {
  const { settlesAt: _settlesAt, ...rest } = transaction
  return { ...rest, status, changedAt: now }
}
