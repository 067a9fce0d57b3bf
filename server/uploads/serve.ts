import type { FastifyReply } from 'fastify'
import { pictureSizes, type PictureSize } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { acceptUpload } from './accept.ts'
import { findObject, isStored, type StoredObject } from './objects.ts'
import {
  formatPublicName,
  formatResizedName,
  resizedTypes,
  type Pictures,
} from './picture-store.ts'

export async function sendPicture(
  { db, pictures }: { db: Db; pictures: Pictures },
  reply: FastifyReply,
  key: string,
  size: unknown,
): Promise<FastifyReply> {
  const { headers } = reply.request
  const object = await getStored(db, pictures, key)
  const variant = findVariant(object, size, headers.accept)
  if (!variant) throw new Refusal('object-missing')
  if (isKnown(variant.etag, headers['if-none-match']))
    return reply.headers(createHeaders(variant)).code(304).send()
  const content = await pictures.store.findFile(variant.name)
  if (!content) throw new Refusal('object-missing')
  reply.headers(createHeaders(variant)).header('content-length', content.size)
  return reply.send(content.bytes)
}

/** S3 does not notify us of a finished upload: the first request for the picture accepts it. */
export async function getStored(db: Db, pictures: Pictures, key: string): Promise<StoredObject> {
  const object = await findObject(db, key)
  if (object && isStored(object)) return object
  const accepted = object && !object.refusal ? await acceptUpload(db, pictures, key) : undefined
  if (!accepted) throw new Refusal('object-missing')
  return accepted
}

/** The whole picture, or one of its sizes in a format that the browser accepts. */
type Variant = { name: string; type: string; etag: string; isResized: boolean }

function findVariant(
  { key, etag, contentType }: StoredObject,
  size: unknown,
  accept: string | undefined,
): Variant | undefined {
  if (size === undefined)
    return {
      name: formatPublicName(key),
      type: contentType,
      etag: `"${etag}-public"`,
      isResized: false,
    }
  if (!isSize(size)) return undefined
  const format = acceptsAvif(accept) ? 'avif' : 'webp'
  return {
    name: formatResizedName(key, size, format),
    type: resizedTypes[format],
    etag: `"${etag}-${size}-${format}"`,
    isResized: true,
  }
}

/** The bytes of a key never change, so they are cached forever; and nothing in them is executed. */
function createHeaders({ type, etag, isResized }: Variant): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    // Logos are shown in mails, which webmail sites display.
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=31536000, immutable',
    etag,
    ...(isResized && { vary: 'Accept' }),
  }
}

function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known?.some((tag) => tag === etag || tag === '*') ?? false
}

function isSize(size: unknown): size is PictureSize {
  return typeof size === 'string' && Object.hasOwn(pictureSizes, size)
}

function acceptsAvif(accept = ''): boolean {
  return accept
    .split(',')
    .some((range) => /^\s*image\/avif\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(range))
}
