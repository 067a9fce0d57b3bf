import { Plus, Tag } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'

import type { Product } from '#contract/products.ts'
import { EmptyState } from '#web/admin/shell/page-states.tsx'
import { LoadError } from '#web/admin/shell/page-states.tsx'
import { PageHead } from '#web/admin/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'

import { BuyButtonDialog } from './buy-button-dialog.tsx'
import { ProductTable } from './product-table.tsx'
import { TableSkeleton } from './table-skeleton.tsx'
import { useDeleteProduct } from './use-delete-product.ts'
import { useCheckoutFacts, useProducts } from './use-products.ts'

const loadProductDialog = () => import('./product-dialog.tsx')
const ProductDialog = lazy(async () => ({ default: (await loadProductDialog()).ProductDialog }))

/** Which dialog is open, and over which product. */
type OpenDialog = { shows: 'new-product' } | { shows: 'product' | 'buy-button'; product: Product }

export function ProductsPage() {
  const products = useProducts()
  const facts = useCheckoutFacts()
  const { askAndDelete, deletingId } = useDeleteProduct()
  const [dialog, setDialog] = useState<OpenDialog>()
  const addProduct = () => setDialog({ shows: 'new-product' })
  const close = () => setDialog(undefined)
  useEarlyLoad()

  return (
    <>
      <PageHead title="Products" subtitle="Manage your products and checkout links">
        <Button look="primary" onClick={addProduct}>
          <Plus aria-hidden className="size-4" />
          Add Product
        </Button>
      </PageHead>
      {products.isPending || facts.isPending ? (
        <TableSkeleton />
      ) : products.isError ? (
        <LoadError
          what="products"
          isRetrying={products.isFetching}
          onRetry={() => void products.refetch()}
        />
      ) : products.data.length === 0 ? (
        <NoProducts onAdd={addProduct} />
      ) : (
        <ProductTable
          products={products.data}
          linkOf={facts.linkOf}
          deletingId={deletingId}
          onShowBuyButton={(product) => setDialog({ shows: 'buy-button', product })}
          onEdit={(product) => setDialog({ shows: 'product', product })}
          onDelete={askAndDelete}
        />
      )}
      <Suspense>
        {dialog && dialog.shows !== 'buy-button' && (
          <ProductDialog
            product={dialog.shows === 'product' ? dialog.product : undefined}
            paymentCurrency={facts.paymentCurrency}
            onClose={close}
          />
        )}
      </Suspense>
      {dialog?.shows === 'buy-button' && (
        <BuyButtonDialog
          product={dialog.product}
          link={facts.linkOf(dialog.product)}
          onClose={close}
        />
      )}
    </>
  )
}

/** The form is heavy and the list is not: the list shows first, the form is there by the time it is asked for. */
function useEarlyLoad() {
  useEffect(() => {
    loadProductDialog().catch(() => {})
  }, [])
}

function NoProducts({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={Tag}
      title="No products yet"
      description="Each product you sell gets its own checkout link and buy button. They will be listed here."
    >
      <Button look="primary" onClick={onAdd} className="mt-6">
        Add your first product
      </Button>
    </EmptyState>
  )
}
