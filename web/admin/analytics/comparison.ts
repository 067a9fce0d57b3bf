import { countDays, type Days } from './calendar.ts'

/** How a figure stands against the period before. */
export type Comparison = {
  direction: 'up' | 'down' | 'level'
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
  const direction = now === before ? 'level' : now > before ? 'up' : 'down'
  if (before === 0) return { direction, change: 'Nothing', against: inPeriod(period) }
  const percent = Math.round(((now - before) * 100) / before)
  if (percent === 0) {
    const change = now === before ? 'The same' : 'About the same'
    return { direction: 'level', change, against: `as ${period}` }
  }
  if (now >= manyTimes * before) {
    const times = Math.round(now / before).toLocaleString('en')
    return { direction, change: `${times} times`, against: period }
  }
  return { direction, change: `${signed(percent)}%`, against: `against ${period}` }
}

/** Of percents, which are compared by their distance: from 2% to 3% is one point. */
export function comparePercents(now: number, before: number, period: string): Comparison {
  const points = Math.round((now - before) * 10) / 10
  if (points === 0) return { direction: 'level', change: 'The same', against: `as ${period}` }
  const unit = Math.abs(points) === 1 ? 'point' : 'points'
  return {
    direction: points > 0 ? 'up' : 'down',
    change: `${signed(points)} ${unit}`,
    against: `against ${period}`,
  }
}

/** 'all of yesterday', but 'in the 30 days before'. */
function inPeriod(period: string): string {
  return period.endsWith('days before') ? `in ${period}` : period
}

function signed(number: number): string {
  return `${number > 0 ? '+' : '−'}${Math.abs(number).toLocaleString('en')}`
}
