import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import type { AdminOrder } from '#contract/orders.ts'

type Held = { id: string; place: number; tag: string }

/**
 * The row that holds the keyboard's focus stays in the page however far one scrolls. When its order leaves
 * the list, the row that takes its place takes the focus too.
 */
export function useKeptFocus(body: RefObject<HTMLElement | null>, orders: readonly AdminOrder[]) {
  const held = useRef<Held>(undefined)
  const [heldPlace, setHeldPlace] = useState<number>()

  const keep = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range)
      if (heldPlace === undefined || heldPlace >= range.count || shown.includes(heldPlace))
        return shown
      return [...shown, heldPlace].toSorted((a, b) => a - b)
    },
    [heldPlace],
  )

  useLayoutEffect(() => {
    const lost = held.current
    if (!lost || document.activeElement !== document.body) return
    if (orders.some(({ id }) => id === lost.id)) return
    const place = Math.min(lost.place, orders.length - 1)
    const heir = body.current?.querySelector<HTMLElement>(`[data-index="${place}"] ${lost.tag}`)
    ;(heir ?? document.querySelector('main'))?.focus({ preventScroll: true })
  }, [orders, body])

  return {
    keep,
    handlers: {
      onFocus({ target }: FocusEvent) {
        const place = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index)
        const order = orders[place]
        held.current = order && { id: order.id, place, tag: target.tagName }
        setHeldPlace(order && place)
      },
      onBlur({ currentTarget, relatedTarget }: FocusEvent) {
        if (!relatedTarget || currentTarget.contains(relatedTarget)) return
        held.current = undefined
        setHeldPlace(undefined)
      },
    },
  }
}
