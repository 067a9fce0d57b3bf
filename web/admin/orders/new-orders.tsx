import { useQueryClient } from '@tanstack/react-query'

import { NewsPill } from '#web/admin/news/news-pill.tsx'
import {
  isNews,
  noteAllSeen,
  type ShownSince,
  useLackingNews,
  useNewsEvents,
} from '#web/admin/news/news.ts'
import { useSeenList } from '#web/admin/news/news-signals.ts'
import { toastFailure } from '#web/admin/shell/toast-failure.ts'

import { type OrderList, refreshAll } from './order-queries.ts'

type NewOrdersProps = {
  list: OrderList
  /** Of what else the page shows. */
  alsoShown?: ShownSince
  alsoListed?: readonly { id: string }[] | undefined
}

/** '2 new orders' over a list that does not have them. */
export function NewOrders({ list, alsoShown, alsoListed = [] }: NewOrdersProps) {
  const queryClient = useQueryClient()
  const { shownSince } = list
  const told = useNewsEvents({
    order: shownSince,
    'order-changed': shownSince,
    'money-returned': shownSince,
    withdrawal: shownSince,
    'withdrawal-changed': shownSince,
    ...alsoShown,
  })
  useSeenList()
  // Told only after the list with it was read.
  const isListed = (id: string) => [...list.orders, ...alsoListed].some((one) => one.id === id)
  const events = told.filter((event) => !isNews(event) || !isListed(event.id))
  useLackingNews(events.filter(isNews).length)

  async function load(): Promise<boolean> {
    const isLoaded = await toastFailure('The orders could not be loaded', refreshAll(queryClient))
    if (isLoaded) noteAllSeen()
    return isLoaded
  }

  return <NewsPill events={events} onLoad={load} />
}
