import { openAsBlob } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Refusal } from '#contract/refusals.ts'
import {
  staleMs,
  tooLarge,
  unfinishedMs,
  uploadUrlSeconds,
  type Part,
  type PictureStore,
} from './picture-store.ts'
import {
  encodeXml,
  findElement,
  findElements,
  openS3Client,
  readText,
  storeUnavailable,
  type S3Settings,
} from './s3-client.ts'
import { deleteStaleFiles, receiveFile, type WorkFolder } from './work-folder.ts'

/**
 * Pictures in a private bucket. Browsers upload to incoming/ with presigned URLs; only the shop writes to objects/, from
 * where it serves.
 */
export function openS3Store(settings: S3Settings, work: WorkFolder): PictureStore {
  const { send, presign } = openS3Client(settings)

  async function findObject(path: string) {
    const response = await send(path, { method: 'GET' })
    if (!response.ok || !response.body) return undefined
    const size = Number(response.headers.get('content-length'))
    return { size, bytes: Readable.from(response.body, { objectMode: false }) }
  }

  async function deleteObject(path: string): Promise<void> {
    await send(path, { method: 'DELETE' })
  }

  return {
    async prepare() {
      await mkdir(work.path, { recursive: true })
    },

    createUploadUrl: ({ key, part }) =>
      presign(
        part
          ? `${multipartPath(key, part.uploadId)}&partNumber=${part.partNumber}`
          : `/incoming/${key}`,
        'PUT',
        uploadUrlSeconds,
      ),

    async findUpload(key, maxBytes) {
      const object = await findObject(`/incoming/${key}`)
      if (!object) return undefined
      const path = work.newPath()
      try {
        if (object.size > maxBytes) throw tooLarge(maxBytes)
        await receiveFile(object.bytes, path, { maxBytes, onAbort: 'pictures-away' })
      } finally {
        object.bytes.destroy()
      }
      return { path, discard: () => rm(path, { force: true }) }
    },
    deleteUpload: (key) => deleteObject(`/incoming/${key}`),

    async writeFile(name, content, type) {
      const body = 'path' in content ? await openAsBlob(content.path) : content
      await send(`/objects/${name}`, { method: 'PUT', body, headers: { 'content-type': type } })
    },
    findFile: (name) => findObject(`/objects/${name}`),
    async deleteFiles(names) {
      await Promise.all(names.map((name) => deleteObject(`/objects/${name}`)))
    },

    async createMultipart(key) {
      const xml = await readText(await send(`/incoming/${key}?uploads`, { method: 'POST' }))
      const uploadId = findElement(xml, 'UploadId')
      if (!uploadId) throw new Error('the store created a multipart upload without an id')
      return uploadId
    },
    async listParts(key, uploadId) {
      const parts: Part[] = []
      for (let marker: string | undefined = '0'; marker;) {
        const path = `${multipartPath(key, uploadId)}&part-number-marker=${marker}`
        const response: Response = await send(path, { method: 'GET' })
        if (!response.ok) throw new Refusal('upload-missing')
        const xml = await readText(response)
        parts.push(...findElements(xml, 'Part').map(parsePart))
        const isTruncated = findElement(xml, 'IsTruncated') === 'true'
        marker = isTruncated ? findElement(xml, 'NextPartNumberMarker') : undefined
      }
      return parts
    },
    async completeMultipart(key, uploadId, parts) {
      const elements = parts.map(
        ({ PartNumber, ETag }) =>
          `<Part><PartNumber>${PartNumber}</PartNumber><ETag>${encodeXml(ETag)}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload>${elements.join('')}</CompleteMultipartUpload>`
      const response = await send(multipartPath(key, uploadId), { method: 'POST', body })
      // Not found: completed before, and the answer was lost. The caller looks for the upload next.
      if (!response.ok) return
      // S3 may answer 200 first and report a failure in the body.
      const xml = await readText(response)
      if (xml.includes('<Error>')) throw storeUnavailable(new Error(xml))
    },
    abortMultipart: (key, uploadId) => deleteObject(multipartPath(key, uploadId)),

    /** One page of up to 1000 entries; the next run deletes more. */
    async deleteStale() {
      await deleteStaleFiles(work.path, staleMs)
      const xml = await readText(await send('?list-type=2&prefix=incoming%2F', { method: 'GET' }))
      for (const entry of findElements(xml, 'Contents')) {
        const ageMs = Date.now() - Date.parse(findElement(entry, 'LastModified') ?? '')
        if (ageMs > unfinishedMs) await deleteObject(`/${findElement(entry, 'Key') ?? ''}`)
      }
    },
    async findProblem() {
      const name = `The bucket ${settings.bucket} at ${settings.endpoint}`
      try {
        const { ok, status } = await send('', { method: 'HEAD' })
        return ok ? undefined : `${name} answers ${status}`
      } catch (error) {
        return `${name} does not answer: ${describeCause(error)}`
      }
    },

    receiver: undefined,
  }
}

function multipartPath(key: string, uploadId: string): string {
  return `/incoming/${key}?uploadId=${encodeURIComponent(uploadId)}`
}

function parsePart(xml: string): Part {
  return {
    PartNumber: Number(findElement(xml, 'PartNumber')),
    Size: Number(findElement(xml, 'Size')),
    ETag: findElement(xml, 'ETag') ?? '',
  }
}

/** The refusal's cause, and what fetch gives as the cause of that. */
function describeCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? cause.cause.message : cause.message
}
