import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import { objectUrl, pictureKinds } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import type { Pictures } from './accept.ts'
import { expectedUpload, originOf } from './expected-upload.ts'
import { beginParts, completeParts, giveUpParts } from './multipart.ts'
import { addObject, findParts, noteNeed } from './objects.ts'
import { mostParts, partNumberOf } from './part-number.ts'
import { uploadSeconds } from './picture-store.ts'

/** File names and types are not asked for: they are the sender's, and we make our own. */
const kind = z.enum(pictureKinds).catch('image')
const beginSchema = z.object({ metadata: z.object({ kind }).catch({ kind: 'image' }) })
const completeSchema = z.object({
  parts: z
    .array(
      z.object({
        PartNumber: z.int().min(1).max(mostParts),
        ETag: z.string().regex(/^"?[\w+/=.-]{1,500}"?$/, 'This is not an ETag'),
      }),
    )
    .min(1, 'There is no part to complete')
    .max(mostParts)
    .refine(
      (parts) => parts.every((part, at) => part.PartNumber > (parts[at - 1]?.PartNumber ?? 0)),
      'Parts go in the order of their numbers',
    ),
})
/** Names of ten thousand parts, which is the most there can be. */
const longestCompletion = 1024 * 1024

type OfUpload = { Params: { uploadId: string }; Querystring: { key?: string } }
type OfPart = { Params: { uploadId: string; partNumber: string }; Querystring: { key?: string } }

/** What Uppy's aws-s3 plugin asks of its endpoint, the same for both stores. */
export function mountMultipart(
  app: FastifyInstance,
  { db, pictures }: { db: Db; pictures: Pictures },
): void {
  const { store, limits } = pictures
  const admin = { config: { access: 'admin' } } as const

  app.get<{ Querystring: Record<string, unknown> }>(
    apiRoutes.uploadParameters,
    admin,
    async (request) => {
      const purpose = kind.parse(request.query['metadata[kind]'])
      const object = await addObject(db, purpose, signedInAdmin(request).id)
      const url = await store.uploadUrl(expectedUpload(object, limits), originOf(request))
      return { method: 'PUT', url, fields: { key: object.key }, headers: {} }
    },
  )

  app.get(apiRoutes.temporaryCredentials, admin, async () => {
    throw new Refusal('no-temporary-credentials')
  })

  app.post(apiRoutes.multipart, admin, async (request) => {
    const { metadata } = beginSchema.parse(request.body ?? {})
    return beginParts(db, pictures, metadata.kind, signedInAdmin(request).id)
  })

  app.get<OfUpload>(apiRoutes.multipartUpload, admin, async (request) => {
    const { key, uploadId } = await findParts(db, request.query.key, request.params.uploadId)
    return store.listParts(key, uploadId)
  })

  app.get<OfPart>(apiRoutes.multipartPart, admin, async (request) => {
    const partNumber = partNumberOf(request.params.partNumber)
    if (!request.query.key || !request.params.uploadId) throw new Refusal('part-unnamed')
    const object = await findParts(db, request.query.key, request.params.uploadId)
    const part = { ...expectedUpload(object, limits), uploadId: object.uploadId, partNumber }
    // The upload lasts as long as the address that is given out now.
    await noteNeed(db, object.key)
    return { url: await store.partUrl(part, originOf(request)), expires: uploadSeconds }
  })

  app.post<OfUpload>(
    apiRoutes.multipartComplete,
    { ...admin, bodyLimit: longestCompletion },
    async (request) => {
      const { parts } = completeSchema.parse(request.body)
      const object = await findParts(db, request.query.key, request.params.uploadId)
      await completeParts(db, pictures, object, parts)
      return { location: objectUrl(object.key) }
    },
  )

  app.delete<OfUpload>(apiRoutes.multipartUpload, admin, async (request) => {
    const object = await findParts(db, request.query.key, request.params.uploadId)
    await giveUpParts(db, pictures, object)
    return {}
  })
}
