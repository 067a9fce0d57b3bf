import { randomInt } from 'node:crypto'

/** What the sandbox stores. Money is in minor units (cents), times are milliseconds since 1970. */

// prettier-ignore
export const currencies = [
  'BGN', 'BRL', 'CHF', 'CLP', 'COP', 'CZK', 'DKK', 'EUR',
  'GBP', 'HRK', 'HUF', 'NOK', 'PLN', 'RON', 'SEK', 'USD',
] as const
export type Currency = (typeof currencies)[number]

/** Ways to pay beside the card. Wallets ask for the payment in the page; the others lead away from it. */
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
export const methodIds = Object.keys(otherMethods) as OtherMethod[]

export type CheckoutStatus = 'PENDING' | 'PAID' | 'FAILED' | 'EXPIRED'
export type TransactionStatus = 'PENDING' | 'SUCCESSFUL' | 'FAILED' | 'CANCELLED' | 'REFUNDED'

/** A refund or chargeback, recorded as an event of its transaction. */
export type Reversal = {
  id: string
  eventId: number
  amountMinor: number
  at: number
  /** When a refund ended that was pending. */
  endedAt?: number
}

/** A refund that has given nothing back: not yet, or not at all. */
export type RefundAttempt = Reversal & { status: 'PENDING' | 'FAILED' }

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
  /** What was given back. */
  refunds: Reversal[]
  refundAttempts?: RefundAttempt[]
  chargebacks?: Reversal[]
  /** Absent for cards. */
  method?: OtherMethod
  /** Absent for online payments. */
  paymentType?: 'POS'
  /** The secret of the page where the payer confirms: the bank's 3-D Secure page, or that of another method. */
  challenge?: string
  /** The 3-D Secure page gives up without an answer and leaves the payment PENDING. */
  challengeTimesOut?: true
  /** When the payment ends on its own: by the `late-paid` fault, or as chosen on the page of another method. */
  settlesAt?: number
  /** How it ends then; approved by default. */
  settlesAs?: 'approved' | 'declined'
}

export type Checkout = {
  id: string
  reference: string
  /** References before a PATCH: SumUp never accepts a reference twice. */
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
  /** A payment of the same merchant made outside this API: no call shows its checkout. */
  foreign?: true
  /** No call shows it any more, but its transactions are still found. */
  vanished?: true
}

/** A webhook that has not been delivered yet. */
export type Delivery = {
  id: string
  checkoutId: string
  url: string
  /** Attempts made so far. */
  tries: number
  dueAt: number
}

const maxMinor = 99_999_999_99

/** SumUp takes a JSON number in major units, and has been seen to take "1.00" as well. */
export function toMinor(amount: unknown, currency: Currency): number | undefined {
  const number =
    typeof amount === 'string' && /^\d{1,10}(\.\d{1,2})?$/.test(amount) ? Number(amount) : amount
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  const scaled = number * minorUnits(currency)
  const minor = Math.round(scaled)
  // Tolerates float rounding (0.1 + 0.2), not a third decimal.
  if (Math.abs(scaled - minor) > 1e-4) return undefined
  return minor > 0 && minor <= maxMinor ? minor : undefined
}

export function toMajor(minor: number, currency: Currency): number {
  return minor / minorUnits(currency)
}

const minorUnits = (currency: Currency): number => (currency === 'CLP' ? 1 : 100)

/** SumUp writes times with an offset, never with Z. */
export const formatTime = (at: number): string => new Date(at).toISOString().replace('Z', '+00:00')

/** Without the characters that are easily confused. */
const codeAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Like TDMNUPS33H: a T and nine characters. */
export function newTransactionCode(): string {
  return `T${Array.from({ length: 9 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')}`
}

export const newInternalId = (): number => randomInt(1_000_000_000, 10_000_000_000)

export const newAuthCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** The names under which a fault may target a checkout, or one of its payments. */
export const listNames = ({ id, reference }: Checkout, payment?: Transaction): string[] => [
  id,
  reference,
  ...(payment ? [payment.id, payment.code] : []),
]

export type Log = (event: string, fields?: Record<string, unknown>) => void
