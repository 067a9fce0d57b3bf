import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import { readListPosition, saveListPosition } from '#web/admin/shell/list-position.ts'
import { useIsPrinting } from '#web/ui/use-is-printing.ts'
import { useMediaQuery } from '#web/ui/use-media-query.ts'

/** Estimated row heights until rows are measured. */
const estimatedPx = { table: 89, card: 230, compactTable: 49, compactCard: 150 }
/** More rows than this are not printed. */
export const maxPrintedRows = 2_000
/** Rows rendered beyond the edges of the screen. */
const overscan = 4
/** Browsers limit how often the history may be changed. */
const scrollPauseMs = 200
/** After a reload, a position further down than this is not restored. */
const maxRestoredRows = 10_000

type Key = string | number | bigint

type VirtualRows = {
  count: number
  isCompact: boolean
  /** When this function changes, all rows are read again. */
  getKey: (index: number) => string | number
  /** Which rows to render, in addition to those on the screen. */
  rangeExtractor: (range: Range) => number[]
}

/** Renders only the rows on the screen. Each has a `gap` before it, for the rows that are not rendered. */
export function useVirtualRows(body: RefObject<HTMLElement | null>, rows: VirtualRows) {
  const isTable = useMediaQuery('(width >= 76rem)')
  const isPrinting = useIsPrinting()
  const [assignKeys] = useState(createKeyPool)
  const { top, width } = usePosition(body)

  const [table, card] = rows.isCompact
    ? (['compactTable', 'compactCard'] as const)
    : (['table', 'card'] as const)
  const estimate = isTable ? table : card

  // oxlint-disable-next-line react/incompatible-library -- about a compiler that is not used here
  const virtualizer = useWindowVirtualizer({
    count: rows.count,
    getItemKey: rows.getKey,
    rangeExtractor: isPrinting ? extractAll : rows.rangeExtractor,
    estimateSize: () => estimatedPx[estimate],
    overscan,
    scrollMargin: top,
  })
  useLayoutEffect(() => {
    for (const row of body.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])
      virtualizer.resizeItem(Number(row.dataset.index), row.offsetHeight)
  })
  const resetHeights = useEffectEvent(() => virtualizer.measure())
  useEffect(() => {
    if (width > 0) resetHeights()
  }, [width, rows.isCompact])

  const items = virtualizer.getVirtualItems()
  const keys = assignKeys(items.map(({ key }) => key))
  return {
    height: virtualizer.getTotalSize(),
    isPrinting,
    /** The row at this position, also before it has been rendered there. */
    findRowAt: (top: number) => virtualizer.getVirtualItemForOffset(top)?.index ?? 0,
    scrollToRow: useCallback(
      (index: number) => virtualizer.scrollToIndex(index, { align: 'start' }),
      [virtualizer],
    ),
    rows: items.map(({ index, start }, position) => ({
      index,
      key: keys[position],
      gap: start - (items[position - 1]?.end ?? top),
    })),
  }
}

/**
 * Assigns React keys so that rows which scroll into view reuse the elements of those that left: updating a row is many
 * times faster than creating one. A row keeps its element, and its focus, for as long as it is rendered.
 */
export function createKeyPool() {
  let assigned = new Map<Key, number>()

  return function assignKeys(rows: readonly Key[]): number[] {
    const kept = new Set(rows.flatMap((row) => assigned.get(row) ?? []))
    let free = 0
    const keys = rows.map((row) => {
      const known = assigned.get(row)
      if (known !== undefined) return known
      while (kept.has(free)) free += 1
      return free++
    })
    assigned = new Map(rows.map((row, index) => [row, keys[index] ?? 0]))
    return keys
  }
}

