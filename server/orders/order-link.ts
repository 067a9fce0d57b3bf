import { thankYouPath } from '#contract/paths.ts'
import { hmac, isSameText } from '#server/secret.ts'
import { buyerDays } from './buyer.ts'

const dayMs = 86_400_000

/** `linkVersion` is 0 until the e-mail address is corrected: who has the mails of before is perhaps not the buyer. */
export type LinkedOrder = { id: string; linkVersion: number }

/** The link in the buyer's mail: it opens the order with all its parts, for as long as the browser's cookie would. */
export function orderLink(
  origin: string,
  order: LinkedOrder,
  secret: string,
  now = Date.now(),
): string {
  const day = Math.ceil(now / dayMs) + buyerDays
  return `${origin}${thankYouPath(order.id)}?key=${day}.${sign(order, day, secret)}`
}

export function isOrderKey(
  key: unknown,
  order: LinkedOrder,
  secret: string,
  now = Date.now(),
): boolean {
  const [day = '', signature = ''] = typeof key === 'string' ? key.split('.') : []
  if (!/^\d{1,6}$/.test(day) || Number(day) * dayMs < now) return false
  return isSameText(sign(order, Number(day), secret), signature)
}

function sign({ id, linkVersion }: LinkedOrder, day: number, secret: string): string {
  const version = linkVersion === 0 ? '' : `\n${linkVersion}`
  return hmac(secret, `order\n${id}\n${day}${version}`, 'base64url')
}
