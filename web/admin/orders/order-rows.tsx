import { type MouseEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'

import type { AdminOrder } from '#contract/orders.ts'
import { tableRoles } from '#web/admin/table-roles.ts'

import { HintedRow } from './rows-skeleton.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { rowsToExpect, useListPlace } from './use-list-place.ts'
import type { OrderList } from './use-orders.ts'
import { useShownRows } from './use-shown-rows.ts'

/** How many rows before its end the list asks for more. */
const nearEnd = 40
/** Rows hinted at below the last one while more are on their way. */
const hintedRows = 3

type OrderRowsProps = {
  list: OrderList
  rowLook: string
  renderCells: (order: AdminOrder) => ReactNode
  onOpen: (id: string) => void
}

export function OrderRows({ list, rowLook, renderCells, onOpen }: OrderRowsProps) {
  const { orders, hasMore } = list
  const name = `${list.search.status} ${list.search.q}`
  const body = useRef<HTMLTableSectionElement>(null)
  const focus = useKeptFocus(body, orders)
  const expected = useExpectedRows(name)
  const count = hasMore ? Math.max(orders.length + hintedRows, expected) : orders.length
  const { shown, height, first, scrollToRow } = useShownRows(body, {
    count,
    keyOf: useCallback((index: number) => orders[index]?.id ?? index, [orders]),
    rangeExtractor: focus.keep,
  })
  useListPlace({ name, rows: count, isReady: !list.isOld, first, scrollToRow })
  useGoOn(list, shown.at(-1)?.index ?? 0)

  return (
    <tbody
      {...tableRoles.group}
      ref={body}
      {...focus.handlers}
      className="flow-root [overflow-anchor:none]"
      style={{ height }}
    >
      {shown.map(({ slot, index, gap }) => {
        const order = orders[index]
        if (!order) return <HintedRow key={slot} index={index} gap={gap} />
        return (
          // A larger target for what the order's own link does.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <tr
            key={slot}
            {...tableRoles.row}
            data-index={index}
            aria-rowindex={index + 2}
            onClick={(event) => {
              if (isMeantForRow(event)) onOpen(order.id)
            }}
            className={`cursor-pointer border-b border-line hover:bg-well/60 has-[input:checked]:bg-accent-wash/45 ${rowLook}`}
            style={gap > 0 ? { marginTop: gap } : undefined}
          >
            {renderCells(order)}
          </tr>
        )
      })}
    </tbody>
  )
}

/** Read once per list: what is remembered changes while one scrolls. */
function useExpectedRows(name: string): number {
  const [expected, setExpected] = useState(() => ({ name, rows: rowsToExpect() }))
  if (expected.name !== name) setExpected({ name, rows: rowsToExpect() })
  return expected.rows
}

function useGoOn({ orders, hasMore, hasFailedToGoOn, isOld, goOn }: OrderList, lastShown: number) {
  const isNearEnd = lastShown >= orders.length - nearEnd
  useEffect(() => {
    if (isNearEnd && hasMore && !hasFailedToGoOn && !isOld) goOn()
  })
}

/** Not for a link or a button inside it, and not for who only marks some text. */
function isMeantForRow({ target }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('a, button, input, select, label')
  return !isOnControl && !getSelection()?.toString()
}
