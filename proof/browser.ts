import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import type { Chance } from './chance.ts'

export type Answer = {
  status: number
  body: Record<string, unknown>
  /** Where the page leads on, if it does. */
  location: string | undefined
  askedAt: number
  toldAt: number
}

/** Longer than the shop ever takes to say that SumUp is away. */
const patienceMs = 12_000

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export type Browser = ReturnType<typeof openBrowser>

/** A visitor's browser: one cookie jar, and the calls that a checkout page makes. No answer is undefined. */
export function openBrowser(
  addresses: string[],
  ip: string,
  chance: Chance,
  note: (call: string, status: number) => void,
) {
  let cookie = ''

  async function call(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    closing?: AbortSignal,
  ): Promise<Answer | undefined> {
    // Who balances the load does not know yet which server has just died.
    for (const address of chance.shuffle(addresses)) {
      try {
        return await ask(`${address}${path}`, method, body, closing)
      } catch (error) {
        if (!isRefused(error)) return undefined
      }
    }
    return undefined
  }

  async function ask(
    url: string,
    method: string,
    body: object | undefined,
    closing: AbortSignal | undefined,
  ): Promise<Answer> {
    const late = AbortSignal.timeout(patienceMs)
    const askedAt = Date.now()
    const answer = await fetch(url, {
      method,
      headers: {
        'x-forwarded-for': ip,
        'user-agent': userAgent,
        ...(cookie ? { cookie } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: 'manual',
      signal: closing ? AbortSignal.any([closing, late]) : late,
    })
    const text = await answer.text()
    note(`${method} ${new URL(url).pathname}`, answer.status)
    const [given] = answer.headers.getSetCookie()
    if (given?.startsWith('till_buyer=')) cookie = given.split(';')[0] ?? ''
    const location = answer.headers.get('location') ?? undefined
    return { status: answer.status, body: readObject(text), location, askedAt, toldAt: Date.now() }
  }

  return {
    call,
    /** The page gives the cookie; what it shows is read apart. */
    visit: (productId: string) => call('GET', checkoutPath(productId)),
    /** In passing, as the page does: what becomes of it concerns no buyer. */
    tellOfVisit: (productId: string) =>
      call('POST', apiRoutes.track, { eventType: 'checkout_view', productId }),
    product: (id: string) => call('GET', pathOf(apiRoutes.product, { id })),
    open: (asked: object, closing?: AbortSignal) =>
      call('POST', apiRoutes.createCheckout, asked, closing),
    keepDetails: (checkoutId: string, details: object, closing?: AbortSignal) =>
      call('PUT', pathOf(apiRoutes.checkoutDetails, { checkoutId }), details, closing),
    look: (checkoutId: string) => call('GET', pathOf(apiRoutes.checkout, { checkoutId })),
    startOver: (checkoutId: string) => call('POST', pathOf(apiRoutes.startOver, { checkoutId })),
    order: (order: object, closing?: AbortSignal) => call('POST', apiRoutes.orders, order, closing),
    notify: (id: string) =>
      call('POST', apiRoutes.paymentWebhook, { event_type: 'CHECKOUT_STATUS_CHANGED', id }),
  }
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

function readObject(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}
