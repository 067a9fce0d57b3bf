import { PackageCheck } from 'lucide-react'

import { EmptyState } from './empty-state.tsx'
import { PageHead } from './page-head.tsx'

export function FulfillmentPage() {
  return (
    <>
      <PageHead title="Fulfillment" subtitle="Take paid orders from packing to delivery" />
      <EmptyState
        icon={PackageCheck}
        title="No orders to fulfill"
        description="Paid orders wait here until you pack, ship and complete them."
      />
    </>
  )
}
