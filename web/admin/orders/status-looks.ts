import { CircleCheck, Clock, type LucideIcon, Package, Truck } from 'lucide-react'

import type { OrderStatus } from '#contract/orders.ts'

type StatusLook = { text: string; icon: LucideIcon; colours: string }

export const statusLooks: Record<OrderStatus, StatusLook> = {
  pending: { text: 'Pending', icon: Clock, colours: 'bg-pending-wash text-pending' },
  processing: { text: 'Processing', icon: Package, colours: 'bg-processing-wash text-processing' },
  shipped: { text: 'Shipped', icon: Truck, colours: 'bg-shipped-wash text-shipped' },
  completed: {
    text: 'Completed',
    icon: CircleCheck,
    colours: 'bg-completed-wash text-completed',
  },
}
