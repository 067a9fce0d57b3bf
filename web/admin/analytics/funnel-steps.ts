import type { AnalyticsSummary } from '#contract/analytics.ts'

import { formatPercent, toPercent } from './format.ts'

/**
 * Who paid is read from the orders: in test mode `completed` also has what other programs report. Shares are capped at 100:
 * someone who views before midnight and pays after it counts in two days.
 */
export function funnelSteps({ views, started, orders, thanked }: AnalyticsSummary) {
  const steps = [
    { name: 'Views', count: views },
    { name: 'Payment started', count: started },
    { name: 'Paid', count: orders },
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
