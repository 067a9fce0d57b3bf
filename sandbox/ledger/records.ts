/** What the stand-in remembers. Money is whole minor units (cents), times are milliseconds since 1970. */

// prettier-ignore
export const currencies = [
  'BGN', 'BRL', 'CHF', 'CLP', 'COP', 'CZK', 'DKK', 'EUR',
  'GBP', 'HRK', 'HUF', 'NOK', 'PLN', 'RON', 'SEK', 'USD',
] as const
export type Currency = (typeof currencies)[number]

export type CheckoutStatus = 'PENDING' | 'PAID' | 'FAILED' | 'EXPIRED'
export type TransactionStatus = 'PENDING' | 'SUCCESSFUL' | 'FAILED' | 'CANCELLED' | 'REFUNDED'

/** Money that went back after the payment, as an event of its transaction. */
export type Reversal = { id: string; eventId: number; amountMinor: number; at: number }

export type Transaction = {
  id: string
  code: string
  internalId: number
  authCode: string
  amountMinor: number
  currency: Currency
  status: TransactionStatus
  cardType: string
  lastDigits: string
  createdAt: number
  changedAt: number
  refunds: Reversal[]
  chargebacks?: Reversal[]
  /** Without one it was paid online (ECOM). */
  paymentType?: 'POS'
  /** The secret of the payer's 3-D Secure page, if the bank asked for one. */
  challenge?: string
  /** That page gives up by itself and leaves the payment waiting. */
  challengeTimesOut?: true
  /** A payment that the bank confirms by itself at this time (a fault of the tests). */
  settlesAt?: number
}

export type Checkout = {
  id: string
  reference: string
  /** References it had before a PATCH: SumUp never gives a reference out twice. */
  formerReferences: string[]
  merchantCode: string
  amountMinor: number
  currency: Currency
  status: CheckoutStatus
  createdAt: number
  validUntil: number | null
  description?: string
  returnUrl?: string
  redirectUrl?: string
  customerId?: string
  transactions: Transaction[]
  /** A payment of the same merchant that did not come through this API: no call shows its checkout. */
  foreign?: true
}

/** One notification on its way to a checkout's return_url. */
export type Delivery = {
  id: string
  checkoutId: string
  url: string
  /** How many times it was tried already. */
  tries: number
  dueAt: number
}
