import { useEffect, useLayoutEffect, useRef } from 'react'

import { readListPosition, saveListPosition } from '#web/admin/shell/list-position.ts'

/** Browsers refuse to be told of every step of a scroll. */
const restMs = 200

/** More rows than these are not fetched again only to stand where one stood. */
const mostRowsAgain = 10_000

/** How many rows were there when one left, so that their place can be held until they have come back. */
export function rowsToExpect(): number {
  const { rows } = readListPosition()
  return rows <= mostRowsAgain ? rows : 0
}

type PlacedList = {
  /** Another name is another list. */
  name: string
  /** Those that are expected back count too, or a reload while they come would lose the place. */
  rows: number
  /** Its own rows are on the screen, not those of the list before. */
  isReady: boolean
  /** The first row on the screen, from 0, and how to bring another one there. */
  first: number
  scrollToRow: (index: number) => void
}

/** Takes a list to where it was when one left it, and begins a new one at its head. */
export function useListPlace({ name, rows, isReady, first, scrollToRow }: PlacedList) {
  const placed = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (!isReady || placed.current === name) return
    const { top, row } = readListPosition()
    if (top === 0 && row > 1 && row <= mostRowsAgain) scrollToRow(row - 1)
    else if (placed.current !== undefined || top > 0) window.scrollTo(0, top)
    placed.current = name
  }, [name, isReady, scrollToRow])

  const known = useRef({ rows, first })
  useLayoutEffect(() => {
    known.current = { rows, first }
  }, [rows, first])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    function keep() {
      clearTimeout(timer)
      timer = setTimeout(() => {
        saveListPosition({ top: scrollY, rows: known.current.rows, row: known.current.first + 1 })
      }, restMs)
    }
    addEventListener('scroll', keep, { passive: true })
    return () => {
      removeEventListener('scroll', keep)
      clearTimeout(timer)
    }
  }, [])
}
