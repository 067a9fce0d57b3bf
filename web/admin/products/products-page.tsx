import { useQueryClient } from '@tanstack/react-query'
import { BadgePercent, ChevronsUpDown, Plus, SearchX, Tag } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

import { apiRoutes } from '#contract/paths.ts'
import type { Product } from '#contract/products.ts'
import { useShopSettings } from '#web/admin/settings/settings-query.ts'
import { SetupCard, useSetup } from '#web/admin/settings/setup-card.tsx'
import { NewsPill } from '#web/admin/news/news-pill.tsx'
import { useNewsEvents } from '#web/admin/news/news.ts'
import { PageHead } from '#web/admin/shell/page-head.tsx'
import { EmptyState, LoadError } from '#web/admin/shell/page-states.tsx'
import { toastFailure } from '#web/admin/shell/toast-failure.ts'
import { SearchBox } from '#web/admin/shell/search-box.tsx'
import { useWantedForm } from '#web/admin/shell/wanted-form.ts'
import { findReadAt } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { inputClass } from '#web/ui/fields.tsx'

import { BuyButtonDialog } from './buy-button-dialog.tsx'
import { useDiscountsView } from './discount-codes.ts'
import { useLinkHealth } from './link-health.tsx'
import {
  isProductSort,
  manyProducts,
  newProduct,
  parseProductSearch,
  type ProductSearch,
  searchProducts,
  sortLabels,
} from './product-list.ts'
import { ProductTable, TableSkeleton } from './product-table.tsx'
import {
  refreshProducts,
  useCheckoutSettings,
  useDeleteProduct,
  usePauseProduct,
  useProducts,
} from './use-products.ts'

const loadProductDialog = () => import('./product-dialog.tsx')
const ProductDialog = lazy(async () => ({ default: (await loadProductDialog()).ProductDialog }))

const DiscountsDialog = lazy(async () => ({
  default: (await import('./discounts-dialog.tsx')).DiscountsDialog,
}))

type OpenDialog =
  | { name: 'product'; product: Product | undefined; original?: Product }
  | { name: 'buy-button'; product: Product }

export function ProductsPage() {
  const queryClient = useQueryClient()
  const products = useProducts()
  const checkout = useCheckoutSettings()
  const { data: settings } = useShopSettings()
  const setup = useSetup()
  const { confirmAndDelete, deletingId } = useDeleteProduct()
  const pause = usePauseProduct()
  const health = useLinkHealth()
  const search = parseProductSearch(useSearch())
  const [dialog, setDialog] = useState<OpenDialog>()
  const discounts = useDiscountsView()
  const addProduct = () => setDialog({ name: 'product', product: undefined })
  const close = () => setDialog(undefined)
  const changed = useNewsEvents({ 'product-changed': findReadAt(apiRoutes.products) })

  useWantedForm('product', products.data !== undefined, (id) => {
    const product = products.data?.find((one) => one.id === id)
    if (product || id === newProduct) setDialog({ name: 'product', product })
  })
  useEffect(() => {
    // The form is heavy and the list is not: the list shows first, the form loads in the background.
    loadProductDialog().catch(() => {})
  }, [])

  return (
    <>
      <PageHead title="Products" subtitle="Manage your products and checkout links">
        <div className="flex flex-wrap gap-3">
          <Button onClick={discounts.open}>
            <BadgePercent aria-hidden className="size-4" />
            Discount codes
          </Button>
          <Button look="primary" onClick={addProduct}>
            <Plus aria-hidden className="size-4" />
            Add Product
          </Button>
        </div>
      </PageHead>
      {setup.data && !products.isPending && !checkout.isPending && (
        <SetupCard
          setup={setup.data}
          onAddProduct={addProduct}
          checkoutLink={products.data?.[0] && checkout.linkOf(products.data[0])}
        />
      )}
      <NewsPill
        events={changed}
        onLoad={() =>
          toastFailure(
            'The products could not be loaded',
            refreshProducts(queryClient, { throwOnError: true }),
          )
        }
      />
      {products.isPending || checkout.isPending || setup.isPending ? (
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
        <>
          {(products.data.length >= manyProducts || isSearching(search)) && (
            <ListControls {...search} />
          )}
          <FoundProducts
            products={searchProducts(products.data, search)}
            health={health}
            linkOf={checkout.linkOf}
            deletingId={deletingId}
            onShowBuyButton={(product) => setDialog({ name: 'buy-button', product })}
            onEdit={(product) => setDialog({ name: 'product', product })}
            onDuplicate={(original) => setDialog({ name: 'product', product: undefined, original })}
            onPause={pause}
            onDelete={confirmAndDelete}
          />
        </>
      )}
      <Suspense>
        {dialog?.name === 'product' && (
          <ProductDialog
            key={dialog.product?.id}
            product={dialog.product}
            original={dialog.original}
            defaultLogoUrl={settings?.values.shop.logoUrl ?? ''}
            onClose={close}
          />
        )}
      </Suspense>
      <Suspense>{discounts.isOpen && <DiscountsDialog onClose={discounts.close} />}</Suspense>
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

function isSearching({ q, sort }: ProductSearch): boolean {
  return q !== '' || sort !== 'newest'
}

/** The search and the order are in the address, so that Back, reload and a link lead to the same list. */
function goToSearch(search: ProductSearch, replace: boolean): void {
  const params = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries({ q: search.q.trim(), sort: search.sort })) {
    if (value === '' || value === 'newest') params.delete(name)
    else params.set(name, value)
  }
  navigate(`${location.pathname}${params.size > 0 ? `?${params}` : ''}`, { replace })
}

function ListControls(search: ProductSearch) {
  return (
    <div className="mt-8 -mb-4 flex flex-wrap gap-3">
      <div className="min-w-60 flex-1">
        <SearchBox
          label="Search products"
          placeholder="Search by name or description..."
          q={search.q}
          onSearch={(q) => goToSearch({ ...search, q }, search.q !== '' && q.trim() !== '')}
        />
      </div>
      <div className="relative max-sm:flex-1">
        <select
          aria-label="Sort products"
          value={search.sort}
          onChange={({ target }) => {
            if (isProductSort(target.value))
              goToSearch({ ...search, sort: target.value }, search.sort !== 'newest')
          }}
          className={classNames(inputClass(undefined), 'h-11 min-w-44 appearance-none pe-9')}
        >
          {Object.entries(sortLabels).map(([sort, label]) => (
            <option key={sort} value={sort}>
              {label}
            </option>
          ))}
        </select>
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute end-3 top-3.5 size-4 text-muted"
        />
      </div>
    </div>
  )
}

function FoundProducts(props: Parameters<typeof ProductTable>[0]) {
  const count = props.products.length
  const search = parseProductSearch(useSearch())

  return (
    <>
      <output className="sr-only">
        {search.q && `${count.toLocaleString('en')} ${count === 1 ? 'product' : 'products'} found`}
      </output>
      {count > 0 ? (
        <ProductTable {...props} />
      ) : (
        <EmptyState
          icon={SearchX}
          title="No products match your search"
          description="Fewer or other words may find it."
        >
          <Button onClick={() => goToSearch({ ...search, q: '' }, false)} className="mt-6">
            Clear search
          </Button>
        </EmptyState>
      )}
    </>
  )
}
