import { newId, newInternalId } from './ids.ts'
import type { Checkout, Transaction } from './records.ts'

export function refundedMinor(transaction: Transaction): number {
  return transaction.refunds.reduce((sum, refund) => sum + refund.amountMinor, 0)
}

export function refundableMinor(transaction: Transaction): number {
  return transaction.status === 'SUCCESSFUL'
    ? transaction.amountMinor - refundedMinor(transaction)
    : 0
}

/** A refund is an event of its transaction: the checkout stays PAID, the transaction SUCCESSFUL. */
export function addRefund(
  checkout: Checkout,
  transactionId: string,
  amountMinor: number,
  now: number,
): Checkout {
  const refund = { id: newId(), eventId: newInternalId(), amountMinor, at: now }
  const transactions = checkout.transactions.map((transaction) =>
    transaction.id === transactionId
      ? { ...transaction, refunds: [...transaction.refunds, refund], changedAt: now }
      : transaction,
  )
  return { ...checkout, transactions }
}
