import { layer } from './load-layers.tsx'

/** Open for as long as it is rendered; on a phone at the bottom of the screen. */
export const Dialog = layer((layers) => layers.Dialog)

/** Asks before something is lost; open for as long as it is rendered. Esc keeps it. */
export const ConfirmDialog = layer((layers) => layers.ConfirmDialog)

/** Near the top of the screen, where it keeps its place while its content grows, and above a phone's keyboard. */
export const SearchDialog = layer((layers) => layers.SearchDialog)

/** A panel over an edge of the page. */
export const Sheet = layer((layers) => layers.Sheet)
