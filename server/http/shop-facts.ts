import type { ShopFacts } from '#contract/public-pages.ts'
import type { Config } from '#server/config.ts'

export type ReadFacts = () => ShopFacts

/** What buyers can read about the shop, as it is now: the same object until it changes. */
export function createFactsReader(config: Pick<Config, 'shop' | 'policies'>): ReadFacts {
  let last: { of: [Config['shop'], Config['policies']]; facts: ShopFacts } | undefined
  return () => {
    const { shop, policies } = config
    if (last?.of[0] !== shop || last.of[1] !== policies) {
      const { name = null, logoUrl, email = null, postalAddress, imprint, vatNumber } = shop
      const facts = { name, logoUrl, email, postalAddress, imprint, vatNumber, policies }
      last = { of: [shop, policies], facts }
    }
    return last.facts
  }
}
