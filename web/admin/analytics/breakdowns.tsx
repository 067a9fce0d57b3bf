import { CircleQuestionMark, type LucideIcon, Monitor, Smartphone, Tablet } from 'lucide-react'

import type { AnalyticsSummary, DeviceType } from '#contract/analytics.ts'

import { showPercent, showSum, sumInCents } from './amounts.ts'
import { definitions } from './definitions.ts'
import { Panel } from './panel.tsx'
import { RankedList } from './ranked-list.tsx'
import { referrerName } from './referrer-name.ts'
import { count } from './words.ts'

type BreakdownProps = { summary: AnalyticsSummary }

/** All time goes on. */
function noneOf(things: string, { before }: AnalyticsSummary): string {
  return before ? `No ${things} in these days.` : `No ${things} yet.`
}

export function TopProducts({ summary }: BreakdownProps) {
  const { topProducts, currency } = summary
  return (
    <Panel title="Top Products by Revenue" definition={definitions.topProducts(summary)}>
      <RankedList
        empty={noneOf('sales', summary)}
        whole={sumInCents(topProducts[0]?.revenue ?? '0.00')}
        entries={topProducts.map(({ productId, name, orders, revenue }) => ({
          key: productId,
          name,
          note: count(orders, 'order'),
          figure: showSum(revenue, currency),
          size: sumInCents(revenue),
        }))}
      />
    </Panel>
  )
}

const deviceIcons: Record<DeviceType, LucideIcon> = {
  desktop: Monitor,
  mobile: Smartphone,
  tablet: Tablet,
}

export function Devices({ summary }: BreakdownProps) {
  return (
    <Panel title="Device Breakdown" definition={definitions.devices()}>
      <RankedList
        empty={noneOf('visits', summary)}
        whole={100}
        entries={summary.devices.map(({ device, views, percent }) => ({
          key: device,
          name: device,
          icon: deviceIcons[device as DeviceType] ?? CircleQuestionMark,
          note: count(views, 'visit'),
          figure: showPercent(percent),
          size: percent,
        }))}
      />
    </Panel>
  )
}

export function Countries({ summary }: BreakdownProps) {
  const { countries, attribution } = summary
  return (
    <Panel title="Top Countries" definition={definitions.countries()}>
      <RankedList
        empty={noneOf('visits', summary)}
        whole={100}
        entries={countries.map(({ country, views, percent }) => ({
          key: country,
          name: country,
          note: count(views, 'visit'),
          figure: showPercent(percent),
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
    <Panel title="Where visitors come from" definition={definitions.referrers()}>
      <RankedList
        empty={noneOf('visits', summary)}
        whole={summary.views}
        entries={summary.referrers.map((from) => ({
          key: from.referrer,
          name: referrerName(from.referrer),
          note: '',
          figure: count(from.views, 'visit'),
          size: from.views,
        }))}
      />
    </Panel>
  )
}
