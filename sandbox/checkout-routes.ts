import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MerchantAccount } from './accounts.ts'
import { readChanges, readNewCheckout } from './checkout-request.ts'
import { findCheckout, refreshCheckout, type Desk } from './desk.ts'
import { getMerchant, requireKey } from './door.ts'
import { deactivationFaults, untrueFaults, type Operation } from './faults/fault-rules.ts'
import { newId } from './ledger/ids.ts'
import { toMajor } from './ledger/money.ts'
import { cancelPending, findSettlesAt, hasPending } from './ledger/payment.ts'
import type { Checkout } from './ledger/records.ts'
import { operation } from './operation.ts'
import * as refuse from './refusals.ts'
import { showCheckout } from './show-checkout.ts'
import { tellUntruth } from './untrue-answers.ts'

/** The calls of a merchant's server, all with its secret key. */
export function mountCheckouts(app: FastifyInstance, desk: Desk): void {
  const { ledger } = desk
  const preHandler = requireKey(desk)

  function show(on: Operation, checkout: Checkout, merchant: MerchantAccount): object {
    const seen = desk.lags.view(checkout, { counts: on === 'get' || on === 'list' })
    const shown = showCheckout(seen, merchant)
    const lie = desk.faults.take(on, untrueFaults, subjectsOf(checkout))
    return lie ? tellUntruth(shown, lie.kind) : shown
  }

  app.post(
    '/v0.1/checkouts',
    { preHandler },
    operation(desk, 'create', (request) => {
      const merchant = getMerchant(desk, request)
      const wanted = readNewCheckout(request.body)
      if (wanted.merchantCode !== merchant.code) throw refuse.paymentsNotAllowed()
      requireAcceptable(wanted, merchant)
      if (ledger.isReferenceTaken(merchant.code, wanted.reference))
        throw refuse.duplicatedCheckout()
      const created: Checkout = {
        id: newId(),
        formerReferences: [],
        ...wanted,
        status: 'PENDING',
        createdAt: Date.now(),
        transactions: [],
      }
      ledger.save(created)
      return { status: 201, body: show('create', created, merchant) }
    }),
  )

  app.get(
    '/v0.1/checkouts',
    { preHandler },
    operation(desk, 'list', (request) => {
      const merchant = getMerchant(desk, request)
      const { checkout_reference: reference } = request.query as Record<string, string | undefined>
      const found =
        reference === undefined ? ledger.checkouts() : ledger.checkoutsByReference(reference)
      const body = found
        .filter(({ merchantCode, foreign }) => merchantCode === merchant.code && !foreign)
        .map((checkout) => show('list', refreshCheckout(desk, checkout), merchant))
      return { status: 200, body }
    }),
  )

  app.get(
    '/v0.1/checkouts/:id',
    { preHandler },
    operation(desk, 'get', (request) => {
      const merchant = getMerchant(desk, request)
      const checkout = findCheckout(desk, idOf(request), merchant)
      return { status: 200, body: show('get', checkout, merchant) }
    }),
  )

  app.patch(
    '/v0.1/checkouts/:id',
    { preHandler },
    operation(desk, 'update', (request) => {
      const merchant = getMerchant(desk, request)
      const before = findCheckout(desk, idOf(request), merchant)
      const after = readChanges(request.body, before)
      if (before.status === 'PAID') throw refuse.checkoutProcessed()
      if (before.status === 'EXPIRED') throw refuse.sessionExpired(before.id)
      requireAcceptable(after, merchant)
      const moved = after.reference !== before.reference
      if (moved && ledger.isReferenceTaken(merchant.code, after.reference))
        throw refuse.duplicatedCheckout()
      // A payer in front of a 3-D Secure page agreed to the old amount.
      const repriced = after.amountMinor !== before.amountMinor
      if (repriced) after.transactions = cancelPending(after.transactions, Date.now())
      ledger.save(after)
      return { status: 200, body: show('update', after, merchant) }
    }),
  )

  app.delete(
    '/v0.1/checkouts/:id',
    { preHandler },
    operation(desk, 'deactivate', (request) => {
      const merchant = getMerchant(desk, request)
      const before = findCheckout(desk, idOf(request), merchant)
      if (before.status === 'PAID') throw refuse.checkoutProcessed()
      if (before.status === 'EXPIRED') throw refuse.cannotDeactivate('The checkout is expired')
      if (isHeldByBank(desk, before))
        throw refuse.cannotDeactivate("The checkout can't be cancelled due to a pending payment")
      const transactions = cancelPending(before.transactions, Date.now())
      const after: Checkout = { ...before, status: 'EXPIRED', transactions }
      ledger.save(after)
      return { status: 200, body: show('deactivate', after, merchant) }
    }),
  )
}

export const idOf = ({ params }: FastifyRequest): string => (params as { id: string }).id

const subjectsOf = ({ id, reference }: Checkout): string[] => [id, reference]

/** A payer in front of the bank's page is cancelled with the checkout, unless a fault says otherwise. */
function isHeldByBank({ faults }: Desk, checkout: Checkout): boolean {
  if (findSettlesAt(checkout) !== undefined) return true
  return (
    hasPending(checkout) &&
    faults.take('deactivate', deactivationFaults, subjectsOf(checkout)) !== undefined
  )
}

function requireAcceptable(
  { currency, amountMinor }: Pick<Checkout, 'currency' | 'amountMinor'>,
  merchant: MerchantAccount,
): void {
  if (currency !== merchant.currency)
    throw invalid('currency', "Given currency differs from merchant's country currency")
  if (toMajor(amountMinor, currency) < merchant.minimumAmount)
    throw invalid('amount', `Amount is below the minimum of ${merchant.minimumAmount} ${currency}`)
}

function invalid(param: string, message: string) {
  return refuse.invalidFields([{ message, error_code: 'INVALID', param }])
}
