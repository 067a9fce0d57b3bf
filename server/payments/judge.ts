import { toCents } from '#contract/money.ts'
import type { CheckoutRow } from './ledger.ts'
import type { SumupCheckout } from './sumup-answers.ts'

export type Verdict =
  | { is: 'paid'; transactionId: string; transactionCode: string | undefined }
  | { is: 'pending' | 'expired' }
  | { is: 'declined'; failures: number }
  | {
      is: 'review'
      reason: string
      transactionId: string | undefined
      transactionCode: string | undefined
    }

/**
 * What SumUp's word means for a sale of ours. Paid is only what is paid in full, to us, for this sale;
 * money that fits badly is never an order and never forgotten. FAILED is an attempt, not an end.
 */
export function judge(row: CheckoutRow, seen: SumupCheckout, merchantCode: string): Verdict {
  const paid = seen.transactions.find(({ status }) => status === 'SUCCESSFUL')
  if (seen.status === 'PAID' || paid) {
    const reason = findMisfit(row, seen, merchantCode, paid)
    const transactionId = paid?.id
    const transactionCode = paid?.code
    if (reason || transactionId === undefined) {
      return {
        is: 'review',
        reason: reason ?? 'paid without a transaction',
        transactionId,
        transactionCode,
      }
    }
    return { is: 'paid', transactionId, transactionCode }
  }
  if (seen.status === 'EXPIRED') return { is: 'expired' }
  // One card failed and another is still under way, at the bank or in a second tab: nothing is decided.
  if (seen.transactions.some(({ status }) => status === 'PENDING')) return { is: 'pending' }
  const failures = seen.transactions.filter(({ status }) => status === 'FAILED').length
  if (seen.status === 'FAILED') return { is: 'declined', failures: Math.max(1, failures) }
  return { is: 'pending' }
}

function findMisfit(
  row: CheckoutRow,
  seen: SumupCheckout,
  merchantCode: string,
  paid: SumupCheckout['transactions'][number] | undefined,
): string | undefined {
  if (seen.id !== row.sumupCheckoutId) return 'SumUp answered for another checkout'
  if (seen.reference !== row.id) return 'the reference is not ours'
  if (seen.merchantCode !== merchantCode) return 'another account was paid'
  if (seen.status !== 'PAID') return `a payment went through, but the checkout says ${seen.status}`
  if (!paid) return 'the checkout says paid, but no payment went through'
  for (const { amount, currency } of [seen, paid]) {
    if (currency !== row.currency) return `paid in ${currency} instead of ${row.currency}`
    if (toCents(amount) !== toCents(row.amount))
      return `paid ${amount} instead of ${row.amount} ${row.currency}`
  }
  if (!row.details) return 'paid before contact and delivery were known'
  return undefined
}
