import { memo } from 'react'

import type { AdminOrder, OrderStatus } from '#contract/orders.ts'
import {
  Customer,
  DeliveryAddress,
  DuplicateFlag,
  MoneyBackFlag,
  OrderedProduct,
  OrderNumber,
  PlacedAt,
} from '#web/admin/orders/order-cells.tsx'
import { shortId } from '#web/admin/orders/order-words.ts'
import { tableRoles } from '#web/admin/table-roles.ts'

import { StatusSelect } from './status-select.tsx'

export const titles = ['Product', 'Customer', 'Delivery Address', 'Status']

/** In a card: the box at the start, and beside it the product, who, where to, number and status. */
export const rowLook = [
  'grid gap-x-3.5 px-4 py-4 text-sm @4xl:items-center @4xl:px-5 @4xl:py-3.5',
  "grid-cols-[2.25rem_minmax(0,1fr)_auto] gap-y-2.5 [grid-template-areas:'box_product_product'_'._customer_customer'_'._address_address'_'._id_id'_'._status_status']",
  "@xs:[grid-template-areas:'box_product_product'_'._customer_customer'_'._address_address'_'._id_status']",
  "@xl:grid-cols-[2.25rem_minmax(0,1fr)_minmax(0,1fr)_auto] @xl:[grid-template-areas:'box_product_product_status'_'._customer_address_id']",
  "@4xl:grid-cols-[2.25rem_7.5rem_minmax(0,1fr)_minmax(0,1.1fr)_minmax(0,1.15fr)_9rem] @4xl:[grid-template-areas:'box_id_product_customer_address_status']",
].join(' ')

type CellsProps = {
  order: AdminOrder
  isSelected: boolean
  href: string
  onOpen: (id: string) => void
  onSelect: (id: string, isShift: boolean) => void
  onChangeStatus: (order: AdminOrder, to: OrderStatus) => void
}

export const Cells = memo(function Cells(props: CellsProps) {
  const { order, isSelected, href, onOpen, onSelect, onChangeStatus } = props

  return (
    <>
      <td {...tableRoles.cell} className="[grid-area:box]">
        <label className="-my-2 -ms-2.75 grid size-10 place-items-center select-none pointer-coarse:-ms-3 pointer-coarse:size-11">
          <input
            type="checkbox"
            aria-label={`Select order ${shortId(order.id)}`}
            checked={isSelected}
            onChange={({ nativeEvent }) =>
              onSelect(order.id, (nativeEvent as PointerEvent).shiftKey)
            }
            className="size-4.5 pointer-coarse:size-5"
          />
        </label>
      </td>
      <td {...tableRoles.cell} className="min-w-0 [grid-area:id] @max-xl:[&_button]:hidden">
        <OrderNumber order={order} href={href} onOpen={onOpen} />
        <PlacedAt order={order} />
      </td>
      <td {...tableRoles.cell} className="min-w-0 [grid-area:product]">
        <OrderedProduct order={order} />
      </td>
      <td {...tableRoles.cell} className="min-w-0 [grid-area:customer]">
        <Customer order={order} />
      </td>
      <td {...tableRoles.cell} className="min-w-0 [grid-area:address]">
        <DeliveryAddress order={order} />
      </td>
      <td {...tableRoles.cell} className="[grid-area:status] @max-4xl:self-end">
        <StatusSelect order={order} onChange={(to) => onChangeStatus(order, to)} />
        <DuplicateFlag order={order} />
        <MoneyBackFlag order={order} />
      </td>
    </>
  )
})
