import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { uploadAddress, uploadPart } from '#contract/answers/products.ts'
import { apiRoutes } from '#contract/paths.ts'
import {
  objectUrl,
  pictureKinds,
  pictureSizes,
  type PictureKind,
  type UploadAddress,
} from '#contract/pictures.ts'
import { pictureRefusals, Refusal, type RefusalCode } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { callsOf, mountCalls } from '#server/http/calls.ts'
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
import { sendPicture } from './serve.ts'

type UploadDeps = { db: Db; pictures: Pictures }

/** Uppy also sends the file's name and type, which are not trusted. */
const uppyKind = z.enum(pictureKinds).catch('image')

/** A key that cannot be one is none. */
const key = z.string().optional().catch(undefined).describe('The key of the picture')

const call = callsOf<UploadDeps>('Pictures', 'admin')

/** From uploadParameters on, the endpoints of Uppy's aws-s3 plugin, the same for both stores. */
export const uploadCalls = [
  call(`POST ${apiRoutes.upload}`, {
    summary: 'Asks for an address to upload a picture to.',
    note: 'The bytes go there with PUT. A product then shows the picture as /api/objects/ and its key.',
    body: z.object({ kind: z.enum(pictureKinds).default('image') }),
    example: { kind: 'image' },
    isBodyOptional: true,
    answers: { 200: uploadAddress },
    refusals: ['pictures-away'],
    async handle(deps, { body, request }): Promise<UploadAddress> {
      const started = await startUpload(deps, request, body.kind)
      return { objectPath: started.key, uploadURL: started.url }
    },
  }),

  call(`GET ${apiRoutes.object}`, {
    access: 'public',
    summary: 'Reads a picture, whole or in one of the sizes that pages need.',
    query: z.object({
      // Not parsed as an enum: a picture of another size is missing like any other.
      size: z
        .unknown()
        .optional()
        .meta({
          type: 'string',
          enum: Object.keys(pictureSizes),
          description: 'WebP or AVIF, as accepted',
        }),
    }),
    answers: { 200: 'image/*', 304: null },
    refusals: ['object-missing', ...pictureRefusals],
    options: { config: { isFile: true } },
    handle: (deps, { params, query, reply }) => sendPicture(deps, reply, params.key, query.size),
  }),

  call(`GET ${apiRoutes.uploadParameters}`, {
    summary: 'The same for Uppy’s aws-s3 plugin.',
    query: z.object({ 'metadata[kind]': uppyKind }),
    answers: {
      200: z.object({
        method: z.literal('PUT'),
        url: z.string(),
        fields: z.object({ key: z.string() }),
        headers: z.object({}),
      }),
    },
    refusals: ['pictures-away'],
    async handle(deps, { query, request }) {
      const started = await startUpload(deps, request, query['metadata[kind]'])
      return { method: 'PUT', url: started.url, fields: { key: started.key }, headers: {} }
    },
  }),

  call(`GET ${apiRoutes.temporaryCredentials}`, {
    summary: 'Always refused: every picture is checked before it is shown.',
    answers: {},
    refusals: ['no-temporary-credentials'],
    handle() {
      throw new Refusal('no-temporary-credentials')
    },
  }),

  call(`POST ${apiRoutes.multipart}`, {
    summary: 'Begins an upload in parts.',
    body: z.object({ metadata: z.object({ kind: uppyKind }).catch({ kind: 'image' }) }),
    example: { metadata: { kind: 'image' } },
    isBodyOptional: true,
    answers: { 200: z.object({ key: z.string(), uploadId: z.string() }) },
    refusals: ['pictures-away'],
    handle: ({ db, pictures }, { body, request }) =>
      createMultipart(db, pictures, body.metadata.kind, signedInAdmin(request).id),
  }),

  call(`GET ${apiRoutes.multipartUpload}`, {
    summary: 'Lists the parts that have arrived.',
    query: z.object({ key }),
    answers: { 200: z.array(uploadPart) },
    refusals: ['upload-missing', 'pictures-away'],
    async handle({ db, pictures }, { params, query }) {
      const object = await getMultipartObject(db, query.key, params.uploadId)
      return pictures.store.listParts(object.key, object.uploadId)
    },
  }),

  call(`GET ${apiRoutes.multipartPart}`, {
    summary: 'Asks for an address to upload a part to.',
    query: z.object({ key }),
    answers: { 200: z.object({ url: z.string(), expires: z.int().describe('In seconds') }) },
    refusals: ['part-unnamed', 'upload-missing', 'pictures-away'],
    async handle({ db, pictures: { store, limits } }, { params, query, request }) {
      const partNumber = parsePartNumber(params.partNumber)
      if (!query.key || !params.uploadId) throw new Refusal('part-unnamed')
      const object = await getMultipartObject(db, query.key, params.uploadId)
      const part = { uploadId: object.uploadId, partNumber }
      // The upload is kept for as long as the URL that is issued now.
      await touchObject(db, object.key)
      const grant = { ...createGrant(object, limits), part }
      const url = await store.createUploadUrl(grant, originOf(request))
      return { url, expires: uploadUrlSeconds }
    },
  }),

  call(`POST ${apiRoutes.multipartComplete}`, {
    summary: 'Joins the parts to a picture.',
    query: z.object({ key }),
    body: completionSchema,
    example: { parts: [{ PartNumber: 1, ETag: '"9e107d9d372bb6826bd81d3542a419d6"' }] },
    answers: { 200: z.object({ location: z.string() }) },
    refusals: ['part-missing', 'upload-missing', ...pictureRefusals],
    options: { bodyLimit: maxCompletionBytes },
    async handle({ db, pictures }, { params, query, body }) {
      const object = await getMultipartObject(db, query.key, params.uploadId)
      await completeMultipart(db, pictures, object, body.parts)
      return { location: objectUrl(object.key) }
    },
  }),

  call(`DELETE ${apiRoutes.multipartUpload}`, {
    summary: 'Gives up an upload in parts.',
    query: z.object({ key }),
    answers: { 200: z.object({}) },
    refusals: ['upload-missing', 'pictures-away'],
    async handle({ db, pictures }, { params, query }) {
      const object = await getMultipartObject(db, query.key, params.uploadId)
      await abortMultipart(db, pictures, object)
      return {}
    },
  }),
]

