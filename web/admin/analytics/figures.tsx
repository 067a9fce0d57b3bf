import type { AnalyticsSummary } from '#contract/analytics.ts'
import { classNames } from '#web/ui/class-names.ts'

import { Countries, Devices, Referrers, TopProducts } from './breakdowns.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Funnel } from './funnel.tsx'
import { Headline } from './headline.tsx'
import { RevenuePanel } from './revenue-panel.tsx'

type FiguresProps = {
  summary: AnalyticsSummary
  /** Other figures are on their way. */
  isOld: boolean
}

export function Figures({ summary, isOld }: FiguresProps) {
  return (
    <div
      aria-busy={isOld}
      className={classNames(
        '@container mt-4 transition-opacity',
        isOld && 'opacity-50 delay-150 duration-300',
      )}
    >
      <div className="flex flex-col gap-4">
        <Headline summary={summary} />
        {hasNothingHappened(summary) ? <FirstSteps /> : <RevenuePanel summary={summary} />}
        <div className="grid grid-cols-1 gap-4 @3xl:grid-cols-2">
          <TopProducts summary={summary} />
          <Funnel summary={summary} />
        </div>
        <div className="grid grid-cols-1 gap-4 @3xl:grid-cols-3">
          <Devices summary={summary} />
          <Countries summary={summary} />
          <Referrers summary={summary} />
        </div>
      </div>
    </div>
  )
}

/** In all the time that the shop exists, not only in the days that were chosen. */
function hasNothingHappened({ before, views, started, orders }: AnalyticsSummary): boolean {
  return before === null && views + started + orders === 0
}
