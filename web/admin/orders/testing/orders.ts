import type { AdminOrder } from '#contract/orders.ts'

/** An order as the server shows it. */
export function createOrder(id: string, changes: Partial<AdminOrder> = {}): AdminOrder {
  return {
    id,
    number: 1001,
    productId: 'mug',
    product: {
      id: 'mug',
      name: 'Mug',
      imageUrl: null,
      description: null,
      headerLogoUrl: '/logo.png',
      headerName: null,
    },
    customerEmail: 'anna@example.com',
    customerPhone: null,
    customerName: 'Anna Müller',
    shippingAddress: {
      country: 'Germany',
      lastName: 'Müller',
      address: 'Weg 1',
      city: 'Berlin',
      postcode: '10115',
    },
    billingAddress: null,
    quantity: 1,
    amount: '49.00',
    currency: 'EUR',
    status: 'pending',
    sumupCheckoutId: null,
    sumupTransactionId: null,
    paymentMethod: 'card',
    shipment: null,
    acceptsNewsAt: null,
    maybeDuplicateOf: null,
    refundedAmount: '0.00',
    chargedBackAmount: '0.00',
    withdrawnAt: null,
    erasedAt: null,
    isTest: false,
    createdAt: '2026-11-15T09:05:00.000Z',
    updatedAt: '2026-11-15T09:05:00.000Z',
    ...changes,
  }
}
