import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import {
  objectUrl,
  pictureKinds,
  type PictureKind,
  type UploadAddress,
} from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { receiveUpload } from './accept.ts'
import {
  abortMultipart,
  completeMultipart,
  completionSchema,
  createMultipart,
  maxCompletionBytes,
  parsePartNumber,
  receivePart,
} from './multipart.ts'
import {
  createGrant,
  createObject,
  findObject,
  getMultipartObject,
  touchObject,
} from './objects.ts'
import { uploadUrlSeconds, type Pictures, type UploadReceiver } from './picture-store.ts'
import { mountPictures } from './serve.ts'

export const uploadSchema = z.object({ kind: z.enum(pictureKinds).default('image') })
/** Uppy also sends the file's name and type, which are not trusted. */
const uppyKind = z.enum(pictureKinds).catch('image')
export const multipartSchema = z.object({
  metadata: z.object({ kind: uppyKind }).catch({ kind: 'image' }),
})

type MultipartRoute = { Params: { uploadId: string }; Querystring: { key?: string } }
type PartRoute = { Params: { uploadId: string; partNumber: string }; Querystring: { key?: string } }
type ReceivePartRoute = { Params: { key: string; uploadId: string; partNumber: string } }

const admin = { config: { access: 'admin' } } as const

type Uploads = { db: Db; pictures: Pictures }

export async function mountUploads(app: FastifyInstance, shop: Uploads): Promise<void> {
  const { receiver } = shop.pictures.store

  app.post(apiRoutes.upload, admin, async (request) => {
    const { kind } = uploadSchema.parse(request.body ?? {})
    const { key, url } = await startUpload(shop, request, kind)
    return { objectPath: key, uploadURL: url } satisfies UploadAddress
  })

  mountUppyRoutes(app, shop)
  mountPictures(app, shop)
  if (receiver) await mountReceiver(app, shop, receiver)
}

async function startUpload(
  { db, pictures: { store, limits } }: Uploads,
  request: FastifyRequest,
  kind: PictureKind,
): Promise<{ key: string; url: string }> {
  const object = await createObject(db, kind, signedInAdmin(request).id)
  const url = await store.createUploadUrl(createGrant(object, limits), originOf(request))
  return { key: object.key, url }
}

/** The endpoints of Uppy's aws-s3 plugin, the same for both stores. */
function mountUppyRoutes(app: FastifyInstance, shop: Uploads): void {
  const { db, pictures } = shop
  const { store, limits } = pictures

  app.get<{ Querystring: Record<string, unknown> }>(
    apiRoutes.uploadParameters,
    admin,
    async (request) => {
      const kind = uppyKind.parse(request.query['metadata[kind]'])
      const { key, url } = await startUpload(shop, request, kind)
      return { method: 'PUT', url, fields: { key }, headers: {} }
    },
  )

  app.get(apiRoutes.temporaryCredentials, admin, async () => {
    throw new Refusal('no-temporary-credentials')
  })

  app.post(apiRoutes.multipart, admin, async (request) => {
    const { metadata } = multipartSchema.parse(request.body ?? {})
    return createMultipart(db, pictures, metadata.kind, signedInAdmin(request).id)
  })

  app.get<MultipartRoute>(apiRoutes.multipartUpload, admin, async ({ params, query }) => {
    const { key, uploadId } = await getMultipartObject(db, query.key, params.uploadId)
    return store.listParts(key, uploadId)
  })

  app.get<PartRoute>(apiRoutes.multipartPart, admin, async (request) => {
    const { params, query } = request
    const partNumber = parsePartNumber(params.partNumber)
    if (!query.key || !params.uploadId) throw new Refusal('part-unnamed')
    const object = await getMultipartObject(db, query.key, params.uploadId)
    const part = { uploadId: object.uploadId, partNumber }
    // The upload is kept for as long as the URL that is issued now.
    await touchObject(db, object.key)
    const url = await store.createUploadUrl(
      { ...createGrant(object, limits), part },
      originOf(request),
    )
    return { url, expires: uploadUrlSeconds }
  })

  app.post<MultipartRoute>(
    apiRoutes.multipartComplete,
    { ...admin, bodyLimit: maxCompletionBytes },
    async ({ body, params, query }) => {
      const { parts } = completionSchema.parse(body)
      const object = await getMultipartObject(db, query.key, params.uploadId)
      await completeMultipart(db, pictures, object, parts)
      return { location: objectUrl(object.key) }
    },
  )

  app.delete<MultipartRoute>(apiRoutes.multipartUpload, admin, async ({ params, query }) => {
    const object = await getMultipartObject(db, query.key, params.uploadId)
    await abortMultipart(db, pictures, object)
    return {}
  })
}

/** Where browsers send the bytes if pictures are kept on disk. The signed URL is the permission. */
async function mountReceiver(
  app: FastifyInstance,
  { db, pictures }: Uploads,
  receiver: UploadReceiver,
): Promise<void> {
  const config = { access: 'public', slowBody: true } as const
  await app.register(async (scope) => {
    // Content types are not trusted: the handler reads the raw bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _bytes, done) => done(null))

    scope.put<{ Params: { key: string } }>(
      apiRoutes.incomingFile,
      { config },
      async (request, reply) => {
        const object = await findObject(db, request.params.key)
        if (!object) throw new Refusal('upload-unsigned')
        receiver.verifyUrl(request.query, createGrant(object, pictures.limits))
        const md5 = await receiveUpload(db, pictures, receiver, object, request.raw)
        return sendEtag(reply.header('location', objectUrl(object.key)), md5)
      },
    )

    scope.put<ReceivePartRoute>(apiRoutes.incomingPart, { config }, async (request, reply) => {
      const { key, uploadId } = request.params
      const partNumber = parsePartNumber(request.params.partNumber)
      const object = await getMultipartObject(db, key, uploadId)
      const grant = { ...createGrant(object, pictures.limits), part: { uploadId, partNumber } }
      receiver.verifyUrl(request.query, grant)
      return sendEtag(reply, await receivePart(pictures, receiver, object, partNumber, request.raw))
    })
  })
}

/** Uppy needs the ETag and hangs without it. */
function sendEtag(reply: FastifyReply, md5: string): FastifyReply {
  return reply.header('etag', `"${md5}"`).header('cache-control', 'no-store').send('')
}

/** The shop's origin as the browser sees it, which is correct behind any proxy. */
function originOf(request: FastifyRequest): string {
  const { protocol, origin } = URL.parse(request.headers.origin ?? '') ?? {}
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && origin ? origin : `${request.protocol}://${request.host}`
}
