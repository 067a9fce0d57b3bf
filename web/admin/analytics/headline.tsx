import type { AnalyticsSummary } from '#contract/analytics.ts'

import { showPercent, showSum, sumInCents } from './amounts.ts'
import { ChangeNote } from './change-note.tsx'
import { type Comparison, compare, compareConversion, nameBefore } from './comparison.ts'
import { Definition } from './definition.tsx'
import { definitions } from './definitions.ts'
import { panelLook } from './panel.tsx'
import { count } from './words.ts'

type Figure = {
  title: string
  value: string
  definition: string
  captions?: string[]
  comparison: Comparison | undefined
}

/** The four figures one looks at first. */
export function Headline({ summary }: { summary: AnalyticsSummary }) {
  return (
    <div className={panelLook}>
      <dl className="grid grid-cols-2 @3xl:grid-cols-4 @3xl:divide-x @3xl:divide-line">
        {figuresOf(summary).map((figure) => (
          <FigureCard key={figure.title} {...figure} />
        ))}
      </dl>
    </div>
  )
}

/** Room is kept for as many lines as most ranges need, so that nothing moves when they change. */
function FigureCard({ title, value, definition, captions, comparison }: Figure) {
  return (
    <div className="p-4 @max-3xl:odd:border-e @max-3xl:odd:border-line @max-3xl:nth-[n+3]:border-t @max-3xl:nth-[n+3]:border-line @3xl:p-6">
      <dt className="flex min-h-6 items-center gap-1 text-sm text-soft">
        {title}
        <Definition of={title} text={definition} />
      </dt>
      <dd className="mt-1 text-xl/8 font-semibold tracking-tight wrap-anywhere @md:text-2xl/9 @4xl:text-[1.75rem]/9">
        {value}
      </dd>
      <dd className="mt-0.5 min-h-10 text-[0.8125rem]/5 @max-md:min-h-15 text-soft">
        {comparison && <ChangeNote comparison={comparison} isShort />}
        {captions?.map((caption) => (
          <p key={caption} className="text-muted">
            {caption}
          </p>
        ))}
      </dd>
    </div>
  )
}

function figuresOf(summary: AnalyticsSummary): Figure[] {
  const { before, currency, views, completed } = summary
  const period = nameBefore(summary, summary.today)
  return [
    {
      title: 'Total Revenue',
      value: showSum(summary.revenue, currency),
      definition: definitions.revenue(summary),
      captions: [...(before ? [] : ['All time']), ...elsewhereOf(summary)],
      comparison: before
        ? compare(sumInCents(summary.revenue), sumInCents(before.revenue), period)
        : undefined,
    },
    {
      title: 'Orders',
      value: summary.orders.toLocaleString('en'),
      definition: definitions.orders(),
      comparison: before ? compare(summary.orders, before.orders, period) : undefined,
    },
    {
      title: 'Avg. Order Value',
      value: showSum(summary.averageOrder, currency),
      definition: definitions.averageOrder(summary),
      comparison: before
        ? compare(sumInCents(summary.averageOrder), sumInCents(before.averageOrder), period)
        : undefined,
    },
    {
      title: 'Conversion Rate',
      value: showPercent(summary.conversion),
      definition: definitions.conversion(),
      captions: [
        `${views.toLocaleString('en')} views, ${completed.toLocaleString('en')} completed`,
      ],
      comparison: before ? compareConversion(summary, before, period) : undefined,
    },
  ]
}

/** Money that cannot be added to the rest, because nobody knows at what rate: 'plus £30.00 (1 order)'. */
function elsewhereOf({ otherCurrencies }: AnalyticsSummary): string[] {
  if (otherCurrencies.length === 0) return []
  const sums = otherCurrencies.map(
    ({ currency, revenue, orders }) => `${showSum(revenue, currency)} (${count(orders, 'order')})`,
  )
  return [`plus ${sums.join(', ')}`]
}
