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
