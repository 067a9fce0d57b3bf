import type { UntrueFault } from './faults/fault-rules.ts'
import type { ShownCheckout } from './show-checkout.ts'

/** The same answer with one lie in it, told consistently, or with a part that nobody documented. */
export function tellUntruth(shown: ShownCheckout, kind: UntrueFault): object {
  switch (kind) {
    case 'wrong-amount':
      return withEverywhere(shown, { amount: shown.amount > 1 ? 1 : shown.amount + 1 })
    case 'wrong-currency':
      return withEverywhere(shown, { currency: shown.currency === 'USD' ? 'EUR' : 'USD' })
    case 'wrong-merchant':
      return withEverywhere(shown, { merchant_code: 'MOTHER00' })
    case 'wrong-reference':
      return { ...shown, checkout_reference: 'a-reference-of-someone-else' }
    case 'without-transaction':
      return { ...withoutTopLevel(shown), transactions: [] }
    case 'still-pending':
      return { ...shown, status: 'PENDING' }
    case 'unreadable':
      return withEverywhere(shown, { amount: null })
    case 'null-transaction':
      return { ...shown, transactions: [null] }
    case 'transactions-object':
      return { ...shown, transactions: {} }
    case 'transactions-text':
      return { ...shown, transactions: 'x' }
    case 'transactions-missing': {
      const { transactions: _transactions, ...rest } = shown
      return rest
    }
    case 'odd-transaction': {
      const odd = { status: 'ON_HOLD', amount: String(shown.amount), timestamp: null }
      const transactions = shown.transactions.map(({ id: _id, ...rest }) => ({ ...rest, ...odd }))
      return { ...shown, transactions }
    }
    case 'odd-status':
      return { ...shown, status: 'ON_HOLD' }
    case 'without-top-level':
      return withoutTopLevel(shown)
    case 'only-top-level':
      return { ...shown, transactions: [] }
  }
}

function withoutTopLevel(shown: ShownCheckout) {
  const { transaction_id: _id, transaction_code: _code, ...rest } = shown
  return rest
}

function withEverywhere(
  shown: ShownCheckout,
  lie: { amount?: number | null; currency?: string; merchant_code?: string },
): object {
  const transactions = shown.transactions.map((transaction) => ({ ...transaction, ...lie }))
  return { ...shown, ...lie, transactions }
}
