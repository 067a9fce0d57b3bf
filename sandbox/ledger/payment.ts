import { newAuthCode, newId, newInternalId, newTransactionCode } from './ids.ts'
import type { Checkout, Transaction, TransactionStatus } from './records.ts'

/** What the bank says to a card: at once, after asking the payer, or (a fault) some time later. */
export type Attempt =
  | { outcome: 'approved' | 'declined' | 'challenged' }
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
    id: newId(),
    code: newTransactionCode(),
    internalId: newInternalId(),
    authCode: newAuthCode(),
    amountMinor: checkout.amountMinor,
    currency: checkout.currency,
    status: 'PENDING',
    ...card,
    createdAt: now,
    changedAt: now,
    refunds: [],
    ...(attempt.outcome === 'challenged' ? { challenge: newId() } : {}),
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

/** The end of an attempt. At most one ever succeeds: the others that still wait are cancelled with it. */
export function settlePayment(
  checkout: Checkout,
  transactionId: string,
  outcome: 'approved' | 'declined' | 'cancelled',
  now: number,
): Checkout {
  if (checkout.status === 'PAID') return checkout
  const ended: Record<typeof outcome, TransactionStatus> = {
    approved: 'SUCCESSFUL',
    declined: 'FAILED',
    cancelled: 'CANCELLED',
  }
  const transactions = checkout.transactions.map((transaction) =>
    transaction.id === transactionId && transaction.status === 'PENDING'
      ? endTransaction(transaction, ended[outcome], now)
      : transaction,
  )
  if (outcome === 'approved')
    return { ...checkout, status: 'PAID', transactions: cancelPending(transactions, now) }
  if (outcome === 'declined') return { ...checkout, status: 'FAILED', transactions }
  return { ...checkout, transactions }
}

export function cancelPending(transactions: Transaction[], now: number): Transaction[] {
  return transactions.map((transaction) =>
    transaction.status === 'PENDING' ? endTransaction(transaction, 'CANCELLED', now) : transaction,
  )
}

function endTransaction(
  transaction: Transaction,
  status: TransactionStatus,
  now: number,
): Transaction {
  const { settlesAt: _settlesAt, ...rest } = transaction
  return { ...rest, status, changedAt: now }
}
