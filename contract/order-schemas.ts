import { z } from 'zod'
import { findAddressForm } from './address-forms.ts'
import {
  carriers,
  cleanTrackingNumber,
  isTrackingNumber,
  maxTrackingNumberLength,
  parseTrackingUrl,
} from './carriers.ts'
import { countryOf } from './delivery-settings.ts'
import { dropTurningCharacters } from './hidden-characters.ts'
import { languageCodes } from './languages.ts'
import {
  isOrderNumber,
  maxBuyerNoteLength,
  maxMatchedNumbers,
  maxNoteLength,
  nameOf,
} from './orders.ts'
import { refundPassword } from './refunds.ts'
import { maxPrintedOrders } from './paper.ts'
import { maxCodeLength } from './quotes.ts'

/** Validation of requests. Apart from contract/orders.ts, so that the checkout page does not load zod. */

function required(maxLength: number, missing: string) {
  return z.string(missing).trim().min(1, missing).max(maxLength, `At most ${maxLength} characters`)
}

function optional(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength, `At most ${maxLength} characters`)
    .nullish()
    .transform((text) => text || undefined)
}

const email = z.string().trim().max(255).pipe(z.email('Enter a valid email address'))

const optionalEmail = z
  .literal('')
  .or(email)
  .nullish()
  .transform((text) => text || undefined)

/** Also where the rest of the address is wrong, so that everything is told at once. */
function refineByCountry(
  part: 'postcode' | 'state',
  isNeeded: (country: string) => boolean,
  message: string,
) {
  return z.refine<{ country?: unknown; postcode?: unknown; state?: unknown }>(
    (address) => Boolean(address[part]) || !isNeeded(String(address.country)),
    { message, path: [part], when: ({ value }) => typeof value === 'object' && value !== null },
  )
}

const notDelivered = 'Choose a country we deliver to'
const postcodeMissing = 'Enter a postcode'

export const addressSchema = z
  .object({
    country: countryOf(notDelivered).describe('Its English name'),
    firstName: optional(120),
    lastName: required(120, 'Enter a last name'),
    address: required(300, 'Enter an address'),
    apartment: optional(200),
    city: required(200, 'Enter a city'),
    state: optional(200),
    postcode: z
      .string(postcodeMissing)
      .trim()
      .max(20, 'At most 20 characters')
      .nullish()
      .transform((text) => text ?? '')
      .describe('Empty only where the country does without'),
    phone: optional(50),
  })
  .check(
    refineByCountry(
      'state',
      (country) => findAddressForm(country).isStateRequired === true,
      'Enter a state or province',
    ),
    refineByCountry(
      'postcode',
      (country) => findAddressForm(country).postcode === undefined,
      postcodeMissing,
    ),
  )
  .transform(dropUndefined)
  .meta({ id: 'NewAddress', description: 'An address as it is sent.' })

/** The id of a value of the product's choice. */
const choice = z
  .string('Choose one of the values')
  .max(64, 'Choose one of the values')
  .nullish()
  .transform((id) => id || undefined)
  .describe('The id of the chosen value, where the product has a choice')

/** Longer than any name: it is only compared. */
const choiceName = z
  .string('The name of the chosen value is a text')
  .max(200, 'At most 200 characters')
  .nullish()
  .transform((name) => name || undefined)
  .describe('What the chosen value was called when it was chosen: refused if it has been renamed')

const isPickup = z
  .boolean('Pickup is true or false')
  .optional()
  .transform((value) => value || undefined)
  .describe('Fetched at the shop’s pickup place, whose address the shop fills in')

/** Line ends stay: a gift text has some. */
const buyerNote = z
  .string()
  .overwrite((text) => dropTurningCharacters(text).replaceAll(/\r\n?/g, '\n'))
  .trim()
  .max(maxBuyerNoteLength, `At most ${maxBuyerNoteLength} characters`)
  .nullish()
  .transform((text) => text || undefined)
  .describe('What the product asks buyers to write; dropped where it asks for nothing')

