import { z } from 'zod'
import { discountCode } from '#contract/answers/discounts.ts'
import { discountChangeSchema, newDiscountSchema, type NewDiscount } from '#contract/discounts.ts'
import { hasCents } from '#contract/currencies.ts'
import { toCents } from '#contract/money.ts'
import type { Mode } from '#contract/mode.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { getProduct } from '#server/catalog/products.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import { createCode, deleteCode, listCodes, updateCode } from './codes.ts'

type DiscountDeps = {
  config: Pick<Config, 'payments' | 'timeZone'>
  db: Db
  payments: { account: () => { mode: Mode | undefined } }
}

const call = callsOf<DiscountDeps>('Discount codes', 'admin')
const unknownId = 'code-missing'

/** Codes in checkout links that make a product cheaper. */
export const discountCalls = [
  call(`GET ${apiRoutes.discountCodes}`, {
    summary: 'Lists the discount codes with how often they were used, newest first.',
    answers: { 200: z.array(discountCode) },
    handle: (deps) => listCodes(deps.db, settingsOf(deps)),
  }),

  call(`POST ${apiRoutes.discountCodes}`, {
    summary: 'Adds a discount code.',
    note: 'A checkout link with `?code=` and the code has its price. It is taken off the product, not off the delivery, and never makes anything free.',
    body: newDiscountSchema,
    example: { code: 'SPRING10', percent: 10, maxUses: 100, lastDay: '2027-05-31' },
    answers: { 201: discountCode },
    refusals: ['code-taken', 'product-missing', 'too-many-codes'],
    handle: (deps, { body, request }) =>
      deps.db.transaction(async (tx) => {
        await assertPayable(tx, body, deps.config)
        const createdBy = signedInAdmin(request).id
        const created = await createCode(tx, body, { ...settingsOf(deps), createdBy })
        const { id, code, percent, amount } = created
        const detail = { code, ...(percent === null ? { amount } : { percent }) }
        await recordAudit(tx, request, { action: 'discount-created', subject: id, detail })
        return created
      }),
  }),

  call(`PUT ${apiRoutes.discountCode}`, {
    summary: 'Changes limit and end of a discount code. What is left out stays as it is.',
    note: 'What it takes off is what its links promise, so it stays: delete it and add another one.',
    body: discountChangeSchema,
    example: { maxUses: 200, lastDay: null },
    answers: { 200: discountCode },
    refusals: ['code-missing'],
    unknownId,
    handle: (deps, { params: { id }, body, request }) =>
      deps.db.transaction(async (tx) => {
        const { before, after } = await updateCode(tx, id, body, settingsOf(deps))
        const detail = {
          code: after.code,
          ...difference('maxUses', before.maxUses, after.maxUses),
          ...difference('lastDay', before.lastDay, after.lastDay),
        }
        await recordAudit(tx, request, { action: 'discount-changed', subject: id, detail })
        return after
      }),
  }),

  call(`DELETE ${apiRoutes.discountCode}`, {
    summary: 'Deletes a discount code: its links show the full price.',
    note: 'Orders keep what it took off, and so does a buyer whose payment form is open. The same code can be added again.',
    answers: { 204: null },
    refusals: ['code-missing'],
    unknownId,
    handle: ({ db }, { params: { id }, request }) =>
      db.transaction(async (tx) => {
        const detail = await deleteCode(tx, id)
        await recordAudit(tx, request, { action: 'discount-deleted', subject: id, detail })
      }),
  }),
]

function settingsOf({ config, payments }: DiscountDeps) {
  return { timeZone: config.timeZone, isTest: payments.account().mode === 'test' }
}

/** The product is on sale and costs more than is taken off, and no price gets cents that its currency does not have. */
async function assertPayable(
  tx: Db,
  { productId, amount }: NewDiscount,
  { payments }: Pick<Config, 'payments'>,
): Promise<void> {
  const product = productId === null ? undefined : await getProduct(tx, productId)
  const charged = payments.currency === 'product' ? product?.currency : payments.currency
  if (amount !== null && charged && !hasCents(charged) && toCents(amount) % 100 !== 0)
    throw new Refusal('bad-request', {
      text: `${charged} has no cents: please enter a whole amount.`,
      facts: { field: 'amount' },
    })
  if (amount !== null && product && toCents(amount) >= toCents(product.price))
    throw new Refusal('bad-request', {
      text: 'The code must take off less than the product costs: it never makes anything free.',
      facts: { field: 'amount' },
    })
}

function difference<Value>(name: string, from: Value, to: Value) {
  return from === to ? {} : { [name]: { from, to } }
}