/** Where the list begins on the page, and its width. Content above it may appear and disappear. */
function usePosition(body: RefObject<HTMLElement | null>) {
  const [position, setPosition] = useState({ top: 0, width: 0 })
  useLayoutEffect(() => {
    function measure(): void {
      const box = body.current?.getBoundingClientRect()
      if (!box) return
      const next = { top: Math.round(box.top + scrollY), width: Math.round(box.width) }
      setPosition((current) =>
        current.top === next.top && current.width === next.width ? current : next,
      )
    }
    // At once, before the virtualizer fills the screen: rows for the space above the list would be rendered in vain.
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [body])
  return position
}

/** Every row, since paper does not scroll. */
function extractAll({ count }: Range): number[] {
  return Array.from({ length: Math.min(count, maxPrintedRows) }, (_row, index) => index)
}

/**
 * Keeps the focused row rendered, however far it is scrolled away. When it leaves the list, the row that takes its
 * position gets the focus.
 */
export function useRowFocus(body: RefObject<HTMLElement | null>, rows: readonly { id: string }[]) {
  const focused = useRef<{ id: string; index: number; tag: string }>(undefined)
  const [focusedIndex, setFocusedIndex] = useState<number>()

  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      if (focusedIndex === undefined || focusedIndex >= range.count) return indexes
      return [...new Set([...indexes, focusedIndex])].toSorted((a, b) => a - b)
    },
    [focusedIndex],
  )

  useLayoutEffect(() => {
    const last = focused.current
    if (!last || rows.some(({ id }) => id === last.id)) return
    // The element of the row that left may now show another row, and hold the focus there.
    const active = document.activeElement
    if (active !== document.body && !body.current?.contains(active)) return
    const index = Math.min(last.index, rows.length - 1)
    const next = body.current?.querySelector<HTMLElement>(`[data-index="${index}"] ${last.tag}`)
    ;(next ?? document.querySelector('main'))?.focus({ preventScroll: true })
  }, [rows, body])

  return {
    rangeExtractor,
    handlers: {
      onFocus({ target }: FocusEvent) {
        const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index)
        const row = rows[index]
        focused.current = row && { id: row.id, index, tag: target.tagName }
        setFocusedIndex(row && index)
      },
      onBlur({ currentTarget, relatedTarget }: FocusEvent) {
        if (!relatedTarget || currentTarget.contains(relatedTarget)) return
        focused.current = undefined
        setFocusedIndex(undefined)
      },
    },
  }
}

/** How many rows the list had when it was left, so that space is kept while they load again. */
export function useExpectedRows(listName: string): number {
  const [expected, setExpected] = useState(() => ({ listName, rows: readExpectedRows() }))
  if (expected.listName !== listName) setExpected({ listName, rows: readExpectedRows() })
  return expected.rows
}

function readExpectedRows(): number {
  const { rows } = readListPosition()
  return rows <= maxRestoredRows ? rows : 0
}

type ScrolledList = {
  /** A new name is a new list, which begins at its top. */
  listName: string
  /** Including expected rows, so that a reload while they load keeps the position. */
  rowCount: number
  /** False while the rows of the previous list are shown. */
  isReady: boolean
  findRowAt: (top: number) => number
  scrollToRow: (index: number) => void
}

/** Restores the scroll position of a list, and remembers it while scrolling. */
export function useScrollPosition(list: ScrolledList) {
  const { listName, rowCount, isReady, findRowAt, scrollToRow } = list
  const restored = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (!isReady || restored.current === listName) return
    const { top, row } = readListPosition()
    if (top === 0 && row > 1 && row <= maxRestoredRows) scrollToRow(row - 1)
    else if (restored.current !== undefined || top > 0) window.scrollTo(0, top)
    restored.current = listName
  }, [listName, isReady, scrollToRow])

  // The page may have been scrolled on since it was rendered: the row belongs to the same moment as the pixel.
  const remember = useEffectEvent(() =>
    saveListPosition({ top: scrollY, rows: rowCount, row: findRowAt(scrollY) + 1 }),
  )
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    function onScroll() {
      clearTimeout(timer)
      timer = setTimeout(() => remember(), scrollPauseMs)
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      removeEventListener('scroll', onScroll)
      clearTimeout(timer)
    }
  }, [])
}
