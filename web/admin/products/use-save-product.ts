import { useMutation, useQueryClient } from '@tanstack/react-query'

import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { Product, ProductContent } from '#contract/products.ts'
import { useAdmin } from '#web/admin/session/session.ts'
import { callServer, isUnauthorized } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { productsKey } from './use-products.ts'

/** Adds a product, or changes the one that is given. */
export function useSaveProduct(product: Product | undefined, onSaved: () => void) {
  const queryClient = useQueryClient()
  const { admin } = useAdmin()

  return useMutation({
    mutationFn: async (content: ProductContent) => {
      const createdBy = product?.createdBy ?? admin?.id ?? 'admin'
      const answer = product
        ? await callServer('PUT', pathOf(apiRoutes.product, { id: product.id }), {
            ...content,
            createdBy,
          })
        : await callServer('POST', apiRoutes.products, { ...content, createdBy })
      return (await answer.json()) as Product
    },
    onSuccess: (saved) => {
      queryClient.setQueryData<Product[]>(productsKey, (products = []) =>
        product ? products.map((old) => (old.id === saved.id ? saved : old)) : [saved, ...products],
      )
      void queryClient.invalidateQueries({ queryKey: productsKey })
      toast({ title: product ? 'Product updated' : 'Product created' })
      onSaved()
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        title: 'Error',
        description: `Failed to ${product ? 'update' : 'create'} product. Please try again.`,
        variant: 'destructive',
      })
    },
  })
}
