import { ChevronsUpDown, CircleCheck, Clock, type LucideIcon, Package, Truck } from 'lucide-react'
import { Link } from 'wouter'

import { type AdminOrder, type OrderStatus, orderStatuses } from '#contract/orders.ts'
import { classNames } from '#web/ui/class-names.ts'

import { formatCount, labelOf, shortId, statusLabels } from './order-text.ts'

export const statusLooks: Record<OrderStatus, { icon: LucideIcon; colours: string }> = {
  pending: { icon: Clock, colours: 'bg-pending-wash text-pending' },
  processing: { icon: Package, colours: 'bg-processing-wash text-processing' },
  shipped: { icon: Truck, colours: 'bg-shipped-wash text-shipped' },
  completed: { icon: CircleCheck, colours: 'bg-completed-wash text-completed' },
}

/** What is picked up has no truck, and a longer name in its place. */
function lookOf(status: string, { isPickup }: Pick<AdminOrder, 'isPickup'>) {
  const { icon, colours } = Object.hasOwn(statusLooks, status)
    ? statusLooks[status as OrderStatus]
    : statusLooks.pending
  return { icon: status === 'shipped' && isPickup ? undefined : icon, colours }
}

type StatusBadgeProps = { status: OrderStatus; of?: Pick<AdminOrder, 'isPickup'> }

export function StatusBadge({ status, of = {} }: StatusBadgeProps) {
  const { icon: Icon, colours } = lookOf(status, of)
  return (
    <span
      className={classNames(
        'inline-flex h-6.5 items-center gap-1.5 rounded-full px-2.5 text-[0.8125rem] font-medium whitespace-nowrap',
        colours,
      )}
    >
      {Icon && <Icon aria-hidden className="size-3.5" />}
      {labelOf(status, of)}
    </span>
  )
}

type StatusSelectProps = { order: AdminOrder; onChange: (to: OrderStatus) => void }

/** A badge that can be changed: a native select in the colours of its status. */
export function StatusSelect({ order, onChange }: StatusSelectProps) {
  const { id, status } = order
  const { icon: Icon, colours } = lookOf(status, order)
  const isKnown = orderStatuses.includes(status)
  return (
    <div className={`relative inline-flex items-center rounded-full ${colours}`}>
      {Icon && <Icon aria-hidden className="pointer-events-none absolute start-3 size-3.5" />}
      <select
        aria-label={`Status of order ${shortId(id)}`}
        value={status}
        onChange={({ target }) => {
          const to = orderStatuses.find((one) => one === target.value)
          if (to) onChange(to)
        }}
        className={classNames(
          Icon ? 'ps-8' : 'ps-3',
          'h-8 w-36 cursor-pointer appearance-none rounded-full border border-current/20 bg-transparent pe-6 text-[0.8125rem] font-medium transition-colors hover:border-current/50 pointer-coarse:h-11 [&>option]:bg-card [&>option]:text-ink',
        )}
      >
        {!isKnown && <option value={status}>{labelOf(status)}</option>}
        {orderStatuses.map((one) => (
          <option key={one} value={one}>
            {labelOf(one, order)}
          </option>
        ))}
      </select>
      <ChevronsUpDown aria-hidden className="pointer-events-none absolute end-2 size-3.5" />
    </div>
  )
}

type StatusFilterProps = {
  chosen: OrderStatus | undefined
  hrefOf: (status: OrderStatus | undefined) => string
  /** The count among all orders, whatever is searched for. Space is kept for a count that is not known. */
  countOf?: (status: OrderStatus | undefined) => number | undefined
}

/** Links, so that a filtered list can be shared, opened in a new tab and left with Back. */
export function StatusFilter({ chosen, hrefOf, countOf }: StatusFilterProps) {
  return (
    <nav aria-label="Status filter">
      <ul className="flex flex-wrap gap-1">
        {[undefined, ...orderStatuses].map((status) => {
          const count = countOf?.(status)
          return (
            <li
              key={status ?? 'all'}
              className={classNames(
                'relative flex h-9 items-center rounded-lg text-sm transition-colors pointer-coarse:h-11',
                status === chosen
                  ? 'bg-accent-wash text-accent-strong'
                  : 'text-soft hover:bg-ink/6 hover:text-ink',
              )}
            >
              {/* Its text is the filter alone; a click on the count counts too. */}
              <Link
                href={hrefOf(status)}
                aria-current={status === chosen ? 'true' : undefined}
                className="flex h-full items-center rounded-lg px-3 font-medium after:absolute after:inset-0"
              >
                {status ? statusLabels[status] : 'All Orders'}
              </Link>
              {countOf && (
                <span className="-ms-1 min-w-[4ch] pe-3 text-xs opacity-80 max-sm:hidden">
                  {count !== undefined && formatCount(count)}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
