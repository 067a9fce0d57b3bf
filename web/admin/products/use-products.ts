import { useQuery } from '@tanstack/react-query'

import { apiRoutes } from '#contract/paths.ts'
import type { CustomDomain, Product } from '#contract/products.ts'

import { checkoutLink, checkoutOrigin } from './checkout-link.ts'

export const productsKey = [apiRoutes.products]

export function useProducts() {
  return useQuery<Product[]>({ queryKey: productsKey })
}

/** Where a product is bought and in what it is paid. Without an answer links begin with the address of this page. */
export function useCheckoutFacts() {
  const { data, isPending } = useQuery<CustomDomain>({
    queryKey: [apiRoutes.customDomain],
  })
  const origin = checkoutOrigin(data, location.origin)
  return {
    isPending,
    paymentCurrency: data?.paymentCurrency ?? 'product',
    linkOf: (product: Product) => checkoutLink(origin, product.id),
  }
}
