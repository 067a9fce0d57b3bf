import type { AnalyticsSummary } from '#contract/analytics.ts'

import { showPercent } from './amounts.ts'
import { definitions } from './definitions.ts'
import { funnelSteps } from './funnel-steps.ts'
import { Panel } from './panel.tsx'
import { ShareBar } from './ranked-list.tsx'

export function Funnel({ summary }: { summary: AnalyticsSummary }) {
  return (
    <Panel title="From visit to sale" definition={definitions.funnel()}>
      <ol className="mt-2 flex flex-1 flex-col justify-between gap-3.5">
        {funnelSteps(summary).map(({ name, count, percent, wentOn }) => (
          <li key={name}>
            <div className="flex items-baseline gap-2 text-sm">
              <span className="flex-1">{name}</span>
              {wentOn && (
                <span className="text-[0.8125rem] text-muted @max-md:sr-only">{wentOn}</span>
              )}
              <span className="min-w-14 text-end font-medium">{count.toLocaleString('en')}</span>
              <span className="min-w-14 text-end text-[0.8125rem] text-muted">
                {showPercent(percent)}
              </span>
            </div>
            <ShareBar percent={percent ?? 0} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}
