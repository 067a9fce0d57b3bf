import { useRef } from 'react'

/**
 * Ignores calls while one is under way. A double click comes before React knows that the first has begun, and would save twice.
 * A failure is for whoever renders it.
 */
export function useOneAtATime<Given extends unknown[]>(
  act: (...given: Given) => Promise<unknown>,
): (...given: Given) => void {
  const isBusy = useRef(false)
  return (...given) => {
    if (isBusy.current) return
    isBusy.current = true
    const end = () => {
      isBusy.current = false
    }
    act(...given).then(end, end)
  }
}
