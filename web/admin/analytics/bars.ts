import type { DayFigures } from '#contract/analytics.ts'
import { countDays, type Days } from '#contract/days.ts'

import { sumInCents } from './amounts.ts'
import { mondayOf, monthOf } from './calendar.ts'
import { nameMonth, showWeekday } from './day-words.ts'

/** What one bar of the picture stands for. */
export type BarUnit = 'day' | 'week' | 'month'

export type Bar = Days & {
  cents: number
  orders: number
  views: number
  /** The days as far into the period before. */
  before: (Days & { cents: number }) | undefined
}

/** A quarter fits as days, a year and a half as weeks; what is longer is told by months. */
const maxDays = 92
const mostDaysInWeeks = 548

export function unitFor(dayCount: number): BarUnit {
  if (dayCount <= maxDays) return 'day'
  return dayCount <= mostDaysInWeeks ? 'week' : 'month'
}

/** A table is read line by line: days, for as long as they can be overlooked. Ten years of them take a second to draw. */
export function tableUnitFor(dayCount: number): BarUnit {
  return unitFor(dayCount) === 'month' ? 'month' : 'day'
}

/** Days put together into bars. Weeks and months are those of the calendar; the first and last may be cut. */
export function makeBars(
  days: DayFigures[],
  before: DayFigures[] | undefined,
  unit = unitFor(days.length),
): Bar[] {
  const startOf = starts[unit]
  const bars: Bar[] = []
  for (const [place, figures] of days.entries()) {
    const last = bars.at(-1)
    const bar = barOf(figures, before?.[place])
    if (last && startOf(last.from) === startOf(figures.day)) bars[bars.length - 1] = join(last, bar)
    else bars.push(bar)
  }
  return bars
}

const starts = { day: (day: string) => day, week: mondayOf, month: monthOf }

function barOf({ day, revenue, orders, views }: DayFigures, before: DayFigures | undefined): Bar {
  return {
    from: day,
    to: day,
    cents: sumInCents(revenue),
    orders,
    views,
    before: before && { from: before.day, to: before.day, cents: sumInCents(before.revenue) },
  }
}

function join(first: Bar, next: Bar): Bar {
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

/** 'Sun, Nov 15, 2026', 'Nov 9 – 15, 2026' or 'November 2026'. */
export function nameDays(days: Days): string {
  return countDays(days) === 1 ? showWeekday(days.from) : nameMonth(days)
}

/** Now or in the period before. */
export function hasMoney({ cents, before }: Bar): boolean {
  return cents > 0 || (before?.cents ?? 0) > 0
}

/** The bar with the most revenue, if there is any. */
export function bestOf(bars: Bar[]): Bar | undefined {
  return bars.reduce<Bar | undefined>(
    (best, bar) => (bar.cents > (best?.cents ?? 0) ? bar : best),
    undefined,
  )
}
