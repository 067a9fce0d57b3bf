import { withoutDetails, type CheckoutRow } from './ledger.ts'
import type { SumupCheckout } from './sumup-answers.ts'

/** A payment at SumUp: its number, and the code that the owner finds in SumUp's own pages. */
export type Payment = { transactionId: string; transactionCode: string | undefined }

export type Verdict =
  | ({ is: 'paid' } & Payment)
  | { is: 'expired' }
  /** Cards that failed so far, whatever became of the last one. */
  | { is: 'pending' | 'declined'; failures: number }
  | ({ is: 'review' | 'unclear'; reason: string } & Partial<Payment>)

type SumupTransaction = SumupCheckout['transactions'][number]

/**
 * What SumUp's word means for a sale of ours. Paid is only what is paid in full, to us, for this sale;
 * money that fits badly is never an order and never forgotten. FAILED is an attempt, not an end.
 */
export function judge(row: CheckoutRow, seen: SumupCheckout, merchantCode: string): Verdict {
  const paid = seen.transactions.find(({ status }) => status === 'SUCCESSFUL')
  if (seen.status === 'PAID' || paid) return judgePaid(row, seen, merchantCode, paid)
  if (seen.status === 'EXPIRED') return { is: 'expired' }
  const failures = seen.transactions.filter(({ status }) => status === 'FAILED').length
  // The newest card decides: one that is at the bank is not declined because an earlier one was, and one that
  // was declined is so although an earlier one was left behind at the bank.
  const isUnderWay = seen.transactions.at(-1)?.status === 'PENDING'
  if (seen.status === 'FAILED' && !isUnderWay)
    return { is: 'declined', failures: Math.max(1, failures) }
  return { is: 'pending', failures }
}

function judgePaid(
  row: CheckoutRow,
  seen: SumupCheckout,
  merchantCode: string,
  paid: SumupTransaction | undefined,
): Verdict {
  const found = {
    ...(paid?.id && { transactionId: paid.id }),
    ...(paid?.code && { transactionCode: paid.code }),
  }
  const contradiction = findContradiction(seen, paid)
  // SumUp's parts may hear of a payment one after the other. After its end a checkout changes no more.
  if (contradiction)
    return {
      is: seen.status === 'EXPIRED' ? 'review' : 'unclear',
      reason: contradiction,
      ...found,
    }
  const reason = findMisfit(row, seen, merchantCode) ?? findOtherSum(row, [seen, paid])
  if (reason) return { is: 'review', reason, ...found }
  if (!paid?.id) return { is: 'review', reason: 'paid, but the payment has no number', ...found }
  if (!row.details) return { is: 'review', reason: withoutDetails, ...found }
  return { is: 'paid', transactionId: paid.id, transactionCode: paid.code }
}

/** The checkout and its payment should say the same. */
function findContradiction(
  seen: SumupCheckout,
  paid: SumupTransaction | undefined,
): string | undefined {
  if (seen.status !== 'PAID') return `a payment went through, but the checkout says ${seen.status}`
  return paid ? undefined : 'the checkout says paid, but no payment went through'
}

function findMisfit(
  row: CheckoutRow,
  seen: SumupCheckout,
  merchantCode: string,
): string | undefined {
  if (seen.id !== row.sumupCheckoutId) return 'SumUp answered for another checkout'
  if (seen.reference !== row.id) return 'the reference is not ours'
  return seen.merchantCode === merchantCode ? undefined : 'another account was paid'
}

function findOtherSum(
  row: CheckoutRow,
  sums: (Pick<SumupCheckout, 'amount' | 'currency'> | undefined)[],
): string | undefined {
  for (const sum of sums) {
    if (sum?.amount === undefined || sum.currency === undefined)
      return `SumUp does not say readably what was paid instead of ${row.amount} ${row.currency}`
    if (sum.currency !== row.currency) return `paid in ${sum.currency} instead of ${row.currency}`
    // Both are written with two decimals, so the same text is the same number of cents.
    if (sum.amount !== row.amount)
      return `paid ${sum.amount} instead of ${row.amount} ${row.currency}`
  }
  return undefined
}
