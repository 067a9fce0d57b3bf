import {
  defaultDelivery,
  quote,
  type DeliverySettings,
  type DeliveryWish,
} from '#contract/quotes.ts'
import { productSchema } from '#contract/products.ts'
import { updateProduct } from '#server/catalog/products.ts'
import { eq } from '#server/db/drizzle.ts'
import { discountCodes } from '#server/db/order-schema.ts'
import { changeConfig, pricedDelivery } from '#server/testing/prices.ts'
import type { TestShop } from '#server/testing/test-shop.ts'

/* What the mug of the model costs, which its owner changes, and what a page shows of that. */

/** Where a buyer wants it, and the code of their link. */
export type Wish = DeliveryWish & { code?: string }

export const countries = ['Germany', 'France', 'Belgium', 'Italy'] as const
export const modelCode = 'MODEL'

/** The first is the one that a scenario begins with. The last one knows no place to pick anything up. */
const deliveries: [DeliverySettings, ...DeliverySettings[]] = [
  defaultDelivery,
  pricedDelivery,
  {
    ...pricedDelivery,
    prices: [{ countries: ['Germany', 'France'], price: '7.30', freeFrom: null }],
    pickup: null,
  },
]

export async function openPrices(shop: TestShop & { mug: string }) {
  const { db, mug } = shop
  let price = '49.00'
  let percent = 10
  let delivery = deliveries[0]

  async function setPrice(next: string): Promise<void> {
    price = next
    const headerLogoUrl = 'https://example.com/logo.png'
    await updateProduct(db, mug, productSchema.parse({ name: 'Mug', price, headerLogoUrl }))
  }

  async function setPercent(next: number): Promise<void> {
    percent = next
    await db.update(discountCodes).set({ percent }).where(eq(discountCodes.code, modelCode))
  }

  function setDelivery(number: number): void {
    delivery = deliveries[number % deliveries.length] ?? delivery
    changeConfig(shop, { delivery })
  }

  /** The amount that a page shows; undefined where it cannot be had so. */
  function show({ code, ...wish }: Wish): string | undefined {
    const discount = code ? { code, kind: 'percent' as const, percent } : null
    const quoted = quote({ price, hasCents: true, discount, delivery }, wish)
    return typeof quoted === 'string' ? undefined : quoted.amount
  }

  await setPrice(price)
  await setPercent(percent)
  setDelivery(0)
  return { setPrice, setPercent, setDelivery, show }
}
