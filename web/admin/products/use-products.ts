import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import type { CheckoutSettings, Product } from '#contract/products.ts'
import { parseProduct, parseProducts } from '#web/admin/answers.ts'
import { useAdmin } from '#web/admin/session/session.ts'
import { callServer, isUnauthorized, refusalCode, refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import type { ProductFormContent } from './product-form.ts'

const productsKey = [apiRoutes.products]

/** Whether a link works depends on its product. */
export async function refreshProducts(
  queryClient: QueryClient,
  options?: { throwOnError: boolean },
): Promise<void> {
  await Promise.all(
    [productsKey, [apiRoutes.linkHealth]].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }, options),
    ),
  )
}

export function useProducts() {
  return useQuery({
    queryKey: productsKey,
    queryFn: async () => parseProducts(await (await callServer('GET', apiRoutes.products)).json()),
  })
}

/** As it is saved now. */
export async function readProduct(id: string): Promise<Product> {
  const response = await callServer('GET', pathOf(apiRoutes.product, { id }))
  return parseProduct((await response.json()) as object)
}

/** Creates a product, or updates the given one. */
export function useSaveProduct(product: Product | undefined) {
  const queryClient = useQueryClient()
  const { admin } = useAdmin()

  return useMutation({
    mutationFn: async (content: ProductFormContent) => {
      const body = { ...content, createdBy: product?.createdBy ?? admin?.id ?? 'admin' }
      const response = product
        ? await callServer('PUT', pathOf(apiRoutes.product, { id: product.id }), body)
        : await callServer('POST', apiRoutes.products, body)
      return parseProduct((await response.json()) as object)
    },
    onSuccess: (saved) => {
      queryClient.setQueryData<Product[]>(productsKey, (products = []) =>
        product ? products.map((old) => (old.id === saved.id ? saved : old)) : [saved, ...products],
      )
      void refreshProducts(queryClient)
      toast({ title: product ? 'Product updated' : 'Product created' })
    },
    onError: (error) => {
      const failed = `Failed to ${product ? 'update' : 'create'} product. Please try again.`
      // The form says what was changed, and what can be done.
      if (refusalCode(error) !== 'product-changed') showErrorToast(error, failed)
      // Where only the answer was lost, the list shows the new product.
      void refreshProducts(queryClient)
    },
  })
}

export function useDeleteProduct() {
  const queryClient = useQueryClient()
  const restore = useRestoreProduct()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: Product) => callServer('DELETE', pathOf(apiRoutes.product, { id })),
    onSuccess: (_response, product) => {
      queryClient.setQueryData<Product[]>(productsKey, (products) =>
        products?.filter(({ id }) => id !== product.id),
      )
      toast({
        title: 'Product deleted',
        action: {
          label: 'Undo',
          altText: 'Restore the product',
          onClick: () => restore(product),
        },
      })
      // The focused button is gone with its row.
      document.querySelector('main')?.focus()
    },
    onError: (error) => showErrorToast(error, 'Failed to delete product. Please try again.'),
    onSettled: () => void refreshProducts(queryClient),
  })

  return {
    deletingId: isPending ? variables.id : undefined,
    confirmAndDelete: (product: Product) => {
      if (!isPending && confirm('Are you sure you want to delete this product?')) mutate(product)
    },
  }
}

/** The same product again: its id, its link and its orders. */
function useRestoreProduct(): (product: Product) => void {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ id }: Product) => callServer('POST', pathOf(apiRoutes.productRestore, { id })),
    onSuccess: () => toast({ title: 'Product restored' }),
    onError: (error) =>
      showErrorToast(error, refusalText(error) ?? 'Failed to restore product. Please try again.'),
    onSettled: () => void refreshProducts(queryClient),
  })
  return mutate
}

/** Pauses a product, or resumes the sale of a paused one. */
export function usePauseProduct(): (product: Product) => void {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ id, isPaused }: Product) => {
      const route = isPaused ? apiRoutes.productResume : apiRoutes.productPause
      const response = await callServer('POST', pathOf(route, { id }))
      return parseProduct((await response.json()) as object)
    },
    onSuccess: (saved) => {
      queryClient.setQueryData<Product[]>(productsKey, (products) =>
        products?.map((old) => (old.id === saved.id ? saved : old)),
      )
      void refreshProducts(queryClient)
      toast(
        saved.isPaused
          ? { title: 'Product paused', description: 'Its checkout takes no new payments.' }
          : { title: 'Product resumed', description: 'Its checkout takes payments again.' },
      )
    },
    onError: (error, { isPaused }) =>
      showErrorToast(
        error,
        `Failed to ${isPaused ? 'resume' : 'pause'} product. Please try again.`,
      ),
  })
  return (product) => {
    if (!isPending) mutate(product)
  }
}

function showErrorToast(error: Error, description: string) {
  if (!isUnauthorized(error)) toast({ title: 'Error', description, variant: 'destructive' })
}

/** The checkout links and the currency that buyers pay in. */
export function useCheckoutSettings() {
  const { data, isPending } = useQuery<CheckoutSettings>({ queryKey: [apiRoutes.customDomain] })
  const origin = checkoutOrigin(data, location.origin)
  return {
    isPending,
    paymentCurrency: data?.paymentCurrency ?? ('product' as const),
    accountCurrency: data?.accountCurrency,
    linkOf: (product: Product) => `${origin}${checkoutPath(product.id)}`,
  }
}

/** The custom domain if there is one, else the domain that the server sees, else the one of this page. */
export function checkoutOrigin(domain: CheckoutSettings | undefined, pageOrigin: string): string {
  const current = domain?.currentDomain ?? pageOrigin
  // Behind a proxy the server may not know that it is reached by https; the browser does.
  const isSameHost = URL.parse(current)?.host === URL.parse(pageOrigin)?.host
  const origin = domain?.customDomain || (isSameHost ? pageOrigin : current)
  const withScheme = /^https?:\/\//i.test(origin) ? origin : `https://${origin}`
  return withScheme.replace(/\/$/, '')
}

const maxShownLinkLength = 40

export function shortenLink(link: string): string {
  return link.length > maxShownLinkLength ? `${link.slice(0, maxShownLinkLength)}…` : link
}
