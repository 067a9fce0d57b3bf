import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readChanges, readNewCheckout } from './checkout-request.ts'
import { findCheckout, refreshCheckout, type Desk } from './desk.ts'
import { requireKey } from './door.ts'
import { untrueFaults, type Operation } from './faults/fault-rules.ts'
import { newId } from './ledger/ids.ts'
import { cancelPending } from './ledger/payment.ts'
import type { Checkout } from './ledger/records.ts'
import { maybeSettlesAt } from './ledger/expiry.ts'
import { operation } from './operation.ts'
import * as refuse from './refusals.ts'
import { asBeforePayment, isLagging, showCheckout, type ShownCheckout } from './show-checkout.ts'
import { tellUntruth } from './untrue-answers.ts'

/** The calls of a merchant's server, all with its secret key. */
export function mountCheckouts(app: FastifyInstance, desk: Desk): void {
  const { ledger, merchant } = desk
  const preHandler = requireKey(desk)

  function show(on: Operation, checkout: Checkout): ShownCheckout {
    const seen = isLagging(checkout) ? asBeforePayment(checkout) : checkout
    const shown = showCheckout(seen, merchant)
    const lie = desk.faults.take(on, untrueFaults, [checkout.id, checkout.reference])
    return lie ? tellUntruth(shown, lie.kind) : shown
  }

  function requireCurrency({ currency }: { currency: string }): void {
    if (currency === merchant.currency) return
    throw refuse.invalidFields([
      {
        message: "Given currency differs from merchant's country currency",
        error_code: 'INVALID',
        param: 'currency',
      },
    ])
  }

  app.post(
    '/v0.1/checkouts',
    { preHandler },
    operation(desk, 'create', ({ body }) => {
      const wanted = readNewCheckout(body)
      if (wanted.merchantCode !== merchant.code) throw refuse.paymentsNotAllowed()
      requireCurrency(wanted)
      if (ledger.isReferenceTaken(wanted.reference)) throw refuse.duplicatedCheckout()
      const created: Checkout = {
        id: newId(),
        formerReferences: [],
        ...wanted,
        status: 'PENDING',
        createdAt: Date.now(),
        transactions: [],
      }
      ledger.save(created)
      return { status: 201, body: show('create', created) }
    }),
  )

  app.get(
    '/v0.1/checkouts',
    { preHandler },
    operation(desk, 'list', ({ query }) => {
      const { checkout_reference: reference } = query as Record<string, string | undefined>
      const found =
        reference === undefined
          ? ledger.checkouts()
          : [ledger.maybeCheckoutByReference(reference)].filter((one) => one !== undefined)
      const body = found.map((checkout) => show('list', refreshCheckout(desk, checkout)))
      return { status: 200, body }
    }),
  )

  app.get(
    '/v0.1/checkouts/:id',
    { preHandler },
    operation(desk, 'get', (request) => {
      return { status: 200, body: show('get', findCheckout(desk, idOf(request))) }
    }),
  )

  app.patch(
    '/v0.1/checkouts/:id',
    { preHandler },
    operation(desk, 'update', (request) => {
      const before = findCheckout(desk, idOf(request))
      const after = readChanges(request.body, before)
      if (before.status === 'PAID') throw refuse.checkoutProcessed()
      if (before.status === 'EXPIRED') throw refuse.sessionExpired(before.id)
      requireCurrency(after)
      const moved = after.reference !== before.reference
      if (moved && ledger.isReferenceTaken(after.reference)) throw refuse.duplicatedCheckout()
      // A payer in front of a 3-D Secure page agreed to the old amount.
      const repriced = after.amountMinor !== before.amountMinor
      if (repriced) after.transactions = cancelPending(after.transactions, Date.now())
      ledger.save(after)
      return { status: 200, body: show('update', after) }
    }),
  )

  app.delete(
    '/v0.1/checkouts/:id',
    { preHandler },
    operation(desk, 'deactivate', (request) => {
      const before = findCheckout(desk, idOf(request))
      if (before.status === 'PAID') throw refuse.checkoutProcessed()
      if (before.status === 'EXPIRED') throw refuse.cannotDeactivate('The checkout is expired')
      if (maybeSettlesAt(before) !== undefined)
        throw refuse.cannotDeactivate("The checkout can't be cancelled due to a pending payment")
      const transactions = cancelPending(before.transactions, Date.now())
      const after: Checkout = { ...before, status: 'EXPIRED', transactions }
      ledger.save(after)
      return { status: 200, body: show('deactivate', after) }
    }),
  )
}

export const idOf = ({ params }: FastifyRequest): string => (params as { id: string }).id
