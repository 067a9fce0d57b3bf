import type { CheckoutStatus, OpenCheckout } from '#contract/checkouts.ts'
import type { CheckoutDetails, PublicOrder } from '#contract/orders.ts'
import { pathOf } from '#contract/paths.ts'
import type { CheckoutPageData } from '#contract/public-pages.ts'
import { callServer } from '#web/api.ts'

import { buyerCalls } from './buyer-calls.ts'
import type { SaleWorld } from './sale-world.ts'

/** Nobody waits longer for an answer; whoever asks decides what a missing one means. In ms. */
const timeoutMs = {
  open: 15_000,
  details: 15_000,
  status: 10_000,
  startOver: 20_000,
  order: 20_000,
}

/** The calls of a sale, each with its deadline. */
export function callsFor({ product, charge }: CheckoutPageData): SaleWorld['calls'] {
  const formId = randomId()

  return {
    async openCheckout() {
      const response = await callServer(
        'POST',
        buyerCalls.createCheckout,
        { productId: product.id, ...charge },
        AbortSignal.timeout(timeoutMs.open),
      )
      const checkout = (await response.json()) as OpenCheckout
      return { checkout, lastsMs: Date.parse(checkout.validUntil) - serverTimeOf(response) }
    },

    async keepDetails(checkoutId, details) {
      const path = pathOf(buyerCalls.checkoutDetails, { checkoutId })
      const signal = AbortSignal.timeout(timeoutMs.details)
      await callServer('PUT', path, { ...details, formId }, signal)
    },

    async getStatus(checkoutId) {
      const path = pathOf(buyerCalls.checkout, { checkoutId })
      const signal = AbortSignal.timeout(timeoutMs.status)
      const response = await callServer('GET', path, undefined, signal)
      return (await response.json()) as CheckoutStatus
    },

    async startOver(checkoutId) {
      const path = pathOf(buyerCalls.startOver, { checkoutId })
      await callServer('POST', path, undefined, AbortSignal.timeout(timeoutMs.startOver))
    },

    async placeOrder(checkoutId, details, transactionId) {
      const { acceptsNews: _kept, ...buyer } = details
      const order = {
        productId: product.id,
        ...withNulls(buyer),
        quantity: 1,
        ...charge,
        sumupCheckoutId: checkoutId,
        sumupTransactionId: transactionId ?? null,
        paymentMethod: 'card',
        status: 'pending',
      }
      const signal = AbortSignal.timeout(timeoutMs.order)
      const response = await callServer('POST', buyerCalls.orders, order, signal)
      return response.status === 202 ? undefined : ((await response.json()) as PublicOrder)
    },
  }
}

function withNulls(buyer: Omit<CheckoutDetails, 'acceptsNews'>) {
  return { ...buyer, customerPhone: buyer.customerPhone ?? null }
}

/** Which page hands in details. Without randomUUID, which browsers offer on HTTPS only. */
function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')
}

/** A buyer's clock may be wrong by hours: the server's own decides when a checkout expires. */
function serverTimeOf(response: Response): number {
  const time = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(time) ? Date.now() : time
}
