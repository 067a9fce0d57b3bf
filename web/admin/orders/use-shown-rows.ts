import { type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'

import { useMediaQuery } from '#web/ui/use-media-query.ts'

import { makeSlots } from './slots.ts'

/** About how tall a row is before it is measured: in a table, and as a card. */
const guessPx = { table: 89, card: 230 }
/** Rows kept beyond the edges of the screen, so that none is missing when one scrolls. */
const overscan = 4

type RowsToShow = {
  count: number
  /** Another function means that the rows are others: all of them are looked at again. */
  keyOf: (index: number) => string | number
  /** Which rows are in the page, out of those that could be. */
  rangeExtractor: (range: Range) => number[]
}

/** The rows on the screen out of however many there are, and how much room is left before each for those that are not. */
export function useShownRows(body: RefObject<HTMLElement | null>, rows: RowsToShow) {
  const isWide = useMediaQuery('(width >= 76rem)')
  const [assignSlots] = useState(makeSlots)
  const { top, width } = usePlaceOf(body)

  // oxlint-disable-next-line react/incompatible-library -- about a compiler that is not used here
  const virtual = useWindowVirtualizer({
    count: rows.count,
    getItemKey: rows.keyOf,
    rangeExtractor: rows.rangeExtractor,
    estimateSize: () => (isWide ? guessPx.table : guessPx.card),
    overscan,
    scrollMargin: top,
  })
  useLayoutEffect(() => {
    for (const row of body.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])
      virtual.resizeItem(Number(row.dataset.index), row.offsetHeight)
  })
  const forgetHeights = useEffectEvent(() => virtual.measure())
  useEffect(() => {
    if (width > 0) forgetHeights()
  }, [width])

  const items = virtual.getVirtualItems()
  const slots = assignSlots(items.map(({ key }) => key))
  return {
    height: virtual.getTotalSize(),
    /** The first one on the screen. */
    first: virtual.range?.startIndex ?? 0,
    scrollToRow: useCallback(
      (index: number) => virtual.scrollToIndex(index, { align: 'start' }),
      [virtual],
    ),
    shown: items.map(({ index, start }, place) => ({
      index,
      slot: slots[place],
      gap: start - (items[place - 1]?.end ?? top),
    })),
  }
}

/** How far below the page's head the list begins, and how wide it is; what stands above it may come and go. */
function usePlaceOf(body: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ top: 0, width: 0 })
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      const box = body.current?.getBoundingClientRect()
      if (!box) return
      const now = { top: Math.round(box.top + scrollY), width: Math.round(box.width) }
      setPlace((known) => (known.top === now.top && known.width === now.width ? known : now))
    })
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [body])
  return place
}
