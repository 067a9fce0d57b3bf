import { memo } from 'react'

import type { AdminOrder } from '#contract/orders.ts'
import { tableRoles } from '#web/admin/table-roles.ts'

import {
  Amount,
  Customer,
  DeliveryAddress,
  DuplicateFlag,
  MoneyBackFlag,
  OrderedProduct,
  OrderNumber,
  PlacedAt,
} from './order-cells.tsx'
import { OrderTable } from './order-table.tsx'
import { StatusBadge } from './status-badge.tsx'
import type { OrderAddressing } from './use-order-address.ts'
import type { OrderList } from './use-orders.ts'

const columns = [
  { title: 'Order ID' },
  { title: 'Product' },
  { title: 'Customer' },
  { title: 'Delivery Address' },
  { title: 'Amount', look: 'text-end' },
  { title: 'Status', look: 'text-start ps-1.5' },
  { title: 'Date' },
]

/** In a card: product and amount, who and status, where to, number and date. */
const rowLook = [
  'grid gap-x-3.5 px-4 py-4 text-sm @4xl:items-center @4xl:px-5 @4xl:py-3.5',
  "grid-cols-[minmax(0,1fr)_auto] gap-y-2.5 [grid-template-areas:'product_amount'_'customer_status'_'address_address'_'id_date']",
  "@xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] @xl:[grid-template-areas:'product_product_amount'_'customer_address_status'_'id_id_date']",
  "@4xl:grid-cols-[6.5rem_minmax(0,1.05fr)_minmax(0,1.15fr)_minmax(0,1.1fr)_5rem_7.25rem_5.25rem] @4xl:[grid-template-areas:'id_product_customer_address_amount_status_date']",
].join(' ')

type OrdersTableProps = {
  list: OrderList
  total: number | undefined
  addressing: OrderAddressing
}

export function OrdersTable({ list, total, addressing }: OrdersTableProps) {
  const { hrefOf, open } = addressing

  return (
    <OrderTable
      name="Orders"
      list={list}
      total={total}
      headLook="@max-4xl:sr-only"
      rowLook={rowLook}
      head={columns.map(({ title, look = 'text-start' }) => (
        <th
          key={title}
          {...tableRoles.header}
          scope="col"
          className={`text-xs font-medium text-muted ${look}`}
        >
          {title}
        </th>
      ))}
      renderCells={(order) => (
        <Cells order={order} href={hrefOf({ openId: order.id })} onOpen={open} />
      )}
      onOpen={open}
    />
  )
}

type CellsProps = { order: AdminOrder; href: string; onOpen: (id: string) => void }

const Cells = memo(function Cells({ order, href, onOpen }: CellsProps) {
  return (
    <>
      <td {...tableRoles.cell} className="[grid-area:id] @max-4xl:-ms-px">
        <OrderNumber order={order} href={href} onOpen={onOpen} />
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
      <td {...tableRoles.cell} className="text-end [grid-area:amount]">
        <Amount order={order} />
        <MoneyBackFlag order={order} />
      </td>
      <td {...tableRoles.cell} className="[grid-area:status] @max-4xl:text-end @4xl:ps-1.5">
        <StatusBadge status={order.status} />
        <DuplicateFlag order={order} />
      </td>
      <td
        {...tableRoles.cell}
        className="[grid-area:date] @max-4xl:self-center @max-4xl:text-end @max-xs:max-w-24"
      >
        <PlacedAt order={order} />
      </td>
    </>
  )
})
