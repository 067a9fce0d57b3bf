import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where SumUp tells of one sale. SumUp signs nothing, so the address itself carries what only SumUp was told. */
export function webhookAddress(url: string, checkout: string, secret: string): string {
  return `${url}?key=${keyOf(checkout, secret)}`
}

export function isWebhookKey(key: unknown, checkout: string, secret: string): boolean {
  const wanted = Buffer.from(keyOf(checkout, secret))
  const given = Buffer.from(typeof key === 'string' ? key : '')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function keyOf(checkout: string, secret: string): string {
  return createHmac('sha256', secret).update(`webhook\n${checkout}`).digest('base64url')
}
