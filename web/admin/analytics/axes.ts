import { symbolOf } from './amounts.ts'
import type { Bar, BarUnit } from './bars.ts'
import { monthOf } from './calendar.ts'
import { showMonth, showShortDay } from './day-words.ts'

/** What an axis of money is divided into. */
const mostParts = 4
const roundSteps = [1, 2, 5, 10]

/** Round amounts from nothing to at least the largest, in cents. Nothing needs no axis above it. */
export function moneyTicks(largest: number): number[] {
  if (largest === 0) return [0]
  const rough = largest / mostParts
  const power = 10 ** Math.max(0, Math.floor(Math.log10(rough)))
  const step = power * (roundSteps.find((round) => round * power >= rough) ?? 10)
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_none, place) => place * step)
}

/** €250, €1.5K, €2M; cents where the whole axis is below ten euros. */
export function showTick(cents: number, largest: number, currency: string): string {
  const small = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const large = { notation: 'compact', maximumFractionDigits: 1 } as const
  const format = new Intl.NumberFormat('en', cents > 0 && largest < 1000 ? small : large)
  return `${symbolOf(currency)}${format.format(cents / 100)}`
}

export type DateTick = { place: number; label: string }

/** Nearer than this, names are a fence rather than a guide. */
const narrowestPx = { day: 72, week: 54, month: 54 }
const daySteps = [1, 2, 7, 14, 28]
const monthSteps = [1, 2, 3, 6, 12, 24, 60]

/** Which bars are named below the picture: as many as fit, evenly, the months by the calendar. */
export function dateTicks(bars: Bar[], unit: BarUnit, barPx: number): DateTick[] {
  const apartPx = narrowestPx[unit]
  const name = unit === 'day' ? everyFewDays : everyFewMonths
  const ticks = name(bars, barPx, apartPx)
  return ticks.filter((tick, index) => {
    const next = ticks[index + 1]
    return !next || (next.place - tick.place) * barPx >= apartPx
  })
}

/** Counted from the end, so that the last day is always named. */
function everyFewDays(bars: Bar[], barPx: number, apartPx: number): DateTick[] {
  const step = stepThatFits(daySteps, barPx, apartPx)
  return bars.flatMap(({ from }, place) =>
    (bars.length - 1 - place) % step === 0 ? [{ place, label: showShortDay(from) }] : [],
  )
}

/** January is called by its year. */
function everyFewMonths(bars: Bar[], barPx: number, apartPx: number): DateTick[] {
  const starts = bars.flatMap(({ from }, place) => {
    const previous = bars[place - 1]
    return previous && monthOf(previous.from) === monthOf(from) ? [] : [{ place, from }]
  })
  const step = stepThatFits(monthSteps, (bars.length * barPx) / starts.length, apartPx)
  return starts.flatMap(({ place, from }) => {
    const [year = 0, month = 0] = from.split('-').map(Number)
    if ((year * 12 + month - 1) % step !== 0) return []
    return [{ place, label: month === 1 ? String(year) : showMonth(from) }]
  })
}

function stepThatFits(steps: number[], px: number, apartPx: number): number {
  return steps.find((step) => step * px >= apartPx) ?? steps.at(-1) ?? 1
}