const unsigned: RefusalCode[] = ['upload-expired', 'upload-unsigned', 'upload-broken-off']

/** The signed URL is the permission. */
const receiverCall = callsOf<UploadDeps & { receiver: UploadReceiver }>('Pictures', 'public')

/** Where browsers send the bytes if pictures are kept on disk. */
export const receiverCalls = [
  receiverCall(`PUT ${apiRoutes.incomingFile}`, {
    summary: 'Takes the bytes of a picture, at the signed address that the shop gave out.',
    note: 'Only where pictures are kept on disk; with S3 they go to the bucket.',
    body: 'application/octet-stream',
    answers: { 200: null },
    headers: { etag: 'The MD5 of the bytes.', location: 'The address of the picture.' },
    refusals: [...unsigned, 'upload-missing', 'upload-used', ...pictureRefusals],
    options: { config: { slowBody: true } },
    async handle({ db, pictures, receiver }, { params, request, reply }) {
      const object = await findObject(db, params.key)
      if (!object) throw new Refusal('upload-unsigned')
      receiver.verifyUrl(request.query, createGrant(object, pictures.limits))
      const md5 = await receiveUpload(db, pictures, receiver, object, request.raw)
      return sendEtag(reply.header('location', objectUrl(object.key)), md5)
    },
  }),

  receiverCall(`PUT ${apiRoutes.incomingPart}`, {
    summary: 'Takes the bytes of a part, at the signed address that the shop gave out.',
    body: 'application/octet-stream',
    answers: { 200: null },
    headers: { etag: 'The MD5 of the bytes.' },
    refusals: [...unsigned, 'part-unnamed', 'upload-missing', 'picture-too-large', 'pictures-away'],
    options: { config: { slowBody: true } },
    async handle({ db, pictures, receiver }, { params, request, reply }) {
      const partNumber = parsePartNumber(params.partNumber)
      const object = await getMultipartObject(db, params.key, params.uploadId)
      const part = { uploadId: object.uploadId, partNumber }
      receiver.verifyUrl(request.query, { ...createGrant(object, pictures.limits), part })
      return sendEtag(reply, await receivePart(pictures, receiver, object, partNumber, request.raw))
    },
  }),
]

/** Where pictures are on this machine's disk, browsers upload them to the shop itself. */
export async function mountReceiver(app: FastifyInstance, shop: UploadDeps): Promise<void> {
  const { receiver } = shop.pictures.store
  if (!receiver) return
  await app.register(async (scope) => {
    // Content types are not trusted: the handler reads the raw bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _bytes, done) => done(null))
    mountCalls(scope, { ...shop, receiver }, receiverCalls)
  })
}

async function startUpload(
  { db, pictures: { store, limits } }: UploadDeps,
  request: FastifyRequest,
  kind: PictureKind,
): Promise<{ key: string; url: string }> {
  const object = await createObject(db, kind, signedInAdmin(request).id)
  const url = await store.createUploadUrl(createGrant(object, limits), originOf(request))
  return { key: object.key, url }
}

/** Uppy needs the ETag and hangs without it. */
function sendEtag(reply: FastifyReply, md5: string): FastifyReply {
  return reply.header('etag', `"${md5}"`).send('')
}

/** The shop's origin as the browser sees it, which is correct behind any proxy. */
function originOf(request: FastifyRequest): string {
  const { protocol, origin } = URL.parse(request.headers.origin ?? '') ?? {}
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && origin ? origin : `${request.protocol}://${request.host}`
}
