import type { FastifyRequest } from 'fastify'
import type { UploadLimits } from './limits.ts'
import type { PictureObject } from './objects.ts'
import type { ExpectedUpload } from './picture-store.ts'

/** What may be uploaded under the key of an object, as it is signed and as it is checked. */
export function expectedUpload(
  { key, kind, now }: PictureObject,
  limits: UploadLimits,
): ExpectedUpload {
  return { key, kind, now, most: limits[kind] }
}

/** The shop's address as the browser sees it, which is right behind any proxy. */
export function originOf(request: FastifyRequest): string {
  const { protocol, origin } = URL.parse(request.headers.origin ?? '') ?? {}
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && origin ? origin : `${request.protocol}://${request.host}`
}
