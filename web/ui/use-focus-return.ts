import { useRef } from 'react'

/**
 * Closing gives focus back to what had it before, unless it has moved on by then, to a new page.
 * What is gone, such as the button of a list that is no longer empty, is stood in for by the page.
 */
export function useFocusReturn() {
  const opener = useRef<Element>(null)
  return {
    remember: () => {
      opener.current = document.activeElement
    },
    giveBack: (event: Event) => {
      event.preventDefault()
      if (document.activeElement !== document.body) return
      const isThere = opener.current instanceof HTMLElement && opener.current.isConnected
      const heir = isThere ? opener.current : document.querySelector('main')
      if (heir instanceof HTMLElement) heir.focus()
    },
  }
}
