import type { PublicOrder } from '#contract/orders.ts'

type ShownAddress = PublicOrder['shippingAddress']

/** An address as it stands on a parcel. Whoever may not see it all sees the country alone. */
export function AddressLines({ address }: { address: ShownAddress }) {
  const lines = linesOf(address)

  return (
    <address className="not-italic">
      {lines.map((line, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity, and never move
        <span key={place} className="block">
          <bdi>{line}</bdi>
        </span>
      ))}
    </address>
  )
}

export function isSameAddress(one: ShownAddress, other: ShownAddress): boolean {
  return linesOf(one).join('\n') === linesOf(other).join('\n')
}

function linesOf(shown: ShownAddress): string[] {
  const { firstName, lastName, address, apartment, city, state, postcode, country, phone } = shown
  return [
    join(firstName, lastName),
    address ?? '',
    apartment ?? '',
    join(city, state, postcode),
    country,
    phone ?? '',
  ].filter(Boolean)
}

function join(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
