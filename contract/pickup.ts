import type { Address } from './orders.ts'
import type { PickupPlace } from './quotes.ts'

/** The delivery address of an order that is picked up: the place's, with the name of who fetches it. */
export function toPickupAddress(
  { name, address, postcode, city, state, country }: PickupPlace,
  { firstName, lastName, phone }: Pick<Address, 'firstName' | 'lastName' | 'phone'>,
): Address {
  return {
    country,
    ...(firstName && { firstName }),
    lastName,
    address: name,
    apartment: address,
    city,
    ...(state && { state }),
    postcode,
    ...(phone && { phone }),
  }
}

/** Whether an address is that of the place, as `toPickupAddress` writes it. */
export function isPickupAddress(
  { address, apartment, city, state, postcode, country }: Partial<Address>,
  place: PickupPlace,
): boolean {
  return (
    address === place.name &&
    apartment === place.address &&
    city === place.city &&
    (state || null) === place.state &&
    (postcode ?? '') === place.postcode &&
    country === place.country
  )
}

/** When the place of an order is open; nothing once the shop has named another place, or none. */
export function findPickupHours(
  order: { isPickup?: boolean | undefined; shippingAddress: Partial<Address> },
  place: PickupPlace | null,
): string | null {
  if (!order.isPickup || !place) return null
  return isPickupAddress(order.shippingAddress, place) ? place.hours : null
}
