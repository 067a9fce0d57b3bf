import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { tooLarge } from './limits.ts'
import { staleMs, unfinishedMs, uploadSeconds, type PictureStore } from './picture-store.ts'
import { receive } from './receive.ts'
import { openS3Client, readText, type S3Settings } from './s3-client.ts'
import { openS3Parts } from './s3-parts.ts'
import { textIn, textsIn } from './s3-xml.ts'
import { dropStaleFiles, type WorkFolder } from './work-folder.ts'

/**
 * Pictures in a private bucket. Browsers send to incoming/, with an address that is good for that
 * alone; only the shop writes to objects/, from where it serves.
 */
export function openS3Store(settings: S3Settings, work: WorkFolder): PictureStore {
  const client = openS3Client(settings)
  const { call, presign } = client
  const remove = async (path: string) => void (await call(path, { method: 'DELETE' }))

  return {
    uploadUrl: ({ key }) => presign(`/incoming/${key}`, 'PUT', uploadSeconds),
    partUrl: ({ key, uploadId, partNumber }) =>
      presign(
        `/incoming/${key}?partNumber=${partNumber}&uploadId=${encodeURIComponent(uploadId)}`,
        'PUT',
        uploadSeconds,
      ),

    async maybeArrived(key, most) {
      const head = await call(`/incoming/${key}`, { method: 'HEAD' })
      if (!head.ok) return undefined
      if (Number(head.headers.get('content-length')) > most) throw tooLarge(most)
      const object = await readObject(`/incoming/${key}`)
      if (!object) return undefined
      const path = work.newPath()
      try {
        await receive(object.bytes, path, { most, brokenOff: 'pictures-away' })
      } finally {
        object.bytes.destroy()
      }
      return { path, discard: () => rm(path, { force: true }) }
    },
    dropArrived: (key) => remove(`/incoming/${key}`),

    async put(name, content, type) {
      const body = 'path' in content ? await openAsBlob(content.path) : content
      await call(`/objects/${name}`, { method: 'PUT', body, headers: { 'content-type': type } })
    },
    maybeRead: (name) => readObject(`/objects/${name}`),
    async remove(names) {
      await Promise.all(names.map((name) => remove(`/objects/${name}`)))
    },

    ...openS3Parts(client),

    /** One page of a thousand: what is beyond it is still there the next time. */
    async dropStale() {
      await dropStaleFiles(work.path, staleMs)
      const xml = await readText(await call('?list-type=2&prefix=incoming%2F', { method: 'GET' }))
      for (const entry of textsIn(xml, 'Contents')) {
        const age = Date.now() - Date.parse(textIn(entry, 'LastModified') ?? '')
        if (age > unfinishedMs) await remove(`/${textIn(entry, 'Key') ?? ''}`)
      }
    },
    async maybeTrouble() {
      const { bucket, endpoint } = settings
      try {
        const { ok, status } = await call('', { method: 'HEAD' })
        return ok ? undefined : `The bucket ${bucket} at ${endpoint} answers ${status}`
      } catch (error) {
        const cause = error instanceof Error ? error.cause : error
        return `The bucket ${bucket} at ${endpoint} does not answer: ${describe(cause)}`
      }
    },
  }

  async function readObject(path: string) {
    const answer = await call(path, { method: 'GET' })
    if (!answer.ok || !answer.body) return undefined
    const size = Number(answer.headers.get('content-length'))
    return { size, bytes: Readable.from(answer.body, { objectMode: false }) }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
