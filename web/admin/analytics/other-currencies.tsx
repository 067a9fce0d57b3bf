import { useId } from 'react'

import type { AnalyticsSummary } from '#contract/analytics.ts'

import { showSum } from './amounts.ts'
import { count } from './day-words.ts'
import { Definition } from './definition.tsx'
import { definitions } from './definitions.ts'

/** Money that cannot be added to the rest, because nobody knows at what rate. */
export function OtherCurrencies({ summary }: { summary: AnalyticsSummary }) {
  const id = useId()
  if (summary.otherCurrencies.length === 0) return null
  return (
    <section
      aria-labelledby={id}
      className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-3 text-sm @3xl:px-6"
    >
      <div className="flex items-center gap-1 text-soft">
        <h2 id={id}>In other currencies</h2>
        <Definition of="In other currencies" text={definitions.otherCurrencies(summary)} />
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {summary.otherCurrencies.map(({ currency, revenue, orders }) => (
          <li key={currency}>
            <span className="font-medium">{showSum(revenue, currency)}</span>{' '}
            <span className="text-muted">{count(orders, 'order')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
