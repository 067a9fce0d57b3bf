import {
  type ChangeEvent,
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'

import { type Bar, type BarUnit, describeBar } from './bars.ts'
import { type ChartLayout, dateTicks, formatTick, layOutChart } from './chart-layout.ts'
import { allOfYesterday } from './comparison.ts'
import { capitalize } from './format.ts'

/** The height of `chartHeight` in pixels. */
const heightPx = 288
export const chartHeight = 'h-72'

type RevenueChartProps = {
  bars: Bar[]
  unit: BarUnit
  currency: string
  /** The bar of this day is drawn as incomplete. */
  today: string
  /** Id of the element that describes the chart. */
  describedBy: string
}

/** The SVG is hidden from screen readers; they and the keyboard use an invisible slider over it, one bar per step. */
export function RevenueChart({ bars, unit, currency, today, describedBy }: RevenueChartProps) {
  const { widthPx, measureRef } = useWidth()
  const layout = useMemo(() => layOutChart(bars, widthPx, heightPx), [bars, widthPx])
  const { index, sliderIndex, chartProps, sliderProps } = useCursor(bars.length, layout.indexAt)
  const selectedBar = index === undefined ? undefined : bars[index]
  const sliderBar = bars[sliderIndex]

  return (
    <div
      ref={measureRef}
      className={`relative ${chartHeight} touch-pan-y rounded-lg outline-accent select-none has-focus-visible:outline-2`}
      {...chartProps}
    >
      <input
        type="range"
        aria-label={`Revenue per ${unit}`}
        aria-describedby={describedBy}
        aria-valuetext={sliderBar && describeBar(sliderBar, currency).sentence}
        className="pointer-events-none absolute inset-0 opacity-0"
        {...sliderProps}
      />
      {widthPx > 0 && (
        <svg
          aria-hidden
          width={widthPx}
          height={heightPx}
          className="absolute inset-0 overflow-visible"
        >
          <Axes bars={bars} unit={unit} currency={currency} layout={layout} widthPx={widthPx} />
          <Bars bars={bars} layout={layout} selectedIndex={index} today={today} />
        </svg>
      )}
      {selectedBar && index !== undefined && (
        <BarTooltip
          bar={selectedBar}
          currency={currency}
          x={layout.centerOf(index)}
          widthPx={widthPx}
        />
      )}
    </div>
  )
}

/** Between the plot and the labels of the axes. */
const labelGapPx = 10

type AxesProps = Pick<RevenueChartProps, 'bars' | 'unit' | 'currency'> & {
  layout: ChartLayout
  widthPx: number
}

function Axes({ bars, unit, currency, layout, widthPx }: AxesProps) {
  const { ticks, maxCents, left, bottom, stepPx, yOf, centerOf } = layout

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
          <text x={left - labelGapPx} y={yOf(cents)} textAnchor="end" dominantBaseline="central">
            {formatTick(cents, maxCents, currency)}
          </text>
        </g>
      ))}
      {dateTicks(bars, unit, stepPx).map(({ index, label }) => (
        <text key={index} x={centerOf(index)} y={bottom + 2 * labelGapPx} textAnchor="middle">
          {label}
        </text>
      ))}
    </g>
  )
}

type BarsProps = {
  bars: Bar[]
  layout: ChartLayout
  selectedIndex: number | undefined
  today: string
}

