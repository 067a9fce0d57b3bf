import { ReceiptText } from 'lucide-react'

import { EmptyState } from './empty-state.tsx'
import { PageHead } from './page-head.tsx'

export function OrdersPage() {
  return (
    <>
      <PageHead title="Orders" subtitle="Every sale, with who bought it and where it goes" />
      <EmptyState
        icon={ReceiptText}
        title="No orders yet"
        description="An order appears here as soon as a customer has paid."
      />
    </>
  )
}
