import { Link } from 'wouter'

import type { AnalyticsSummary } from '#contract/analytics.ts'

import { ownTimeZone, todayIn } from './calendar.ts'
import { choiceLook } from './choice-look.ts'
import { type DateRange, daysOf, hrefOf, presets } from './date-range.ts'
import { showDay, showDays } from './day-words.ts'
import { OwnRange } from './own-range.tsx'

type RangeBarProps = {
  range: DateRange
  /** The figures of that range, once they are there. */
  shown: AnalyticsSummary | undefined
}

/** Links, so that figures of some days can be opened in a tab of their own, shared, and left by Back. */
export function RangeBar({ range, shown }: RangeBarProps) {
  const chosen = 'preset' in range ? range.preset : undefined

  return (
    <div className="mt-7 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <nav aria-label="Date range" className="-ms-3">
        <ul className="flex flex-wrap gap-1">
          {presets.map(({ name, title }) => (
            <li key={name}>
              <Link
                href={hrefOf({ preset: name })}
                aria-current={name === chosen ? 'true' : undefined}
                className={choiceLook(name === chosen)}
              >
                {title}
              </Link>
            </li>
          ))}
          <li>
            <OwnRange range={range} shown={shown} />
          </li>
        </ul>
      </nav>
      <p aria-live="polite" className="text-[0.8125rem]/5 text-muted">
        {daysInWords(range, shown)}, {ownTimeZone().replaceAll('_', ' ')} time
      </p>
    </div>
  )
}

/** When all time began is known from its figures alone. */
function daysInWords(range: DateRange, shown: AnalyticsSummary | undefined): string {
  const days = daysOf(range, todayIn(ownTimeZone()))
  if (days) return showDays(days)
  return shown ? `Since ${showDay(shown.from)}` : 'All time'
}
