import { Link } from 'wouter'

import { type OrderStatus, orderStatuses } from '#contract/orders.ts'
import { classNames } from '#web/ui/class-names.ts'

import { statusLooks } from './status-looks.ts'

type StatusFilterProps = {
  chosen: OrderStatus | undefined
  hrefOf: (status: OrderStatus | undefined) => string
  /** How many there are of each. Room is kept for what is not known. */
  countOf?: (status: OrderStatus | undefined) => number | undefined
}

/** Links, so that a filtered list can be opened in a tab of its own, shared, and left by Back. */
export function StatusFilter({ chosen, hrefOf, countOf }: StatusFilterProps) {
  return (
    <nav aria-label="Status filter">
      <ul className="flex flex-wrap gap-1">
        {[undefined, ...orderStatuses].map((status) => (
          <li key={status ?? 'all'}>
            <Link
              href={hrefOf(status)}
              aria-current={status === chosen ? 'true' : undefined}
              className={classNames(
                'flex h-9 items-center gap-2 rounded-lg px-3 text-sm font-medium transition-colors pointer-coarse:h-11',
                status === chosen
                  ? 'bg-accent-wash text-accent-strong'
                  : 'text-soft hover:bg-ink/6 hover:text-ink',
              )}
            >
              <span>{status ? statusLooks[status].text : 'All Orders'}</span>
              {countOf && (
                <span className="min-w-[4ch] text-xs font-normal opacity-80 max-sm:hidden">
                  {countOf(status)?.toLocaleString('en')}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
