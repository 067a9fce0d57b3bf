import { formatAddress, formatPostcode } from '#contract/addresses.ts'
import { formatMoney } from '#contract/money.ts'
import type { Address, AdminOrder, OrderEvent, OrderStatus } from '#contract/orders.ts'
import type { ReturnedMoney } from '#contract/returned-money.ts'

/** Shown for a missing value. */
export const noValue = '–'

export const statusLabels: Record<OrderStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  shipped: 'Shipped',
  completed: 'Completed',
}

/** A status that is none of ours has its own name. */
export function labelOf(status: string): string {
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

/** An entry of an order's history. An admin may create an order without a known payment. */
export function formatEvent(
  { event, from, to, amount }: OrderEvent,
  { currency, sumupTransactionId }: Pick<AdminOrder, 'currency' | 'sumupTransactionId'>,
): string {
  const money = amount ? ` ${formatMoney(amount, currency)}` : ''
  if (event === 'placed') return sumupTransactionId === null ? 'Placed' : 'Paid and placed'
  if (Object.hasOwn(trackingEvents, event))
    return trackingEvents[event as keyof typeof trackingEvents]
  if (event === 'erased') return 'Customer data erased'
  if (event === 'refunded') return `Refunded${money}`
  if (event === 'charged-back') return `Charged back${money}`
  if (!to) return event
  return from ? `${statusLabels[from]} → ${statusLabels[to]}` : statusLabels[to]
}
