import { moneyTicks } from './axes.ts'
import type { Bar } from './bars.ts'

/** Room for what is written along the axes, in pixels. */
const room = { left: 46, top: 12, bottom: 28 }
const widestBarPx = 56
/** Few bars stand together in the middle, not each alone in half of the picture. */
const widestStepPx = 150
const barShare = 0.62

export type ChartShape = ReturnType<typeof shapeChart>

/** Where everything of the picture is, in pixels. */
export function shapeChart(bars: Bar[], widthPx: number, heightPx: number) {
  const largest = Math.max(...bars.map(({ cents, before }) => Math.max(cents, before?.cents ?? 0)))
  const ticks = moneyTicks(largest)
  const top = ticks.at(-1) || 1
  const plotPx = Math.max(0, widthPx - room.left)
  const stepPx = Math.min(widestStepPx, plotPx / bars.length)
  const start = room.left + (plotPx - stepPx * bars.length) / 2
  const floor = heightPx - room.bottom
  const xOf = (place: number) => start + stepPx * place
  const yOf = (cents: number) => floor - ((floor - room.top) * cents) / top
  const barPx = Math.min(widestBarPx, Math.max(1, stepPx * barShare))

  return {
    ticks,
    largest,
    left: room.left,
    top: room.top,
    floor,
    stepPx,
    yOf,
    /** Where a bar's share of the width begins, and its middle. */
    xOf,
    middleOf: (place: number) => xOf(place + 0.5),
    /** A bar with a rounded head; what is nothing is not drawn. */
    barPath: (place: number, cents: number) => {
      const height = floor - yOf(cents)
      if (height <= 0) return ''
      const round = Math.min(3, barPx / 2, height)
      const x = xOf(place + 0.5) - barPx / 2
      return `M${x} ${floor}v${round - height}q0 ${-round} ${round} ${-round}h${barPx - 2 * round}q${round} 0 ${round} ${round}v${height - round}z`
    },
    /** A step over each bar at the height of the period before. */
    beforePath: bars
      .map(({ before }, place) => `${xOf(place)} ${yOf(before?.cents ?? 0)}H${xOf(place + 1)}`)
      .join('L'),
    /** Which bar is at this distance from the left edge. */
    placeAt: (x: number) =>
      Math.min(bars.length - 1, Math.max(0, Math.floor((x - start) / (stepPx || 1)))),
  }
}
