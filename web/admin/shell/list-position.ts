/**
 * The scroll position in a long list. Pixel and row count go into the history entry, so that Back and reload return
 * there; the row goes into the address, so that a link leads there too.
 */
export type ListPosition = {
  top: number
  /** How many rows were loaded. */
  rows: number
  /** The first visible row, counted from 1. */
  row: number
}

/** Enough to fill the screen below a linked row. */
const rowsOnScreen = 30

export function readListPosition(): ListPosition {
  const state = history.state as { position?: ListPosition } | null
  return state?.position ?? linkedPosition()
}

export function saveListPosition(position: ListPosition) {
  const url = new URL(location.href)
  if (position.row > 1) url.searchParams.set('row', String(position.row))
  else url.searchParams.delete('row')
  history.replaceState({ ...history.state, position }, '', url)
}

function linkedPosition(): ListPosition {
  const row = Number(new URLSearchParams(location.search).get('row'))
  const isLinked = Number.isSafeInteger(row) && row > 1
  return isLinked ? { top: 0, rows: row + rowsOnScreen, row } : { top: 0, rows: 0, row: 1 }
}
