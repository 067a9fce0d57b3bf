import type { Count, ProductFormInput, ProductValues } from './product-form.ts'

/** What of a product somebody else may change while it is edited. Not the pieces, which every sale changes: see describePieces. */
const labels = {
  name: 'Product Name',
  price: 'Price',
  currency: 'Currency',
  description: 'Description',
  imageUrl: 'Product Image',
  headerLogoUrl: 'Checkout Page Header Logo',
  headerName: 'Checkout Page Header Name',
  quantityPricingEnabled: 'Quantity-based pricing',
  quantityTiers: 'Quantity tiers',
  choice: 'Choice',
  showsLeft: 'Show how few are left',
  noteLabel: 'Ask buyers for a text',
  isNoteRequired: 'Text required',
  withdrawalExemption: 'Right of withdrawal',
} satisfies Partial<Record<keyof ProductValues, string>>

export type ChangedField = keyof typeof labels

const fields = Object.keys(labels) as ChangedField[]

/**
 * The fields that were changed since the form has read the product. Of a form that was closed meanwhile, and opened again
 * with what was typed, only the difference to what is saved now is known.
 */
export function listChanged(
  read: ProductValues,
  mine: ProductFormInput,
  theirs: ProductValues,
): ChangedField[] {
  const before = mine.updatedAt === read.updatedAt ? read : mine
  return fields.filter((field) => describeValue(before, field) !== describeValue(theirs, field))
}

export function labelOf(field: ChangedField): string {
  return labels[field]
}

/** What a field says, in one line. */
export function describeValue(values: ProductFormInput, field: ChangedField): string {
  if (field === 'choice') return describeChoice(values.choice)
  if (field === 'quantityTiers') return describeTiers(values.quantityTiers)
  const value = values[field]
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value || 'none'
}

function describeChoice(choice: ProductFormInput['choice']): string {
  if (!choice) return 'none'
  const values = choice.values.map(({ name, imageUrl }) =>
    imageUrl ? `${name} (${imageUrl})` : name,
  )
  return `${choice.name}: ${values.join(', ')}`
}

function describeTiers(tiers: ProductFormInput['quantityTiers']): string {
  return tiers?.map(({ quantity, price }) => `${quantity}: ${price}`).join(', ') || 'none'
}

/** How many pieces are there now, in one line; undefined where the form has read and says the same. */
export function describePieces(mine: ProductFormInput, theirs: ProductValues): string | undefined {
  if (!theirs.choice) return isSameCount(mine, theirs) ? undefined : nameCount(theirs)
  const others = theirs.choice.values.filter(
    (value) => !isSameCount(mine.choice?.values.find(({ id }) => id === value.id) ?? {}, value),
  )
  return others.map((value) => `${value.name} ${nameCount(value)}`).join(', ') || undefined
}

function isSameCount({ stock = null, stockWas }: Count, { stock: saved = null }: Count): boolean {
  return stock === saved && (stockWas ?? null) === saved
}

function nameCount({ stock }: Count): string {
  return typeof stock === 'number' ? String(stock) : 'not counted'
}
