import { ChevronsUpDown } from 'lucide-react'

import { type AdminOrder, type OrderStatus, orderStatuses } from '#contract/orders.ts'
import { shortId } from '#web/admin/orders/order-words.ts'
import { statusLooks } from '#web/admin/orders/status-looks.ts'

type StatusSelectProps = { order: AdminOrder; onChange: (to: OrderStatus) => void }

/** A badge that can be changed: the browser's own list, in the colours of its status. */
export function StatusSelect({ order: { id, status }, onChange }: StatusSelectProps) {
  const { icon: Icon, colours } = statusLooks[status]

  return (
    <div className={`relative inline-flex items-center rounded-full ${colours}`}>
      <Icon aria-hidden className="pointer-events-none absolute start-3 size-3.5" />
      <select
        aria-label={`Status of order ${shortId(id)}`}
        value={status}
        onChange={({ target }) => {
          const to = orderStatuses.find((one) => one === target.value)
          if (to) onChange(to)
        }}
        className="h-8 w-36 cursor-pointer appearance-none rounded-full border border-current/20 bg-transparent ps-8 pe-8 text-[0.8125rem] font-medium transition-colors hover:border-current/50 pointer-coarse:h-11 [&>option]:bg-card [&>option]:text-ink"
      >
        {orderStatuses.map((one) => (
          <option key={one} value={one}>
            {statusLooks[one].text}
          </option>
        ))}
      </select>
      <ChevronsUpDown aria-hidden className="pointer-events-none absolute end-3 size-3.5" />
    </div>
  )
}
