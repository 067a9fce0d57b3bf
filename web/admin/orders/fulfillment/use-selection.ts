import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'

import type { OrderMark } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { type OrderSearch, searchParameters } from '#web/admin/orders/order-search.ts'
import type { OrderList } from '#web/admin/orders/use-orders.ts'
import { callServer, isUnauthorized } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { clickRow, nothingSelected, type Selection, selectAll, withoutOrders } from './selection.ts'

/** Which orders of a list are selected. Another filter begins with none. */
export function useSelection({ orders, search, hasMore }: OrderList) {
  const [{ status, selection }, setState] = useState({
    status: search.status,
    selection: nothingSelected,
  })
  if (status !== search.status) setState({ status: search.status, selection: nothingSelected })

  const change = useCallback((to: (selection: Selection) => Selection) => {
    setState((current) => ({ ...current, selection: to(current.selection) }))
  }, [])
  const previousId = useRef<string>(undefined)
  const marks = useMutation({
    mutationFn: readMarks,
    onSuccess: (all, asked) =>
      // Whoever has gone on to another filter meanwhile did not mean that one.
      setState((current) =>
        current.status === asked.status ? { ...current, selection: selectAll(all) } : current,
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

  return {
    selection,
    isAsking: marks.isPending,
    click: useCallback(
      (id: string, isShift: boolean) => {
        const click = { id, isShift, previousId: previousId.current }
        previousId.current = id
        change((current) => clickRow(current, orders, click))
      },
      [orders, change],
    ),
    clear: () => change(() => nothingSelected),
    /** Every order of the filter; those that are not loaded are asked for. */
    selectAll: () => (hasMore ? marks.mutate(search) : change(() => selectAll(orders))),
    remove: useCallback(
      (gone: readonly { id: string }[]) => change((current) => withoutOrders(current, gone)),
      [change],
    ),
  }
}

async function readMarks(search: OrderSearch): Promise<OrderMark[]> {
  const answer = await callServer('GET', `${apiRoutes.orderMarks}${searchParameters(search)}`)
  return (await answer.json()) as OrderMark[]
}
