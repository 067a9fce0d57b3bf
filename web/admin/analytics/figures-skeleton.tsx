import { Skeleton } from '#web/ui/skeleton.tsx'

import { panelLook, panelPadding } from './panel.tsx'
import { chartHeight } from './revenue-chart.tsx'

/** The figures to come in their final places, for eyes; the words for everyone else. */
export function FiguresSkeleton() {
  return (
    <div className="@container mt-4">
      <p aria-live="polite" className="sr-only">
        Loading...
      </p>
      <div aria-hidden className="flex flex-col gap-4">
        <div className={`grid grid-cols-2 @3xl:grid-cols-4 ${panelLook}`}>
          {[1, 2, 3, 4].map((figure) => (
            <FigureShape key={figure} />
          ))}
        </div>
        <div className={`${panelLook} ${panelPadding}`}>
          <TitleShape />
          <ChartShape />
        </div>
        <div className="grid gap-4 @3xl:grid-cols-2">
          <ListShape />
          <ListShape />
        </div>
        <div className="grid gap-4 @3xl:grid-cols-3">
          <ListShape />
          <ListShape />
          <ListShape />
        </div>
      </div>
    </div>
  )
}

function FigureShape() {
  return (
    <div className="h-38.5 p-4 @md:h-34.5 @3xl:h-38.5 @3xl:p-6">
      <Skeleton className="mt-1 h-4 w-24" />
      <Skeleton className="mt-3.5 h-7 w-28" />
    </div>
  )
}

function TitleShape() {
  return (
    <div className="h-9 pt-2.5">
      <Skeleton className="h-4 w-36" />
    </div>
  )
}

const bars = ['h-1/3', 'h-1/2', 'h-2/5', 'h-3/5', 'h-1/3', 'h-1/2', 'h-3/4', 'h-2/3']

function ChartShape() {
  return (
    <div
      className={`mt-8 mb-7 flex items-end justify-between gap-[4%] border-b border-line ps-12 ${chartHeight}`}
    >
      {bars.map((height, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- they never change
        <Skeleton key={place} className={`flex-1 rounded-b-none ${height}`} />
      ))}
    </div>
  )
}

function ListShape() {
  return (
    <div className={`${panelLook} ${panelPadding}`}>
      <TitleShape />
      <div className="mt-2 flex min-h-57 flex-col gap-3.5">
        {[1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="h-8 pt-1">
            <Skeleton className="h-3.5 w-2/5" />
            <Skeleton className="mt-2 h-1.5 w-full" />
          </div>
        ))}
      </div>
    </div>
  )
}
