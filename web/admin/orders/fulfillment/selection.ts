import type { OrderMark, OrderStatus } from '#contract/orders.ts'

/** The selected orders with the status each was seen in; not all of them need to be loaded. */
export type Selection = ReadonlyMap<string, OrderStatus>

export const nothingSelected: Selection = new Map()

export function selectAll(marks: readonly OrderMark[]): Selection {
  return new Map(marks.map(({ id, status }) => [id, status]))
}

/**
 * A click on a row's box. With Shift it reaches from the box that was clicked before, and all
 * in between become what the clicked one becomes.
 */
export function clickRow(
  selection: Selection,
  listed: readonly OrderMark[],
  click: { id: string; previousId?: string | undefined; isShift: boolean },
): Selection {
  const isOn = !selection.has(click.id)
  const to = placeOf(listed, click.id)
  const previous = click.isShift ? placeOf(listed, click.previousId) : -1
  const from = previous === -1 ? to : previous
  const changed = new Map(selection)
  for (const { id, status } of listed.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (isOn) changed.set(id, status)
    else changed.delete(id)
  }
  return changed
}

/** What the box above all rows shows. `total` is how many orders it would select, where that is known. */
export function boxState(selection: Selection, total = Infinity): 'none' | 'some' | 'all' {
  if (selection.size === 0) return 'none'
  return selection.size >= total ? 'all' : 'some'
}

/** The selected orders, by what is known of them now rather than when they were selected. */
export function marksOf(selection: Selection, listed: readonly OrderMark[]): OrderMark[] {
  const now = new Map(listed.map(({ id, status }) => [id, status]))
  return [...selection].map(([id, status]) => ({ id, status: now.get(id) ?? status }))
}

export function withoutOrders(selection: Selection, gone: readonly { id: string }[]): Selection {
  const rest = new Map(selection)
  for (const { id } of gone) rest.delete(id)
  return rest
}

function placeOf(listed: readonly OrderMark[], id: string | undefined): number {
  return listed.findIndex((order) => order.id === id)
}
