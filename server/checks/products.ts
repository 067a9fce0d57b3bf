import { findCurrencyProblem } from '#contract/charges.ts'
import { formatMoney } from '#contract/money.ts'
import type { PaymentCurrency } from '#contract/shop-settings.ts'
import { productAsSold, type ProductRow } from '#server/catalog/products.ts'
import { isCounted, sumLeft } from '#server/catalog/stock.ts'
import { chargeFor, hasForbiddenCents } from '#server/checkouts/offer.ts'
import { fail, ok, warn, type Check } from './check.ts'

/** What is known of a product, and of the shop that sells it. */
type ProductFacts = {
  row: ProductRow
  paymentCurrency: PaymentCurrency
  accountCurrency: string | undefined
  hasDeliveryPrices: boolean
  /** Counted products wait, since the shop was restored. */
  isHeld: boolean
  /** Pieces left, by the ids of products and of values. */
  left: Map<string, number>
}

/** What a checkout link needs besides what all of them need. */
export const productChecks: Check<ProductFacts>[] = [
  {
    code: 'Currency',
    shownIn: { link: 'always' },
    find({ row, ...currencies }) {
      const problem = findCurrencyProblem(productAsSold(row), currencies)
      return problem && fail(problem.found, problem.todo)
    },
  },
  {
    code: 'Price',
    shownIn: { link: 'always' },
    after: 'Currency',
    find({ row, paymentCurrency, hasDeliveryPrices }) {
      const charge = chargeFor(productAsSold(row), paymentCurrency)
      const amount = formatMoney(charge.amount, charge.currency)
      if (hasForbiddenCents(charge))
        return fail(`${charge.currency} has no cents, so ${amount} cannot be charged.`)
      const shipping = hasDeliveryPrices ? ', and what shipping to their country costs' : ''
      return ok(`Buyers are charged ${amount}${shipping}.`)
    },
  },
  {
    code: 'Sale',
    shownIn: { link: 'always' },
    find({ row, isHeld, left }) {
      if (row.pausedAt) return warn('Paused: the checkout takes no payments.')
      if (isHeld && isCounted(row))
        return warn(
          'The shop was restored from a backup, and its pieces may be gone: the checkout takes no payments until that is known.',
        )
      return sumLeft(row, left) === 0
        ? warn('All pieces are sold, or are being paid for: the checkout takes no payments.')
        : undefined
    },
  },
]
