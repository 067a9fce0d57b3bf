import type {
  CheckoutDetails,
  OpenCheckout,
  PaymentStanding,
  PublicOrder,
} from '#contract/orders.ts'
import { pathOf } from '#contract/paths.ts'
import type { CheckoutPageData } from '#contract/public-pages.ts'
import { callServer } from '#web/api.ts'

import { buyerCalls } from './buyer-calls.ts'
import type { SaleWorld } from './sale-world.ts'

/** Nobody waits longer for an answer; whoever asks decides what a missing one means. In ms. */
const patienceMs = { open: 15_000, details: 15_000, look: 10_000, order: 20_000 }

/** The calls of a sale, each with its deadline. */
export function callsFor({ product, charge }: CheckoutPageData): SaleWorld['calls'] {
  return {
    async openCheckout() {
      const asked = { productId: product.id, ...charge }
      const response = await callServer(
        'POST',
        buyerCalls.createCheckout,
        asked,
        AbortSignal.timeout(patienceMs.open),
      )
      const checkout = (await response.json()) as OpenCheckout
      return { checkout, lastsMs: Date.parse(checkout.validUntil) - serverTimeOf(response) }
    },

    async keepDetails(checkoutId, details) {
      const path = pathOf(buyerCalls.checkoutDetails, { checkoutId })
      await callServer('PUT', path, details, AbortSignal.timeout(patienceMs.details))
    },

    async lookAt(checkoutId) {
      const path = pathOf(buyerCalls.checkout, { checkoutId })
      const signal = AbortSignal.timeout(patienceMs.look)
      const response = await callServer('GET', path, undefined, signal)
      return (await response.json()) as PaymentStanding
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
      const signal = AbortSignal.timeout(patienceMs.order)
      const response = await callServer('POST', buyerCalls.orders, order, signal)
      return response.status === 202 ? undefined : ((await response.json()) as PublicOrder)
    },
  }
}

function withNulls(buyer: Omit<CheckoutDetails, 'acceptsNews'>) {
  return { ...buyer, customerPhone: buyer.customerPhone ?? null }
}

/** A buyer's clock may be wrong by hours: the server's own decides when a checkout expires. */
function serverTimeOf(response: Response): number {
  const time = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(time) ? Date.now() : time
}
