import type { ReactNode } from 'react'

import type { AdminOrder } from '#contract/orders.ts'
import { tableRoles } from '#web/admin/table-roles.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'

import { OrderRows } from './order-rows.tsx'
import type { OrderList } from './use-orders.ts'

type OrderTableProps = {
  name: string
  list: OrderList
  /** How many orders there are in all, where that is known. */
  total: number | undefined
  /** The cells of the head. */
  head: ReactNode
  headLook: string
  rowLook: string
  renderCells: (order: AdminOrder) => ReactNode
  onOpen: (id: string) => void
  /** Lies over the head while there is something to do with the rows. */
  children?: ReactNode
}

/** A table where there is room for one; where there is not, each row is laid out as a card. */
export function OrderTable(props: OrderTableProps) {
  const { name, list, total, head, headLook, rowLook, renderCells, onOpen, children } = props
  const { orders, hasMore, isOld, hasFailedToGoOn } = list
  // The head is a row too. -1 says that nobody knows yet.
  const rowCount = (hasMore ? (total ?? -2) : orders.length) + 1

  return (
    <div
      className={classNames(
        '@container mt-4 rounded-2xl border border-line bg-card shadow-rest transition-opacity',
        isOld && 'opacity-55',
      )}
    >
      <div className="flex flex-col">
        {children}
        <table
          {...tableRoles.table}
          aria-label={name}
          aria-rowcount={rowCount}
          aria-busy={isOld}
          // What takes the focus is never left beneath the head, nor beneath a bar at the foot.
          className="block [&_:is(a,button,input,select)]:scroll-mt-32 [&_:is(a,button,input,select)]:scroll-mb-40"
        >
          <thead
            {...tableRoles.group}
            className={`sticky top-14 z-10 block rounded-t-2xl border-b border-line bg-card ${headLook}`}
          >
            <tr
              {...tableRoles.row}
              aria-rowindex={1}
              className={`${rowLook} @max-4xl:gap-y-0 @max-4xl:py-1.5`}
            >
              {head}
            </tr>
          </thead>
          <OrderRows list={list} rowLook={rowLook} renderCells={renderCells} onOpen={onOpen} />
        </table>
      </div>
      {hasFailedToGoOn && <NoMore onRetry={list.goOn} />}
      <p aria-live="polite" className="sr-only">
        {isOld ? 'Loading...' : `${orders.length}${hasMore ? ' or more' : ''} order(s) listed`}
      </p>
    </div>
  )
}

function NoMore({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-center gap-3 p-5 text-sm">
      <p className="text-soft">The next orders could not be loaded.</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
