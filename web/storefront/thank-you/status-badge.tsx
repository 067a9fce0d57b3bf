import type { OrderStatus } from '#contract/orders.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon, type IconName } from '#web/storefront/checkout/icon.tsx'

/** In buyers' words: an order that the shop has not begun with is paid and confirmed, not "pending". */
const looks: Record<OrderStatus, { text: string; icon: IconName; colours: string }> = {
  pending: {
    text: 'Being prepared',
    icon: 'parcel',
    colours: 'bg-processing-wash text-processing',
  },
  processing: {
    text: 'Being prepared',
    icon: 'parcel',
    colours: 'bg-processing-wash text-processing',
  },
  shipped: { text: 'On its way', icon: 'truck', colours: 'bg-shipped-wash text-shipped' },
  completed: {
    text: 'Completed',
    icon: 'good',
    colours: 'bg-completed-wash text-completed',
  },
}

/** As the order stood when the page was opened. */
export function StatusBadge({ status }: { status: OrderStatus }) {
  const { text, icon, colours } = looks[status]

  return (
    <output
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-medium',
        colours,
      )}
    >
      <Icon name={icon} className="size-3.5" />
      {text}
    </output>
  )
}
