import type { UntrueFault } from './faults/fault-rules.ts'
import type { ShownCheckout } from './show-checkout.ts'

/** The same answer with one lie in it, told consistently: the transactions tell it too. */
export function tellUntruth(shown: ShownCheckout, kind: UntrueFault): ShownCheckout {
  switch (kind) {
    case 'wrong-amount':
      return withEverywhere(shown, { amount: shown.amount > 1 ? 1 : shown.amount + 1 })
    case 'wrong-currency':
      return withEverywhere(shown, { currency: shown.currency === 'USD' ? 'EUR' : 'USD' })
    case 'wrong-merchant':
      return withEverywhere(shown, { merchant_code: 'MOTHER00' })
    case 'wrong-reference':
      return { ...shown, checkout_reference: 'a-reference-of-someone-else' }
    case 'without-transaction': {
      const { transaction_id: _id, transaction_code: _code, ...rest } = shown
      return { ...rest, transactions: [] }
    }
    case 'still-pending':
      return { ...shown, status: 'PENDING' }
    case 'unreadable':
      return withEverywhere(shown, { amount: null as never })
  }
}

function withEverywhere(
  shown: ShownCheckout,
  lie: Partial<Pick<ShownCheckout, 'amount' | 'currency' | 'merchant_code'>>,
): ShownCheckout {
  const transactions = shown.transactions.map((transaction) => ({ ...transaction, ...lie }))
  return { ...shown, ...lie, transactions }
}
