import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { merchantName, type MerchantAccount } from './accounts.ts'
import { getId, merchantEndpoint } from './api.ts'
import type { Context } from './context.ts'
import {
  cannotDeactivate,
  checkoutProcessed,
  duplicatedCheckout,
  invalidField,
  invalidValue,
  parseBody,
  paymentsNotAllowed,
  sessionExpired,
} from './errors.ts'
import { getEntryMode, getPaymentType } from './methods.ts'
import { contentFaults, type ContentFault, type Endpoint } from './faults.ts'
import {
  cancelPending,
  findPaid,
  findSettlesAt,
  getCheckout,
  hasPending,
  isShown,
  refreshCheckout,
} from './payments.ts'
import {
  currencies,
  formatTime,
  newTransactionCode,
  toMajor,
  toMinor,
  listNames,
  type Checkout,
  type Currency,
  type Transaction,
} from './records.ts'

/** The checkout calls of a merchant's server. */
export function registerCheckouts(app: FastifyInstance, context: Context): void {
  const { ledger, lags, faults } = context

  function show(endpoint: Endpoint, checkout: Checkout, merchant: MerchantAccount): object {
    const counts = endpoint === 'get' || endpoint === 'list'
    const shown = showCheckout(lags.view(checkout, { counts }), merchant)
    const fault = faults.trigger(endpoint, contentFaults, listNames(checkout))
    return fault ? distortCheckout(shown, fault.kind) : shown
  }

  app.post(
    '/v0.1/checkouts',
    merchantEndpoint(context, 'create', ({ body }, merchant) => {
      const fields = parseNewCheckout(body)
      if (fields.merchantCode !== merchant.code) throw paymentsNotAllowed()
      validatePrice(fields, merchant)
      if (ledger.isReferenceTaken(merchant.code, fields.reference)) throw duplicatedCheckout()
      const checkout: Checkout = {
        id: randomUUID(),
        formerReferences: [],
        ...fields,
        status: 'PENDING',
        createdAt: Date.now(),
        transactions: [],
      }
      ledger.save(checkout)
      return { status: 201, body: show('create', checkout, merchant) }
    }),
  )

  app.get(
    '/v0.1/checkouts',
    merchantEndpoint(context, 'list', ({ query }, merchant) => {
      const { checkout_reference: reference } = query as Record<string, string | undefined>
      const found =
        reference === undefined ? ledger.listCheckouts() : ledger.listByReference(reference)
      const body = found
        .filter((checkout) => checkout.merchantCode === merchant.code && isShown(checkout))
        .map((checkout) => show('list', refreshCheckout(context, checkout), merchant))
      return { status: 200, body }
    }),
  )

  app.get(
    '/v0.1/checkouts/:id',
    merchantEndpoint(context, 'get', (request, merchant) => {
      const checkout = getCheckout(context, getId(request), merchant)
      return { status: 200, body: show('get', checkout, merchant) }
    }),
  )

  app.patch(
    '/v0.1/checkouts/:id',
    merchantEndpoint(context, 'update', (request, merchant) => {
      const before = getCheckout(context, getId(request), merchant)
      const after = parseChanges(request.body, before)
      if (before.status === 'PAID') throw checkoutProcessed()
      if (before.status === 'EXPIRED') throw sessionExpired(before.id)
      validatePrice(after, merchant)
      const hasNewReference = after.reference !== before.reference
      if (hasNewReference && ledger.isReferenceTaken(merchant.code, after.reference))
        throw duplicatedCheckout()
      // A payer on a 3-D Secure page agreed to the old amount.
      if (after.amountMinor !== before.amountMinor)
        after.transactions = cancelPending(after.transactions, Date.now())
      ledger.save(after)
      return { status: 200, body: show('update', after, merchant) }
    }),
  )

  app.delete(
    '/v0.1/checkouts/:id',
    merchantEndpoint(context, 'deactivate', (request, merchant) => {
      const before = getCheckout(context, getId(request), merchant)
      if (faults.trigger('deactivate', ['claims-ended'], listNames(before)))
        return { status: 200, body: {} }
      if (before.status === 'PAID') throw checkoutProcessed()
      if (before.status === 'EXPIRED') throw cannotDeactivate('The checkout is expired')
      if (isHeldByBank(context, before))
        throw cannotDeactivate("The checkout can't be cancelled due to a pending payment")
      const transactions = cancelPending(before.transactions, Date.now())
      const after: Checkout = { ...before, status: 'EXPIRED', transactions }
      ledger.save(after)
      return { status: 200, body: show('deactivate', after, merchant) }
    }),
  )
}

