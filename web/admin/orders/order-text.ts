import { formatAddress, formatPostcode } from '#contract/addresses.ts'
import { formatMoney } from '#contract/money.ts'
import type {
  Address,
  AdminOrder,
  Correction,
  MailFate,
  OrderEvent,
  OrderStatus,
} from '#contract/orders.ts'
import type { ReturnedMoney } from '#contract/returned-money.ts'

/** Shown for a missing value. */
export const noValue = '–'

export const statusLabels: Record<OrderStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  shipped: 'Shipped',
  completed: 'Completed',
}

/** What is picked up is never shipped. A status that is none of ours has its own name. */
export function labelOf(status: string, { isPickup }: Pick<AdminOrder, 'isPickup'> = {}): string {
  if (status === 'shipped' && isPickup) return 'Ready for pickup'
  return Object.hasOwn(statusLabels, status) ? statusLabels[status as OrderStatus] : status
}

export function shortId(id: string): string {
  return `${id.slice(0, 8)}…`
}

export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** For lists: street, city and country, without the name. */
export function formatListAddress(given: Address): string[] {
  const { address, apartment, city, postcode, country } = given
  const lines = [[address, apartment], [city, formatPostcode(country, postcode)], [country]]
    .map((parts) => parts.filter(Boolean).join(', '))
    .filter(Boolean)
  return lines.length > 0 ? lines : [noValue]
}

/** As it is written on a parcel, with the phone number last. */
export function formatFullAddress(address: Address): string[] {
  return [...formatAddress(address), address.phone ?? ''].filter(Boolean)
}

type Payment = Pick<AdminOrder, 'amount' | 'currency' | keyof ReturnedMoney>

/** '€10.00 of €49.00' */
export function formatPart(part: string, { amount, currency }: Payment): string {
  return `${formatMoney(part, currency)} of ${formatMoney(amount, currency)}`
}

const trackingEvents = {
  'tracking-added': 'Tracking added',
  'tracking-changed': 'Tracking changed',
  'tracking-removed': 'Tracking removed',
}

const mailNames: Record<string, string> = {
  confirmation: 'Confirmation mail',
  shipped: 'Shipping mail',
  unshipped: 'Correction mail',
  refunded: 'Refund mail',
  'new-sale': 'Mail about the sale',
  withdrawal: 'Acknowledgement of the withdrawal',
}

/** The codes of a mail server in plain words: see describeMailError. */
const mailReasons: [RegExp, string][] = [
  [/RCPT TO/, 'the mail server does not accept the recipient'],
  [/MAIL FROM/, 'the mail server does not accept the sender'],
  [/AUTH|535/, 'the mail server does not accept the user name and password'],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'no mail server has the name in the settings'],
  [/ECONN|ETIMEDOUT|UNREACH|ESOCKET/, 'the mail server does not answer'],
]

function explainReason(reason: string): string {
  const words = mailReasons.find(([codes]) => codes.test(reason))?.[1]
  return words ? `${words} (${reason})` : reason
}

/** What became of a mail. */
function formatMail({ kind, state, attempts, reason }: MailFate, isPickup: boolean): string {
  const isReady = kind === 'shipped' && isPickup
  const name = isReady ? 'Pickup mail' : (mailNames[kind] ?? `Mail (${kind})`)
  const tries = attempts === 1 ? '1 try' : `${attempts} tries`
  const why = reason ? `: ${explainReason(reason)}` : ''
  switch (state) {
    case 'sent':
      return `${name} sent`
    case 'waiting':
      return `${name} waits to be sent`
    case 'retrying':
      return `${name} not sent yet, after ${tries}${why}`
    case 'given-up':
      return `${name} given up after ${tries}${why}`
    case 'skipped':
      return `${name} not sent${why}`
    case 'withdrawn':
      return `${name} withdrawn`
  }
}

const fieldNames: Record<string, string> = {
  customerEmail: 'Email',
  customerName: 'Name',
  customerPhone: 'Phone',
  country: 'Country',
  firstName: 'First name',
  lastName: 'Last name',
  address: 'Address',
  apartment: 'Apartment',
  city: 'City',
  state: 'State',
  postcode: 'Postcode',
  phone: 'Delivery phone',
}

/** 'Email: ana@example.com → anna@example.com' */
export function formatCorrection({ field, from, to }: Correction): string {
  return `${fieldNames[field] ?? field}: ${from ?? noValue} → ${to ?? noValue}`
}

/** An entry of an order's history. An admin may create an order without a known payment. */
export function formatEvent(
  { event, from, to, amount, mail }: OrderEvent,
  order: Pick<AdminOrder, 'currency' | 'sumupTransactionId' | 'isPickup'>,
): string {
  const { currency, sumupTransactionId } = order
  const money = amount ? ` ${formatMoney(amount, currency)}` : ''
  if (event === 'placed') return sumupTransactionId === null ? 'Placed' : 'Paid and placed'
  if (Object.hasOwn(trackingEvents, event))
    return trackingEvents[event as keyof typeof trackingEvents]
  if (mail) return formatMail(mail, order.isPickup === true)
  if (event === 'corrected') return 'Customer corrected'
  if (event === 'confirmation-resent') return 'Confirmation to be sent once more'
  if (event === 'withdrawn') return 'Withdrawn by the customer'
  if (event === 'withdrawal-handled') return 'Withdrawal marked as handled'
  if (event === 'erased') return 'Customer data erased'
  if (event === 'refunded') return `Refunded${money}`
  if (event === 'charged-back') return `Charged back${money}`
  if (!to) return event
  return from ? `${labelOf(from, order)} → ${labelOf(to, order)}` : labelOf(to, order)
}
