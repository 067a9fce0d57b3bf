import type { DayFigures } from '#contract/analytics.ts'
import { addDays, type Day, type Days } from '#contract/days.ts'

import { formatCents, formatCount, formatPeriodWithWeekday, sumToCents } from './format.ts'

/** The period of one bar. */
export type BarUnit = 'day' | 'week' | 'month'

export type Bar = Days & {
  cents: number
  orders: number
  views: number
  /** The corresponding days of the previous period. */
  before: (Days & { cents: number }) | undefined
}

/** A quarter is shown by days, a year and a half by weeks, anything longer by months. */
const maxDailyBars = 92
const maxDaysByWeek = 548

export function chartUnit(dayCount: number): BarUnit {
  if (dayCount <= maxDailyBars) return 'day'
  return dayCount <= maxDaysByWeek ? 'week' : 'month'
}

/** Tables show days rather than weeks, but months for long ranges: ten years of daily rows take a second to render. */
export function tableUnit(dayCount: number): BarUnit {
  return chartUnit(dayCount) === 'month' ? 'month' : 'day'
}

/** Groups days into bars by calendar week or month; the first and last bar may be partial. */
export function createBars(
  days: DayFigures[],
  before: DayFigures[] | undefined,
  unit = chartUnit(days.length),
): Bar[] {
  const startOf = unitStarts[unit]
  const bars: Bar[] = []
  for (const [index, figures] of days.entries()) {
    const last = bars.at(-1)
    const bar = createDayBar(figures, before?.[index])
    if (last && startOf(last.from) === startOf(figures.day)) {
      bars[bars.length - 1] = joinBars(last, bar)
    } else bars.push(bar)
  }
  return bars
}

const unitStarts = { day: (day: Day) => day, week: mondayOf, month: monthOf }

/** YYYY-MM */
export function monthOf(day: Day): string {
  return day.slice(0, 7)
}

/** The Monday of its week. */
export function mondayOf(day: Day): Day {
  const daysSinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return addDays(day, -daysSinceMonday)
}

function createDayBar(figures: DayFigures, before: DayFigures | undefined): Bar {
  const { day, revenue, orders, views } = figures
  return {
    from: day,
    to: day,
    cents: sumToCents(revenue),
    orders,
    views,
    before: before && { from: before.day, to: before.day, cents: sumToCents(before.revenue) },
  }
}

function joinBars(first: Bar, next: Bar): Bar {
  return {
    from: first.from,
    to: next.to,
    cents: first.cents + next.cents,
    orders: first.orders + next.orders,
    views: first.views + next.views,
    before: first.before &&
      next.before && {
        from: first.before.from,
        to: next.before.to,
        cents: first.before.cents + next.before.cents,
      },
  }
}

/** In this or the previous period. */
export function hasRevenue({ cents, before }: Bar): boolean {
  return cents > 0 || (before?.cents ?? 0) > 0
}

/** The bar with the most revenue, if there is any revenue. */
export function findBestBar(bars: Bar[]): Bar | undefined {
  return bars.reduce<Bar | undefined>(
    (best, bar) => (bar.cents > (best?.cents ?? 0) ? bar : best),
    undefined,
  )
}

/** The texts of a bar: single lines for its tooltip, one sentence for screen readers. */
export function describeBar(bar: Bar, currency: string) {
  const days = formatPeriodWithWeekday(bar)
  const revenue = formatCents(bar.cents, currency)
  const counts = `${formatCount(bar.orders, 'order')}, ${formatCount(bar.views, 'view')}`
  const before = bar.before && describeBefore(bar.before, currency)
  const sentence = `${days}: ${revenue}, ${counts}${before ? `; before, ${before}` : ''}`
  return { days, revenue, counts, before, sentence }
}

function describeBefore(before: NonNullable<Bar['before']>, currency: string): string {
  const preposition = before.from === before.to ? 'on' : 'in'
  return `${formatCents(before.cents, currency)} ${preposition} ${formatPeriodWithWeekday(before)}`
}
