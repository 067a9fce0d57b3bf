import { CircleQuestionMark, type LucideIcon, Monitor, Smartphone, Tablet } from 'lucide-react'

import type { AnalyticsSummary, DeviceType } from '#contract/analytics.ts'
import { formatMoney } from '#contract/money.ts'

import { formatCount, formatPercent, formatReferrer, sumToCents, toPercent } from './format.ts'
import { funnelSteps } from './funnel-steps.ts'
import { definitions, Panel } from './panel.tsx'

type BreakdownProps = { summary: AnalyticsSummary }

export function TopProducts({ summary }: BreakdownProps) {
  const { topProducts, currency } = summary
  return (
    <Panel title="Top Products by Revenue" definition={definitions.topProducts(summary)}>
      <RankedList
        emptyText={describeEmpty('sales', summary)}
        maxSize={sumToCents(topProducts[0]?.revenue ?? '0.00')}
        entries={topProducts.map(({ productId, name, orders, revenue, values }) => ({
          key: productId,
          name,
          note: formatCount(orders, 'order'),
          figure: formatMoney(revenue, currency),
          size: sumToCents(revenue),
          parts: values?.map(({ value, orders: bought }) => `${value} ${bought}`).join(' · '),
        }))}
      />
    </Panel>
  )
}

export function Funnel({ summary }: BreakdownProps) {
  return (
    <Panel title="From visit to sale" definition={definitions.funnel}>
      <ol className="mt-2 flex flex-1 flex-col justify-between gap-3.5">
        {funnelSteps(summary).map(({ name, count, percent, ofPrevious }) => (
          <li key={name}>
            <div className="flex items-baseline gap-2 text-sm">
              <span className="flex-1">{name}</span>
              {ofPrevious && (
                <span className="text-[0.8125rem] text-muted @max-md:sr-only">{ofPrevious}</span>
              )}
              <span className="min-w-14 text-end font-medium">{count.toLocaleString('en')}</span>
              <span className="min-w-14 text-end text-[0.8125rem] text-muted">
                {formatPercent(percent)}
              </span>
            </div>
            <ShareBar percent={percent ?? 0} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const devices: Record<DeviceType, { name: string; icon: LucideIcon }> = {
  desktop: { name: 'Desktop', icon: Monitor },
  mobile: { name: 'Mobile', icon: Smartphone },
  tablet: { name: 'Tablet', icon: Tablet },
}

export function Devices({ summary }: BreakdownProps) {
  return (
    <Panel title="Device Breakdown" definition={definitions.devices}>
      <RankedList
        emptyText={describeEmpty('visits', summary)}
        maxSize={100}
        entries={summary.devices.map(({ device, views, percent }) => ({
          key: device,
          // 'unknown', where it is not known.
          ...(devices[device as DeviceType] ?? { name: device, icon: CircleQuestionMark }),
          note: formatCount(views, 'visit'),
          figure: formatPercent(percent),
          size: percent,
        }))}
      />
    </Panel>
  )
}

export function Countries({ summary }: BreakdownProps) {
  const { countries, attribution } = summary
  return (
    <Panel title="Top Countries" definition={definitions.countries}>
      <RankedList
        emptyText={describeEmpty('visits', summary)}
        maxSize={100}
        entries={countries.map(({ country, views, percent }) => ({
          key: country,
          name: country,
          note: formatCount(views, 'visit'),
          figure: formatPercent(percent),
          size: percent,
        }))}
      />
      {attribution && (
        <a
          href={attribution.url}
          target="_blank"
          rel="noopener"
          className="mt-4 inline-block text-xs text-muted underline underline-offset-3 hover:text-ink"
        >
          {attribution.text}
        </a>
      )}
    </Panel>
  )
}

export function Referrers({ summary }: BreakdownProps) {
  return (
    <Panel title="Where visitors come from" definition={definitions.referrers}>
      <RankedList
        emptyText={describeEmpty('visits', summary)}
        maxSize={summary.views}
        entries={summary.referrers.map(({ referrer, views }) => ({
          key: referrer,
          name: formatReferrer(referrer),
          note: '',
          figure: formatCount(views, 'visit'),
          size: views,
        }))}
      />
    </Panel>
  )
}

function describeEmpty(nouns: string, { before }: AnalyticsSummary): string {
  const isAllTime = before === null
  return isAllTime ? `No ${nouns} yet.` : `No ${nouns} in these days.`
}

type RankedListProps = {
  entries: {
    key: string
    name: string
    icon?: LucideIcon
    figure: string
    note: string
    /** The length of its bar. */
    size: number
    /** What it is made up of. */
    parts?: string | undefined
  }[]
  /** The size of a full bar. */
  maxSize: number
  emptyText: string
}

/** Five lines where lists are side by side, three where they are stacked, so that nothing moves when the range changes. */
const listHeight = 'mt-2 min-h-31 @3xl:min-h-57'

function RankedList({ entries, maxSize, emptyText }: RankedListProps) {
  if (entries.length === 0) {
    return (
      <p className={`grid place-items-center pb-6 text-sm text-muted ${listHeight}`}>{emptyText}</p>
    )
  }
  return (
    <ol
      className={`grid grid-cols-[minmax(0,1fr)_auto_auto] content-start gap-x-2 gap-y-3.5 ${listHeight}`}
    >
      {entries.map(({ key, name, icon: Icon, figure, note, size, parts }) => (
        <li key={key} className="col-span-full grid grid-cols-subgrid items-center text-sm">
          <span className="flex min-w-0 items-center gap-2">
            {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
            <bdi title={name} className="truncate">
              {name}
            </bdi>
          </span>
          <span className="text-end text-[0.8125rem] whitespace-nowrap text-muted">{note}</span>
          <span className="min-w-12 text-end font-medium whitespace-nowrap">{figure}</span>
          {parts && (
            <span className="col-span-full text-[0.8125rem] wrap-anywhere text-muted">{parts}</span>
          )}
          <div className="col-span-full">
            <ShareBar percent={toPercent(size, maxSize)} />
          </div>
        </li>
      ))}
    </ol>
  )
}

function ShareBar({ percent }: { percent: number }) {
  return (
    <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-ink/7">
      <div
        hidden={percent === 0}
        style={{ inlineSize: `${percent}%` }}
        className="h-full min-w-1 rounded-full bg-accent/75 transition-[inline-size] duration-300 motion-reduce:transition-none"
      />
    </div>
  )
}
