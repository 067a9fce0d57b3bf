import { useMemo } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

import { type OrderAddress, readAddress, writeAddress } from './order-search.ts'

export type OrderAddressing = ReturnType<typeof useOrderAddress>

/** What the address says about a list, and how to say something else. The same object until it says so. */
export function useOrderAddress(path: string) {
  // Without the place in the list, which changes with every scroll.
  const said = writeAddress(readAddress(useSearch()))
  return useMemo(() => addressing(path, readAddress(said)), [path, said])
}

let isGoingBack = false

/** A second click comes before the first has led anywhere, and would lead out of the page. */
function goBackOnce(): void {
  if (isGoingBack) return
  isGoingBack = true
  addEventListener('popstate', () => (isGoingBack = false), { once: true })
  history.back()
}

function addressing(path: string, address: OrderAddress) {
  function hrefOf(changes: Partial<OrderAddress>): string {
    const closed = { openId: undefined, isArchiveOpen: false }
    return `${path}${writeAddress({ ...address, ...closed, ...changes })}`
  }

  function openBeside(changes: Partial<OrderAddress>): void {
    navigate(hrefOf(changes), { state: { ...history.state, isOpenedHere: true } })
  }

  return {
    address,
    hrefOf,
    /** Back leads out of a search in one step, however long one has typed. */
    search: (q: string) =>
      navigate(hrefOf({ q }), { replace: address.q !== '' && q.trim() !== '' }),
    open: (openId: string) => openBeside({ openId }),
    openArchive: () => openBeside({ isArchiveOpen: true }),
    /** Back, where that is what closes it; whoever came by a link stays on the list. */
    close: () => {
      const state = history.state as { isOpenedHere?: true } | null
      if (!state?.isOpenedHere) navigate(hrefOf({}), { replace: true, state })
      else goBackOnce()
    },
  }
}
