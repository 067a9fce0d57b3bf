import { Skeleton } from '#web/ui/skeleton.tsx'

type HintedRowProps = { index: number; gap: number }

/** A row that is on its way. */
export function HintedRow({ index, gap }: HintedRowProps) {
  return (
    <tr
      aria-hidden
      data-index={index}
      className="block border-b border-line"
      style={gap > 0 ? { marginTop: gap } : undefined}
    >
      <td className="block">
        <RowShape />
      </td>
    </tr>
  )
}

const rows = [1, 2, 3, 4, 5, 6]

/** The rows to come, for eyes; the words for everyone else. */
export function RowsSkeleton() {
  return (
    <div className="@container mt-4 rounded-2xl border border-line bg-card shadow-rest">
      <p aria-live="polite" className="sr-only">
        Loading...
      </p>
      <div aria-hidden className="divide-y divide-line">
        <div className="h-11" />
        {rows.map((row) => (
          <RowShape key={row} />
        ))}
      </div>
    </div>
  )
}

function RowShape() {
  return (
    <div className="flex h-54 items-center gap-4 px-5 @4xl:h-22">
      <Skeleton className="h-4 w-20" />
      <Skeleton className="size-10 rounded-lg" />
      <Skeleton className="h-4 w-28" />
      <Skeleton className="h-4 w-36 @max-4xl:hidden" />
      <Skeleton className="h-4 w-40 @max-4xl:hidden" />
      <Skeleton className="ms-auto h-4 w-20" />
    </div>
  )
}
