import { ChartColumn } from 'lucide-react'

import { EmptyState } from './empty-state.tsx'
import { PageHead } from './page-head.tsx'

export function AnalyticsPage() {
  return (
    <>
      <PageHead title="Analytics" subtitle="How your checkout links sell" />
      <EmptyState
        icon={ChartColumn}
        title="Nothing to measure yet"
        description="Revenue, conversion and visitors show up here after the first visit to a checkout."
      />
    </>
  )
}
