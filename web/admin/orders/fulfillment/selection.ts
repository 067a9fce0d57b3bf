import { useMutation } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'

import type { OrderMark, OrderStatus } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { OrderList } from '#web/admin/orders/order-queries.ts'
import { formatCount } from '#web/admin/orders/order-text.ts'
import { searchValues, type OrderSearch } from '#web/admin/orders/order-url.ts'
import type { StatusChange } from '#web/admin/orders/changed-statuses.ts'
import { callServer, formatQuery, isUnauthorized } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

/** The ids of the selected orders, with the status each had then. Not all of them need to be loaded. */
type Selection = ReadonlyMap<string, OrderStatus>

export const emptySelection: Selection = new Map()

export type OrderSelection = ReturnType<typeof useSelection>

/** Which orders of a list are selected. Changing the search or a filter clears the selection. */
export function useSelection({ orders, search, hasMore }: OrderList) {
  const [{ listed, selected }, setState] = useState({ listed: search, selected: emptySelection })
  if (!isSameList(listed, search)) setState({ listed: search, selected: emptySelection })

  const update = useCallback((change: (selected: Selection) => Selection) => {
    setState((current) => ({ ...current, selected: change(current.selected) }))
  }, [])
  const previousId = useRef<string>(undefined)
  const { mutate: fetchAll, isPending: isFetching } = useMutation({
    mutationFn: fetchStatuses,
    onSuccess: (all, requested) =>
      // The filter may have changed since the request.
      setState((current) =>
        isSameList(current.listed, requested) ? { ...current, selected: selectAll(all) } : current,
      ),
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        title: 'The orders could not be selected',
        description: 'Please try again in a moment.',
        variant: 'destructive',
      })
    },
  })

  const deselectOrders = useCallback(
    (orders: readonly { id: string }[]) => update((current) => deselect(current, orders)),
    [update],
  )
  // Every checkbox reads it: a new object renders all of them again.
  return useMemo(
    () => ({
      selected,
      isFetching,
      toggle: (id: string, isShift: boolean) => {
        const click = { id, isShift, previousId: previousId.current }
        previousId.current = id
        update((current) => toggleRow(current, orders, click))
      },
      clear: () => update(() => emptySelection),
      /** Selects every order of the filter, including those that are not loaded. */
      selectAll: () => (hasMore ? fetchAll(search) : update(() => selectAll(orders))),
      deselect: deselectOrders,
    }),
    [selected, isFetching, orders, search, hasMore, fetchAll, update, deselectOrders],
  )
}

/** The same orders, however they are sorted. */
function isSameList(a: OrderSearch, b: OrderSearch): boolean {
  const queryOf = (search: OrderSearch) => formatQuery(searchValues({ ...search, sort: 'newest' }))
  return a === b || queryOf(a) === queryOf(b)
}

async function fetchStatuses(search: OrderSearch): Promise<OrderMark[]> {
  const answer = await callServer(
    'GET',
    `${apiRoutes.orderMarks}${formatQuery(searchValues(search))}`,
  )
  return (await answer.json()) as OrderMark[]
}

export function selectAll(orders: readonly OrderMark[]): Selection {
  return new Map(orders.map(({ id, status }) => [id, status]))
}

export function deselect(selected: Selection, orders: readonly { id: string }[]): Selection {
  const rest = new Map(selected)
  for (const { id } of orders) rest.delete(id)
  return rest
}

/** A click on a row's checkbox. With Shift, all rows since the previous click get the same state. */
export function toggleRow(
  selected: Selection,
  listed: readonly OrderMark[],
  click: { id: string; previousId?: string | undefined; isShift: boolean },
): Selection {
  const clicked = listed.findIndex(({ id }) => id === click.id)
  const previous = listed.findIndex(({ id }) => click.isShift && id === click.previousId)
  const other = previous === -1 ? clicked : previous
  const rows = listed.slice(Math.min(clicked, other), Math.max(clicked, other) + 1)
  return selected.has(click.id)
    ? deselect(selected, rows)
    : new Map([...selected, ...selectAll(rows)])
}

/** The state of the checkbox above the list. `total` is how many orders it would select, if known. */
export function getSelectAllState(selected: Selection, total = Infinity): 'none' | 'some' | 'all' {
  if (selected.size === 0) return 'none'
  return selected.size >= total ? 'all' : 'some'
}

export function formatSelectAll(total: number | undefined): string {
  return total === undefined ? 'Select all' : `Select all ${formatCount(total)}`
}

/** Changes from the status that an order has now; for one that is not loaded, when it was selected. */
export function createChanges(
  selected: Selection,
  listed: readonly OrderMark[],
  to: OrderStatus,
): StatusChange[] {
  const current = selectAll(listed)
  return [...selected].map(([id, status]) => ({ id, from: current.get(id) ?? status, to }))
}
