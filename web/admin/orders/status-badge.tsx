import type { OrderStatus } from '#contract/orders.ts'
import { classNames } from '#web/ui/class-names.ts'

import { statusLooks } from './status-looks.ts'

export function StatusBadge({ status }: { status: OrderStatus }) {
  const { text, icon: Icon, colours } = statusLooks[status]

  return (
    <span
      className={classNames(
        'inline-flex h-6.5 items-center gap-1.5 rounded-full px-2.5 text-[0.8125rem] font-medium whitespace-nowrap',
        colours,
      )}
    >
      <Icon aria-hidden className="size-3.5" />
      {text}
    </span>
  )
}
