import { memo, type ReactNode, useEffect, useRef } from 'react'

import type { AdminOrder } from '#contract/order-list.ts'
import type { OrderStatus } from '#contract/order-statuses.ts'
import {
  Customer,
  DeliveryAddress,
  DuplicateFlag,
  OrderedProduct,
  OrderLink,
  PlacedAt,
  RefundFlag,
} from '#web/admin/orders/order-display.tsx'
import type { OrderList } from '#web/admin/orders/order-queries.ts'
import { StatusSelect } from '#web/admin/orders/order-status.tsx'
import { OrderTable } from '#web/admin/orders/order-table.tsx'
import { shortId } from '#web/admin/orders/order-text.ts'
import type { OrderNavigation } from '#web/admin/orders/order-url.ts'
import { tableRoles } from '#web/admin/table-roles.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import { formatSelectAll, getSelectAllState, type OrderSelection } from './selection.ts'

const columns = ['Product', 'Customer', 'Delivery Address', 'Status']

/** One column per grid area in a table; in a card, the checkbox beside several lines of them. */
const rowLook = [
  'grid gap-x-3.5 px-4 py-4 text-sm @4xl:items-center @4xl:px-5 @4xl:py-3.5',
  "grid-cols-[2.25rem_minmax(0,1fr)_auto] gap-y-2.5 [grid-template-areas:'box_product_product'_'._customer_customer'_'._address_address'_'._id_id'_'._status_status']",
  "@xs:[grid-template-areas:'box_product_product'_'._customer_customer'_'._address_address'_'._id_status']",
  "@xl:grid-cols-[2.25rem_minmax(0,1fr)_minmax(0,1fr)_auto] @xl:[grid-template-areas:'box_product_product_status'_'._customer_address_id']",
  "@4xl:grid-cols-[2.25rem_7.5rem_minmax(0,1fr)_minmax(0,1.1fr)_minmax(0,1.15fr)_9rem] @4xl:[grid-template-areas:'box_id_product_customer_address_status']",
].join(' ')

type FulfillmentTableProps = {
  list: OrderList
  /** How many orders there are in all, if known. */
  total: number | undefined
  navigation: OrderNavigation
  selection: OrderSelection
  empty: ReactNode
  onChangeStatus: (order: AdminOrder, to: OrderStatus) => void
  /** The bar over the header. */
  children: ReactNode
}

export function FulfillmentTable(props: FulfillmentTableProps) {
  const { list, total, navigation, selection, empty, onChangeStatus, children } = props
  const { hrefOf, open } = navigation

  return (
    <OrderTable
      name="Orders to fulfill"
      list={list}
      total={total}
      empty={empty}
      rowLook={rowLook}
      head={
        <>
          <th
            {...tableRoles.header}
            scope="col"
            className="col-span-full text-start @4xl:col-span-2"
          >
            <SelectAllCheckbox selection={selection} total={total} />
          </th>
          <th {...tableRoles.header} scope="col" className="sr-only">
            Order
          </th>
          {columns.map((title) => (
            <th
              key={title}
              {...tableRoles.header}
              scope="col"
              className="text-start text-xs font-medium text-muted @max-4xl:sr-only"
            >
              {title}
            </th>
          ))}
        </>
      }
      renderCells={(order) => (
        <Cells
          order={order}
          isSelected={selection.selected.has(order.id)}
          href={hrefOf({ openId: order.id })}
          onOpen={open}
          onSelect={selection.toggle}
          onChangeStatus={onChangeStatus}
        />
      )}
      onOpen={open}
    >
      {children}
    </OrderTable>
  )
}

type SelectAllProps = Pick<FulfillmentTableProps, 'selection' | 'total'>

/** Selects every order of the filter, loaded or not, and says how many those are. */
function SelectAllCheckbox({ selection, total }: SelectAllProps) {
  const { selected, isFetching, selectAll, clear } = selection
  const state = getSelectAllState(selected, total)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some'
  }, [state])

  return (
    <label className="flex h-8 items-center gap-3 text-xs font-medium whitespace-nowrap text-muted pointer-coarse:h-11">
      <input
        ref={box}
        type="checkbox"
        checked={state === 'all'}
        aria-busy={isFetching}
        onChange={state === 'all' ? clear : selectAll}
        className="size-4.5 pointer-coarse:size-5"
      />
      {formatSelectAll(total)}
      <span className="sr-only">orders</span>
      {isFetching && <Spinner />}
    </label>
  )
}

type CellsProps = {
  order: AdminOrder
  isSelected: boolean
  href: string
  onOpen: (id: string) => void
  onSelect: (id: string, isShift: boolean) => void
  onChangeStatus: (order: AdminOrder, to: OrderStatus) => void
}

const Cells = memo(function Cells(props: CellsProps) {
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
        <OrderLink order={order} href={href} onOpen={onOpen} />
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
        <RefundFlag order={order} />
      </td>
    </>
  )
})