/** Contact, delivery and billing, saved before any card is submitted. */
export const checkoutDetailsSchema = z
  .object({
    customerEmail: email,
    customerName: optional(255),
    customerPhone: optional(50),
    shippingAddress: addressSchema,
    billingAddress: addressSchema.nullish().transform((address) => address ?? undefined),
    isPickup,
    acceptsNews: z.boolean().default(false),
    note: buyerNote,
    language: z
      .enum(languageCodes)
      .optional()
      .catch(undefined)
      .describe('Of the page; the order’s mails are written in it'),
    choice,
    choiceName,
  })
  .transform((details) =>
    dropUndefined({
      ...details,
      customerName: details.customerName ?? nameOf(details.shippingAddress),
    }),
  )

/** Identifies the page that submits details: a second tab must not replace those of a submitted card. */
/** Of a page that pays with what it saved itself. */
export const ownFormSchema = z.object({ formId: z.string().max(64).optional() })

export const formIdSchema = z.object({
  formId: z.string().max(64).default(''),
  /** The same for a request that is repeated because its answer was lost, and for no other. */
  pressId: z.string().max(64).default(''),
  /** The card form itself refused the card that the details before were sent for, so none was sent to SumUp. */
  isCardUnsent: z.boolean().default(false),
})

/** The version of the entry that the admin saw: a decision is about nothing else. */
export const reviewVersionSchema = z.object({
  version: z.string('The version of the entry is missing').max(64),
})

export const reviewRefundSchema = reviewVersionSchema.extend({ password: refundPassword })

/** What an admin adds to create an order from a payment in review. */
export const reviewOrderSchema = reviewVersionSchema.extend({
  productId: z.guid('Product not found').optional(),
  choice,
  code: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('The discount code that was used, of a payment without a sale: it has one use less'),
  /** Like a buyer's, but the e-mail address may be unknown. */
  details: z
    .object({
      customerEmail: optionalEmail,
      customerName: optional(255),
      customerPhone: optional(50),
      shippingAddress: addressSchema,
    })
    .transform((details) => dropUndefined({ ...details, acceptsNews: false }))
    .optional(),
})
export const dismissalSchema = reviewVersionSchema.extend({
  note: z
    .string()
    .trim()
    .min(1, 'Please say in a few words why')
    .max(1000, 'At most 1000 characters'),
})

/** The amount is only compared: the server charges what it quotes for the product, the delivery and the code. */
export const newCheckoutSchema = z.object({
  productId: z.guid('Product not found'),
  amount: z
    .union([z.string(), z.number().transform((units) => units.toFixed(2))])
    .pipe(z.string().regex(/^\d{1,9}(\.\d{1,2})?$/, 'The amount is not valid')),
  currency: z.string().length(3, 'Currency must be 3 characters'),
  version: z
    .string()
    .max(64)
    .optional()
    .describe('Of the product as the page shows it; another one is refused'),
  /** Whether the page says that it is a test. Also only compared. */
  isTest: z.boolean('A test is true or false').optional(),
  /** The script of the page's card form: another account may need another one. Also only compared. */
  sdkUrl: z.string().max(1000).optional(),
  country: countryOf(notDelivered)
    .optional()
    .describe('Where it goes; needed where the price depends on it'),
  isPickup: z.boolean().optional().describe('Whether the buyer fetches it'),
  code: z.string().trim().max(maxCodeLength).optional().describe('The discount code of the link'),
})

/** Sent after paying. Price, status and payment are decided by the server, so they are not read. */
export const newOrderSchema = z
  .object({
    sumupCheckoutId: z.guid('The payment is not known'),
    customerEmail: optionalEmail,
    customerName: optional(255),
    customerPhone: optional(50),
    shippingAddress: addressSchema,
    billingAddress: addressSchema.nullish().transform((address) => address ?? undefined),
    isPickup,
    quantity: z.int().min(1).default(1),
    choice,
    note: buyerNote,
  })
  .transform(({ sumupCheckoutId, quantity: _one, choice: chosen, ...details }) => ({
    sumupCheckoutId,
    choice: chosen,
    details: dropUndefined({ ...details, acceptsNews: false }),
  }))

