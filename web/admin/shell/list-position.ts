/** How far a list was scrolled, in the history entry, so that Back and reload return there. */
export type ListPosition = {
  top: number
  /** How many rows were loaded. */
  rows: number
  /** The first visible row, and how much of it was scrolled away: heights of rows that were not drawn yet are estimates. */
  row?: { index: number; hiddenPx: number } | undefined
}

export function readListPosition(): ListPosition {
  const state = history.state as { position?: ListPosition } | null
  return state?.position ?? { top: 0, rows: 0 }
}

export function saveListPosition(position: ListPosition) {
  history.replaceState({ ...history.state, position }, '')
}
