import type { AnalyticsSummary } from '#contract/analytics.ts'
import { formatMoney } from '#contract/money.ts'

import { type Comparison, compare, compareConversion, formatPreviousPeriod } from './comparison.ts'
import { formatCount, formatPercent, sumToCents } from './format.ts'
import { ChangeNote, Definition, definitions, panelClass } from './panel.tsx'

type Figure = {
  title: string
  value: string
  definition: string
  captions?: string[]
  comparison: Comparison | null | undefined
}

/** The main figures. */
export function Headline({ summary }: { summary: AnalyticsSummary }) {
  return (
    <div className={panelClass}>
      <dl className={headlineGrid}>
        {listFigures(summary).map((figure) => (
          <FigureCard key={figure.title} {...figure} />
        ))}
      </dl>
    </div>
  )
}

/** Lines between the cells are the ground that shows through; the last cell fills its row. */
export const headlineGrid =
  'grid grid-cols-2 gap-px overflow-hidden rounded-[inherit] bg-line @2xl:grid-cols-3 @4xl:grid-cols-5'
export const headlineCell = 'bg-card p-4 last:col-span-2 @4xl:last:col-span-1 @5xl:p-6'

/** The height fits as many lines as most ranges need, so that nothing moves when the range changes. */
function FigureCard({ title, value, definition, captions, comparison }: Figure) {
  return (
    <div className={headlineCell}>
      <dt className="flex min-h-6 items-center gap-1 text-sm text-soft">
        {title}
        <Definition of={title} text={definition} />
      </dt>
      <dd className="mt-1 text-xl/8 font-semibold tracking-tight wrap-anywhere @md:text-2xl/9 @5xl:text-[1.75rem]/9">
        {value}
      </dd>
      <dd className="mt-0.5 min-h-15 text-[0.8125rem]/5 text-soft @5xl:min-h-10">
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

function listFigures(summary: AnalyticsSummary): Figure[] {
  const { before, currency, revenue, orders, averageOrder, views, visitors, completed } = summary
  const period = formatPreviousPeriod(summary, summary.today)
  return [
    {
      title: 'Total Revenue',
      value: formatMoney(revenue, currency),
      definition: definitions.revenue(summary),
      captions: [
        ...(before ? [] : ['All time']),
        ...captionGross(summary),
        ...captionOtherCurrencies(summary),
      ],
      comparison: before && compare(sumToCents(revenue), sumToCents(before.revenue), period),
    },
    {
      title: 'Orders',
      value: orders.toLocaleString('en'),
      definition: definitions.orders,
      comparison: before && compare(orders, before.orders, period),
    },
    {
      title: 'Avg. Order Value',
      value: formatMoney(averageOrder, currency),
      definition: definitions.averageOrder(summary),
      comparison:
        before && compare(sumToCents(averageOrder), sumToCents(before.averageOrder), period),
    },
    {
      title: 'Conversion Rate',
      value: formatPercent(summary.conversion),
      definition: definitions.conversion,
      captions: [
        `${views.toLocaleString('en')} views, ${completed.toLocaleString('en')} completed`,
      ],
      comparison: before && compareConversion(summary, before, period),
    },
    {
      title: 'Unique Visitors',
      value: visitors.toLocaleString('en'),
      definition: definitions.visitors,
      comparison: before && compare(visitors, before.visitors, period),
    },
  ]
}

/** Only where money went back: '€120.00 before refunds'. */
function captionGross({ revenue, grossRevenue, currency }: AnalyticsSummary): string[] {
  return grossRevenue === revenue ? [] : [`${formatMoney(grossRevenue, currency)} before refunds`]
}

/** Revenue without an exchange rate cannot be added to the total: 'plus £30.00 (1 order)'. */
function captionOtherCurrencies({ otherCurrencies }: AnalyticsSummary): string[] {
  if (otherCurrencies.length === 0) return []
  const sums = otherCurrencies.map(
    ({ currency, revenue, orders }) =>
      `${formatMoney(revenue, currency)} (${formatCount(orders, 'order')})`,
  )
  return [`plus ${sums.join(', ')}`]
}
