import type { LucideIcon } from 'lucide-react'

import { percentOf } from './amounts.ts'

export type RankedEntry = {
  key: string
  name: string
  icon?: LucideIcon
  figure: string
  note: string
  /** What the length of its bar stands for. */
  size: number
}

type RankedListProps = {
  entries: RankedEntry[]
  /** The length of a whole bar. */
  whole: number
  /** Said where there is nothing to list. */
  empty: string
}

/** Kept so that nothing moves when days change: five lines where lists stand side by side, three below each other. */
const room = 'mt-2 min-h-31 @3xl:min-h-57'

/** The most first, each over a bar of its size. */
export function RankedList({ entries, whole, empty }: RankedListProps) {
  if (entries.length === 0) {
    return <p className={`grid place-items-center pb-6 text-sm text-muted ${room}`}>{empty}</p>
  }
  return (
    <ol
      className={`grid grid-cols-[minmax(0,1fr)_auto_auto] content-start gap-x-2 gap-y-3.5 ${room}`}
    >
      {entries.map(({ key, name, icon: Icon, figure, note, size }) => (
        <li key={key} className="col-span-full grid grid-cols-subgrid items-center text-sm">
          <span className="flex min-w-0 items-center gap-2">
            {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
            <bdi title={name} className="truncate">
              {name}
            </bdi>
          </span>
          <span className="text-end text-[0.8125rem] whitespace-nowrap text-muted">{note}</span>
          <span className="min-w-12 text-end font-medium whitespace-nowrap">{figure}</span>
          <div className="col-span-full">
            <ShareBar percent={percentOf(size, whole)} />
          </div>
        </li>
      ))}
    </ol>
  )
}

export function ShareBar({ percent }: { percent: number }) {
  return (
    <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-ink/7">
      <div
        hidden={percent === 0}
        style={{ inlineSize: `${percent}%` }}
        className="h-full min-w-1 rounded-full bg-accent/75 transition-[inline-size] duration-300 motion-reduce:transition-none"
      />
    </div>
  )
}
