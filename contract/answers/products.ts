import { z } from 'zod'
import { currencyCodes } from '#contract/currencies.ts'
import { withdrawalExemptions } from '#contract/withdrawals.ts'
import { count, id, money, time } from './fields.ts'
import { settingsCheck } from './settings.ts'

/** What a checkout shows of a product. An order keeps it as it was sold. */
export const checkoutProduct = z.object({
  id,
  name: z.string(),
  price: money,
  currency: z.enum(currencyCodes),
  description: z.string().nullable(),
  imageUrl: z
    .string()
    .nullable()
    .describe('Any text; shown if it is an uploaded picture or an http(s) address'),
  headerName: z.string().nullable().describe('The name at the top of the checkout'),
  headerLogoUrl: z.string(),
  withdrawalExemption: z
    .enum(withdrawalExemptions)
    .nullable()
    .exactOptional()
    .describe('Why there is no right of withdrawal; null or absent where there is one'),
  noteLabel: z
    .string()
    .exactOptional()
    .describe('What buyers are asked to write; absent where it is nothing'),
  isNoteRequired: z.boolean().exactOptional().describe('Absent where nothing is asked'),
})

/** The value that a buyer chose, as it was called then. */
export const chosenValue = z
  .object({ id, name: z.string().describe('Of the choice'), value: z.string() })
  .meta({ id: 'ChosenValue', description: 'What a buyer chose, such as Size M.' })

/** What an order shows of its product; what was charged is the order's own amount. */
export const orderedProduct = checkoutProduct
  .omit({ price: true, currency: true, isNoteRequired: true })
  .extend({
    vatRate: z.string().exactOptional().describe('In percent, of the day of the sale'),
    canWithdraw: z
      .boolean()
      .exactOptional()
      .describe('Whether the buyer was told of a right of withdrawal; absent without a sale'),
    choice: chosenValue.exactOptional().describe('Absent where there was nothing to choose'),
  })
  .describe('The product at the time of the sale; later edits do not change an order')

/** What anyone can read of a product by its link, as it is stored. */
export const storedProduct = checkoutProduct.extend({
  quantityPricingEnabled: z.boolean(),
  quantityTiers: z
    .array(z.object({ quantity: z.int().min(1), price: z.string() }))
    .nullable()
    .describe('Prices from a certain quantity on. Stored only: the checkout always sells one'),
})

const shownFields = storedProduct.extend({
  isPaused: z.boolean().describe('Its checkout takes no new payments'),
  createdAt: time,
  updatedAt: time,
})

/** Where pieces are counted. */
const pieces = {
  stock: z.int().exactOptional().describe('Pieces that are not sold; absent where not counted'),
  left: count.exactOptional().describe('Pieces that can be bought: no card is being charged'),
  reserved: count.exactOptional().describe('Sales whose card may be charged'),
  sold: count.exactOptional().describe('Orders since the pieces were counted'),
}

/** Of products with a choice. */
const choice = z
  .object({
    name: z.string().describe('What is chosen, such as Size'),
    values: z.array(
      z.object({
        id,
        name: z.string(),
        imageUrl: z.string().nullable().describe('Shown instead of the product’s picture'),
        ...pieces,
      }),
    ),
  })
  .meta({
    id: 'ProductChoice',
    description: 'What buyers choose one of. Pieces are for logged-in admins only.',
  })

const optionalFields = {
  ...pieces,
  choice: choice.exactOptional().describe('Absent where there is nothing to choose'),
  showsLeft: z.boolean().exactOptional().describe('Whether buyers are told when few are left'),
}

export const product = shownFields
  .extend({
    ...optionalFields,
    createdBy: z.string(),
    createdByEmail: z
      .string()
      .nullable()
      .describe('The email address behind createdBy, where there is one'),
  })
  .meta({ id: 'Product', description: 'A product as its owner sees it.' })

export const publicProduct = shownFields
  .extend({
    ...optionalFields,
    createdBy: z.string().exactOptional().describe('For logged-in admins only, as the stock'),
  })
  .meta({ id: 'PublicProduct', description: 'A product as anyone can read it.' })

export const checkoutSettings = z
  .object({
    customDomain: z.string().nullable(),
    currentDomain: z.string(),
    paymentCurrency: z
      .enum([...currencyCodes, 'product'])
      .describe('What buyers are charged in: a currency, or `product` for each product’s own'),
    accountCurrency: z
      .string()
      .nullable()
      .describe('What SumUp pays the account in; null in test mode and while it is not known'),
  })
  .meta({
    id: 'CheckoutSettings',
    description: 'Where checkouts are reached, and what they charge in.',
  })

const healthCheck = z
  .object({
    name: z.string(),
    ...settingsCheck.shape,
  })
  .meta({
    id: 'HealthCheck',
    description:
      'One thing that a checkout link needs. `warn`: works, but not as it should. `fail`: nobody can buy.',
  })

export const linkHealth = z
  .object({
    shop: z.array(healthCheck).describe('The same for all products'),
    products: z.record(z.string(), z.array(healthCheck)).describe('By the product’s id'),
  })
  .meta({
    id: 'LinkHealth',
    description:
      'Whether checkout links work, as far as the server can tell; whether pictures load is for a browser to find out.',
  })

export const linkActivity = z
  .object({
    lastVisitAt: time.nullable().describe('In the last 30 days, or null'),
    lastSaleAt: time.nullable(),
  })
  .meta({ id: 'LinkActivity', description: 'When a link was last used.' })

export const uploadAddress = z
  .object({
    objectPath: z.string().describe('The key of the picture'),
    uploadURL: z.string().describe('Where the bytes are sent with PUT'),
  })
  .meta({ id: 'UploadAddress', description: 'Where a picture is uploaded to.' })

export const uploadPart = z
  .object({ PartNumber: z.int().min(1), Size: count, ETag: z.string() })
  .meta({ id: 'UploadPart', description: 'A part of a file that has arrived.' })
