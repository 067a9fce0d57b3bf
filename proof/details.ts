import type { Visitor } from './plan-visitors.ts'

/** Contact and delivery that tell one visitor from another. */
export function detailsOf({ number }: Visitor) {
  return {
    customerEmail: `visitor-${number}@example.com`,
    customerName: `Visitor ${number}`,
    shippingAddress: {
      country: 'Germany',
      firstName: 'Visitor',
      lastName: String(number),
      address: `Weg ${number}`,
      city: 'Berlin',
      postcode: '10115',
    },
  }
}
