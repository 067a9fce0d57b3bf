import { useQuery } from '@tanstack/react-query'

import { apiRoutes } from '#contract/paths.ts'
import type { ShopSettings } from '#contract/shop-settings.ts'

/* What other pages need of the settings. The dialog itself, with its schemas, loads when it is opened. */

export const settingsKey = [apiRoutes.settings]

export function useShopSettings() {
  return useQuery<ShopSettings>({ queryKey: settingsKey })
}
