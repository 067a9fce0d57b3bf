import type { OrderEvent } from '#contract/order-list.ts'

import { statusLooks } from './status-looks.ts'

/** An entry of an order's history in a few words. */
export function tellEvent({ event, from, to }: OrderEvent): string {
  if (event === 'placed') return 'Paid and placed'
  if (!to) return event
  const text = statusLooks[to].text
  return from ? `${statusLooks[from].text} → ${text}` : text
}
