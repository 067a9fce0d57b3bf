import { crashPoint } from '#server/crash-point.ts'
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { checkoutDetailsSchema, newCheckoutSchema } from '#contract/order-schemas.ts'
import type { CheckoutDetails, PaymentStanding } from '#contract/orders.ts'
import { calls } from '#contract/paths.ts'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import type { Visitors } from '#server/analytics/visitors.ts'
import { maybeProduct } from '#server/catalog/products.ts'
import { showPublicProduct } from '#server/catalog/show-product.ts'
import { addressToCount, isLoopback } from '#server/http/client-address.ts'
import { isUuid } from '#server/http/uuid.ts'
import {
  chargeFor,
  requireChargeable,
  requireSameCharge,
  type PaymentCurrency,
} from '#server/payments/charge.ts'
import { maybeKeepDetails, maybeOwn, type CheckoutRow } from '#server/payments/ledger.ts'
import { openCheckout, type Till } from '#server/payments/open-checkout.ts'
import type { Buyers } from './buyer.ts'
import { maybeEarlierSale } from './earlier-sale.ts'
import type { Outcome } from './outcome.ts'
import { showCheckout } from './show-order.ts'

type OfCheckout = { Params: { checkoutId: string } }

export type PaymentRoom = {
  till: Till
  buyers: Buyers
  visitors: Visitors
  paymentCurrency: PaymentCurrency
  isTestMode: () => boolean
  /** A browser asks often while it waits; one that asks without end would use up SumUp's patience with us. */
  countTurn: (buyer: string) => void
  /** Settles, and shares one look at SumUp among all who ask at once. */
  settleOnce: (row: CheckoutRow) => Promise<Outcome>
}

/** Calls of a buyer's browser on its way to an order. */
export function mountPayments(app: FastifyInstance, room: PaymentRoom): void {
  const { till, buyers } = room

  app.post(calls.createCheckout, { config: { access: 'public' } }, async (request, reply) => {
    const shown = newCheckoutSchema.parse(request.body)
    const row = await maybeProduct(till.db, shown.productId)
    if (!row) throw new Refusal('product-missing')
    const product = showPublicProduct(row)
    const charge = chargeFor(product, room.paymentCurrency)
    requireSameCharge(charge, shown)
    requireChargeable(charge)
    const buyerTokenHash = buyers.ensureBuyer(request, reply)
    const addressHash = createHash('sha256').update(addressToCount(request.address)).digest('hex')
    const { facts } = await room.visitors.see(request)
    const buyer = { buyerTokenHash, addressHash, visitor: { facts } }
    const mayOpenMany = room.isTestMode() || isLoopback(request.address)
    const checkout =
      (await maybeEarlierSale(room, buyerTokenHash, product.id, charge)) ??
      (await openCheckout(till, { product, charge, ...buyer, mayOpenMany }))
    return reply.header('cache-control', 'no-store').send(showCheckout(checkout))
  })

  app.put<OfCheckout>(
    calls.checkoutDetails,
    { config: { access: 'public' } },
    async (request, reply) => {
      const row = await findOwn(room, request.params.checkoutId, buyers.maybeBuyer(request))
      const details = checkoutDetailsSchema.parse(request.body)
      await requireUnpaid(room, row, details)
      crashPoint('details-read')
      const kept = await maybeKeepDetails(till.db, row.id, details)
      crashPoint('details-kept')
      if (kept) return reply.code(204).send()
      throw new Refusal(whyNotKept(row))
    },
  )

  const ownOnly = { config: { access: 'public', isCookieBound: true } } as const
  app.get<OfCheckout>(calls.checkout, ownOnly, async (request, reply) => {
    const row = await findOwn(room, request.params.checkoutId, buyers.maybeBuyer(request))
    const standing = showStanding(await room.settleOnce(row), row)
    return reply.header('cache-control', 'no-store').send(standing)
  })
}

/** A checkout of another browser is as unknown as one that never was. */
export async function findOwn(
  { till, countTurn }: Pick<PaymentRoom, 'till' | 'countTurn'>,
  checkoutId: string,
  buyer: string | undefined,
): Promise<CheckoutRow> {
  if (buyer) countTurn(buyer)
  const row = buyer && isUuid(checkoutId) ? await maybeOwn(till.db, checkoutId, buyer) : undefined
  if (!row) throw new Refusal('payment-missing')
  return row
}

/** Where a card has gone through already, what was typed before it stands: a second tab does not change it. */
async function requireUnpaid(
  { settleOnce }: PaymentRoom,
  row: CheckoutRow,
  details: CheckoutDetails,
): Promise<void> {
  if (row.state !== 'submitted' || isDeepStrictEqual(row.details, details)) return
  if ((await settleOnce(row)).is === 'order') throw new Refusal('already-paid')
}

function whyNotKept({ state, hasTooManyCards }: CheckoutRow): RefusalCode {
  if (state === 'review') return 'payment-in-review'
  if (state === 'paid') return 'already-paid'
  return hasTooManyCards ? 'too-many-cards' : 'checkout-expired'
}

function showStanding(outcome: Outcome, row: CheckoutRow): PaymentStanding {
  switch (outcome.is) {
    case 'order':
      return { state: 'paid', orderId: outcome.order.id }
    case 'waiting': {
      const { is: _is, ...seen } = outcome
      return { state: row.details ? 'waiting' : 'open', ...seen }
    }
    case 'declined':
    case 'too-many-cards':
    case 'review':
    case 'expired':
      return { state: outcome.is }
  }
}
