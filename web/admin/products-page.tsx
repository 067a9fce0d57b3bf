import { Tag } from 'lucide-react'

import { EmptyState } from './empty-state.tsx'
import { PageHead } from './page-head.tsx'

export function ProductsPage() {
  return (
    <>
      <PageHead title="Products" subtitle="Manage your products and checkout links" />
      <EmptyState
        icon={Tag}
        title="No products yet"
        description="Each product you sell gets its own checkout link and buy button. They will be listed here."
      />
    </>
  )
}
