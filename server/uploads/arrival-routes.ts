import type { FastifyInstance, FastifyReply } from 'fastify'
import { apiRoutes } from '#contract/paths.ts'
import { objectUrl } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import type { Pictures } from './accept.ts'
import type { Inbox } from './disk-store.ts'
import { expectedUpload } from './expected-upload.ts'
import { findParts, maybeObject } from './objects.ts'
import { partNumberOf } from './part-number.ts'
import { checkAddress } from './signed-address.ts'
import { takeIn, takeInPart } from './take-in.ts'

/** Whoever holds a signed address may send to it; it was given to an admin. */
const config = { access: 'public', slowBody: true } as const

type OfFile = { Params: { key: string } }
type OfPart = { Params: { key: string; uploadId: string; partNumber: string } }

/** Where bytes arrive when pictures are kept on disk. */
export async function mountArrivals(
  app: FastifyInstance,
  { db, secret, pictures }: { db: Db; secret: string; pictures: Pictures },
  inbox: Inbox,
): Promise<void> {
  await app.register(async (scope) => {
    // Any content type, and none is believed: the bytes are read as they come, by the route.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _bytes, done) => done(null))

    scope.put<OfFile>(apiRoutes.arrival, { config }, async (request, reply) => {
      const object = await maybeObject(db, request.params.key)
      if (!object) throw new Refusal('upload-unsigned')
      const upload = expectedUpload(object, pictures.limits)
      checkAddress(request.query, secret, upload, upload.now)
      const md5 = await takeIn(db, pictures, inbox, object, request.raw)
      return confirm(reply.header('location', objectUrl(object.key)), md5)
    })

    scope.put<OfPart>(apiRoutes.arrivalOfPart, { config }, async (request, reply) => {
      const { key, uploadId } = request.params
      const partNumber = partNumberOf(request.params.partNumber)
      const object = await findParts(db, key, uploadId)
      const upload = { ...expectedUpload(object, pictures.limits), part: { uploadId, partNumber } }
      checkAddress(request.query, secret, upload, upload.now)
      return confirm(reply, await takeInPart(pictures, inbox, object, partNumber, request.raw))
    })
  })
}

/** Uploaders wait for the ETag, and hang without it. */
function confirm(reply: FastifyReply, md5: string): FastifyReply {
  return reply.header('etag', `"${md5}"`).header('cache-control', 'no-store').send('')
}
