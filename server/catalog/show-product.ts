import { isCurrencyCode } from '#contract/currencies.ts'
import type { ProductAsSold } from '#contract/orders.ts'
import type { Product, PublicProduct } from '#contract/products.ts'
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

export function showProduct(row: OwnedProduct): Product {
  return {
    ...showPublicProduct(row),
    quantityPricingEnabled: row.quantityPricingEnabled,
    quantityTiers: row.quantityTiers,
    createdBy: row.createdBy,
    createdByEmail: row.createdByEmail,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The door lets only known currencies in; anything else in the table is a fault to hear of. */
function currencyOf({ id, currency }: ProductRow) {
  if (!isCurrencyCode(currency))
    throw new Error(`product ${id} has the unknown currency ${currency}`)
  return currency
}
