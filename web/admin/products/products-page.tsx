import { Plus, Tag } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'

import type { Product } from '#contract/products.ts'
import { useShopSettings } from '#web/admin/settings/settings-place.ts'
import { PageHead } from '#web/admin/shell/page-head.tsx'
import { EmptyState, LoadError } from '#web/admin/shell/page-states.tsx'
import { Button } from '#web/ui/button.tsx'

import { BuyButtonDialog } from './buy-button-dialog.tsx'
import { ProductTable, TableSkeleton } from './product-table.tsx'
import { useCheckoutSettings, useDeleteProduct, useProducts } from './use-products.ts'

const loadProductDialog = () => import('./product-dialog.tsx')
const ProductDialog = lazy(async () => ({ default: (await loadProductDialog()).ProductDialog }))

type OpenDialog =
  | { name: 'product'; product: Product | undefined }
  | { name: 'buy-button'; product: Product }

export function ProductsPage() {
  const products = useProducts()
  const checkout = useCheckoutSettings()
  const { data: settings } = useShopSettings()
  const { confirmAndDelete, deletingId } = useDeleteProduct()
  const [dialog, setDialog] = useState<OpenDialog>()
  const addProduct = () => setDialog({ name: 'product', product: undefined })
  const close = () => setDialog(undefined)

  useEffect(() => {
    // The form is heavy and the list is not: the list shows first, the form loads in the background.
    loadProductDialog().catch(() => {})
  }, [])

  return (
    <>
      <PageHead title="Products" subtitle="Manage your products and checkout links">
        <Button look="primary" onClick={addProduct}>
          <Plus aria-hidden className="size-4" />
          Add Product
        </Button>
      </PageHead>
      {products.isPending || checkout.isPending ? (
        <TableSkeleton />
      ) : products.isError ? (
        <LoadError
          what="products"
          isRetrying={products.isFetching}
          onRetry={() => void products.refetch()}
        />
      ) : products.data.length === 0 ? (
        <EmptyState
          icon={Tag}
          title="No products yet"
          description="Each product you sell gets its own checkout link and buy button. They will be listed here."
        >
          <Button look="primary" onClick={addProduct} className="mt-6">
            Add your first product
          </Button>
        </EmptyState>
      ) : (
        <ProductTable
          products={products.data}
          linkOf={checkout.linkOf}
          deletingId={deletingId}
          onShowBuyButton={(product) => setDialog({ name: 'buy-button', product })}
          onEdit={(product) => setDialog({ name: 'product', product })}
          onDelete={confirmAndDelete}
        />
      )}
      <Suspense>
        {dialog?.name === 'product' && (
          <ProductDialog
            product={dialog.product}
            paymentCurrency={checkout.paymentCurrency}
            defaultLogoUrl={settings?.values.shop.logoUrl ?? ''}
            onClose={close}
          />
        )}
      </Suspense>
      {dialog?.name === 'buy-button' && (
        <BuyButtonDialog
          product={dialog.product}
          link={checkout.linkOf(dialog.product)}
          onClose={close}
        />
      )}
    </>
  )
}
