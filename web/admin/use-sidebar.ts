import { useEffect, useEffectEvent, useState } from 'react'

import { useMediaQuery } from '#web/ui/use-media-query.ts'

import { isExpandedCookie, readIsExpanded } from './sidebar-cookie.ts'

/** Narrower than 768 px. */
const mobileQuery = '(width < 768px)'

/** Wide: a column, expanded or collapsed to icons and remembered so. Narrow: a panel over the page. */
export function useSidebar() {
  const isMobile = useMediaQuery(mobileQuery)
  const [isExpanded, setIsExpanded] = useState(() => readIsExpanded(document.cookie))
  const [isPanelOpen, setIsPanelOpen] = useState(false)

  // A panel left open must not come back by itself when the window grows and shrinks again.
  if (!isMobile && isPanelOpen) setIsPanelOpen(false)

  function toggle() {
    if (isMobile) return setIsPanelOpen(!isPanelOpen)
    setIsExpanded(!isExpanded)
    document.cookie = isExpandedCookie(!isExpanded)
  }

  useShortcut(toggle)
  return {
    isMobile,
    isOpen: isMobile ? isPanelOpen : isExpanded,
    toggle,
    close: () => setIsPanelOpen(false),
  }
}

function useShortcut(onPress: () => void) {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (!isCommand || event.key.toLowerCase() !== 'b') return
    event.preventDefault()
    if (!event.repeat) onPress()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
