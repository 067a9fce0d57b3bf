import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hmac, isSameText } from '#server/secret.ts'

/*
 * SumUp signs nothing and stores no metadata, so the references and webhook URLs that the shop gives it carry a
 * signature themselves.
 */

const randomLength = 10
const referencePattern = /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/gi

/** A checkout's id and SumUp reference: a UUID version 8 whose last group signs the rest. */
export function createReference(secret: string): string {
  const random = randomBytes(randomLength)
  random.writeUInt8((random.readUInt8(6) & 0x0f) | 0x80, 6)
  random.writeUInt8((random.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = Buffer.concat([random, signReference(random, secret)]).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Finds a reference of this shop in texts of SumUp, even if the checkout is lost here. */
export function findOwnReference(
  texts: (string | undefined)[],
  secret: string,
): string | undefined {
  return texts
    .flatMap((text) => text?.match(referencePattern) ?? [])
    .map((reference) => reference.toLowerCase())
    .find((reference) => isOwnReference(reference, secret))
}

function isOwnReference(reference: string, secret: string): boolean {
  const bytes = Buffer.from(reference.replaceAll('-', ''), 'hex')
  const signature = signReference(bytes.subarray(0, randomLength), secret)
  return timingSafeEqual(bytes.subarray(randomLength), signature)
}

function signReference(random: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update('reference\n').update(random).digest().subarray(0, 6)
}

/** The description at SumUp. Its transaction lists have no reference, but this text. */
export function describePurchase(productName: string, reference: string): string {
  return `${productName.slice(0, 100)} (${reference})`
}

/** The webhook URL of one checkout, with a key that only SumUp knows. */
export function formatWebhookUrl(url: string, checkout: string, secret: string): string {
  return `${url}?key=${webhookKey(checkout, secret)}`
}

export function isWebhookKey(key: unknown, checkout: string, secret: string): boolean {
  return isSameText(webhookKey(checkout, secret), typeof key === 'string' ? key : '')
}

function webhookKey(checkout: string, secret: string): string {
  return hmac(secret, `webhook\n${checkout}`, 'base64url')
}
