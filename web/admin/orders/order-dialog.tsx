import { Fragment, type ReactNode } from 'react'

import type { AdminOrder } from '#contract/orders.ts'
import { Dialog } from '#web/ui/dialog.tsx'

import { useOrder } from './order-queries.ts'
import { type OpenPanel, openIdOf, type OrderNavigation } from './order-url.ts'

export type OrderDialogProps = { navigation: OrderNavigation; listed: readonly AdminOrder[] }

type FrameProps = OrderDialogProps & {
  kind: OpenPanel['kind']
  title: string
  children: (order: AdminOrder, onClose: () => void) => ReactNode
}

/** A dialog about the order in the address, once that is known. */
export function OrderDialog({ navigation, listed, kind, title, children }: FrameProps) {
  const id = openIdOf(navigation.url, kind) ?? ''
  const known = listed.find((order) => order.id === id)
  const single = useOrder(id, { isNeeded: id !== '' && !known })
  const order = known ?? single.data
  if (!id || (!order && single.isPending)) return null
  if (order) return <Fragment key={id}>{children(order, navigation.close)}</Fragment>
  return (
    <Dialog
      title={title}
      description={single.isError ? 'The order could not be loaded.' : 'Order not found'}
      onClose={navigation.close}
      className="max-w-md"
    >
      <p className="text-sm text-soft">Close this and open the order from the list.</p>
    </Dialog>
  )
}
