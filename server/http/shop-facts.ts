import type { ShopFacts } from '#contract/public-pages.ts'
import type { Config } from '#server/config.ts'

export type ReadFacts = () => ShopFacts

type FactsConfig = Pick<Config, 'shop' | 'policies' | 'delivery'>

/** What buyers can read about the shop, as it is now: the same object until it changes. */
export function createFactsReader(config: FactsConfig): ReadFacts {
  let last: { of: FactsConfig; facts: ShopFacts } | undefined
  return () => {
    const { shop, policies, delivery } = config
    const isSame =
      last?.of.shop === shop && last.of.policies === policies && last.of.delivery === delivery
    if (!last || !isSame) {
      const { name = null, logoUrl, email = null, postalAddress, imprint, vatNumber } = shop
      const facts = { name, logoUrl, email, postalAddress, imprint, vatNumber, policies, delivery }
      last = { of: { shop, policies, delivery }, facts }
    }
    return last.facts
  }
}
