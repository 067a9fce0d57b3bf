import { Fragment, type ReactNode } from 'react'

/** Puts elements into a text: fillNodes('Write to {shop}', { shop: <b>…</b> }). */
export function fillNodes(text: string, values: Record<string, ReactNode>): ReactNode[] {
  // Every second part is the name of a place.
  return text.split(/\{(\w+)\}/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- none ever moves
    <Fragment key={index}>{index % 2 === 1 ? values[part] : part}</Fragment>
  ))
}
