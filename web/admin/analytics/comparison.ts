import type { Headline } from '#contract/analytics.ts'
import { countDays, type Days } from '#contract/days.ts'

/** How a figure stands against the period before. */
export type Comparison = {
  /** None where it is the same, or nothing was there to compare with. */
  arrow: 'up' | 'down' | undefined
  /** '+12%' */
  change: string
  /** 'against the 30 days before' */
  against: string
}

/** From so many times as much on, a factor says more than percents. */
const manyTimes = 10

export const allOfYesterday = 'all of yesterday'

/** Today is not over and is held against a whole day: 'all of yesterday', else 'the day before' or 'the 30 days before'. */
export function nameBefore(days: Days, today: string): string {
  const length = countDays(days)
  if (length > 1) return `the ${length.toLocaleString('en')} days before`
  return days.to === today ? allOfYesterday : 'the day before'
}

/** Of money or of counts. */
export function compare(now: number, before: number, period: string): Comparison {
  if (before === 0) return { arrow: undefined, change: 'Nothing', against: inPeriod(period) }
  const percent = Math.round(((now - before) * 100) / before)
  if (percent === 0) {
    const change = now === before ? 'The same' : 'About the same'
    return { arrow: undefined, change, against: `as ${period}` }
  }
  if (now >= manyTimes * before) {
    const times = Math.round(now / before).toLocaleString('en')
    return { arrow: 'up', change: `${times} times`, against: period }
  }
  return { arrow: arrowOf(percent), change: `${signed(percent)}%`, against: `against ${period}` }
}

type Conversion = Pick<Headline, 'conversion' | 'views'>

/** By its distance: from 2% to 3% is one point. Nobody who looked is no 0%, and nothing to compare. */
export function compareConversion(
  now: Conversion,
  before: Conversion,
  period: string,
): Comparison | undefined {
  if (now.views === 0) return undefined
  if (before.views === 0) return { arrow: undefined, change: 'No views', against: inPeriod(period) }
  const points = Math.round((now.conversion - before.conversion) * 10) / 10
  if (points === 0) return { arrow: undefined, change: 'The same', against: `as ${period}` }
  const unit = Math.abs(points) === 1 ? 'point' : 'points'
  return {
    arrow: arrowOf(points),
    change: `${signed(points)} ${unit}`,
    against: `against ${period}`,
  }
}

function arrowOf(change: number): 'up' | 'down' {
  return change > 0 ? 'up' : 'down'
}

/** 'all of yesterday', but 'in the 30 days before'. */
function inPeriod(period: string): string {
  return period.endsWith('days before') ? `in ${period}` : period
}

function signed(number: number): string {
  return `${number > 0 ? '+' : '−'}${Math.abs(number).toLocaleString('en')}`
}
