import { cancelPending, settlePayment } from './payment.ts'
import type { Checkout, Transaction } from './records.ts'

/**
 * What time has done to a checkout since it was last looked at: payments that the bank confirmed late,
 * then valid_until. A confirmed payment wins over an expiry, also over one already shown.
 */
export function ageCheckout(checkout: Checkout, now: number): Checkout {
  const due = checkout.transactions.find((transaction) => isDue(transaction, now))
  if (due) return settlePayment(checkout, due.id, 'approved', now)
  const open = checkout.status === 'PENDING' || checkout.status === 'FAILED'
  if (!open || checkout.validUntil === null || checkout.validUntil > now) return checkout
  // The bank's late answer still comes; a payer in front of a 3-D Secure page is too late.
  const transactions = checkout.transactions.map((transaction) =>
    transaction.settlesAt === undefined
      ? (cancelPending([transaction], now)[0] ?? transaction)
      : transaction,
  )
  return { ...checkout, status: 'EXPIRED', transactions }
}

/** When the bank will confirm a payment of this checkout by itself, if it will. */
export function maybeSettlesAt(checkout: Checkout): number | undefined {
  return checkout.transactions.find(({ settlesAt }) => settlesAt !== undefined)?.settlesAt
}

function isDue({ status, settlesAt }: Transaction, now: number): boolean {
  return status === 'PENDING' && settlesAt !== undefined && settlesAt <= now
}
