import { ListFilter } from 'lucide-react'
import {
  memo,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react'
import { Link } from 'wouter'

import type { AdminOrder } from '#contract/orders.ts'
import { EmptyState, LoadError } from '#web/admin/shell/page-states.tsx'
import { tableRoles } from '#web/admin/shell/table-roles.ts'
import { formatQuery } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { useCompactRows } from './compact-rows.ts'
import { type OrderList, useFound } from './order-queries.ts'
import { formatCount } from './order-text.ts'
import { isNarrowed, noFilters, type OrderNavigation, searchValues } from './order-url.ts'
import {
  maxPrintedRows,
  useExpectedRows,
  useRowFocus,
  useScrollPosition,
  useVirtualRows,
} from './virtual-rows.ts'

/** How many rows before the end of the list the next page is loaded. */
const loadMoreRows = 40
/** Placeholder rows at the end of the list while more are loading. */
const placeholderRows = 3

/** The padding of a row. Compact rows, with one line of text for each column, have less. */
const rowPadding =
  'gap-x-3.5 gap-y-2.5 py-4 @4xl:py-3.5 group-data-compact/rows:gap-y-1 group-data-compact/rows:py-2 @4xl:group-data-compact/rows:py-1.5'

export type OrderColumn = {
  title: ReactNode
  headLook?: string
  /** Class names of the cell, with its grid area. */
  look: string
  render: (order: AdminOrder) => ReactNode
}

type RowProps = {
  list: OrderList
  /** Memoized: a row is rendered again only when its order or the columns change. */
  columns: readonly OrderColumn[]
  rowLook: string
  onOpen: (id: string) => void
}

type OrderTableProps = RowProps & {
  name: string
  /** How many orders there are in all, if known. */
  total: number | undefined
  headLook?: string
  /** Shown instead of a list without orders. */
  empty: ReactNode
  /** Something else on the page is still loading, and would move the list. */
  isWaiting?: boolean
  /** Lies over the header while orders are selected. */
  children?: ReactNode
}

/** The orders of a list, or what is shown while it loads, when it is empty and when it failed. */
export function OrderTable({ list, empty, isWaiting, ...table }: OrderTableProps) {
  if (list.isPending || isWaiting) return <TableSkeleton />
  if (list.isError) {
    return <LoadError what="orders" isRetrying={list.isFetching} onRetry={list.retry} />
  }
  return list.isEmpty ? empty : <Table list={list} {...table} />
}

type TableProps = Omit<OrderTableProps, 'empty' | 'isWaiting'>

/** A table; where there is no space for one, each row is a card. */
function Table({ name, total, headLook = '', children, ...rows }: TableProps) {
  const { orders, hasMore, isPrevious, hasLoadMoreFailed, loadMore } = rows.list
  const { isCompact } = useCompactRows()
  useLoadBeforePrinting(rows.list)
  // With the header row; -1 means unknown.
  const rowCount = (hasMore ? (total ?? -2) : orders.length) + 1

  return (
    <>
      <ListLength list={rows.list} />
      <div
        className={classNames(
          'group/rows @container mt-4 rounded-2xl border border-line bg-card shadow-rest transition-opacity',
          isPrevious && 'opacity-55',
        )}
        data-compact={isCompact || undefined}
      >
        <div className="flex flex-col">
          {children}
          <table
            {...tableRoles.table}
            aria-label={name}
            aria-rowcount={rowCount}
            aria-busy={isPrevious}
            // A focused control is never hidden by the sticky header or the bar at the bottom.
            className="block [&_:is(a,button,input,select)]:scroll-mt-32 [&_:is(a,button,input,select)]:scroll-mb-40"
          >
            <thead
              {...tableRoles.group}
              className={`sticky top-14 z-10 block rounded-t-2xl border-b border-line bg-card ${headLook}`}
            >
              <tr
                {...tableRoles.row}
                aria-rowindex={1}
                className={`${rows.rowLook} gap-x-3.5 @max-4xl:py-1.5 @4xl:py-3.5`}
              >
                {rows.columns.map(({ look, title, headLook = 'text-start @max-4xl:sr-only' }) => (
                  <th
                    key={look}
                    {...tableRoles.header}
                    scope="col"
                    className={`text-xs font-medium text-muted ${headLook}`}
                  >
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <Rows {...rows} />
          </table>
        </div>
        {hasLoadMoreFailed && (
          <div
            role="alert"
            className="flex flex-wrap items-center justify-center gap-3 p-5 text-sm"
          >
            <p className="text-soft">The next orders could not be loaded.</p>
            <Button onClick={loadMore}>Try again</Button>
          </div>
        )}
        {(hasMore || orders.length > maxPrintedRows) && (
          <p className="hidden p-4 text-sm print:block">
            {formatPrinted(Math.min(orders.length, maxPrintedRows), total)}
          </p>
        )}
      </div>
    </>
  )
}

/** How many orders a search has found: '12 order(s) found'. Without a search, how many are on the page. */
function ListLength({ list }: { list: OrderList }) {
  const isSearch = isNarrowed(list.search)
  const { count, isMore } = useFound(list)
  const text = `${formatCount(count)}${isMore ? ' or more' : ''} order(s) ${isSearch ? 'found' : 'listed'}`
  return (
    <p aria-live="polite" className={isSearch ? 'mt-4 -mb-1.5 text-sm text-soft' : 'sr-only'}>
      {list.isPrevious ? 'Loading...' : text}
    </p>
  )
}

/** 'The first 100 of 400 orders.' */
function formatPrinted(count: number, total: number | undefined): string {
  const all = total === undefined || total <= count ? '' : ` of ${formatCount(total)}`
  return `The first ${formatCount(count)}${all} orders. Export on the orders page has all of them.`
}

/**
 * Ctrl+P prints the whole list, as far as paper has it: what is missing is loaded first. A page printed from the menu of
 * the browser cannot wait, and says how many orders it has.
 */
function useLoadBeforePrinting(list: OrderList) {
  const { orders, hasMore, hasLoadMoreFailed, isPrevious, loadMore } = list
  const isAsked = useRef(false)
  const isComplete = !hasMore || hasLoadMoreFailed || orders.length >= maxPrintedRows
  const begin = useEffectEvent(() => {
    isAsked.current = true
    loadMore()
  })
  useEffect(() => {
    if (isComplete || isPrevious) return
    function onKeyDown(event: KeyboardEvent) {
      const isPrint = (event.ctrlKey || event.metaKey) && event.key === 'p'
      // An open dialog or panel is printed alone.
      const isOther = event.altKey || event.shiftKey || document.querySelector('[role=dialog]')
      if (!isPrint || isOther) return
      event.preventDefault()
      begin()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isComplete, isPrevious])
  useEffect(() => {
    if (isPrevious) isAsked.current = false
    if (!isAsked.current) return
    if (!isComplete) return loadMore()
    isAsked.current = false
    // Later: all rows are rendered as printing begins, which is not possible within an effect.
    setTimeout(() => print())
  })
}

function Rows({ list, columns, rowLook, onOpen }: RowProps) {
  const { orders, hasMore, isPrevious } = list
  const listName = formatQuery(searchValues(list.search))
  const body = useRef<HTMLTableSectionElement>(null)
  const focus = useRowFocus(body, orders)
  const expected = useExpectedRows(listName)
  const rowCount = hasMore ? Math.max(orders.length + placeholderRows, expected) : orders.length
  const { isCompact } = useCompactRows()
  const { rows, height, findRowAt, scrollToRow, isPrinting } = useVirtualRows(body, {
    count: rowCount,
    isCompact,
    getKey: useCallback((index: number) => orders[index]?.id ?? index, [orders]),
    rangeExtractor: focus.rangeExtractor,
  })
  useScrollPosition({ listName, rowCount, isReady: !isPrevious, findRowAt, scrollToRow })

  const isNearEnd = (rows.at(-1)?.index ?? 0) >= orders.length - loadMoreRows
  useEffect(() => {
    if (isPrinting) return
    if (isNearEnd && hasMore && !list.hasLoadMoreFailed && !isPrevious) list.loadMore()
  })

  return (
    <tbody
      {...tableRoles.group}
      ref={body}
      {...focus.handlers}
      className="flow-root [overflow-anchor:none]"
      style={{ height }}
    >
      {rows.map(({ key, index, gap }) => {
        const order = orders[index]
        const style = gap > 0 ? { marginTop: gap } : undefined
        if (!order) {
          return (
            <tr
              key={key}
              aria-hidden
              data-index={index}
              className="block border-b border-line"
              style={style}
            >
              <td className="block">
                <RowSkeleton />
              </td>
            </tr>
          )
        }
        return (
          // A larger target for the order's own link.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <tr
            key={key}
            {...tableRoles.row}
            data-index={index}
            aria-rowindex={index + 2}
            onClick={(event) => {
              if (isRowClick(event)) onOpen(order.id)
            }}
            className={`cursor-pointer border-b border-line hover:bg-well/60 has-[input:checked]:bg-accent-wash/45 ${rowLook} ${rowPadding}`}
            style={style}
          >
            <Cells order={order} columns={columns} />
          </tr>
        )
      })}
    </tbody>
  )
}

type CellsProps = { order: AdminOrder; columns: readonly OrderColumn[] }

const Cells = memo(function Cells({ order, columns }: CellsProps) {
  return columns.map(({ look, render }) => (
    <td key={look} {...tableRoles.cell} className={look}>
      {render(order)}
    </td>
  ))
})

/** Not on a control in the row, and not the end of selecting text. */
function isRowClick({ target }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('a, button, input, select, label')
  return !isOnControl && !getSelection()?.toString()
}

function TableSkeleton() {
  const { isCompact } = useCompactRows()
  return (
    <div
      data-compact={isCompact || undefined}
      className="group/rows @container mt-4 rounded-2xl border border-line bg-card shadow-rest"
    >
      <p aria-live="polite" className="sr-only">
        Loading...
      </p>
      <div aria-hidden className="divide-y divide-line">
        <div className="h-11" />
        {Array.from({ length: 6 }, (_row, index) => (
          <RowSkeleton key={index} />
        ))}
      </div>
    </div>
  )
}

function RowSkeleton() {
  return (
    <div className="flex h-54 items-center gap-4 px-5 @4xl:h-22 group-data-compact/rows:h-36 @4xl:group-data-compact/rows:h-12">
      <Skeleton className="h-4 w-20" />
      <Skeleton className="size-10 rounded-lg" />
      <Skeleton className="h-4 w-28" />
      <Skeleton className="h-4 w-36 @max-4xl:hidden" />
      <Skeleton className="h-4 w-40 @max-4xl:hidden" />
      <Skeleton className="ms-auto h-4 w-20" />
    </div>
  )
}

export function NoFilteredOrders({ navigation }: { navigation: OrderNavigation }) {
  return (
    <EmptyState
      icon={ListFilter}
      title="No orders match your filter"
      description="Another product or other days may have some."
    >
      <Button onClick={() => navigation.show(noFilters)} className="mt-6">
        Clear filter
      </Button>
    </EmptyState>
  )
}

/** Leads from an empty filter to the whole list. */
export function ShowAllLink({ href }: { href: string }) {
  return (
    <Link
      href={href}
      className="mt-6 inline-flex h-9 items-center rounded-lg border border-line-strong/60 bg-card px-4 text-sm font-medium shadow-rest hover:border-line-strong hover:bg-well pointer-coarse:h-11"
    >
      Show all orders
    </Link>
  )
}
