import { z } from 'zod'
import type {
  checkoutProduct,
  checkoutSettings,
  linkActivity,
  linkHealth,
  product,
  publicProduct,
} from './answers/products.ts'
import { currencyCodes, defaultCurrency } from './currencies.ts'
import { dropTurningCharacters } from './hidden-characters.ts'
import { isPrice, minPrice } from './money.ts'
import { isPicture, simplifyPictureUrl } from './pictures.ts'
import { withdrawalExemptions } from './withdrawals.ts'

export const maxTiers = 20
export const maxValues = 20
const maxPieces = 1_000_000
const maxDescriptionLength = 20_000
const maxNoteLabelLength = 80

const price = z
  .string('Invalid price format')
  .trim()
  .refine(isPrice, 'Invalid price format')
  .refine((text) => !isPrice(text) || Number(text) > 0, `The price must be at least ${minPrice}`)
  .describe('With up to two decimals, such as 24 or 24.50')

/** Empty text is no text. */
function optionalText(maxLength: number, tooLong: string) {
  return z
    .string()
    .overwrite(dropTurningCharacters)
    .trim()
    .max(maxLength, tooLong)
    .nullable()
    .transform((text) => text || null)
}

/** Any text: what is no picture (see pictures.ts) is kept as it was written, and not shown. */
const pictureUrl = z
  .string('Header logo is required')
  .trim()
  .max(1000, 'The address of a picture has at most 1000 characters')
  .overwrite(simplifyPictureUrl)

/** A price from a certain quantity on. Stored with the product; the checkout always sells one. */
const tier = z.object({
  quantity: z
    .int('A quantity is a whole number')
    .min(1, 'A quantity is at least 1')
    .max(1_000_000, 'A quantity is at most 1,000,000'),
  price,
})
export type QuantityTier = z.output<typeof tier>

const pieces = z
  .int('Enter a whole number of pieces')
  .min(0, 'There cannot be fewer than 0 pieces')
  .max(maxPieces, 'There can be at most 1,000,000 pieces')

const imageUrl = pictureUrl.nullable().transform((url) => url || null)

function shortName(missing: string) {
  return z
    .string(missing)
    .overwrite(dropTurningCharacters)
    .trim()
    .min(1, missing)
    .max(60, 'At most 60 characters')
}

const choiceValue = z.object({
  id: z
    .guid('A value is named by its id')
    .toLowerCase()
    .exactOptional()
    .describe('Of a value that the product has: it keeps its pieces and orders. Others get one'),
  name: shortName('Enter a name for each value'),
  imageUrl: imageUrl
    .refine(
      (url) => url === null || isPicture(url),
      'The picture of a value is an uploaded one, or an address that begins with https:// or http://',
    )
    .exactOptional()
    .describe('Left out, it stays as it is; null: none'),
  stock: pieces
    .nullable()
    .exactOptional()
    .describe('As of a product without a choice. Left out, it stays as it is'),
  stockWas: pieces.exactOptional(),
})

/** What buyers choose one of, such as a size. Each value has pieces of its own. */
const choice = z.object({
  name: shortName('Enter what buyers choose, such as Size'),
  values: z
    .array(choiceValue)
    .min(1, 'Add at least one value')
    .max(maxValues, `There can be at most ${maxValues} values`)
    .refine(hasNoNameTwice, 'Two values have the same name'),
})

function hasNoNameTwice(values: { name: string }[]): boolean {
  return new Set(values.map(({ name }) => name.toLowerCase())).size === values.length
}

const noteLabel = z
  .string()
  .overwrite(dropTurningCharacters)
  .trim()
  .max(maxNoteLabelLength, `At most ${maxNoteLabelLength} characters`)
  .nullable()
  .transform((text) => text || null)

const exemption = z.enum(withdrawalExemptions, 'Choose one of the reasons').nullable()

