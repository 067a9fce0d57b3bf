import { describeBar } from './bar-words.ts'
import type { Bar } from './bars.ts'
import { BeforeMark, NowMark } from './legend.tsx'

/** Between a bar and the card that reads it. */
const gapPx = 14

type BarReadingProps = {
  bar: Bar
  currency: string
  /** The bar's middle. */
  x: number
  widthPx: number
}

/** What a bar stands for, on the side of it that has more room. */
export function BarReading({ bar, currency, x, widthPx }: BarReadingProps) {
  const words = describeBar(bar, currency)
  const side = x < widthPx / 2 ? { left: x + gapPx } : { right: widthPx - x + gapPx }

  return (
    <div
      aria-hidden
      style={side}
      className="pointer-events-none absolute top-3 rounded-xl border border-line bg-paper px-3.5 py-2.5 text-[0.8125rem]/5 whitespace-nowrap shadow-lifted"
    >
      <p className="text-muted">{words.days}</p>
      <p className="flex items-center gap-2 text-base/6 font-semibold">
        <NowMark />
        {words.revenue}
      </p>
      <p className="text-soft">{words.counts}</p>
      {words.before && (
        <p className="mt-1.5 flex items-center gap-2 border-t border-line pt-1.5 text-soft max-sm:whitespace-normal">
          <BeforeMark />
          {words.before}
        </p>
      )}
    </div>
  )
}
