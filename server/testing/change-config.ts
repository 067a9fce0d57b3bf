import type { Config } from '#server/config.ts'
import type { TestShop } from './test-shop.ts'

/** Changes what is in force without the settings, which are read-only in the configuration. */
export function changeConfig({ shop }: Pick<TestShop, 'shop'>, changes: Partial<Config>): void {
  for (const [name, value] of Object.entries(changes))
    Object.defineProperty(shop.config, name, { value, enumerable: true })
}
