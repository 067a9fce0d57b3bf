import { z } from 'zod'
import { toMinor } from './ledger/money.ts'
import { currencies, type Checkout, type Currency } from './ledger/records.ts'
import { fieldError, readBody } from './read-body.ts'
import { invalidFields } from './refusals.ts'

const webUrl = z.url({ protocol: /^https?$/ })
const changeable = z.object({
  checkout_reference: z.string().min(1).max(90),
  /** Whether the currency has decimals is asked once both are known. */
  amount: z.custom<number | string>((amount) => toMinor(amount, 'EUR') !== undefined),
  currency: z.enum(currencies),
  description: z.string().nullish(),
  customer_id: z.string().nullish(),
  valid_until: z.iso.datetime({ offset: true }).nullish(),
})
const newCheckoutSchema = changeable.extend({
  merchant_code: z.string().min(1),
  return_url: webUrl.nullish(),
  redirect_url: webUrl.nullish(),
  // What the stand-in does not do it refuses, so that nobody waits for it.
  purpose: z.literal('CHECKOUT').nullish(),
  hosted_checkout: z.object({ enabled: z.literal(false) }).nullish(),
})
const changesSchema = changeable.partial()

export function readNewCheckout(body: unknown) {
  const wanted = readBody(newCheckoutSchema, body)
  return {
    ...optional(wanted),
    ...(wanted.return_url ? { returnUrl: wanted.return_url } : {}),
    ...(wanted.redirect_url ? { redirectUrl: wanted.redirect_url } : {}),
    merchantCode: wanted.merchant_code,
    reference: wanted.checkout_reference,
    currency: wanted.currency,
    amountMinor: minorOf(wanted.amount, wanted.currency),
    validUntil: wanted.valid_until ? Date.parse(wanted.valid_until) : null,
  } satisfies Partial<Checkout>
}

/** The checkout after a PATCH; return_url and redirect_url cannot be changed at SumUp. */
export function readChanges(body: unknown, before: Checkout): Checkout {
  const wanted = readBody(changesSchema, body)
  const { amount, valid_until: until, checkout_reference: reference = before.reference } = wanted
  const currency = wanted.currency ?? before.currency
  return {
    ...before,
    ...optional(wanted),
    reference,
    formerReferences:
      reference === before.reference
        ? before.formerReferences
        : [...before.formerReferences, before.reference],
    currency,
    amountMinor: amount === undefined ? before.amountMinor : minorOf(amount, currency),
    validUntil: until === undefined ? before.validUntil : until === null ? null : Date.parse(until),
  }
}

function optional(wanted: z.output<typeof changesSchema>) {
  return {
    ...(wanted.description ? { description: wanted.description } : {}),
    ...(wanted.customer_id ? { customerId: wanted.customer_id } : {}),
  }
}

function minorOf(amount: unknown, currency: Currency): number {
  const minor = toMinor(amount, currency)
  if (minor === undefined) throw invalidFields([fieldError('amount', amount)])
  return minor
}
