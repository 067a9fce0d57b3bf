import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react'

import type { AdminOrder, OrderStatus } from '#contract/orders.ts'
import {
  DuplicateFlag,
  OrderLink,
  PlacedAt,
  RefundFlag,
  SaleFlags,
  sharedColumns,
  WithdrawnFlag,
} from '#web/admin/orders/order-display.tsx'
import type { OrderList } from '#web/admin/orders/order-queries.ts'
import { StatusSelect } from '#web/admin/orders/order-status.tsx'
import { type OrderColumn, OrderTable } from '#web/admin/orders/order-table.tsx'
import { shortId } from '#web/admin/orders/order-text.ts'
import type { OrderNavigation } from '#web/admin/orders/order-url.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import {
  emptySelection,
  formatSelectAll,
  getSelectAllState,
  type OrderSelection,
} from './selection.ts'

type ShownSelection = { selection: OrderSelection; total: number | undefined }

/** Read by the checkboxes themselves: only they are rendered again when the selection changes, not their rows. */
const SelectionContext = createContext<ShownSelection | undefined>(undefined)

/** One column per grid area in a table; in a card, the checkbox beside several lines of them. */
const rowLook = [
  'grid px-4 text-sm @4xl:items-center @4xl:px-5',
  "grid-cols-[2.25rem_minmax(0,1fr)_auto] [grid-template-areas:'box_product_product'_'._customer_customer'_'._address_address'_'._id_id'_'._status_status']",
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
  const { hrefOfOrder, open } = navigation
  const columns = useMemo<OrderColumn[]>(
    () => [
      {
        title: <SelectAllCheckbox />,
        headLook: 'col-span-full text-start @4xl:col-span-2',
        look: '[grid-area:box]',
        render: ({ id }) => <SelectCheckbox id={id} />,
      },
      {
        title: 'Order',
        headLook: 'sr-only',
        look: 'min-w-0 [grid-area:id] @max-xl:[&_button]:hidden @4xl:group-data-compact/rows:[&_time>span+span]:hidden',
        render: (order) => (
          <>
            <OrderLink order={order} href={hrefOfOrder(order.id)} onOpen={open} />
            <PlacedAt order={order} />
          </>
        ),
      },
      ...sharedColumns,
      {
        title: 'Status',
        look: '[grid-area:status] @max-4xl:self-end',
        render: (order) => (
          <>
            <StatusSelect order={order} onChange={(to) => onChangeStatus(order, to)} />
            <WithdrawnFlag order={order} />
            <DuplicateFlag order={order} />
            <SaleFlags order={order} />
            <RefundFlag order={order} />
          </>
        ),
      },
    ],
    [hrefOfOrder, open, onChangeStatus],
  )
  const shown = useMemo(() => ({ selection, total }), [selection, total])

  return (
    <SelectionContext value={shown}>
      <OrderTable
        name="Orders to fulfill"
        list={list}
        total={total}
        empty={empty}
        columns={columns}
        rowLook={rowLook}
        onOpen={open}
      >
        {children}
      </OrderTable>
    </SelectionContext>
  )
}

/** Selects every order of the filter, loaded or not, and says how many those are. */
function SelectAllCheckbox() {
  const { selection, total } = use(SelectionContext) ?? {}
  const state = getSelectAllState(selection?.selected ?? emptySelection, total)
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
        aria-busy={selection?.isFetching}
        onChange={state === 'all' ? selection?.clear : selection?.selectAll}
        className="size-4.5 pointer-coarse:size-5"
      />
      {formatSelectAll(total)}
      <span className="sr-only">orders</span>
      {selection?.isFetching && <Spinner />}
    </label>
  )
}

function SelectCheckbox({ id }: { id: string }) {
  const { selection } = use(SelectionContext) ?? {}
  return (
    <label className="-my-2 -ms-2.75 grid size-10 place-items-center select-none pointer-coarse:-ms-3 pointer-coarse:size-11">
      <input
        type="checkbox"
        aria-label={`Select order ${shortId(id)}`}
        checked={selection?.selected.has(id) ?? false}
        onChange={({ nativeEvent }) =>
          selection?.toggle(id, (nativeEvent as PointerEvent).shiftKey)
        }
        className="size-4.5 pointer-coarse:size-5"
      />
    </label>
  )
}
