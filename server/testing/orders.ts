import { randomUUID } from 'node:crypto'
import type { Address } from '#contract/orders.ts'
import { objectUrl } from '#contract/pictures.ts'
import type { Terms } from '#contract/quotes.ts'
import type { Db } from '#server/db/database.ts'
import { payments } from '#server/db/payment-schema.ts'
import { orders, products, type OrderRow } from '#server/db/schema.ts'

/** Of the shop itself, since a browser in tests reaches nothing else. Served by `openBrowserShop()`. */
export const ownLogo = objectUrl('0a'.repeat(16))

export const annasAddress: Address = {
  country: 'Germany',
  firstName: 'Anna',
  lastName: 'Müller',
  address: 'Lange Straße 12',
  apartment: 'Hinterhaus',
  city: 'Berlin',
  postcode: '10115',
}

/** Of an order that is picked up. */
export const pickupTerms: Terms = {
  subtotal: '49.00',
  shipping: '0.00',
  discount: '0.00',
  code: null,
  country: null,
  isPickup: true,
}

/** Inserts orders of one new product, each with its changes. */
export async function addOrders(
  db: Db,
  changes: (Partial<typeof orders.$inferInsert> & { productName?: string })[],
): Promise<OrderRow[]> {
  const headerLogoUrl = ownLogo
  const [mug] = await db
    .insert(products)
    .values({ name: 'Mug', price: '49.00', headerLogoUrl, createdBy: 'owner' })
    .returning()
  if (!mug) throw new Error('no product was added')
  const { id, imageUrl, headerName } = mug
  const product = {
    id,
    imageUrl,
    headerName,
    headerLogoUrl,
    price: '49.00',
    currency: 'EUR',
  } as const
  return db
    .insert(orders)
    .values(
      changes.map(({ productName = 'Mug', ...change }) => ({
        productId: id,
        product: { ...product, name: productName, description: null },
        customerEmail: 'anna@example.com',
        customerName: 'Anna Müller',
        customerPhone: '+49 30 123456',
        shippingAddress: annasAddress,
        amount: '49.00',
        currency: 'EUR',
        paymentMethod: 'card',
        sumupCheckoutId: randomUUID(),
        sumupTransactionId: randomUUID(),
        ...change,
      })),
    )
    .returning()
}

/** Adds the payment that an order was made for, with what went back of it. */
export async function addPayment(
  db: Db,
  order: OrderRow | undefined,
  change: Partial<typeof payments.$inferInsert> = {},
): Promise<{ id: string }> {
  if (!order?.sumupTransactionId) throw new Error('the order has no payment')
  const [added] = await db
    .insert(payments)
    .values({
      merchantCode: 'M1',
      transactionId: order.sumupTransactionId,
      amount: order.amount,
      currency: order.currency,
      isTest: order.isTest,
      status: 'successful',
      ...change,
    })
    .returning({ id: payments.id })
  if (!added) throw new Error('no payment was added')
  return added
}
