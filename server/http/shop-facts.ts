import type { Mode } from '#contract/mode.ts'
import type { ShopFacts } from '#contract/public-pages.ts'
import { listOffered } from '#contract/payment-methods.ts'
import type { Config } from '#server/config.ts'

export type ReadFacts = () => ShopFacts

type FactsConfig = Pick<Config, 'shop' | 'policies' | 'delivery' | 'methods' | 'mail'>

/** What buyers can read about the shop, as it is now: the same object until it changes. */
export function createFactsReader(
  config: FactsConfig,
  findMode: () => Mode | undefined,
): ReadFacts {
  let last: { of: Omit<FactsConfig, 'mail'>; facts: ShopFacts } | undefined
  return () => {
    const { shop, policies, delivery, methods, mail } = config
    const sendsMails = mail.smtpUrl !== undefined
    const isTestMode = findMode() === 'test'
    const isSame =
      last?.of.shop === shop &&
      last.of.policies === policies &&
      last.of.delivery === delivery &&
      last.of.methods === methods &&
      last.facts.sendsMails === sendsMails &&
      last.facts.isTestMode === isTestMode
    if (!last || !isSame) {
      const { name = null, logoUrl, email = null, postalAddress, imprint, vatNumber } = shop
      const contact = { name, logoUrl, email, postalAddress, imprint, vatNumber }
      const isMoreThanCards = listOffered(methods).length > 0
      const facts = { ...contact, policies, delivery, isMoreThanCards, sendsMails, isTestMode }
      last = { of: { shop, policies, delivery, methods }, facts }
    }
    return last.facts
  }
}
