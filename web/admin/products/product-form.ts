import type { z } from 'zod'

import { defaultCurrency } from '#contract/currencies.ts'
import type { Product, productFormSchema, ProductInput, QuantityTier } from '#contract/products.ts'
import { withdrawalExemptions, type WithdrawalExemption } from '#contract/withdrawals.ts'

/** What the form holds. `updatedAt`: of the saved product that it began with. */
export type ProductValues = Required<Omit<ProductInput, 'stockWas'>> &
  Pick<ProductInput, 'stockWas'> & { updatedAt?: string }

export type ProductFormInput = z.input<typeof productFormSchema>
export type ProductFormContent = z.output<typeof productFormSchema>

/** A new product begins with the logo of the shop's settings. */
export function initialValues(product: Product | undefined, defaultLogoUrl = ''): ProductValues {
  return {
    name: product?.name ?? '',
    price: product?.price ?? '',
    currency: product?.currency ?? defaultCurrency,
    description: product?.description ?? '',
    headerName: product?.headerName ?? '',
    imageUrl: product?.imageUrl ?? '',
    headerLogoUrl: product?.headerLogoUrl ?? defaultLogoUrl,
    quantityPricingEnabled: product?.quantityPricingEnabled ?? false,
    quantityTiers: product?.quantityTiers ?? [],
    withdrawalExemption: product?.withdrawalExemption ?? null,
    stock: product?.stock ?? null,
    ...(product?.stock !== undefined && { stockWas: product.stock }),
    showsLeft: product?.showsLeft ?? false,
    noteLabel: product?.noteLabel ?? '',
    isNoteRequired: product?.isNoteRequired ?? false,
    choice: product?.choice ? choiceValues(product.choice) : null,
    ...(product && { updatedAt: product.updatedAt }),
  }
}

type ChoiceValues = NonNullable<ProductInput['choice']>

function choiceValues({ name, values }: NonNullable<Product['choice']>): ChoiceValues {
  return {
    name,
    values: values.map(({ id, name: value, imageUrl, stock }) => ({
      id,
      name: value,
      imageUrl: imageUrl ?? '',
      stock: stock ?? null,
      ...(stock !== undefined && { stockWas: stock }),
    })),
  }
}

/** What a copy of a product starts from: of the copy there are no pieces yet. */
export function copyValues(product: Product): ProductValues {
  const name = `${product.name} (copy)`
  const { stockWas: _stockWas, updatedAt: _updatedAt, ...values } = initialValues(product)
  const choice = values.choice && {
    ...values.choice,
    values: values.choice.values.map((value) => ({
      name: value.name,
      imageUrl: value.imageUrl ?? '',
      stock: null,
    })),
  }
  return { ...values, name: name.length > 500 ? product.name : name, stock: null, choice }
}

/**
 * With quantity pricing off the tiers are hidden: the saved ones stay, and the edited ones are not validated. The stock is
 * sent only if the owner has changed it: meanwhile some may have been sold.
 */
export function valuesToSave(
  values: ProductFormInput,
  product: Product | undefined,
): ProductFormInput {
  const { stock = null, stockWas, showsLeft = false, choice = null, ...others } = values
  const isCounted = choice ? choice.values.some(hasStock) : stock !== null
  return {
    ...others,
    ...(choice ? { choice: choiceToSave(choice) } : changedStock(stock, stockWas)),
    ...(!choice && product?.choice && { choice: null }),
    ...(isCounted && { showsLeft }),
    ...(!values.quantityPricingEnabled && { quantityTiers: product?.quantityTiers ?? null }),
  }
}

function choiceToSave({ name, values }: ChoiceValues): ChoiceValues {
  return {
    name,
    values: values.map(({ stock = null, stockWas, ...value }) => ({
      ...value,
      ...changedStock(stock, stockWas),
    })),
  }
}

/**
 * The form after somebody else has saved the product: it means the pieces as they were just read, so that a typed number is
 * saved as it was typed. Numbers that nobody has typed follow them.
 */
export function renewStock(values: ProductFormInput, theirs: ProductValues): ProductFormInput {
  const { choice } = values
  const savedValues = new Map(theirs.choice?.values.map((value) => [value.id, value]))
  const renewed = choice && {
    ...choice,
    values: choice.values.map((value) => renewCount(value, savedValues.get(value.id))),
  }
  return { ...renewCount(values, theirs), ...(renewed && { choice: renewed }) }
}

export type Count = Pick<ProductFormInput, 'stock' | 'stockWas'>

/** `saved`: undefined of a value that is not saved, or no more. */
function renewCount<Counted extends Count>(counted: Counted, saved: Count | undefined) {
  const { stock = null, stockWas, ...others } = counted
  const isTyped = stock !== (stockWas ?? null)
  return {
    ...others,
    stock: isTyped || !saved ? stock : (saved.stock ?? null),
    ...(saved?.stockWas !== undefined && { stockWas: saved.stockWas }),
  }
}

function changedStock(stock: number | null, stockWas: number | undefined) {
  if (stock === (stockWas ?? null)) return {}
  return { stock, ...(stockWas !== undefined && { stockWas }) }
}

export function hasStock({ stock }: { stock?: unknown }): boolean {
  return typeof stock === 'number'
}

/** Without a picture, also where a value of the same name had one: what is left out stays as it is saved. */
export const newValue = { name: '', imageUrl: '' }

export const newChoice: ChoiceValues = { name: '', values: [newValue, newValue] }

/** Nothing typed: not counted. What is no number stays an error. */
export function parsePieces(input: unknown): number | null {
  if (typeof input === 'number') return input
  const text = typeof input === 'string' ? input.trim() : ''
  return text === '' ? null : Number(text)
}

/** Of a product whose pieces are counted. */
export function describeStock({
  left = 0,
  reserved = 0,
  sold = 0,
}: Partial<Pick<Product, 'left' | 'reserved' | 'sold'>>): string {
  const paying = reserved > 0 ? `, ${reserved} held by buyers who are paying` : ''
  return `${left} left${paying}, ${sold} sold since you last entered a number.`
}

export const newTier: QuantityTier = { quantity: 1, price: '' }

/** A warning if several tiers have the same quantity: they can be saved, but only one of their prices could hold. */
export function findTierWarning(tiers: readonly QuantityTier[]): string | undefined {
  const quantities = tiers.map(({ quantity }) => parseQuantity(quantity))
  const repeated = quantities.find((quantity, index) => quantities.indexOf(quantity) !== index)
  if (repeated === undefined) return undefined
  return `More than one tier is for quantity ${repeated}. Give each tier a quantity of its own.`
}

/** '12,5' is how half of Europe writes 12.5; three digits behind a comma could be thousands and stay an error. */
export function parsePrice(input: unknown): string {
  const text = typeof input === 'string' ? input.trim() : ''
  return /^\d+,\d{1,2}$/.test(text) ? text.replace(',', '.') : text
}

/** An option without a value is none. */
export function parseExemption(input: unknown): WithdrawalExemption | null {
  return withdrawalExemptions.find((one) => one === input) ?? null
}

/** What is not a number becomes 1. */
export function parseQuantity(input: unknown): number {
  return Number.parseInt(String(input), 10) || 1
}

export const missingLogo = 'Header logo is required. Please upload a checkout page logo.'