const orderNumbersMessage = `Send 1 to ${maxMatchedNumbers} order numbers, separated by commas: short ones, or at least the first 8 characters of an ID`

export const orderNumbersSchema = z.object({
  numbers: z
    .string(orderNumbersMessage)
    .transform((text) => text.split(','))
    .refine(
      (numbers) => numbers.length <= maxMatchedNumbers && numbers.every(isOrderNumber),
      orderNumbersMessage,
    ),
})

const printedOrdersMessage = `Send the ids of 1 to ${maxPrintedOrders} orders, separated by commas`

/** Each once, in the order given: a second slip would be a second parcel. */
export const printedOrdersSchema = z.object({
  ids: z
    .string(printedOrdersMessage)
    .transform((text) => [...new Set(text.toLowerCase().split(','))])
    .pipe(z.array(z.guid(printedOrdersMessage)).max(maxPrintedOrders, printedOrdersMessage)),
})

const stored = z.string().max(1000).nullish()

/** A customer as an admin saw it: only compared, so it may be anything that was ever stored. */
const seenCustomerSchema = z
  .object({
    customerEmail: stored,
    customerPhone: stored,
    shippingAddress: z.object({
      country: stored,
      firstName: stored,
      lastName: stored,
      address: stored,
      apartment: stored,
      city: stored,
      state: stored,
      postcode: stored,
      phone: stored,
    }),
  })
  .meta({ id: 'SeenCustomer', description: 'What the caller saw of an order’s customer.' })

/** As at the checkout; the name is that of the address. Orders without an e-mail address stay possible. */
export const correctionSchema = z.object({
  customerEmail: optionalEmail,
  customerPhone: optional(50),
  shippingAddress: addressSchema,
  before: seenCustomerSchema,
})

export const noteSchema = z.object({
  text: z
    .string('Write a note')
    .trim()
    .min(1, 'Write a note')
    .max(maxNoteLength, `At most ${maxNoteLength} characters`),
})

/** Longer than any number with the spaces that it was copied with. */
const maxTypedNumberLength = 200
const maxTrackingUrlLength = 1000
const trackingNumberMessage = `A tracking number has 3 to ${maxTrackingNumberLength} letters and digits`
const trackingUrlMessage = 'Enter the whole address of the tracking page, beginning with https://'

/** How an order was sent. An address that is given wins over the carrier's own. */
export const shipmentSchema = z
  .object({
    carrier: z.enum(carriers, 'Choose a carrier from the list'),
    trackingNumber: z
      .string(trackingNumberMessage)
      .max(maxTypedNumberLength, trackingNumberMessage)
      .transform(cleanTrackingNumber)
      .refine((number) => number === '' || isTrackingNumber(number), trackingNumberMessage)
      .nullish()
      .transform((number) => number || null),
    trackingUrl: z
      .string(trackingUrlMessage)
      .trim()
      .max(maxTrackingUrlLength, `At most ${maxTrackingUrlLength} characters`)
      .transform((text) => (text === '' ? '' : parseTrackingUrl(text)))
      .refine((url) => url !== undefined, trackingUrlMessage)
      .nullish()
      .transform((url) => url || null),
    /** Whether the buyer gets a mail with the first tracking. */
    tellsCustomer: z.boolean('The customer is told or not: true or false').default(true),
    /** The id of a bulk change, the same for each of its orders. */
    bulkId: z.uuid('A bulk change is named by an id.').optional(),
  })
  .refine(({ trackingNumber, trackingUrl }) => trackingNumber ?? trackingUrl, {
    error: 'Enter a tracking number or the address of the tracking page',
    path: ['trackingNumber'],
  })

function dropUndefined<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>
  } & Fields
}
