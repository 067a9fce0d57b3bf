import { randomUUID } from 'node:crypto'
import type { SaleMailKind } from '#contract/mails.ts'
import type { Address } from '#contract/orders.ts'
import { nothingReturned } from '#contract/returned-money.ts'
import { defaultSettings } from '#contract/shop-settings.ts'
import { keepShownProduct } from '#server/catalog/products.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, mails, orders, products } from '#server/db/schema.ts'
import type { MailRow, MailSettings } from '#server/mail/compose.ts'
import type { PaidOrder } from '#server/orders/paid-order.ts'

export const anna: Address = {
  country: 'Germany',
  firstName: 'Anna',
  lastName: 'Müller',
  address: 'Lange Straße 12',
  apartment: 'Hinterhaus',
  city: 'Berlin',
  postcode: '10115',
}

export const mailSettings: MailSettings = {
  shopName: 'The Mug Shop',
  shopEmail: 'owner@mugs.example',
  alertEmail: 'owner@mugs.example',
  mutedAlerts: [],
  announcesSales: true,
  postalAddress: null,
  vatNumber: null,
  withdrawal: { scope: 'eu', policy: null },
  pickup: null,
  hasMailServer: true,
  buyersLanguage: 'en',
  openings: defaultSettings.texts,
  from: 'The Mug Shop <shop@mugs.example>',
  origin: 'https://shop.mugs.example',
  buyerOrigin: 'https://pay.mugs.example',
  secret: 'a secret of at least thirty-two signs',
}

export const mug = {
  name: 'Stoneware mug',
  price: '49.00',
  currency: 'EUR',
  description: null,
  imageUrl: '/api/objects/0123456789abcdef0123456789abcdef',
  headerLogoUrl: 'https://mugs.example/logo.png',
  headerName: 'Mugs',
} as const

export async function addOrder(
  db: Db,
  change: Partial<typeof orders.$inferInsert> = {},
): Promise<PaidOrder> {
  const [product] = await db
    .insert(products)
    .values({ ...mug, createdBy: 'owner' })
    .returning()
  if (!product) throw new Error('no product was added')
  const [order] = await db
    .insert(orders)
    .values({
      productId: product.id,
      product: { ...mug, id: product.id },
      customerEmail: 'anna@example.com',
      customerName: 'Anna Müller',
      customerPhone: '+49 30 123456',
      shippingAddress: anna,
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'card',
      sumupTransactionId: randomUUID(),
      ...change,
    })
    .returning()
  if (!order) throw new Error('no order was added')
  return { ...order, ...nothingReturned, isPaid: true }
}

export async function addMail(
  db: Db,
  change: Partial<typeof orders.$inferInsert> & {
    kind?: 'confirmation' | 'new-sale' | 'shipped' | 'refunded-1'
    /** What was refunded. */
    refunded?: string
  } = {},
): Promise<{ mail: MailRow; order: PaidOrder }> {
  const { kind = 'confirmation', refunded: amount = null, ...orderChange } = change
  const order = await addOrder(db, orderChange)
  const [mail] = await db.insert(mails).values({ orderId: order.id, kind, amount }).returning()
  if (!mail) throw new Error('no mail was added')
  return { mail, order }
}

/** How the sale has ended that a mail is about. */
const endStates: Record<SaleMailKind, string> = {
  'payment-returned': 'refunded',
  'not-charged': 'closed',
  'payment-closed': 'dismissed',
}

/** A sale that ended without an order, and the mail about it. */
export async function addSaleMail(
  db: Db,
  kind: SaleMailKind,
  change: Partial<typeof checkouts.$inferInsert> = {},
): Promise<{ mail: MailRow; saleId: string }> {
  const { productId, product, amount, currency } = await addOrder(db)
  const [sale] = await db
    .insert(checkouts)
    .values({
      productId,
      shownVersion: await keepShownProduct(db, product),
      amount,
      currency,
      merchantCode: 'M1',
      state: endStates[kind],
      details: {
        customerEmail: 'anna@example.com',
        customerName: 'Anna Müller',
        shippingAddress: anna,
        acceptsNews: false,
      },
      buyerTokenHash: '0'.repeat(64),
      sumupCheckoutId: randomUUID(),
      validUntil: new Date(),
      ...change,
    })
    .returning()
  if (!sale) throw new Error('no sale was added')
  const [mail] = await db.insert(mails).values({ saleId: sale.id, kind }).returning()
  if (!mail) throw new Error('no mail was added')
  return { mail, saleId: sale.id }
}

export async function getMail(db: Db, id: string): Promise<MailRow> {
  const [mail] = await db.select().from(mails).where(eq(mails.id, id))
  if (!mail) throw new Error('the mail is gone')
  return mail
}

/** Makes every waiting mail due. */
export async function makeMailsDue(db: Db): Promise<void> {
  await db
    .update(mails)
    .set({ nextTryAt: sql`now()` })
    .where(sql`${mails.nextTryAt} is not null`)
}
