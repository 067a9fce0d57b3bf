import type { OrderCounts, OrderStatus } from '#contract/orders.ts'
import { statusLooks } from '#web/admin/orders/status-looks.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

const counters: { title: string; status: OrderStatus }[] = [
  { title: 'Pending Orders', status: 'pending' },
  { title: 'Processing', status: 'processing' },
  { title: 'Shipped', status: 'shipped' },
]

/** What waits, what is being packed, what is on its way. A dash stands for what is not known. */
export function Counters({ counts, isPending }: CountersProps) {
  return (
    <dl className="mt-7 grid grid-cols-3 gap-3 sm:gap-4">
      {counters.map(({ title, status }) => {
        const { icon: Icon, colours } = statusLooks[status]
        return (
          <div
            key={status}
            className="flex flex-col-reverse justify-end gap-0.5 rounded-2xl border border-line bg-card p-3.5 shadow-rest sm:p-5"
          >
            <dt className="text-[0.8125rem]/5 text-soft sm:text-sm">{title}</dt>
            <dd className="flex text-2xl font-semibold tracking-tight max-sm:flex-col-reverse max-sm:gap-3 sm:justify-between sm:text-[1.75rem]/9">
              {isPending ? (
                <Skeleton className="h-8 w-12 sm:h-9" />
              ) : (
                (counts?.[status].toLocaleString('en') ?? '–')
              )}
              <span
                className={`grid size-9 place-items-center rounded-full sm:size-10 lg:translate-y-3 ${colours}`}
              >
                <Icon aria-hidden className="size-4.5" />
              </span>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

type CountersProps = { counts: OrderCounts | undefined; isPending: boolean }
