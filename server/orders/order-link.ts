import { thankYouPath } from '#contract/paths.ts'
import { hmac, isSameText } from '#server/secret.ts'
import { buyerDays } from './buyer.ts'

const dayMs = 86_400_000

/** The link in the buyer's mail: it opens the order with all its parts, for as long as the browser's cookie would. */
export function orderLink(
  origin: string,
  orderId: string,
  secret: string,
  now = Date.now(),
): string {
  const day = Math.ceil(now / dayMs) + buyerDays
  return `${origin}${thankYouPath(orderId)}?key=${day}.${sign(orderId, day, secret)}`
}

export function isOrderKey(
  key: unknown,
  orderId: string,
  secret: string,
  now = Date.now(),
): boolean {
  const [day = '', signature = ''] = typeof key === 'string' ? key.split('.') : []
  if (!/^\d{1,6}$/.test(day) || Number(day) * dayMs < now) return false
  return isSameText(sign(orderId, Number(day), secret), signature)
}

function sign(orderId: string, day: number, secret: string): string {
  return hmac(secret, `order\n${orderId}\n${day}`, 'base64url')
}
