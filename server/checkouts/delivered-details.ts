import { notDelivered } from '#contract/order-schemas.ts'
import type { CheckoutDetails } from '#contract/orders.ts'
import { toPickupAddress } from '#contract/pickup.ts'
import { listAddressCountries, type DeliverySettings } from '#contract/quotes.ts'
import { Refusal } from '#contract/refusals.ts'

/** What a buyer typed, if the shop delivers there. The address of a pickup place is the shop's own, whatever was sent. */
export function assertDelivered<Details extends CheckoutDetails>(
  details: Details,
  delivery: DeliverySettings,
): Details {
  const { shippingAddress, billingAddress, isPickup } = details
  const isAmong = (countries: readonly string[], country: string) => countries.includes(country)
  if (billingAddress && !isAmong(listAddressCountries(delivery), billingAddress.country))
    throw refuse('billingAddress.country', notDelivered)
  if (isPickup) {
    if (!delivery.pickup) throw refuse('isPickup', 'Orders cannot be picked up here any more')
    return { ...details, shippingAddress: toPickupAddress(delivery.pickup, shippingAddress) }
  }
  if (!isAmong(delivery.countries, shippingAddress.country))
    throw refuse('shippingAddress.country', notDelivered)
  return details
}

/** As for anything that the schema itself refuses. */
function refuse(field: string, text: string): Refusal {
  return new Refusal('bad-request', { text, facts: { field } })
}
