import { allOfYesterday } from './comparison.ts'
import { capitalize } from './words.ts'

type LegendProps = {
  /** 'the 30 days before', where there is something to compare with. */
  before: string | undefined
  hasToday: boolean
}

/** What the marks of the picture mean. */
export function Legend({ before, hasToday }: LegendProps) {
  return (
    <ul
      aria-hidden
      className="flex min-h-5 flex-wrap content-start gap-x-5 gap-y-1 text-[0.8125rem]/5 text-muted @max-md:min-h-11"
    >
      {before && (
        <>
          <li className="flex items-center gap-2">
            <NowMark /> {before === allOfYesterday ? 'Today' : 'These days'}
          </li>
          <li className="flex items-center gap-2">
            <BeforeMark /> {capitalize(before)}
          </li>
        </>
      )}
      {hasToday && (
        <li className="flex items-center gap-2">
          <RunningMark /> Not over yet
        </li>
      )}
    </ul>
  )
}

export function NowMark() {
  return <span className="size-2.5 shrink-0 rounded-xs bg-accent" />
}

export function BeforeMark() {
  return <span className="w-4 shrink-0 border-t-2 border-dashed border-line-strong" />
}

function RunningMark() {
  return (
    <span className="size-2.5 shrink-0 rounded-xs bg-[repeating-linear-gradient(-45deg,var(--color-accent)_0_1.5px,transparent_1.5px_3px)]" />
  )
}
