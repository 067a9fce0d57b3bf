import type { AnalyticsSummary } from '#contract/analytics.ts'

import { formatPercent, toPercent } from './format.ts'

/** Shares are capped at 100: someone who views before midnight and pays after it counts in two days. */
export function funnelSteps({ views, started, completed, thanked }: AnalyticsSummary) {
  const steps = [
    { name: 'Views', count: views },
    { name: 'Payment started', count: started },
    { name: 'Paid', count: completed },
    { name: 'Thank-you', count: thanked },
  ]
  return steps.map(({ name, count }, index) => {
    // The step after views has no second share: it would repeat the first.
    const previousCount = index > 1 ? (steps[index - 1]?.count ?? 0) : 0
    return {
      name,
      count,
      /** The share of all views. */
      percent: views === 0 ? undefined : toPercent(count, views),
      ofPrevious:
        previousCount > 0
          ? `${formatPercent(toPercent(count, previousCount))} of the step before`
          : undefined,
    }
  })
}
