import { visitorFromHeader, type EventType } from '#contract/analytics.ts'
import type { CheckoutAnswer, CheckoutStatus, OpenCheckout } from '#contract/checkouts.ts'
import type { Country } from '#contract/countries.ts'
import type { PublicOrder, SentDetails } from '#contract/orders.ts'
import { pathOf, storefrontRoutes as routes } from '#contract/paths.ts'
import type { CheckoutFormData } from '#contract/public-pages.ts'
import { callServer, createRandomId, formatQuery } from '#web/api.ts'
import type { PriceRequest } from '#web/storefront/shell/price.ts'

import { watchConnection } from './connection.ts'

export type FreshCheckout = {
  checkout: OpenCheckout
  /** By the server's clock. */
  validForMs: number
  visitorCountry: Country | null
  /** The price that it was opened for, as `keyOf` names it. */
  priceKey: string
}

/** Two prices with the same key are charged, and agreed for, alike. */
export function keyOf(price: PriceRequest): string {
  return JSON.stringify(price)
}

/** No more than an id is demanded. */
type OpenAnswer = Pick<CheckoutAnswer, 'checkoutId'> & Partial<CheckoutAnswer>

const defaultValidMs = 30 * 60_000

const call: typeof callServer = (...request) => watchConnection(() => callServer(...request))

/** For which card details are saved. */
export type Press = {
  /** The same when they are sent again because the answer was lost. */
  pressId: string
  /** The card of the details before was refused by the card form itself, so SumUp never had it. */
  isCardUnsent: boolean
}

export type CheckoutApi = ReturnType<typeof createCheckoutApi>

/** The server calls of a sale. What a timeout means is up to the caller. */
export function createCheckoutApi(
  { product, version, charge: { currency }, mode, sdkUrl }: CheckoutFormData,
  getPrice: () => PriceRequest,
) {
  // Tells the server which page sends details.
  const formId = createRandomId()

  return {
    async openCheckout(): Promise<FreshCheckout> {
      // Without one the server could not tell whose payment it is.
      if (!navigator.cookieEnabled) throw new Error('The browser refuses cookies')
      const price = getPrice()
      const { amount } = price
      const isTest = mode === 'test'
      const body = { productId: product.id, version, ...price, currency, isTest, sdkUrl }
      const response = await oneTabAtATime(() => {
        const signal = AbortSignal.timeout(15_000)
        return call('POST', routes.createCheckout, body, signal, visitorHeaders())
      })
      const nowMs = serverTimeMs(response)
      const { visitorCountry = null, ...answer } = (await response.json()) as OpenAnswer
      const validUntil = answer.validUntil ?? new Date(nowMs + defaultValidMs).toISOString()
      const checkout = { amount, currency, ...answer, validUntil }
      const validForMs = Date.parse(validUntil) - nowMs
      return { checkout, validForMs, visitorCountry, priceKey: keyOf(price) }
    },

    async saveDetails(checkoutId: string, details: SentDetails, press: Press): Promise<void> {
      const path = pathOf(routes.checkoutDetails, { checkoutId })
      const body = { ...details, formId, ...press }
      await call('PUT', path, body, AbortSignal.timeout(15_000))
    },

    /** `isOwn`: refused once another tab has saved details for the checkout. */
    async getStatus(checkoutId: string, { isOwn = false } = {}): Promise<CheckoutStatus> {
      const path = pathOf(routes.checkout, { checkoutId })
      const query = formatQuery(isOwn ? { formId } : {})
      const response = await call('GET', `${path}${query}`, undefined, AbortSignal.timeout(10_000))
      return (await response.json()) as CheckoutStatus
    },

    /** Cancels a checkout whose card may be at the bank. */
    async startOver(checkoutId: string): Promise<void> {
      const path = pathOf(routes.startOver, { checkoutId })
      await call('POST', path, undefined, AbortSignal.timeout(20_000))
    },

    /** Returns the order's id, or undefined while the payment is not confirmed. */
    async placeOrder(
      checkoutId: string,
      { acceptsNews: _savedBefore, language: _too, choiceName: _asWell, ...buyer }: SentDetails,
      transactionId: string | undefined,
    ): Promise<string | undefined> {
      const order = {
        productId: product.id,
        ...buyer,
        customerPhone: buyer.customerPhone ?? null,
        quantity: 1,
        amount: getPrice().amount,
        currency,
        sumupCheckoutId: checkoutId,
        sumupTransactionId: transactionId ?? null,
        paymentMethod: 'card',
        status: 'pending',
      }
      const response = await call('POST', routes.orders, order, AbortSignal.timeout(20_000))
      if (response.status === 202) return undefined
      const { id } = (await response.json()) as PublicOrder
      return id
    },
  }
}

/**
 * The first answer sets the cookie that makes all tabs one buyer: two tabs that open at once must not get two. Browsers have
 * locks on HTTPS and localhost only; elsewhere 'Pay now' in the other tab finds its checkout gone and opens a new one.
 */
async function oneTabAtATime<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  return 'locks' in navigator ? navigator.locks.request('till.checkout', request) : request()
}

/** Only the site, since the page may tell more about the visitor than the shop wants to know. */
function visitorHeaders(): Record<string, string> {
  const site = URL.parse(document.referrer)?.origin
  return site && site !== location.origin ? { [visitorFromHeader]: site } : {}
}

/** The buyer's clock may be wrong by hours. */
function serverTimeMs(response: Response): number {
  const timeMs = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(timeMs) ? Date.now() : timeMs
}

type TrackedEvent = { eventType: EventType; productId: string; orderId?: string }

/** Reports an analytics event. Failures are ignored, and leaving the page does not cancel it. */
export function track(event: TrackedEvent): void {
  // A prerendered page has not been seen yet.
  if ('prerendering' in document && document.prerendering)
    document.addEventListener('prerenderingchange', () => sendEvent(event), { once: true })
  else sendEvent(event)
}

function sendEvent(event: TrackedEvent): void {
  fetch(routes.track, {
    method: 'POST',
    credentials: 'include',
    keepalive: true,
    headers: { 'content-type': 'application/json', ...visitorHeaders() },
    body: JSON.stringify(event),
  }).catch(() => undefined)
}
