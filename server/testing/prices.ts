import type { DeliverySettings } from '#contract/quotes.ts'
import type { Config } from '#server/config.ts'
import { discountCodes } from '#server/db/order-schema.ts'
import type { TestShop } from './test-shop.ts'

/** Germany costs 4.90, and nothing from 60 on; France and Belgium 9.50; the others nothing. */
export const pricedDelivery: DeliverySettings = {
  countries: ['Belgium', 'France', 'Germany', 'Italy', 'Netherlands'],
  prices: [
    { countries: ['Germany'], price: '4.90', freeFrom: '60.00' },
    { countries: ['France', 'Belgium'], price: '9.50', freeFrom: null },
  ],
  pickup: {
    name: 'The shop',
    address: 'Markt 1',
    postcode: '10178',
    city: 'Berlin',
    state: null,
    country: 'Germany',
    hours: null,
  },
}

/** A code of 10 percent, unless something else is said. */
export async function addCode(
  { db }: Pick<TestShop, 'db'>,
  code: string,
  more: Partial<typeof discountCodes.$inferInsert> = {},
): Promise<void> {
  const percent = more.amount ? null : 10
  await db.insert(discountCodes).values({ code, percent, createdBy: 'owner', ...more })
}

/** Changes what is in force as saved settings do, without saving any. */
export function changeConfig({ shop }: Pick<TestShop, 'shop'>, changes: Partial<Config>): void {
  const { config } = shop
  for (const [name, value] of Object.entries(changes))
    Object.defineProperty(config, name, { value, enumerable: true })
  const saved = Object.getOwnPropertyDescriptor(config, 'settingsVersion')
  Object.defineProperty(config, 'settingsVersion', { get: () => saved?.get?.() + 1 })
}