const fields = {
  name: z
    .string('Product name is required')
    .overwrite(dropTurningCharacters)
    .trim()
    .min(1, 'Product name is required')
    .max(500, 'A product name has at most 500 characters'),
  price,
  currency: z
    .string('Currency must be 3 characters')
    .length(3, 'Currency must be 3 characters')
    .pipe(z.enum(currencyCodes, 'This currency is not supported')),
  description: optionalText(maxDescriptionLength, 'A description has at most 20,000 characters'),
  headerName: optionalText(200, 'A header name has at most 200 characters'),
  imageUrl,
  headerLogoUrl: pictureUrl.min(1, 'Header logo is required'),
  quantityPricingEnabled: z.boolean(),
  quantityTiers: z.array(tier).max(maxTiers, `There can be at most ${maxTiers} tiers`).nullable(),
  withdrawalExemption: exemption.describe(
    'Why there is no right of withdrawal; null where there is one',
  ),
  stock: pieces
    .nullable()
    .describe(
      'How many pieces are there now, also those that are being paid; null: they are not counted',
    ),
  stockWas: pieces.describe(
    'What `stock` was when it was read: what was sold since then is taken off',
  ),
  showsLeft: z.boolean().describe('Tells buyers when few are left'),
  choice: choice
    .nullable()
    .describe(
      'What buyers choose one of; null: nothing. Pieces are counted by value then, not of the product',
    ),
  noteLabel: noteLabel.describe('What buyers are asked to write, such as Engraving; null: nothing'),
  isNoteRequired: z.boolean().describe('Nobody can pay without writing it'),
}

/** A new product. Whatever else is sent along is dropped. */
export const productSchema = z.object({
  ...fields,
  currency: fields.currency.default(defaultCurrency),
  description: fields.description.default(null),
  headerName: fields.headerName.default(null),
  imageUrl: fields.imageUrl.default(null),
  quantityPricingEnabled: fields.quantityPricingEnabled.default(false),
  quantityTiers: fields.quantityTiers.default(null),
  withdrawalExemption: fields.withdrawalExemption.exactOptional(),
  stock: fields.stock.exactOptional(),
  stockWas: fields.stockWas.exactOptional(),
  showsLeft: fields.showsLeft.exactOptional(),
  choice: fields.choice.exactOptional(),
  noteLabel: fields.noteLabel.exactOptional(),
  isNoteRequired: fields.isNoteRequired.exactOptional(),
})

/** A change of a product: what is left out stays as it is. */
export const productChangeSchema = z
  .object(fields)
  .partial()
  .extend({
    updatedAt: z.iso
      .datetime({
        offset: true,
        error: 'The time of a change is written as 2026-11-19T12:00:00.000Z',
      })
      .exactOptional()
      .describe('As it was read. The change is refused if the product was changed since then'),
  })

/** A new or changed product, as the form of the back-office sends it. */
export const productFormSchema = productSchema.extend({
  updatedAt: productChangeSchema.shape.updatedAt,
})

const { shape } = productSchema

/** An unfinished product, for a preview: what is not valid yet is shown as a placeholder. */
export const productDraftSchema = z.object({
  name: shape.name.catch('Product Name'),
  price: shape.price.catch('0.00'),
  currency: shape.currency.catch(defaultCurrency),
  description: shape.description.catch(null),
  headerName: shape.headerName.catch(null),
  imageUrl: shape.imageUrl.catch(null),
  headerLogoUrl: shape.headerLogoUrl.catch(''),
  withdrawalExemption: exemption.catch(null),
  choice: choice.nullable().catch(null),
  noteLabel: noteLabel.catch(null),
  isNoteRequired: z.boolean().catch(false),
})

export type ProductInput = z.input<typeof productSchema>
export type ProductContent = z.output<typeof productSchema>
export type ProductChange = z.output<typeof productChangeSchema>
export type ChoiceContent = z.output<typeof choice>

/** A product as its owner sees it. */
export type Product = z.infer<typeof product>

/** A product as its checkout shows it, and no more. */
export type CheckoutProduct = z.infer<typeof checkoutProduct>

/** A product as anyone can read it; createdBy only for admins. */
export type PublicProduct = z.infer<typeof publicProduct>

/** Where checkouts are reached, and what they charge in. */
export type CheckoutSettings = z.infer<typeof checkoutSettings>

/** Whether checkout links work, as far as the server can tell; whether pictures load is for a browser to find out. */
export type LinkHealth = z.infer<typeof linkHealth>

/** One thing that a checkout link needs. `warn`: works, but not as it should. `fail`: nobody can buy. */
export type HealthCheck = LinkHealth['shop'][number]

/** When a link was last used. */
export type LinkActivity = z.infer<typeof linkActivity>
