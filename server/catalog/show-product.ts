import { isCurrencyCode } from '#contract/currencies.ts'
import type { ProductAsSold } from '#contract/orders.ts'
import type { Product, PublicProduct, SingleProduct } from '#contract/products.ts'
import type { OwnedProduct, ProductRow } from './products.ts'

export function showPublicProduct(row: ProductRow): PublicProduct {
  const { id, name, price, description, imageUrl, headerName, headerLogoUrl } = row
  return {
    id,
    name,
    price,
    currency: currencyOf(row),
    description,
    imageUrl,
    headerName,
    headerLogoUrl,
  }
}

/** The product as it is sold right now: what the ledger and the order keep of it. */
export function productAsSold(row: ProductRow): ProductAsSold {
  const { id, name, price, description, imageUrl, headerName, headerLogoUrl } = row
  const currency = currencyOf(row)
  return { id, name, price, currency, description, imageUrl, headerName, headerLogoUrl }
}

export function showSingleProduct(row: ProductRow, isAdmin: boolean): SingleProduct {
  return {
    ...showPublicProduct(row),
    quantityPricingEnabled: row.quantityPricingEnabled,
    quantityTiers: row.quantityTiers,
    ...(isAdmin && { createdBy: row.createdBy }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function showProduct(row: OwnedProduct): Product {
  const { createdBy, createdByEmail } = row
  return { ...showSingleProduct(row, true), createdBy, createdByEmail }
}

/** The door lets only known currencies in; anything else in the table is a fault to hear of. */
function currencyOf({ id, currency }: ProductRow) {
  if (!isCurrencyCode(currency))
    throw new Error(`product ${id} has the unknown currency ${currency}`)
  return currency
}
