/** What was said to whom, as the visitors themselves wrote it down. The shop's own books play no part in it. */
export type History = {
  /** Every checkout that a visitor was given, at the price that was on the page. */
  offers: { visitor: number; checkoutId: string; amount: string; isAttack: boolean }[]
  /** Every order that a visitor was told of. */
  promises: { visitor: number; checkoutId: string; orderId: string }[]
  /** Prices that a product ever had. */
  prices: Map<string, Set<string>>
  /** What an attacker should never have been given. */
  breaches: string[]
  /** A shop in trouble says 503 and when to come again; anything else above 499 it never says. */
  wrongAnswers: string[]
  /** Visitors who were told to come back later until they gave up. */
  turnedAway: number
}

export function emptyHistory(): History {
  return {
    offers: [],
    promises: [],
    prices: new Map(),
    breaches: [],
    wrongAnswers: [],
    turnedAway: 0,
  }
}

export function notePrice({ prices }: History, productId: string, price: string): void {
  const known = prices.get(productId) ?? new Set()
  prices.set(productId, known.add(price))
}
