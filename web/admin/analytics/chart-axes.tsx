import { dateTicks, showTick } from './axes.ts'
import type { Bar, BarUnit } from './bars.ts'
import type { ChartShape } from './chart-shape.ts'

/** Between the picture and its words. */
const gapPx = 10

type ChartAxesProps = {
  bars: Bar[]
  unit: BarUnit
  currency: string
  shape: ChartShape
  widthPx: number
}

export function ChartAxes({ bars, unit, currency, shape, widthPx }: ChartAxesProps) {
  const { ticks, largest, left, floor, stepPx, yOf, middleOf } = shape

  return (
    <g className="fill-muted text-[0.6875rem]">
      {ticks.map((cents) => (
        <g key={cents}>
          <line
            x1={left}
            x2={widthPx}
            y1={yOf(cents)}
            y2={yOf(cents)}
            className={cents === 0 ? 'stroke-line-strong' : 'stroke-line'}
          />
          <text x={left - gapPx} y={yOf(cents)} textAnchor="end" dominantBaseline="central">
            {showTick(cents, largest, currency)}
          </text>
        </g>
      ))}
      {dateTicks(bars, unit, stepPx).map(({ place, label }) => (
        <text key={place} x={middleOf(place)} y={floor + 2 * gapPx} textAnchor="middle">
          {label}
        </text>
      ))}
    </g>
  )
}
