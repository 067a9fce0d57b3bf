import { type Bar, type BarUnit, monthOf } from './bars.ts'
import { currencySymbol } from '#contract/money.ts'

import { formatShortDay, formatShortMonth } from './format.ts'

/** Space for the labels of the axes, in pixels. */
const margins = { left: 46, top: 12, bottom: 28 }
const maxBarPx = 56
/** A few bars stand together in the middle instead of being spread over the whole width. */
const maxStepPx = 150
const barShare = 0.62

export type ChartLayout = ReturnType<typeof layOutChart>

/** Positions of everything in the chart, in pixels. */
export function layOutChart(bars: Bar[], widthPx: number, heightPx: number) {
  const maxCents = Math.max(...bars.map(({ cents, before }) => Math.max(cents, before?.cents ?? 0)))
  const ticks = moneyTicks(maxCents)
  const maxTick = ticks.at(-1) || 1
  const plotPx = Math.max(0, widthPx - margins.left)
  const stepPx = Math.min(maxStepPx, plotPx / bars.length)
  const start = margins.left + (plotPx - stepPx * bars.length) / 2
  const bottom = heightPx - margins.bottom
  const barPx = Math.min(maxBarPx, Math.max(1, stepPx * barShare))
  const xOf = (index: number) => start + stepPx * index
  const yOf = (cents: number) => bottom - ((bottom - margins.top) * cents) / maxTick

  return {
    ticks,
    maxCents,
    left: margins.left,
    top: margins.top,
    bottom,
    stepPx,
    yOf,
    /** The left edge of a bar's step, and its center. */
    xOf,
    centerOf: (index: number) => xOf(index + 0.5),
    /** A bar with a rounded top; empty for 0. */
    barPath: (index: number, cents: number) => {
      const height = bottom - yOf(cents)
      if (height <= 0) return ''
      const radius = Math.min(3, barPx / 2, height)
      const x = xOf(index + 0.5) - barPx / 2
      return `M${x} ${bottom}v${radius - height}q0 ${-radius} ${radius} ${-radius}h${barPx - 2 * radius}q${radius} 0 ${radius} ${radius}v${height - radius}z`
    },
    /** A step over each bar at the height of the previous period. */
    beforePath: bars
      .map(({ before }, index) => `${xOf(index)} ${yOf(before?.cents ?? 0)}H${xOf(index + 1)}`)
      .join('L'),
    /** The bar at this distance from the left edge. */
    indexAt: (x: number) =>
      Math.min(bars.length - 1, Math.max(0, Math.floor((x - start) / (stepPx || 1)))),
  }
}

const maxMoneyIntervals = 4
const roundSteps = [1, 2, 5, 10]

/** Round amounts in cents, from 0 to at least the maximum. */
export function moneyTicks(maxCents: number): number[] {
  if (maxCents === 0) return [0]
  const minStep = maxCents / maxMoneyIntervals
  const power = 10 ** Math.max(0, Math.floor(Math.log10(minStep)))
  const step = power * (roundSteps.find((round) => round * power >= minStep) ?? 10)
  return Array.from({ length: Math.ceil(maxCents / step) + 1 }, (_none, index) => index * step)
}

/** €250, €1.5K, €2M; with cents if the whole axis is below ten euros. */
export function formatTick(cents: number, maxCents: number, currency: string): string {
  const small = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const large = { notation: 'compact', maximumFractionDigits: 1 } as const
  const format = new Intl.NumberFormat('en', cents > 0 && maxCents < 1000 ? small : large)
  return `${currencySymbol(currency)}${format.format(cents / 100)}`
}

type DateTick = { index: number; label: string }

/** Labels closer than this are hard to read. */
const minLabelDistancePx = { day: 72, week: 54, month: 54 }
const daySteps = [1, 2, 7, 14, 28]
const monthSteps = [1, 2, 3, 6, 12, 24, 60]

/** The bars that get a label: as many as fit, evenly spaced, months by the calendar. */
export function dateTicks(bars: Bar[], unit: BarUnit, barPx: number): DateTick[] {
  const minPx = minLabelDistancePx[unit]
  const ticks =
    unit === 'day' ? tickEveryFewDays(bars, barPx, minPx) : tickEveryFewMonths(bars, barPx, minPx)
  return ticks.filter((tick, tickIndex) => {
    const next = ticks[tickIndex + 1]
    return !next || (next.index - tick.index) * barPx >= minPx
  })
}

/** Counted from the end, so that the last day always has a label. */
function tickEveryFewDays(bars: Bar[], barPx: number, minPx: number): DateTick[] {
  const step = findStep(daySteps, barPx, minPx)
  return bars.flatMap(({ from }, index) =>
    (bars.length - 1 - index) % step === 0 ? [{ index, label: formatShortDay(from) }] : [],
  )
}

/** January is labelled with its year. */
function tickEveryFewMonths(bars: Bar[], barPx: number, minPx: number): DateTick[] {
  const starts = bars.flatMap(({ from }, index) => {
    const previous = bars[index - 1]
    return previous && monthOf(previous.from) === monthOf(from) ? [] : [{ index, from }]
  })
  const step = findStep(monthSteps, (bars.length * barPx) / starts.length, minPx)
  return starts.flatMap(({ index, from }) => {
    const [year = 0, month = 0] = from.split('-').map(Number)
    if ((year * 12 + month - 1) % step !== 0) return []
    return [{ index, label: month === 1 ? String(year) : formatShortMonth(from) }]
  })
}

function findStep(steps: number[], px: number, minPx: number): number {
  return steps.find((step) => step * px >= minPx) ?? steps.at(-1) ?? 1
}
