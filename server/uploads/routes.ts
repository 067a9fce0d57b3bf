import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import { pictureKinds, type UploadAddress } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { accept, type Pictures } from './accept.ts'
import { mountArrivals } from './arrival-routes.ts'
import { expectedUpload, originOf } from './expected-upload.ts'
import { mountMultipart } from './multipart-routes.ts'
import { addObject, isStored, maybeObject, type StoredObject } from './objects.ts'
import type { OpenPictures } from './open-pictures.ts'
import { isKnown, maybeVersion, type Version } from './versions.ts'

const uploadSchema = z.object({ kind: z.enum(pictureKinds).default('image') })

type OfObject = { Params: { key: string }; Querystring: { size?: unknown } }

export async function mountUploads(
  app: FastifyInstance,
  shop: { db: Db; secret: string; pictures: OpenPictures },
): Promise<void> {
  const { db, pictures } = shop

  app.post(apiRoutes.upload, { config: { access: 'admin' } }, async (request) => {
    const { kind } = uploadSchema.parse(request.body ?? {})
    const object = await addObject(db, kind, signedInAdmin(request).id)
    const upload = expectedUpload(object, pictures.limits)
    const uploadURL = await pictures.store.uploadUrl(upload, originOf(request))
    return { objectPath: object.key, uploadURL } satisfies UploadAddress
  })

  const asFile = { config: { access: 'public', isFile: true } } as const
  app.get<OfObject>(apiRoutes.object, asFile, async (request, reply) => {
    const { headers, params, query } = request
    const object = await findStored(db, pictures, params.key)
    const version = maybeVersion(object, query.size, headers.accept)
    if (!version) throw new Refusal('object-missing')
    if (isKnown(version.etag, headers['if-none-match']))
      return reply.headers(headersOf(version)).code(304).send()
    const content = await pictures.store.maybeRead(version.name)
    if (!content) throw new Refusal('object-missing')
    reply.headers(headersOf(version)).header('content-length', content.size)
    return reply.send(content.bytes)
  })

  if (pictures.inbox) await mountArrivals(app, shop, pictures.inbox)
  mountMultipart(app, shop)
}

/** With S3 nobody tells us that bytes have arrived: who asks for the picture first has it accepted. */
async function findStored(db: Db, pictures: Pictures, key: string): Promise<StoredObject> {
  const object = await maybeObject(db, key)
  if (object && isStored(object)) return object
  const accepted = object && !object.refusal ? await accept(db, pictures, key) : undefined
  if (!accepted) throw new Refusal('object-missing')
  return accepted
}

/** A key never gets other bytes, so these keep for good; and whatever they are, nothing in them runs. */
function headersOf({ type, etag, isChosenByAccept }: Version): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    // Logos are shown in mails, which other sites display.
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=31536000, immutable',
    etag,
    ...(isChosenByAccept && { vary: 'Accept' }),
  }
}