/** By default a pending payment is cancelled with its checkout; a fault can make SumUp refuse that. */
function isHeldByBank({ faults }: Context, checkout: Checkout): boolean {
  if (findSettlesAt(checkout) !== undefined) return true
  return (
    hasPending(checkout) &&
    faults.trigger('deactivate', ['refuse-while-pending'], listNames(checkout)) !== undefined
  )
}

function validatePrice(
  { currency, amountMinor }: Pick<Checkout, 'currency' | 'amountMinor'>,
  { currency: merchantCurrency, minimumAmount }: MerchantAccount,
): void {
  if (currency !== merchantCurrency)
    throw invalidField('currency', "Given currency differs from merchant's country currency")
  if (toMajor(amountMinor, currency) < minimumAmount)
    throw invalidField('amount', `Amount is below the minimum of ${minimumAmount} ${currency}`)
}

const webUrl = z.url({ protocol: /^https?$/ })
const changeableFields = z.object({
  checkout_reference: z.string().min(1).max(90),
  /** getMinor checks the decimals, which depend on the currency. */
  amount: z.custom<number | string>((amount) => toMinor(amount, 'EUR') !== undefined),
  currency: z.enum(currencies),
  description: z.string().nullish(),
  customer_id: z.string().nullish(),
  valid_until: z.iso.datetime({ offset: true }).nullish(),
})
const newCheckoutSchema = changeableFields.extend({
  merchant_code: z.string().min(1),
  return_url: webUrl.nullish(),
  redirect_url: webUrl.nullish(),
  // Features that the sandbox does not have are refused.
  purpose: z.literal('CHECKOUT').nullish(),
  hosted_checkout: z.object({ enabled: z.literal(false) }).nullish(),
})
const changesSchema = changeableFields.partial()

function parseNewCheckout(body: unknown) {
  const fields = parseBody(newCheckoutSchema, body)
  return {
    ...getOptionalFields(fields),
    ...(fields.return_url ? { returnUrl: fields.return_url } : {}),
    ...(fields.redirect_url ? { redirectUrl: fields.redirect_url } : {}),
    merchantCode: fields.merchant_code,
    reference: fields.checkout_reference,
    currency: fields.currency,
    amountMinor: getMinor(fields.amount, fields.currency),
    validUntil: fields.valid_until ? Date.parse(fields.valid_until) : null,
  } satisfies Partial<Checkout>
}

/** The checkout after a PATCH; SumUp cannot change return_url and redirect_url. */
function parseChanges(body: unknown, before: Checkout): Checkout {
  const fields = parseBody(changesSchema, body)
  const { amount, valid_until: until, checkout_reference: reference = before.reference } = fields
  const currency = fields.currency ?? before.currency
  return {
    ...before,
    ...getOptionalFields(fields),
    reference,
    formerReferences:
      reference === before.reference
        ? before.formerReferences
        : [...before.formerReferences, before.reference],
    currency,
    amountMinor: amount === undefined ? before.amountMinor : getMinor(amount, currency),
    validUntil: until === undefined ? before.validUntil : until === null ? null : Date.parse(until),
  }
}

function getOptionalFields(fields: z.output<typeof changesSchema>) {
  return {
    ...(fields.description ? { description: fields.description } : {}),
    ...(fields.customer_id ? { customerId: fields.customer_id } : {}),
  }
}

function getMinor(amount: unknown, currency: Currency): number {
  const minor = toMinor(amount, currency)
  if (minor === undefined) throw invalidValue('amount', amount)
  return minor
}

type ShownCheckout = ReturnType<typeof showCheckout>

