import type { Mode } from '#contract/mode.ts'
import type { ShopFacts } from '#contract/public-pages.ts'
import { listOffered } from '#contract/payment-methods.ts'
import type { Config } from '#server/config.ts'

export type ReadFacts = () => ShopFacts

type FactsConfig = Pick<
  Config,
  'settingsVersion' | 'shop' | 'policies' | 'delivery' | 'methods' | 'mail'
>

/** What buyers can read about the shop, as it is now: the same object until it changes. */
export function createFactsReader(
  config: FactsConfig,
  findMode: () => Mode | undefined,
): ReadFacts {
  let last: { version: number; facts: ShopFacts } | undefined
  return () => {
    const { settingsVersion: version } = config
    const isTestMode = findMode() === 'test'
    if (last?.version !== version || last.facts.isTestMode !== isTestMode)
      last = { version, facts: describeShop(config, isTestMode) }
    return last.facts
  }
}

function describeShop(config: FactsConfig, isTestMode: boolean): ShopFacts {
  const { shop, policies, delivery, methods, mail } = config
  const { name = null, logoUrl, email = null, postalAddress, imprint, vatNumber } = shop
  return {
    name,
    logoUrl,
    email,
    postalAddress,
    imprint,
    vatNumber,
    policies,
    delivery,
    isMoreThanCards: listOffered(methods).length > 0,
    sendsMails: mail.smtpUrl !== undefined,
    isTestMode,
  }
}
