import type { FastifyInstance } from 'fastify'
import { apiRoutes } from '#contract/paths.ts'
import { pictureSizes, type PictureSize } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { acceptUpload } from './accept.ts'
import { findObject, isStored, type StoredObject } from './objects.ts'
import { formatResizedName, resizedTypes, type Pictures } from './picture-store.ts'

export function mountPictures(
  app: FastifyInstance,
  { db, pictures }: { db: Db; pictures: Pictures },
): void {
  app.get<{ Params: { key: string }; Querystring: { size?: unknown } }>(
    apiRoutes.object,
    { config: { access: 'public', isFile: true } },
    async ({ headers, params, query }, reply) => {
      const object = await getStored(db, pictures, params.key)
      const variant = findVariant(object, query.size, headers.accept)
      if (!variant) throw new Refusal('object-missing')
      if (isKnown(variant.etag, headers['if-none-match']))
        return reply.headers(createHeaders(variant)).code(304).send()
      const content = await pictures.store.findFile(variant.name)
      if (!content) throw new Refusal('object-missing')
      reply.headers(createHeaders(variant)).header('content-length', content.size)
      return reply.send(content.bytes)
    },
  )
}

/** S3 does not notify us of a finished upload: the first request for the picture accepts it. */
async function getStored(db: Db, pictures: Pictures, key: string): Promise<StoredObject> {
  const object = await findObject(db, key)
  if (object && isStored(object)) return object
  const accepted = object && !object.refusal ? await acceptUpload(db, pictures, key) : undefined
  if (!accepted) throw new Refusal('object-missing')
  return accepted
}

/** The original file, or one of its sizes in a format that the browser accepts. */
type Variant = { name: string; type: string; etag: string; isChosenByAccept: boolean }

function findVariant(
  { key, etag, contentType }: StoredObject,
  size: unknown,
  accept: string | undefined,
): Variant | undefined {
  if (size === undefined)
    return { name: key, type: contentType, etag: `"${etag}"`, isChosenByAccept: false }
  if (!isSize(size)) return undefined
  const format = acceptsAvif(accept) ? 'avif' : 'webp'
  return {
    name: formatResizedName(key, size, format),
    type: resizedTypes[format],
    etag: `"${etag}-${size}-${format}"`,
    isChosenByAccept: true,
  }
}

/** The bytes of a key never change, so they are cached forever; and nothing in them is executed. */
function createHeaders({ type, etag, isChosenByAccept }: Variant): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    // Logos are shown in mails, which webmail sites display.
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=31536000, immutable',
    etag,
    ...(isChosenByAccept && { vary: 'Accept' }),
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
