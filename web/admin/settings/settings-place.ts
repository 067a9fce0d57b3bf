import { useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

import { apiRoutes } from '#contract/paths.ts'
import type { SettingsSection, ShopSettings } from '#contract/shop-settings.ts'

/* What every page of the back-office needs of the settings. The dialog itself, with its schemas, loads when it is opened. */

export const settingsKey = [apiRoutes.settings]

export function useShopSettings() {
  return useQuery<ShopSettings>({ queryKey: settingsKey })
}

/** The section that the address says is open: ?settings=shop. Null for none; it may be one that does not exist. */
export function useSettingsPlace(): string | null {
  return new URLSearchParams(useSearch()).get('settings')
}

/** The current page with a section open, or with none. */
export function settingsHref(section: SettingsSection | undefined): string {
  const params = new URLSearchParams(location.search)
  if (section) params.set('settings', section)
  else params.delete('settings')
  return `${location.pathname}${params.size > 0 ? `?${params}` : ''}`
}

export function openSettings(section: SettingsSection | undefined, replaces = false): void {
  navigate(settingsHref(section), { replace: replaces })
}
