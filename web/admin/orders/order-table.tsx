import { ListFilter } from 'lucide-react'
import {
  memo,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
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
import { focusRow, useRestoredRows, useRowFocus, useScrollPosition } from './list-place.ts'

/** Ctrl+P loads no more rows than these. */
const maxPrintedRows = 2_000

/** The padding of a row. Compact rows, with one line of text for each column, have less. */
const rowPadding =
  'gap-x-3.5 gap-y-2.5 py-4 @4xl:py-3.5 group-data-compact/rows:gap-y-1 group-data-compact/rows:py-2 @4xl:group-data-compact/rows:py-1.5'

/**
 * Rows off the screen are not laid out: of a thousand rows, a dialog would restyle every cell. Their heights are estimated,
 * without the padding.
 */
const rowDrawing = [
  '[content-visibility:auto] print:[content-visibility:visible]',
  '[contain-intrinsic-height:auto_197px] @4xl:[contain-intrinsic-height:auto_60px]',
  'group-data-compact/rows:[contain-intrinsic-height:auto_133px]',
  '@4xl:group-data-compact/rows:[contain-intrinsic-height:auto_36px]',
].join(' ')

export type OrderColumn = {
  title: ReactNode
  headLook?: string
  /** Class names of the cell, with its grid area. */
  look: string
  render: (order: AdminOrder) => ReactNode
}

type RowProps = {
  list: OrderList
  /** A row is rendered again only when its order or the columns change. */
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
  const isRestoring = useRestoredRows({
    listName: nameOf(list),
    rowCount: list.orders.length,
    isReady: !list.isPending && !list.isPrevious,
    canLoadMore: list.hasMore && !list.hasLoadMoreFailed,
    loadMore: list.loadMore,
  })
  if (list.isPending || isWaiting || isRestoring) return <TableSkeleton />
  if (list.isError) {
    return <LoadError what="orders" isRetrying={list.isFetching} onRetry={list.retry} />
  }
  return list.isEmpty ? empty : <Table list={list} {...table} />
}

/** The same for the same orders, also in another tab or after a reload. */
function nameOf({ search }: OrderList): string {
  return formatQuery(searchValues(search))
}

type TableProps = Omit<OrderTableProps, 'empty' | 'isWaiting'>

/** A table; where there is no space for one, each row is a card. */
function Table({ name, total, headLook = '', children, ...rows }: TableProps) {
  const { orders, hasMore, isPrevious } = rows.list
  const body = useRef<HTMLTableSectionElement>(null)
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
            <Rows {...rows} body={body} />
          </table>
        </div>
        {hasMore && <LoadMore list={rows.list} body={body} />}
        {hasMore && (
          <p className="hidden p-4 text-sm print:block">{formatPrinted(orders.length, total)}</p>
        )}
      </div>
    </>
  )
}

type LoadMoreProps = { list: OrderList; body: RefObject<HTMLElement | null> }

function LoadMore({ list, body }: LoadMoreProps) {
  const { orders, isPrevious, isLoadingMore, hasLoadMoreFailed, loadMore } = list
  const wasPressedAt = useRef<number>(undefined)
  useLayoutEffect(() => {
    const first = wasPressedAt.current
    if (first === undefined || orders.length <= first) return
    wasPressedAt.current = undefined
    focusRow(body, first, 'a')
  }, [orders, body])

  return (
    <div
      role={hasLoadMoreFailed ? 'alert' : undefined}
      className="flex flex-wrap items-center justify-center gap-3 p-5 text-sm print:hidden"
    >
      {hasLoadMoreFailed && <p className="text-soft">The next orders could not be loaded.</p>}
      <Button
        isPending={isLoadingMore}
        disabled={isPrevious}
        onClick={({ detail }) => {
          // Pressed with the keyboard, it goes on in the first of the new rows.
          wasPressedAt.current = detail === 0 ? orders.length : undefined
          loadMore()
        }}
      >
        {hasLoadMoreFailed ? 'Try again' : 'Load more'}
      </Button>
    </div>
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

/** 'The first 100 of 400 orders: 300 are missing.' */
function formatPrinted(count: number, total = count): string {
  const missing = formatCount(total - count)
  const shown =
    total > count
      ? `${formatCount(count)} of ${formatCount(total)} orders: ${missing} are missing`
      : `${formatCount(count)} orders: others are missing`
  return `The first ${shown}. Export on the orders page has all of them.`
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
    // Later: nothing is rendered for paper within an effect.
    setTimeout(() => print())
  })
}

type RowsProps = RowProps & { body: RefObject<HTMLTableSectionElement | null> }

function Rows({ list, body, ...look }: RowsProps) {
  const { orders, isPrevious } = list
  const focusHandlers = useRowFocus(body, orders)
  const rowCount = orders.length
  useScrollPosition({ body, listName: nameOf(list), rowCount, isReady: !isPrevious })

  return (
    <tbody {...tableRoles.group} ref={body} {...focusHandlers} className="block">
      {orders.map((order, index) => (
        <Row key={order.id} order={order} index={index} {...look} />
      ))}
    </tbody>
  )
}

type OneRowProps = Omit<RowProps, 'list'> & { order: AdminOrder; index: number }

/** Memoized: a list may have a thousand. */
const Row = memo(function Row({ order, index, columns, rowLook, onOpen }: OneRowProps) {
  return (
    // A larger target for the order's own link.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <tr
      {...tableRoles.row}
      aria-rowindex={index + 2}
      onClick={(event) => {
        if (isRowClick(event)) onOpen(order.id)
      }}
      className={`cursor-pointer border-b border-line hover:bg-well/60 has-[input:checked]:bg-accent-wash/45 ${rowLook} ${rowPadding} ${rowDrawing}`}
    >
      {columns.map(({ look, render }) => (
        <td key={look} {...tableRoles.cell} className={look}>
          {render(order)}
        </td>
      ))}
    </tr>
  )
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
