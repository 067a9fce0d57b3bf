import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '#contract/refusals.ts'

/** What a signature speaks for. Whatever is in here cannot be changed by who holds the address. */
export type SignedUpload = {
  key: string
  kind: string
  /** Most bytes that are taken. */
  most: number
  /** A moment, in seconds. */
  expires: number
  part?: { uploadId: string; partNumber: number }
}

export function signAddress(address: string, secret: string, upload: SignedUpload): string {
  return `${address}?expires=${upload.expires}&signature=${signatureOf(secret, upload)}`
}

/** Refuses an address that is not ours or was altered, and one whose time is over. */
export function checkAddress(
  query: unknown,
  secret: string,
  upload: Omit<SignedUpload, 'expires'>,
  now: number,
): void {
  const { expires, signature } = query as Record<string, unknown>
  if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires))
    throw new Refusal('upload-unsigned')
  const ours = Buffer.from(signatureOf(secret, { ...upload, expires: Number(expires) }))
  const theirs = Buffer.from(signature)
  if (theirs.length !== ours.length || !timingSafeEqual(theirs, ours))
    throw new Refusal('upload-unsigned')
  if (now > Number(expires)) throw new Refusal('upload-expired')
}

function signatureOf(secret: string, { key, kind, most, expires, part }: SignedUpload): string {
  // As a list in JSON, so that no two uploads are written alike.
  const spoken = ['upload', key, kind, most, expires, part?.uploadId, part?.partNumber]
  return createHmac('sha256', secret).update(JSON.stringify(spoken)).digest('hex')
}
