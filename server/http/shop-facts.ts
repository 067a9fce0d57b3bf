import type { ShopFacts } from '#contract/public-pages.ts'
import type { Config } from '#server/config.ts'

export type ReadFacts = () => ShopFacts

/** What buyers can read about the shop, as it is now: the same object until it changes. */
export function createFactsReader(
  config: Pick<Config, 'shop' | 'policies' | 'delivery'>,
): ReadFacts {
  let last:
    | { of: [Config['shop'], Config['policies'], Config['delivery']]; facts: ShopFacts }
    | undefined
  return () => {
    const { shop, policies, delivery } = config
    if (last?.of[0] !== shop || last.of[1] !== policies || last.of[2] !== delivery) {
      const { name = null, logoUrl, email = null, postalAddress, imprint, vatNumber } = shop
      const seller = { name, logoUrl, email, postalAddress, imprint, vatNumber }
      const facts = { ...seller, hasShippingPrices: delivery.prices.length > 0, policies }
      last = { of: [shop, policies, delivery], facts }
    }
    return last.facts
  }
}