/** Fields that are not set are left out, as SumUp has been seen to do. */
export function showCheckout(checkout: Checkout, { country }: MerchantAccount) {
  const paid = findPaid(checkout)
  return {
    checkout_reference: checkout.reference,
    amount: toMajor(checkout.amountMinor, checkout.currency),
    currency: checkout.currency as string,
    merchant_code: checkout.merchantCode,
    description: checkout.description,
    return_url: checkout.returnUrl,
    redirect_url: checkout.redirectUrl,
    id: checkout.id,
    status: checkout.status,
    date: formatTime(checkout.createdAt),
    valid_until: checkout.validUntil === null ? undefined : formatTime(checkout.validUntil),
    customer_id: checkout.customerId,
    merchant_name: merchantName,
    merchant_country: country,
    purpose: 'CHECKOUT',
    transactions: checkout.transactions.map((transaction) => showAttempt(checkout, transaction)),
    ...(checkout.status === 'PAID' && paid
      ? { transaction_id: paid.id, transaction_code: paid.code }
      : {}),
  }
}

function showAttempt(checkout: Checkout, transaction: Transaction) {
  return {
    id: transaction.id,
    transaction_code: transaction.code,
    merchant_code: checkout.merchantCode,
    amount: toMajor(transaction.amountMinor, transaction.currency),
    vat_amount: 0,
    tip_amount: 0,
    currency: transaction.currency as string,
    timestamp: formatTime(transaction.createdAt),
    status: transaction.status,
    payment_type: getPaymentType(transaction),
    entry_mode: getEntryMode(transaction),
    installments_count: 1,
    auth_code: transaction.authCode,
    internal_id: transaction.internalId,
  }
}

/** `checkoutId: 'demo'` is SumUp's way to try out the widget: it looks paid, and nothing is stored. */
export function showDemoCheckout(merchant: MerchantAccount, status: 'PENDING' | 'PAID') {
  return {
    checkout_reference: 'demo',
    amount: 10.1,
    currency: merchant.currency,
    merchant_code: merchant.code,
    id: 'demo',
    status,
    date: formatTime(Date.now()),
    merchant_name: merchantName,
    merchant_country: merchant.country,
    purpose: 'CHECKOUT',
    transactions: [],
    ...(status === 'PAID'
      ? { transaction_id: randomUUID(), transaction_code: newTransactionCode() }
      : {}),
  }
}

/** A response about a checkout with one consistent error in it, or in a format that is not documented. */
function distortCheckout(shown: ShownCheckout, kind: ContentFault): object {
  const { transaction_id: _id, transaction_code: _code, ...withoutTopLevel } = shown
  const everywhere = (wrong: object): object => ({
    ...shown,
    ...wrong,
    transactions: shown.transactions.map((transaction) => ({ ...transaction, ...wrong })),
  })
  switch (kind) {
    case 'wrong-amount':
      return everywhere({ amount: shown.amount > 1 ? 1 : shown.amount + 1 })
    case 'wrong-currency':
      return everywhere({ currency: shown.currency === 'USD' ? 'EUR' : 'USD' })
    case 'wrong-merchant':
      return everywhere({ merchant_code: 'MOTHER00' })
    case 'wrong-reference':
      return { ...shown, checkout_reference: 'a-reference-of-someone-else' }
    case 'without-transaction':
      return { ...withoutTopLevel, transactions: [] }
    case 'still-pending':
      return { ...shown, status: 'PENDING' }
    case 'unreadable':
      return everywhere({ amount: null })
    case 'null-transaction':
      return { ...shown, transactions: [null] }
    case 'transactions-object':
      return { ...shown, transactions: {} }
    case 'transactions-text':
      return { ...shown, transactions: 'x' }
    case 'transactions-missing':
      return { ...shown, transactions: undefined }
    case 'odd-transaction': {
      const odd = { status: 'ON_HOLD', amount: String(shown.amount), timestamp: null }
      const transactions = shown.transactions.map(({ id: _id, ...rest }) => ({ ...rest, ...odd }))
      return { ...shown, transactions }
    }
    case 'odd-status':
      return { ...shown, status: 'ON_HOLD' }
    case 'without-top-level':
      return withoutTopLevel
    case 'only-top-level':
      return { ...shown, transactions: [] }
  }
}
