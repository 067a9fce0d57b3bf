import { formatMoney } from '#contract/money.ts'
import type { OrderEvent } from '#contract/orders.ts'

import { statusLooks } from './status-looks.ts'

/** An entry of an order's history in a few words. */
export function tellEvent({ event, from, to, amount }: OrderEvent, currency: string): string {
  const money = amount ? ` ${formatMoney(amount, currency)}` : ''
  if (event === 'placed') return 'Paid and placed'
  if (event === 'refunded') return `Refunded${money}`
  if (event === 'charged-back') return `Charged back${money}`
  if (!to) return event
  const text = statusLooks[to].text
  return from ? `${statusLooks[from].text} → ${text}` : text
}
