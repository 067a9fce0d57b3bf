import type { AdminOrder, OrderStatus } from '#contract/orders.ts'
import { OrderTable } from '#web/admin/orders/order-table.tsx'
import type { OrderAddressing } from '#web/admin/orders/use-order-address.ts'
import type { OrderList } from '#web/admin/orders/use-orders.ts'
import { tableRoles } from '#web/admin/table-roles.ts'

import { BulkBar } from './bulk-bar.tsx'
import type { Progress } from './bulk-run.ts'
import { Cells, rowLook, titles } from './fulfillment-table.tsx'
import { SelectAllBox } from './select-all-box.tsx'
import { boxState } from './selection.ts'
import type { useSelection } from './use-selection.ts'

type FulfillmentListProps = {
  list: OrderList
  /** How many orders there are in all, where that is known. */
  total: number | undefined
  addressing: OrderAddressing
  selection: ReturnType<typeof useSelection>
  progress: Progress | undefined
  onMark: (to: OrderStatus) => void
  onChangeStatus: (order: AdminOrder, to: OrderStatus) => void
}

export function FulfillmentList(props: FulfillmentListProps) {
  const { list, total, addressing, selection, progress, onMark, onChangeStatus } = props
  const { hrefOf, open } = addressing
  const selected = selection.selection

  return (
    <OrderTable
      name="Orders to fulfill"
      list={list}
      total={total}
      headLook=""
      rowLook={rowLook}
      head={
        <>
          <th
            {...tableRoles.header}
            scope="col"
            className="col-span-full text-start @4xl:col-span-2"
          >
            <SelectAllBox
              state={boxState(selected, total)}
              total={total}
              isAsking={selection.isAsking}
              onSelectAll={selection.selectAll}
              onClear={selection.clear}
            />
          </th>
          <th {...tableRoles.header} scope="col" className="sr-only">
            Order
          </th>
          {titles.map((title) => (
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
          isSelected={selected.has(order.id)}
          href={hrefOf({ openId: order.id })}
          onOpen={open}
          onSelect={selection.click}
          onChangeStatus={onChangeStatus}
        />
      )}
      onOpen={open}
    >
      <BulkBar
        count={selected.size}
        total={total}
        progress={progress}
        onMark={onMark}
        onSelectAll={selection.selectAll}
        onClear={selection.clear}
      />
    </OrderTable>
  )
}
