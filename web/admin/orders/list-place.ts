import {
  type FocusEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import {
  type ListPosition,
  readListPosition,
  saveListPosition,
} from '#web/admin/shell/list-position.ts'

/*
 * What a long list remembers: how many rows were loaded, how far it was scrolled, and which row has the focus.
 */

/** Ten pages. After a reload further rows are loaded on request again. */
const maxRestoredRows = 1_000
/** Browsers limit how often the history may be changed. */
const scrollPauseMs = 200

type Loading = {
  /** A new name is a new list, which begins at its top. */
  listName: string
  rowCount: number
  /** False while no page of this list is here. */
  isReady: boolean
  canLoadMore: boolean
  loadMore: () => void
}

/**
 * Loads the rows that the list had when it was left, and the next ones when all that were there have left the list. True
 * until they are there.
 */
export function useRestoredRows({ listName, isReady, loadMore, ...list }: Loading): boolean {
  const [wanted, setWanted] = useState(() => ({ listName, rows: readWantedRows() }))
  const isOther = wanted.listName !== listName
  const isShort = list.rowCount < Math.max(wanted.rows, 1)
  const isRestoring = isReady && !isOther && list.canLoadMore && isShort
  if (isOther) setWanted({ listName, rows: readWantedRows() })
  // Only once: a list that gets shorter later stays so.
  else if (isReady && !isRestoring && wanted.rows > 0) setWanted({ listName, rows: 0 })
  useEffect(() => {
    if (isRestoring) loadMore()
  })
  return isRestoring
}

function readWantedRows(): number {
  return Math.min(readListPosition().rows, maxRestoredRows)
}

type ScrolledList = {
  body: RefObject<HTMLElement | null>
  listName: string
  rowCount: number
  /** False while the rows of the previous list are shown. */
  isReady: boolean
}

/** Restores the scroll position of a list, and remembers it while scrolling. */
export function useScrollPosition({ body, listName, rowCount, isReady }: ScrolledList) {
  const restored = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (!isReady || restored.current === listName) return
    const { top, row } = readListPosition()
    const first = row && body.current?.children[row.index]
    if (first) window.scrollTo(0, scrollY + first.getBoundingClientRect().top + row.hiddenPx)
    else if (restored.current !== undefined || top > 0) window.scrollTo(0, top)
    restored.current = listName
  }, [body, listName, isReady])

  useEffect(() => {
    // The browser would go back to the pixel, which another row may have taken.
    history.scrollRestoration = 'manual'
    return () => void (history.scrollRestoration = 'auto')
  }, [])

  const remember = useEffectEvent(() =>
    saveListPosition({ top: scrollY, rows: rowCount, row: findFirstVisible(body.current) }),
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

/** Undefined while the list begins below the top of the window: then the pixel says it all. */
function findFirstVisible(body: HTMLElement | null): ListPosition['row'] {
  if (!body || body.getBoundingClientRect().top >= 0) return undefined
  for (const [index, row] of [...body.children].entries()) {
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom > 0) return { index, hiddenPx: -top }
  }
  return undefined
}

/** When the focused row leaves the list, the row that takes its position gets the focus. */
export function useRowFocus(body: RefObject<HTMLElement | null>, rows: readonly { id: string }[]) {
  const focused = useRef<{ id: string; index: number; tag: string }>(undefined)

  useLayoutEffect(() => {
    const last = focused.current
    if (!last || rows.some(({ id }) => id === last.id)) return
    const active = document.activeElement
    if (active !== document.body && !body.current?.contains(active)) return
    focusRow(body, Math.min(last.index, rows.length - 1), last.tag)
  }, [rows, body])

  return {
    onFocus({ target }: FocusEvent) {
      const shown = target.closest('[aria-rowindex]')
      const index = [...(body.current?.children ?? [])].findIndex((row) => row === shown)
      const row = rows[index]
      focused.current = row && { id: row.id, index, tag: target.tagName }
    },
    onBlur({ currentTarget, relatedTarget }: FocusEvent) {
      if (relatedTarget && !currentTarget.contains(relatedTarget)) focused.current = undefined
    },
  }
}

export function focusRow(body: RefObject<HTMLElement | null>, index: number, tag: string): void {
  const next = body.current?.children[index]?.querySelector<HTMLElement>(tag)
  ;(next ?? document.querySelector('main'))?.focus({ preventScroll: true })
}
