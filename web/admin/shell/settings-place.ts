import { useLocation, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

import type { SettingsPlace } from '#contract/admin.ts'

const parameter = 'settings'

/**
 * Account and settings are dialogs over any page, with their place in its address: `?settings=people`. The rest of the
 * address stays, so that the page behind the dialog does too.
 */
export function useSettingsPlace() {
  const [path] = useLocation()
  const query = useSearch()

  function hrefOf(place: SettingsPlace | undefined): string {
    const params = new URLSearchParams(query)
    if (place) params.set(parameter, place)
    else params.delete(parameter)
    return params.size > 0 ? `${path}?${params}` : path
  }

  return {
    /** As the address says; it may be one that does not exist. */
    place: new URLSearchParams(query).get(parameter) ?? undefined,
    hrefOf,
    /** Replaces one section by another. */
    change: (place: SettingsPlace) => {
      navigate(hrefOf(place), { replace: true, state: history.state as unknown })
    },
    /** Goes back if the dialog was opened from this page; after following a link, stays on the page. */
    close: () => {
      const state = history.state as { isOpenedHere?: true } | null
      if (state?.isOpenedHere) history.back()
      else navigate(hrefOf(undefined), { replace: true, state })
    },
  }
}
