import { useQuery } from '@tanstack/react-query'

import { apiRoutes } from '#contract/paths.ts'
import type { ShopSettings } from '#contract/shop-settings.ts'

/* What other pages need of the settings. The dialog itself, with its schemas, loads when it is opened. */

export const settingsKey = [apiRoutes.settings]

/** `isFresh`: reads them again when it is first used, since nodes and other admins change them. */
export function useShopSettings({ isFresh = false } = {}) {
  return useQuery<ShopSettings>({
    queryKey: settingsKey,
    ...(isFresh && { refetchOnMount: 'always' as const }),
  })
}
