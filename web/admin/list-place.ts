/**
 * Where in a long list one was: the pixel and how many rows there were in the history, so that Back and a reload lead
 * there, and the row in the address, so that a link leads there too.
 */
export type ListPlace = {
  top: number
  rows: number
  /** The first one on the screen, counted from 1. */
  row: number
}

const start: ListPlace = { top: 0, rows: 0, row: 1 }

/** Enough to fill the screen below the row that was linked to. */
const rowsOnScreen = 30

export function rememberedPlace(): ListPlace {
  const state = history.state as { place?: ListPlace } | null
  return state?.place ?? linkedPlace()
}

export function rememberPlace(place: ListPlace) {
  const url = new URL(location.href)
  if (place.row > 1) url.searchParams.set('row', String(place.row))
  else url.searchParams.delete('row')
  history.replaceState({ ...history.state, place }, '', url)
}

function linkedPlace(): ListPlace {
  const row = Number(new URLSearchParams(location.search).get('row'))
  return Number.isSafeInteger(row) && row > 1 ? { top: 0, rows: row + rowsOnScreen, row } : start
}
