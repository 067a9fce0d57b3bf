import type { Headline } from '#contract/analytics.ts'
import { countDays, type Days } from '#contract/days.ts'

/** A figure compared with the previous period. */
export type Comparison = {
  /** Undefined if it is the same, or there is nothing to compare with. */
  arrow: 'up' | 'down' | undefined
  /** '+12%' */
  change: string
  /** 'against the 30 days before' */
  against: string
}

/** From this factor on, '12 times' is easier to read than '+1,100%'. */
const minFactor = 10

export const allOfYesterday = 'all of yesterday'

/** 'the 30 days before' or 'the day before'; today, which is not over, is compared with 'all of yesterday'. */
export function formatPreviousPeriod(days: Days, today: string): string {
  const length = countDays(days)
  if (length > 1) return `the ${length.toLocaleString('en')} days before`
  return days.to === today ? allOfYesterday : 'the day before'
}

/** Compares money or counts. */
export function compare(now: number, before: number, period: string): Comparison {
  if (before === 0) return { arrow: undefined, change: 'Nothing', against: inPeriod(period) }
  const percent = Math.round(((now - before) * 100) / before)
  if (percent === 0) {
    const change = now === before ? 'The same' : 'About the same'
    return { arrow: undefined, change, against: `as ${period}` }
  }
  if (now >= minFactor * before) {
    const factor = Math.round(now / before).toLocaleString('en')
    return { arrow: 'up', change: `${factor} times`, against: period }
  }
  return changeBy(percent, '%', period)
}

type Conversion = Pick<Headline, 'conversion' | 'views'>

/** Compares in percentage points: from 2% to 3% is one point. Without views there is no rate to compare. */
export function compareConversion(
  now: Conversion,
  before: Conversion,
  period: string,
): Comparison | undefined {
  if (now.views === 0) return undefined
  if (before.views === 0) return { arrow: undefined, change: 'No views', against: inPeriod(period) }
  const points = Math.round((now.conversion - before.conversion) * 10) / 10
  if (points === 0) return { arrow: undefined, change: 'The same', against: `as ${period}` }
  return changeBy(points, Math.abs(points) === 1 ? ' point' : ' points', period)
}

function changeBy(change: number, unit: string, period: string): Comparison {
  const sign = change > 0 ? '+' : '−'
  return {
    arrow: change > 0 ? 'up' : 'down',
    change: `${sign}${Math.abs(change).toLocaleString('en')}${unit}`,
    against: `against ${period}`,
  }
}

/** 'in the 30 days before', but 'all of yesterday'. */
function inPeriod(period: string): string {
  return period.endsWith('days before') ? `in ${period}` : period
}
