import { toCents } from '#contract/money.ts'
import { maxSearchLength } from '#contract/orders.ts'
import { pages } from '#contract/paths.ts'
import type { Product } from '#contract/products.ts'

/** Fewer products than this are seen at a glance: they need no search and no order. */
export const manyProducts = 8

export const sortLabels = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name, A to Z',
  cheapest: 'Price, low to high',
  dearest: 'Price, high to low',
}

export type ProductSort = keyof typeof sortLabels

/** The query of the list's URL. Invalid values are ignored. */
export type ProductSearch = { q: string; sort: ProductSort }

/** In place of an id. */
export const newProduct = 'new'

/** Opens the form of the product with this id, or of a new one. */
export function formHref(id: string): string {
  return `${pages.products}?${new URLSearchParams({ product: id })}`
}

/** The discount codes, over the products. */
export const discountsView = { parameter: 'view', value: 'discounts' }
export const discountsHref = `${pages.products}?${discountsView.parameter}=${discountsView.value}`

export function parseProductSearch(query: string): ProductSearch {
  const params = new URLSearchParams(query)
  const sort = params.get('sort') ?? ''
  return {
    q: params.get('q')?.trim().slice(0, maxSearchLength) ?? '',
    sort: isProductSort(sort) ? sort : 'newest',
  }
}

export function isProductSort(text: string): text is ProductSort {
  return Object.hasOwn(sortLabels, text)
}

/** Of a product with a choice, of all values together; undefined where they are not all counted. */
export function countLeft({ left, choice }: Pick<Product, 'left' | 'choice'>): number | undefined {
  if (!choice) return left
  return choice.values.reduce<number | undefined>(
    (sum, value) => (sum === undefined || value.left === undefined ? undefined : sum + value.left),
    0,
  )
}

/** How many are held by buyers who are paying. */
export function countHeld({ reserved = 0, choice }: Pick<Product, 'reserved' | 'choice'>): number {
  if (!choice) return reserved
  return choice.values.reduce((sum, value) => sum + (value.reserved ?? 0), 0)
}

/** Such as 'S 3 · M sold out · L'; L is not counted. Undefined for a product without a choice. */
export function describeValues({ choice }: Pick<Product, 'choice'>): string | undefined {
  const texts = choice?.values.map(({ name, left }) => {
    if (left === undefined) return name
    return `${name} ${left > 0 ? left : 'sold out'}`
  })
  return texts?.join(' · ')
}

/** The products that have every word in their name, description or link, in the chosen order. */
export function searchProducts(products: Product[], { q, sort }: ProductSearch): Product[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = products.filter(({ name, description, id }) => {
    const text = `${name}\n${description ?? ''}\n${id}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return found.toSorted(comparisons[sort])
}

type Compare = (a: Product, b: Product) => number

const byAge: Compare = (a, b) => a.createdAt.localeCompare(b.createdAt)
const byName: Compare = (a, b) =>
  a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: 'base' })
/** Prices of different currencies cannot be compared, so each currency stays together. */
const byCurrency: Compare = (a, b) => a.currency.localeCompare(b.currency)
const byPrice: Compare = (a, b) => toCents(a.price) - toCents(b.price)

const comparisons: Record<ProductSort, Compare> = {
  newest: (a, b) => byAge(b, a),
  oldest: byAge,
  name: (a, b) => byName(a, b) || byAge(b, a),
  cheapest: (a, b) => byCurrency(a, b) || byPrice(a, b) || byName(a, b),
  dearest: (a, b) => byCurrency(a, b) || byPrice(b, a) || byName(a, b),
}
