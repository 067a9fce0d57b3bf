import type { Answer } from './browser.ts'

/** What the page says to a buyer about a payment. Each is a claim that the provider's books can refute. */
export const claims = ['paid', 'declined', 'closed', 'at-bank', 'review', 'too-many-cards'] as const
export type Claim = (typeof claims)[number]

/** A sentence that a buyer read, with the time from which it was asked for until it was there. */
export type Statement = {
  visitor: number
  checkoutId: string
  claim: Claim
  orderId?: string
  askedAt: number
  toldAt: number
}

/** What was said to whom, as the visitors themselves wrote it down. The shop's own books play no part in it. */
export type History = {
  /** Every form that a visitor was given, at the price that was on the page. */
  offers: {
    visitor: number
    checkoutId: string
    amount: string
    isAttack: boolean
    askedAt: number
    toldAt: number
  }[]
  /** Every order that a visitor was told of. */
  promises: { visitor: number; checkoutId: string; orderId: string }[]
  statements: Statement[]
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
    statements: [],
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

/** Which sentence the page makes of an answer, if any. The words themselves are in web/; here counts what they claim. */
export function claimOf({ body }: Pick<Answer, 'body'>): Claim | undefined {
  const byCode: Record<string, Claim> = {
    'already-paid': 'paid',
    'payment-declined': 'declined',
    'checkout-expired': 'closed',
    'card-at-bank': 'at-bank',
    'payment-in-review': 'review',
    'too-many-cards': 'too-many-cards',
  }
  return byCode[String(body.code)] ?? claims.find((claim) => claim === body.state)
}
