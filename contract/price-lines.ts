import { fillText } from './languages.ts'
import { toCents } from './money.ts'
import { findParts, type Terms } from './quotes.ts'

type PricedOrder = { amount: string; terms?: Terms | null }

type Words = { shipping: string; free: string; discount: string; pickup: string }

/** What the goods of an order cost, before a discount and without delivery. */
export function goodsPrice(order: PricedOrder): string {
  return findParts(order)?.subtotal ?? order.amount
}

/**
 * What stands between the price of the goods and the total. Of an amount that a person accepted although it is not the one
 * that was agreed on, nobody knows the parts.
 */
export function listPriceLines(
  order: PricedOrder,
  words: Words,
  showMoney: (amount: string) => string,
): { label: string; value: string }[] {
  const { shipping: label, free, discount, pickup } = words
  if (!order.terms) return [{ label, value: free }]
  const parts = findParts(order)
  if (!parts) return []
  const price = toCents(parts.shipping) === 0 ? free : showMoney(parts.shipping)
  return [
    ...(toCents(parts.discount) > 0
      ? [{ label: nameDiscount(discount, parts.code), value: `−${showMoney(parts.discount)}` }]
      : []),
    { label, value: parts.isPickup ? pickup : price },
  ]
}

/** Strangers are not told the code. */
function nameDiscount(text: string, code: string | null): string {
  return code === null ? text.replace(' ({code})', '') : fillText(text, { code })
}
