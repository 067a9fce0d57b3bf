import { defaultCurrency } from '#contract/currencies.ts'
import type { Product, ProductInput, QuantityTier } from '#contract/products.ts'

/** What the form starts with. */
export function startValues(product: Product | undefined): Required<ProductInput> {
  return {
    name: product?.name ?? '',
    price: product?.price ?? '',
    currency: product?.currency ?? defaultCurrency,
    description: product?.description ?? '',
    headerName: product?.headerName ?? '',
    imageUrl: product?.imageUrl ?? '',
    headerLogoUrl: product?.headerLogoUrl ?? '',
    quantityPricingEnabled: product?.quantityPricingEnabled ?? false,
    quantityTiers: product?.quantityTiers ?? [],
  }
}

/** With quantity pricing switched off its list is out of sight: what is saved stays, and nothing in it can be wrong. */
export function whatCounts(values: ProductInput, product: Product | undefined): ProductInput {
  if (values.quantityPricingEnabled) return values
  return { ...values, quantityTiers: product?.quantityTiers ?? null }
}

export const newTier: QuantityTier = { quantity: 1, price: '' }

/** A quantity as it was typed; what is no number is one. */
export function parseQuantity(typed: unknown): number {
  return Number.parseInt(String(typed), 10) || 1
}
