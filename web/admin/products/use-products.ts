import { useQuery } from '@tanstack/react-query'

import { calls } from '#contract/paths.ts'
import type { CustomDomain, Product } from '#contract/products.ts'

import { checkoutLink, checkoutOrigin } from './checkout-link.ts'

export const productsKey = [calls.products]

export function useProducts() {
  return useQuery<Product[]>({ queryKey: productsKey })
}

/** Where a product is bought and in what it is paid. Without an answer no link is shown: a wrong one gets pasted. */
export function useCheckoutFacts() {
  const { data, isPending, isError, isFetching, refetch } = useQuery<CustomDomain>({
    queryKey: [calls.customDomain],
  })
  const origin = checkoutOrigin(data, location.origin)
  return {
    isPending,
    isError,
    isFetching,
    refetch,
    paymentCurrency: data?.paymentCurrency ?? 'product',
    linkOf: (product: Product) => checkoutLink(origin, product.id),
  }
}
