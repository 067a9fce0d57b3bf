/** Ways to pay beside the card that SumUp's widget can offer, by SumUp's ids. Which appear depends on the account. */
export const otherMethods = {
  apple_pay: { name: 'Apple Pay', leavesPage: false },
  google_pay: { name: 'Google Pay', leavesPage: false },
  paypal: { name: 'PayPal', leavesPage: true },
  ideal: { name: 'iDEAL', leavesPage: true },
  bancontact: { name: 'Bancontact', leavesPage: true },
  eps: { name: 'EPS', leavesPage: true },
  blik: { name: 'BLIK', leavesPage: true },
  p24: { name: 'Przelewy24', leavesPage: true },
  twint: { name: 'TWINT', leavesPage: true },
} as const

export type OtherMethod = keyof typeof otherMethods

export const otherMethodIds = Object.keys(otherMethods) as OtherMethod[]

/**
 * How an order was paid: 'card', the id of another method, or 'sumup' where SumUp names a method that the shop does not
 * know.
 */
export function nameMethod(method: string | null, card: string): string {
  if (!method || method === 'card') return card
  return isOtherMethod(method) ? otherMethods[method].name : 'SumUp'
}

export function isCard(method: string | null): boolean {
  return !method || method === 'card'
}

export function isOtherMethod(text: string): text is OtherMethod {
  return Object.hasOwn(otherMethods, text)
}

/** What the owner offers beside the card, and what that needs. Null: not entered. */
export type MethodSettings = {
  otherMethods: OtherMethod[]
  /** Google's number of the shop: without it there is no Google Pay. */
  googlePayMerchantId: string | null
  /** The text of the file by which Apple knows the domain. */
  applePayFile: string | null
}

export const defaultMethods: MethodSettings = {
  otherMethods: [],
  googlePayMerchantId: null,
  applePayFile: null,
}

/** Whether paying may lead away from the checkout and back. Then a bank's question about a card does too. */
export function mayLeavePage(offered: readonly OtherMethod[] = []): boolean {
  return offered.some((id) => otherMethods[id].leavesPage)
}

/** The methods that can be offered: Google Pay does not open without a merchant id. */
export function listOffered({ otherMethods: chosen, googlePayMerchantId }: MethodSettings) {
  return chosen.filter((id) => id !== 'google_pay' || googlePayMerchantId !== null)
}
