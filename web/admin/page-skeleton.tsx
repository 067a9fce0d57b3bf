import { Skeleton } from '#web/ui/skeleton.tsx'

/** The shape of a page before its words: head, then one wide card. */
export function PageSkeleton() {
  return (
    <div>
      <h1 aria-live="polite" className="sr-only">
        Loading...
      </h1>
      <div className="h-16 pt-1">
        <Skeleton className="h-7 w-40" />
        <Skeleton className="mt-3 h-4 w-72 max-w-full" />
      </div>
      <div className="mt-8 h-88 animate-appear-late rounded-2xl border border-line bg-card" />
    </div>
  )
}
