import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

import { useMediaQuery } from './use-media-query.ts'

/** From before the page is laid out for the printer until it is shown again. */
export function useIsPrinting(): boolean {
  const [isBetweenEvents, setIsBetweenEvents] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setIsBetweenEvents(true))
    const end = () => setIsBetweenEvents(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  const isPaper = useMediaQuery('print')
  return isBetweenEvents || isPaper
}
