import type { AnalyticsSummary } from '#contract/analytics.ts'

import { percentOf, showPercent } from './amounts.ts'

export type FunnelStep = {
  name: string
  count: number
  /** Of views, from 0 to 100; without any there is no telling. */
  percent: number | undefined
  /** How many of the step before came so far, where that is not the same as of views. */
  wentOn: string | undefined
}

/** Who looks before midnight and pays after it is in the funnel of two days: no share is more than all. */
export function funnelSteps(summary: AnalyticsSummary): FunnelStep[] {
  const { views, started, completed, thanked } = summary
  const steps = [
    { name: 'Views', count: views },
    { name: 'Payment started', count: started },
    { name: 'Paid', count: completed },
    { name: 'Thank-you', count: thanked },
  ]
  return steps.map(({ name, count }, place) => {
    const previous = place > 1 ? steps[place - 1] : undefined
    return {
      name,
      count,
      percent: views === 0 ? undefined : percentOf(count, views),
      wentOn:
        previous && previous.count > 0
          ? `${showPercent(percentOf(count, previous.count))} of the step before`
          : undefined,
    }
  })
}