function Bars({ bars, layout, selectedIndex, today }: BarsProps) {
  const { maxCents, xOf, stepPx, top, bottom, barPath, beforePath } = layout
  const hatching = useId()
  const hasBefore = maxCents > 0 && bars.some(({ before }) => before)

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
      {selectedIndex !== undefined && (
        <rect
          x={xOf(selectedIndex)}
          y={top}
          width={stepPx}
          height={bottom - top}
          className="fill-ink/6"
        />
      )}
      {hasBefore && (
        <path d={`M${xOf(0)} ${bottom}L${beforePath}V${bottom}z`} className="fill-ink/5" />
      )}
      {bars.map(({ from, to, cents }, index) => (
        <path
          key={from}
          d={barPath(index, cents)}
          fill={from <= today && today <= to ? `url(#${hatching})` : 'var(--color-accent)'}
          className={
            selectedIndex !== undefined && selectedIndex !== index ? 'opacity-45' : undefined
          }
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

const tooltipGapPx = 14

type BarTooltipProps = {
  bar: Bar
  currency: string
  /** The center of the bar. */
  x: number
  widthPx: number
}

/** Shown on the side of the bar that has more space. */
function BarTooltip({ bar, currency, x, widthPx }: BarTooltipProps) {
  const { days, revenue, counts, before } = describeBar(bar, currency)
  const side = x < widthPx / 2 ? { left: x + tooltipGapPx } : { right: widthPx - x + tooltipGapPx }

  return (
    <div
      aria-hidden
      style={side}
      className="pointer-events-none absolute top-3 rounded-xl border border-line bg-paper px-3.5 py-2.5 text-[0.8125rem]/5 whitespace-nowrap shadow-lifted"
    >
      <p className="text-muted">{days}</p>
      <p className="flex items-center gap-2 text-base/6 font-semibold">
        <NowMark />
        {revenue}
      </p>
      <p className="text-soft">{counts}</p>
      {before && (
        <p className="mt-1.5 flex items-center gap-2 border-t border-line pt-1.5 text-soft max-sm:whitespace-normal">
          <BeforeMark />
          {before}
        </p>
      )}
    </div>
  )
}

type LegendProps = {
  /** 'the 30 days before', if there is a previous period. */
  before: string | undefined
  hasToday: boolean
}

export function Legend({ before, hasToday }: LegendProps) {
  return (
    <ul
      aria-hidden
      className="flex min-h-5 flex-wrap content-start gap-x-5 gap-y-1 text-[0.8125rem]/5 text-muted @max-md:min-h-11"
    >
      {before && (
        <>
          <li className="flex items-center gap-2">
            <NowMark /> {before === allOfYesterday ? 'Today' : 'These days'}
          </li>
          <li className="flex items-center gap-2">
            <BeforeMark /> {capitalize(before)}
          </li>
        </>
      )}
      {hasToday && (
        <li className="flex items-center gap-2">
          <span className="size-2.5 shrink-0 rounded-xs bg-[repeating-linear-gradient(-45deg,var(--color-accent)_0_1.5px,transparent_1.5px_3px)]" />{' '}
          Not over yet
        </li>
      )}
    </ul>
  )
}

function NowMark() {
  return <span className="size-2.5 shrink-0 rounded-xs bg-accent" />
}

function BeforeMark() {
  return <span className="w-4 shrink-0 border-t-2 border-dashed border-line-strong" />
}

/** Which bar is selected: by pointer or touch on the chart, or by keyboard in the slider. */
function useCursor(count: number, indexAt: (x: number) => number) {
  const [index, setIndex] = useState<number>()
  const slider = useRef<HTMLInputElement>(null)
  const last = count - 1
  const sliderIndex = index ?? last

  function selectAt({ clientX, currentTarget }: PointerEvent) {
    setIndex(indexAt(clientX - currentTarget.getBoundingClientRect().left))
  }

  return {
    index,
    sliderIndex,
    chartProps: {
      onPointerMove: selectAt,
      onPointerDown: (event: PointerEvent) => {
        selectAt(event)
        slider.current?.focus({ preventScroll: true })
      },
      // A lifted finger leaves the tooltip visible until something else is tapped.
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType !== 'touch') setIndex(undefined)
      },
    },
    sliderProps: {
      ref: slider,
      min: 0,
      max: last,
      value: sliderIndex,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setIndex(Number(target.value)),
      onFocus: () => setIndex((current) => current ?? last),
      onBlur: () => setIndex(undefined),
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Escape') setIndex(undefined)
      },
    },
  }
}

/** The width of an element in whole pixels; 0 until it is mounted. */
function useWidth() {
  const [widthPx, setWidthPx] = useState(0)
  const measureRef = useCallback((element: HTMLElement | null) => {
    if (!element) return
    setWidthPx(element.clientWidth)
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { widthPx, measureRef }
}
