import type { z } from 'zod'
import type { terms } from './answers/orders.ts'
import { countries, type Country } from './countries.ts'
import type { deliverySchema } from './delivery-settings.ts'
import { formatCents, toCents } from './money.ts'

/** Where the shop delivers to, and what that costs. */
export type DeliverySettings = z.infer<typeof deliverySchema>
export type DeliveryPrice = DeliverySettings['prices'][number]
/** Where buyers can fetch what they bought. */
export type PickupPlace = NonNullable<DeliverySettings['pickup']>

/** Those of billing addresses: who only picks up is billed where they do. */
export function listAddressCountries({ countries: all, pickup }: DeliverySettings): Country[] {
  return pickup && !all.includes(pickup.country) ? [...all, pickup.country] : all
}

export const defaultDelivery: DeliverySettings = {
  countries: [...countries],
  prices: [],
  pickup: null,
}

export const maxCodeLength = 40

/** What a code in the link takes off the price of the goods. */
export type Discount = { code: string } & (
  | { kind: 'percent'; percent: number }
  | { kind: 'amount'; amount: string }
)

/** What the price depends on beside the product, as the buyer wishes it. */
export type DeliveryWish = { country?: Country | undefined; isPickup?: boolean | undefined }

/**
 * The price that buyer and shop agreed on, in the currency that is charged: what is charged is subtotal + shipping -
 * discount. Kept with the sale and its order, unless nothing but the product's price counts.
 */
export type Terms = z.infer<typeof terms>

export type Offered = {
  price: string
  /** False for a currency without cents. */
  hasCents: boolean
  discount: Discount | null
  delivery: DeliverySettings
}

/** `country-needed`: what it costs depends on a country that is not known yet. */
export type Quote = { terms: Terms; amount: string } | 'country-needed' | 'not-delivered'

/** The only place where a price is calculated: the page shows what this says, and the server charges it. */
export function quote(offered: Offered, { country, isPickup = false }: DeliveryWish): Quote {
  const { price, discount, delivery } = offered
  if (isPickup ? !delivery.pickup : country && !delivery.countries.includes(country))
    return 'not-delivered'
  const isByCountry = !isPickup && delivery.prices.length > 0
  if (isByCountry && !country) return 'country-needed'
  const subtotal = toCents(price)
  const off = discount ? discountCents(subtotal, discount, offered.hasCents) : 0
  const shipping = isByCountry && country ? shippingCents(delivery, country, subtotal - off) : 0
  const terms: Terms = {
    subtotal: formatCents(subtotal),
    shipping: formatCents(shipping),
    discount: formatCents(off),
    code: off > 0 && discount ? discount.code : null,
    country: (isByCountry && country) || null,
    isPickup,
  }
  return { terms, amount: formatCents(subtotal - off + shipping) }
}

/** Half a cent is rounded in favour of the buyer, and a currency without cents gets none. A code never makes something free: SumUp charges no zero. */
function discountCents(subtotal: number, discount: Discount, hasCents: boolean): number {
  const step = hasCents ? 1 : 100
  const exact =
    discount.kind === 'percent' ? (subtotal * discount.percent) / 100 : toCents(discount.amount)
  const off = discount.kind === 'percent' ? Math.round(exact / step) * step : exact - (exact % step)
  return off > 0 && off < subtotal ? off : 0
}

function shippingCents({ prices }: DeliverySettings, country: Country, goods: number): number {
  const found = prices.find(({ countries }) => countries.includes(country))
  if (!found) return 0
  const isFree = found.freeFrom !== null && goods >= toCents(found.freeFrom)
  return isFree ? 0 : toCents(found.price)
}

/** Whether the price is the product's own and holds wherever it goes: then there is nothing to keep or to show. */
export function isPlain({ shipping, discount, country, isPickup }: Terms): boolean {
  return toCents(shipping) === 0 && toCents(discount) === 0 && country === null && !isPickup
}

/** The parts of an amount, where there are some and they are those of this amount: a person may have accepted another one. */
export function findParts(order: { amount: string; terms?: Terms | null }): Terms | undefined {
  const { amount, terms } = order
  if (!terms || isPlain(terms)) return undefined
  const cents = toCents(terms.subtotal) + toCents(terms.shipping) - toCents(terms.discount)
  return cents === toCents(amount) ? terms : undefined
}
