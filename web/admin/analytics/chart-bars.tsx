import { useId } from 'react'

import type { Bar } from './bars.ts'
import type { ChartShape } from './chart-shape.ts'

type ChartBarsProps = {
  bars: Bar[]
  shape: ChartShape
  /** The bar that is being read. */
  place: number | undefined
  today: string
}

export function ChartBars({ bars, shape, place, today }: ChartBarsProps) {
  const { largest, xOf, stepPx, top, floor, barPath, beforePath } = shape
  const hatching = useId()
  const hasBefore = largest > 0 && bars.some(({ before }) => before)

  return (
    <>
      <pattern
        id={hatching}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="5" height="5" className="fill-accent/25" />
        <rect width="2.5" height="5" className="fill-accent" />
      </pattern>
      {place !== undefined && (
        <rect x={xOf(place)} y={top} width={stepPx} height={floor - top} className="fill-ink/6" />
      )}
      {hasBefore && (
        <path d={`M${xOf(0)} ${floor}L${beforePath}V${floor}z`} className="fill-ink/5" />
      )}
      {bars.map(({ from, to, cents }, index) => (
        <path
          key={from}
          d={barPath(index, cents)}
          fill={from <= today && today <= to ? `url(#${hatching})` : 'var(--color-accent)'}
          className={place !== undefined && place !== index ? 'opacity-45' : undefined}
        />
      ))}
      {hasBefore && (
        <path
          d={`M${beforePath}`}
          strokeWidth="1.5"
          strokeDasharray="4 3"
          className="fill-none stroke-line-strong"
        />
      )}
    </>
  )
}
