import { useEffect, useState } from 'react'

import type { PublicOrder } from '#contract/orders.ts'
import { pathOf } from '#contract/paths.ts'
import { callServer } from '#web/api.ts'
import { buyerCalls } from '#web/checkout/buyer-calls.ts'

/** How often a page that is looked at asks whether the order has moved on, in ms. */
const lookMs = 20_000

/** The order as it stands now. A page in the background asks nothing. */
export function useLiveOrder(first: PublicOrder): PublicOrder {
  const [order, setOrder] = useState(first)
  const isDone = order.status === 'completed'

  useEffect(() => {
    if (isDone) return undefined
    async function look() {
      if (document.visibilityState === 'visible') setOrder(await readOrder(first.id))
    }
    // An answer that did not come this time comes next time.
    const lookQuietly = () => void look().catch(() => undefined)
    const timer = setInterval(lookQuietly, lookMs)
    document.addEventListener('visibilitychange', lookQuietly)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', lookQuietly)
    }
  }, [first.id, isDone])

  return order
}

/** The key of a link in the mail shows the buyer more than the number alone would. */
async function readOrder(id: string): Promise<PublicOrder> {
  const key = new URLSearchParams(location.search).get('key')
  const path = pathOf(buyerCalls.order, { id }) + (key ? `?key=${encodeURIComponent(key)}` : '')
  const response = await callServer('GET', path, undefined, AbortSignal.timeout(lookMs / 2))
  return (await response.json()) as PublicOrder
}
