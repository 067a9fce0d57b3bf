import { useMutation, useQueryClient } from '@tanstack/react-query'

import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { Product } from '#contract/products.ts'
import { callServer, isUnauthorized } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { productsKey } from './use-products.ts'

export function useDeleteProduct() {
  const queryClient = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: Product) => callServer('DELETE', pathOf(apiRoutes.product, { id })),
    onSuccess: (_answer, { id }) => {
      queryClient.setQueryData<Product[]>(productsKey, (products) =>
        products?.filter((product) => product.id !== id),
      )
      toast({ title: 'Product deleted' })
      // The row and its buttons are gone: the page is where to go on.
      document.querySelector('main')?.focus()
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        title: 'Error',
        description: 'Failed to delete product. Please try again.',
        variant: 'destructive',
      })
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: productsKey }),
  })

  return {
    deletingId: isPending ? variables.id : undefined,
    askAndDelete: (product: Product) => {
      if (!isPending && confirm('Are you sure you want to delete this product?')) mutate(product)
    },
  }
}
