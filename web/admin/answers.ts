import { defaultCurrency } from '#contract/currencies.ts'
import { isPrice } from '#contract/money.ts'
import type { Address, AdminOrder, OrderedProduct } from '#contract/orders.ts'
import { nothingReturned } from '#contract/returned-money.ts'
import { apiRoutes } from '#contract/paths.ts'
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

type Field = 'string' | 'number' | 'boolean' | 'object' | 'list'
type Shape = Readonly<Record<string, Field>>

/*
 * What the shop's own reads need to be shown. They are parts of a page: where another server, or somebody's test, answers
 * something else, the part is left out as if no answer had come.
 */
export const shapes = {
  counts: { pending: 'number', processing: 'number', shipped: 'number', completed: 'number' },
  found: { count: 'number', isMore: 'boolean' },
  testData: { mode: 'string', orders: 'number', reviews: 'number' },
  setup: { steps: 'list' },
  settings: { values: 'object' },
  linkHealth: { products: 'object', shop: 'list' },
  summary: { days: 'list', topProducts: 'list', devices: 'list', countries: 'list' },
  news: { until: 'number', events: 'list' },
  refunds: { refunds: 'list', left: 'string' },
} as const satisfies Record<string, Shape>

export const entryShapes = {
  notice: { kind: 'string', title: 'string', text: 'string' },
  withdrawal: { id: 'string', orderNumber: 'string', acknowledgement: 'string' },
  review: { id: 'string', reason: 'string', state: 'string', version: 'string' },
  event: { who: 'string', at: 'string', event: 'string' },
  note: { id: 'string', who: 'string', text: 'string' },
  matched: { asked: 'string', orders: 'list' },
} as const satisfies Record<string, Shape>

const shapesOfPaths = new Map<unknown, Shape>([
  [apiRoutes.orderCounts, shapes.counts],
  [apiRoutes.testData, shapes.testData],
  [apiRoutes.setup, shapes.setup],
  [apiRoutes.settings, shapes.settings],
  [apiRoutes.linkHealth, shapes.linkHealth],
])
const entryShapesOfPaths = new Map<unknown, Shape>([
  [apiRoutes.notices, entryShapes.notice],
  [apiRoutes.withdrawals, entryShapes.withdrawal],
  [apiRoutes.review, entryShapes.review],
])

/** Checks the answer of a read that has no function of its own. */
export function checkRead(path: unknown, answer: unknown): void {
  const [shape, entryShape] = [shapesOfPaths.get(path), entryShapesOfPaths.get(path)]
  if (shape) parsePart(shape, answer)
  if (entryShape) parseList(entryShape, answer)
}

/** Throws if the answer lacks what the part needs. */
export function parsePart(shape: Shape, answer: unknown): unknown {
  if (!hasShape(shape, answer)) throw new Error('The answer is not what this page expects')
  return answer
}

export function parseList<Entry>(shape: Shape, answer: unknown): Entry[] {
  if (!Array.isArray(answer) || !answer.every((entry) => hasShape(shape, entry)))
    throw new Error('The answer is not the list that this page expects')
  return answer as Entry[]
}

function hasShape(shape: Shape, answer: unknown): boolean {
  if (kindOf(answer) !== 'object') return false
  const values = answer as Record<string, unknown>
  return Object.entries(shape).every(([name, field]) => kindOf(values[name]) === field)
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  return value === null ? 'null' : typeof value
}
