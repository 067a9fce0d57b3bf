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

/** The most first, each over a bar of its size. Room is kept for five, so that nothing moves when days change. */
export function RankedList({ entries, whole, empty }: RankedListProps) {
  if (entries.length === 0) return <p className="mt-1 pb-4 text-sm text-muted">{empty}</p>
  return (
    <ol className="mt-2 flex flex-col gap-3.5 @3xl:min-h-57">
      {entries.map(({ key, name, icon: Icon, figure, note, size }) => (
        <li key={key}>
          <div className="flex items-center gap-2 text-sm">
            {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
            <bdi title={name} className="min-w-0 flex-1 truncate">
              {name}
            </bdi>
            <span className="text-[0.8125rem] whitespace-nowrap text-muted">{note}</span>
            <span className="min-w-12 text-end font-medium whitespace-nowrap">{figure}</span>
          </div>
          <ShareBar percent={percentOf(size, whole)} />
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
