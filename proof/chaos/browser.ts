import { apiRoutes, checkoutPath, codeParameter, pathOf } from '#contract/paths.ts'
import type { Random } from '#tools/random.ts'
import { paymentBy } from '#server/testing/buyer.ts'

export type Answer = {
  status: number
  /** JSON, or the data in a page. */
  body: Record<string, unknown>
  /** Where a redirect leads. */
  location: string | undefined
  sentAt: number
  receivedAt: number
}

/** Longer than the shop ever takes to answer that SumUp is unavailable. */
const shopTimeoutMs = 12_000

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** In place of a status, where the connection was refused, broken or silent for too long. */
export const noAnswer = 0

export type Browser = ReturnType<typeof openBrowser>

/** A visitor's browser: its cookie, and the calls of the checkout page, which return undefined if none came back. */
export function openBrowser(
  addresses: string[],
  ip: string,
  random: Random,
  onAnswer: (call: string, status: number) => void,
) {
  let cookie = ''

  async function call(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    closing?: AbortSignal,
  ): Promise<Answer | undefined> {
    // Like a load balancer that does not know yet which server was just killed.
    for (const address of random.shuffle(addresses)) {
      try {
        return await send(`${address}${path}`, method, body, closing)
      } catch (error) {
        if (!isRefused(error)) return fail()
      }
    }
    return fail()

    function fail(): undefined {
      if (!closing?.aborted) onAnswer(`${method} ${path}`, noAnswer)
    }
  }

  async function send(
    url: string,
    method: string,
    body: object | undefined,
    closing: AbortSignal | undefined,
  ): Promise<Answer> {
    const timeout = AbortSignal.timeout(shopTimeoutMs)
    const sentAt = Date.now()
    const response = await fetch(url, {
      method,
      headers: {
        'x-forwarded-for': ip,
        'user-agent': userAgent,
        'sec-fetch-site': 'same-origin',
        ...(cookie ? { cookie } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: 'manual',
      signal: closing ? AbortSignal.any([closing, timeout]) : timeout,
    })
    const text = await response.text()
    onAnswer(`${method} ${new URL(url).pathname}`, response.status)
    const [header] = response.headers.getSetCookie()
    if (header?.startsWith('till_buyer=')) cookie = header.split(';')[0] ?? ''
    const location = response.headers.get('location') ?? undefined
    return {
      status: response.status,
      body: parseObject(text),
      location,
      sentAt,
      receivedAt: Date.now(),
    }
  }

  return {
    /** Creating a checkout sets the cookie. */
    visitPage: (productId: string, code?: string) =>
      call('GET', `${checkoutPath(productId)}${code ? `?${codeParameter}=${code}` : ''}`),
    trackVisit: (productId: string) =>
      call('POST', apiRoutes.track, { eventType: 'checkout_view', productId }),
    createCheckout: (product: object, closing?: AbortSignal) =>
      call('POST', apiRoutes.createCheckout, product, closing),
    saveDetails: (checkoutId: string, details: object, closing?: AbortSignal) =>
      call('PUT', pathOf(apiRoutes.checkoutDetails, { checkoutId }), details, closing),
    readCheckout: (checkoutId: string) => call('GET', pathOf(apiRoutes.checkout, { checkoutId })),
    startOver: (checkoutId: string) => call('POST', pathOf(apiRoutes.startOver, { checkoutId })),
    placeOrder: (order: object, closing?: AbortSignal) =>
      call('POST', apiRoutes.orders, order, closing),
    withdraw: (statement: object) => call('POST', apiRoutes.withdrawals, statement),
    sendWebhook: (id: string) =>
      call('POST', apiRoutes.paymentWebhook, { event_type: 'CHECKOUT_STATUS_CHANGED', id }),
  }
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

function parseObject(text: string): Record<string, unknown> {
  const [, inPage] = /<script type="application\/json"[^>]*>([^<]*)</.exec(text) ?? []
  try {
    const value: unknown = JSON.parse(inPage ?? text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const cardNumbers = {
  good: '4200000000000091',
  declined: '4111111111111111',
  /** The bank asks the buyer to confirm. */
  challenged: '4200000000000042',
}
export type Card = keyof typeof cardNumbers

const cardTimeoutMs = 8_000

/** What SumUp's widget knows after it has sent a card. */
export type CardOutcome = 'PAID' | 'FAILED' | 'PENDING' | 'processed' | 'expired' | 'unknown'

/** Pays as the card widget does. A challenged card is PENDING until the bank has answered. */
export async function payWithCard(
  sumupUrl: string,
  checkoutId: string,
  card: Card,
): Promise<CardOutcome> {
  return (await sendPayment(sumupUrl, checkoutId, paymentBy(cardNumbers[card]))).outcome
}

/** Pays with a wallet that says this, or elsewhere: then there is the secret of the page where the buyer goes on. */
export async function payOtherwise(
  sumupUrl: string,
  checkoutId: string,
  wallet: 'approved' | 'declined' | undefined,
): Promise<{ outcome: CardOutcome; secret?: string }> {
  const body = wallet
    ? { payment_type: 'apple_pay', apple_pay: { outcome: wallet } }
    : { payment_type: 'paypal' }
  return sendPayment(sumupUrl, checkoutId, body)
}

async function sendPayment(
  sumupUrl: string,
  checkoutId: string,
  payment: object,
): Promise<{ outcome: CardOutcome; secret?: string }> {
  try {
    const response = await fetch(`${sumupUrl}/v0.2/checkouts/${checkoutId}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payment),
      signal: AbortSignal.timeout(cardTimeoutMs),
    })
    const text = await response.text()
    const { status, next_step: next } = parseObject(text) as {
      status?: string
      next_step?: { payload?: { MD?: string } }
    }
    const secret = next?.payload?.MD
    if (response.status === 202) return { outcome: 'PENDING', ...(secret && { secret }) }
    if (response.status === 409)
      return { outcome: text.includes('SESSION_IS_EXPIRED') ? 'expired' : 'processed' }
    const isKnown = status === 'PAID' || status === 'FAILED' || status === 'PENDING'
    return { outcome: response.ok && isKnown ? status : 'unknown' }
  } catch {
    return { outcome: 'unknown' }
  }
}
