import type { Country } from '#contract/countries.ts'
import { hasCents } from '#contract/currencies.ts'
import { fillText } from '#contract/languages.ts'
import { toCents } from '#contract/money.ts'
import type { CheckoutPageData } from '#contract/public-pages.ts'
import {
  defaultDelivery,
  quote,
  type DeliveryWish,
  type Quote,
  type Terms,
} from '#contract/quotes.ts'

import { priceTexts, texts } from './language.ts'
import { showMoney } from './money.ts'

/* The price of a checkout as its page shows it: at first by the server, then as the buyer chooses. */

export type PricedPage = Pick<CheckoutPageData, 'charge' | 'delivery' | 'discount'>

/** Whether anything but the product's price counts. */
export function hasParts({ delivery = defaultDelivery, discount }: PricedPage): boolean {
  return delivery.prices.length > 0 || delivery.pickup !== null || discount !== undefined
}

export function quotePage(page: PricedPage, wish: DeliveryWish): Quote {
  const { charge, delivery = defaultDelivery, discount = null } = page
  const { amount: price, currency } = charge
  return quote({ price, hasCents: hasCents(currency), discount, delivery }, wish)
}

/** What the goods cost, less the discount and without delivery. */
export function quoteGoods({ charge, discount }: PricedPage): { terms: Terms; amount: string } {
  const quoted = quotePage({ charge, ...(discount && { discount }) }, {})
  if (typeof quoted === 'string') throw new Error(`The goods have no price: ${quoted}`)
  return quoted
}

/** What the server is asked to charge. It quotes the same, or refuses. */
export type PriceRequest = { amount: string; country?: Country; isPickup?: true; code?: string }

export function requestPrice(page: PricedPage, wish: DeliveryWish): PriceRequest {
  const { charge, discount } = page
  if (!hasParts(page)) return { amount: charge.amount }
  const quoted = quotePage(page, wish)
  const code = discount && { code: discount.code }
  // Without a price the server says why.
  if (typeof quoted === 'string') {
    const { country, isPickup } = wish
    return {
      amount: charge.amount,
      ...(country && { country }),
      ...(isPickup && { isPickup }),
      ...code,
    }
  }
  const { amount, terms } = quoted
  const { country } = terms
  return { amount, ...(country && { country }), ...(terms.isPickup && { isPickup: true }), ...code }
}

/** The parts of a price that depend on where it goes, in words. */
export type ShownPrice = { shipping: string; total: string }

export function showPrice(page: PricedPage, wish: DeliveryWish): ShownPrice {
  const { currency } = page.charge
  const quoted = quotePage(page, wish)
  if (typeof quoted !== 'string')
    return {
      shipping: showShipping(quoted.terms, currency),
      total: showMoney(quoted.amount, currency),
    }
  const amount = showMoney(quoteGoods(page).amount, currency)
  return {
    shipping: texts().fields.chooseCountry,
    total: fillText(priceTexts().plusShipping, { amount }),
  }
}

export function showShipping({ shipping, isPickup }: Terms, currency: string): string {
  if (isPickup) return priceTexts().pickup
  return toCents(shipping) === 0 ? texts().shipping.free : showMoney(shipping, currency)
}

/**
 * Writes a price into the summary, which is static HTML that React does not hydrate: the attribute data-price names the
 * parts of it that change.
 */
export function updateSummary(shown: ShownPrice): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-price]'))
    element.textContent = element.dataset.price === 'shipping' ? shown.shipping : shown.total
}
