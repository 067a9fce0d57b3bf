/** Where in a long list one was, kept in the history so that Back and a reload lead there. */
type ListPlace = { top: number; rows: number }

const start: ListPlace = { top: 0, rows: 0 }

export function rememberedPlace(): ListPlace {
  const state = history.state as { place?: ListPlace } | null
  return state?.place ?? start
}

export function rememberPlace(place: ListPlace) {
  history.replaceState({ ...history.state, place }, '')
}
