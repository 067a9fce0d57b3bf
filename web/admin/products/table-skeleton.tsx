import { Skeleton } from '#web/ui/skeleton.tsx'

const rows = [1, 2, 3]

/** The rows to come, for eyes; the words for everyone else. */
export function TableSkeleton() {
  return (
    <div className="mt-8 rounded-2xl border border-line bg-card shadow-rest">
      <p aria-live="polite" className="sr-only">
        Loading...
      </p>
      <div aria-hidden className="divide-y divide-line">
        {rows.map((row) => (
          <div key={row} className="flex h-20 items-center gap-4 px-5">
            <Skeleton className="size-12 rounded-lg" />
            <Skeleton className="h-4 w-40" />
            <Skeleton className="ms-auto h-4 w-16" />
            <Skeleton className="h-4 w-56 max-md:hidden" />
          </div>
        ))}
      </div>
    </div>
  )
}
