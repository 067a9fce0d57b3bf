import type { CheckoutDetails } from '#contract/orders.ts'
import { isPickupAddress, toPickupAddress } from '#contract/pickup.ts'
import { listAddressCountries, type DeliverySettings } from '#contract/quotes.ts'
import { Refusal } from '#contract/refusals.ts'

/**
 * What a buyer typed, if the shop delivers there. The address of a pickup place is the shop's own, whatever was sent, unless
 * it `mustBeShown`: a page sends the place that it shows, and nobody has to go to another one than they chose.
 */
export function assertDelivered<Details extends CheckoutDetails>(
  details: Details,
  delivery: DeliverySettings,
  { mustBeShown }: { mustBeShown: boolean },
): Details {
  const { shippingAddress, billingAddress, isPickup } = details
  const { countries, pickup } = delivery
  const isAmong = (offered: readonly string[], country: string) => offered.includes(country)
  if (billingAddress && !isAmong(listAddressCountries(delivery), billingAddress.country))
    throw refuse('billingAddress.country')
  if (isPickup) {
    if (!pickup || (mustBeShown && !isPickupAddress(shippingAddress, pickup)))
      throw refuse('isPickup')
    return { ...details, shippingAddress: toPickupAddress(pickup, shippingAddress) }
  }
  if (!isAmong(countries, shippingAddress.country)) throw refuse('shippingAddress.country')
  return details
}

/** With a code: a page from before the owner changed the delivery is behind. */
function refuse(field: string): Refusal {
  return new Refusal('not-delivered', { facts: { field } })
}
