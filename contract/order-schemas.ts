import { z } from 'zod'
import { countries } from './countries.ts'

/** What buyers send, checked at the door. Apart from contract/orders.ts, so that the checkout page does not carry zod. */

function required(most: number, missing: string) {
  return z.string(missing).trim().min(1, missing).max(most, `At most ${most} characters`)
}

function optional(most: number) {
  return z
    .string()
    .trim()
    .max(most, `At most ${most} characters`)
    .nullish()
    .transform((text) => text || undefined)
}

const email = z.string().trim().max(255).pipe(z.email('Enter a valid email address'))

const optionalEmail = z
  .literal('')
  .or(email)
  .nullish()
  .transform((text) => text || undefined)

export const addressSchema = z
  .object({
    country: z.enum(countries, 'Choose a country we deliver to'),
    firstName: optional(120),
    lastName: required(120, 'Enter a last name'),
    address: required(300, 'Enter an address'),
    apartment: optional(200),
    city: required(200, 'Enter a city'),
    state: optional(200),
    postcode: required(20, 'Enter a postcode'),
    phone: optional(50),
  })
  .transform(dropUndefined)

/** Contact, delivery and billing, kept before any card is submitted. */
export const checkoutDetailsSchema = z
  .object({
    customerEmail: email,
    customerName: optional(255),
    customerPhone: optional(50),
    shippingAddress: addressSchema,
    billingAddress: addressSchema.nullish().transform((address) => address ?? undefined),
    acceptsNews: z.boolean().default(false),
  })
  .transform((details) =>
    dropUndefined({
      ...details,
      customerName: details.customerName ?? nameOf(details.shippingAddress),
    }),
  )

/** Which page hands in details: a second tab does not change those of a card that the first one submitted. */
export const formIdSchema = z.object({ formId: z.string().max(64).default('') })

/** What an owner adds to make an order of a payment in review. */
export const reviewOrderSchema = z.object({
  productId: z.guid('Product not found').optional(),
  /** As a buyer's, but an owner may not know the e-mail address. */
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
export const dismissalSchema = z.object({
  note: z
    .string()
    .trim()
    .min(1, 'Please say in a few words why')
    .max(1000, 'At most 1000 characters'),
})

/** Asked for on page load. The amount is only compared: the server charges what the product costs. */
export const newCheckoutSchema = z.object({
  productId: z.guid('Product not found'),
  amount: z
    .union([z.string(), z.number().transform((units) => units.toFixed(2))])
    .pipe(z.string().regex(/^\d{1,8}(\.\d{1,2})?$/, 'The amount is not valid')),
  currency: z.string().length(3, 'Currency must be 3 characters'),
})

/** The browser's word that it paid. Price, status and payment are the server's to say, so nothing of them is read. */
export const newOrderSchema = z
  .object({
    sumupCheckoutId: z.guid('The payment is not known'),
    customerEmail: optionalEmail,
    customerName: optional(255),
    customerPhone: optional(50),
    shippingAddress: addressSchema,
    billingAddress: addressSchema.nullish().transform((address) => address ?? undefined),
    quantity: z.int().min(1).default(1),
  })
  .transform(({ sumupCheckoutId, quantity: _one, ...details }) => ({
    sumupCheckoutId,
    details: dropUndefined({ ...details, acceptsNews: false }),
  }))

function nameOf({
  firstName,
  lastName,
}: {
  firstName?: string | undefined
  lastName: string
}): string {
  return [firstName, lastName].filter(Boolean).join(' ')
}

/** JSON has no undefined: a field that is not there is not there. */
function dropUndefined<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>
  } & Fields
}
