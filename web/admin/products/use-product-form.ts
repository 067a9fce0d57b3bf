import { zodResolver } from '@hookform/resolvers/zod'
import { type FieldErrors, useForm } from 'react-hook-form'

import {
  type Product,
  type ProductContent,
  type ProductInput,
  productSchema,
} from '#contract/products.ts'
import { toast } from '#web/ui/use-toast.ts'

import { startValues, whatCounts } from './product-values.ts'

export const missingLogo = 'Header logo is required. Please upload a checkout page logo.'

const checkProduct = zodResolver(productSchema)

export type ProductForm = ReturnType<typeof useProductForm>

export function useProductForm(product: Product | undefined) {
  return useForm<ProductInput, unknown, ProductContent>({
    defaultValues: startValues(product),
    resolver: (values, context, options) =>
      checkProduct(whatCounts(values, product), context, options),
  })
}

/** The fields say each what is wrong; this says that something is. */
export function announceFaults(faults: FieldErrors<ProductInput>) {
  const { headerLogoUrl, ...others } = faults
  const isLogoAlone = headerLogoUrl && Object.keys(others).length === 0
  toast({
    title: 'Validation Error',
    description: isLogoAlone
      ? missingLogo
      : 'Please check all required fields are filled correctly.',
    variant: 'destructive',
  })
}
