import { useState } from 'react'

import type { AdminOrder } from '#contract/orders.ts'
import { Sheet } from '#web/ui/sheet.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { OrderFacts } from './order-facts.tsx'
import { shortId } from './order-words.ts'
import type { OrderAddressing } from './use-order-address.ts'
import { useOrder } from './use-orders.ts'

type OrderPanelProps = { addressing: OrderAddressing; listed: readonly AdminOrder[] }

/** All of one order, beside the list. Its address can be shared, and Back closes it. */
export function OrderPanel({ addressing, listed }: OrderPanelProps) {
  const { openId } = addressing.address
  // Stays while the panel slides out.
  const [id, setId] = useState(openId)
  if (openId && openId !== id) setId(openId)

  return (
    <Sheet
      side="end"
      isOpen={openId !== undefined}
      onOpenChange={addressing.close}
      title={`Order ${shortId(id ?? '')}`}
      className="w-120"
    >
      {id && (
        <Content
          key={id}
          id={id}
          listed={listed.find((order) => order.id === id)}
          hrefOf={(other) => addressing.hrefOf({ openId: other })}
        />
      )}
    </Sheet>
  )
}

type ContentProps = {
  id: string
  /** The order, where the list holds it already. */
  listed: AdminOrder | undefined
  hrefOf: (id: string) => string
}

function Content({ id, listed, hrefOf }: ContentProps) {
  const single = useOrder(id, { isNeeded: !listed })
  const order = listed ?? single.data ?? undefined

  if (order) return <OrderFacts order={order} hrefOf={hrefOf} />
  return (
    <div className="p-6 pe-16" aria-live="polite">
      {single.isPending ? (
        <>
          <p className="sr-only">Loading...</p>
          <Skeleton className="h-6 w-44" />
          <Skeleton className="mt-4 h-4 w-64" />
        </>
      ) : (
        <>
          <p className="text-lg font-semibold tracking-tight">
            {single.isError ? 'The order could not be loaded' : 'Order not found'}
          </p>
          <p className="mt-1.5 text-sm text-soft">
            {single.isError
              ? 'Close this and try again in a moment.'
              : 'The link may be incomplete. No order has this number.'}
          </p>
        </>
      )}
    </div>
  )
}
