import { defaultCurrency } from '#contract/currencies.ts'
import { isPrice } from '#contract/money.ts'
import type { Address, AdminOrder, OrderedProduct } from '#contract/orders.ts'
import { nothingReturned } from '#contract/returned-money.ts'
import type { Product } from '#contract/products.ts'

/*
 * Orders and products as the specification's calls answer them. Fields of our own may be missing, and parts may be null:
 * they are filled in here, so that the pages need not ask.
 */

type Given = 'id' | 'createdAt' | 'updatedAt'

type OrderAnswer = Pick<AdminOrder, Given> &
  Partial<Omit<AdminOrder, 'product' | 'shippingAddress' | 'amount'>> & {
    product?: Partial<OrderedProduct> | null
    shippingAddress?: Partial<Address> | null
    amount?: string | number
  }

export function parseOrder(answer: object): AdminOrder {
  const order = answer as OrderAnswer
  return {
    // Not shown: the answer of another server may have none.
    number: 0,
    productId: '',
    quantity: 1,
    currency: defaultCurrency,
    status: 'pending',
    paymentMethod: null,
    customerEmail: null,
    customerPhone: null,
    customerName: null,
    billingAddress: null,
    sumupCheckoutId: null,
    sumupTransactionId: null,
    shipment: null,
    ...nothingReturned,
    isTest: false,
    acceptsNewsAt: null,
    maybeDuplicateOf: null,
    withdrawnAt: null,
    erasedAt: null,
    ...order,
    product: { ...unknownProduct, ...order.product },
    shippingAddress: { ...unknownAddress, ...order.shippingAddress },
    amount: parseMoney(order.amount),
  }
}

export function parseOrders(answer: unknown): AdminOrder[] {
  return (answer as object[]).map(parseOrder)
}

/** Shown as '?' and 'Unknown'. */
const unknownProduct: OrderedProduct = {
  id: '',
  name: '',
  imageUrl: null,
  description: null,
  headerLogoUrl: '',
  headerName: null,
}

const unknownAddress: Address = { country: '', lastName: '', address: '', city: '', postcode: '' }

type ProductAnswer = Pick<Product, Given> &
  Partial<Omit<Product, 'price'>> & { price?: string | number }

export function parseProduct(answer: object): Product {
  const product = answer as ProductAnswer
  return {
    name: '',
    currency: defaultCurrency,
    description: null,
    imageUrl: null,
    headerName: null,
    headerLogoUrl: '',
    quantityPricingEnabled: false,
    quantityTiers: null,
    withdrawalExemption: null,
    isPaused: false,
    createdBy: 'admin',
    createdByEmail: null,
    ...product,
    price: parseMoney(product.price),
  }
}

export function parseProducts(answer: unknown): Product[] {
  return (answer as object[]).map(parseProduct)
}

/** A decimal string, also of a number. */
function parseMoney(given: string | number = ''): string {
  const text = typeof given === 'number' ? given.toFixed(2) : given
  return isPrice(text) ? text : '0.00'
}
