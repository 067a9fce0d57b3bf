import { useMemo } from 'react'

import { describeBar } from './bar-words.ts'
import type { Bar, BarUnit } from './bars.ts'
import { BarReading } from './bar-reading.tsx'
import { ChartAxes } from './chart-axes.tsx'
import { ChartBars } from './chart-bars.tsx'
import { shapeChart } from './chart-shape.ts'
import { useCursor } from './use-cursor.ts'
import { useWidth } from './use-width.ts'

/** As tall as `chartHeight` makes it. */
const heightPx = 288
export const chartHeight = 'h-72'

type RevenueChartProps = {
  bars: Bar[]
  unit: BarUnit
  currency: string
  /** The bar of this day is not full yet. */
  today: string
  /** Names what else tells of the chart. */
  describedBy: string
}

/** A picture for eyes. Who cannot see it goes through it as through the values of a slider, which it lies upon. */
export function RevenueChart({ bars, unit, currency, today, describedBy }: RevenueChartProps) {
  const { widthPx, measure } = useWidth()
  const shape = useMemo(() => shapeChart(bars, widthPx, heightPx), [bars, widthPx])
  const { place, spoken, picture, slider } = useCursor(bars.length, shape.placeAt)
  const [read, heard] = [place === undefined ? undefined : bars[place], bars[spoken]]

  return (
    <div
      ref={measure}
      className={`relative ${chartHeight} touch-pan-y rounded-lg outline-accent select-none has-focus-visible:outline-2`}
      {...picture}
    >
      <input
        type="range"
        aria-label={`Revenue per ${unit}`}
        aria-describedby={describedBy}
        aria-valuetext={heard && describeBar(heard, currency).sentence}
        className="pointer-events-none absolute inset-0 opacity-0"
        {...slider}
      />
      {widthPx > 0 && (
        <svg
          aria-hidden
          width={widthPx}
          height={heightPx}
          className="absolute inset-0 overflow-visible"
        >
          <ChartAxes bars={bars} unit={unit} currency={currency} shape={shape} widthPx={widthPx} />
          <ChartBars bars={bars} shape={shape} place={place} today={today} />
        </svg>
      )}
      {read && place !== undefined && (
        <BarReading bar={read} currency={currency} x={shape.middleOf(place)} widthPx={widthPx} />
      )}
    </div>
  )
}
