import { Refusal } from '#contract/refusals.ts'
import type { Part, PictureStore } from './picture-store.ts'
import { readText, type S3Client } from './s3-client.ts'
import { textIn, textsIn, writeParts } from './s3-xml.ts'

/** Uploads in parts, which S3 keeps to itself until they are joined. */
export function openS3Parts({
  call,
}: S3Client): Pick<PictureStore, 'beginParts' | 'listParts' | 'joinParts' | 'dropParts'> {
  return {
    async beginParts(key) {
      const xml = await readText(await call(`/incoming/${key}?uploads`, { method: 'POST' }))
      const uploadId = textIn(xml, 'UploadId')
      if (!uploadId) throw new Error('the store began an upload in parts without naming it')
      return uploadId
    },

    async listParts(key, uploadId) {
      const parts: Part[] = []
      for (let marker: string | undefined = '0'; marker;) {
        const path = `${pathOfParts(key, uploadId)}&part-number-marker=${marker}`
        const answer: Response = await call(path, { method: 'GET' })
        if (!answer.ok) throw new Refusal('upload-missing')
        const xml = await readText(answer)
        parts.push(...textsIn(xml, 'Part').map(readPart))
        const isMore = textIn(xml, 'IsTruncated') === 'true'
        marker = isMore ? textIn(xml, 'NextPartNumberMarker') : undefined
      }
      return parts
    },

    async joinParts(key, uploadId, parts) {
      const body = writeParts(parts)
      const answer = await call(pathOfParts(key, uploadId), { method: 'POST', body })
      // Joined before, and the answer was lost: whether something has arrived is seen next.
      if (!answer.ok) return
      // S3 may find out that it failed after it began to answer 200.
      const xml = await readText(answer)
      if (xml.includes('<Error>')) throw new Refusal('pictures-away', { cause: new Error(xml) })
    },

    async dropParts(key, uploadId) {
      await call(pathOfParts(key, uploadId), { method: 'DELETE' })
    },
  }
}

function pathOfParts(key: string, uploadId: string): string {
  return `/incoming/${key}?uploadId=${encodeURIComponent(uploadId)}`
}

function readPart(xml: string): Part {
  return {
    PartNumber: Number(textIn(xml, 'PartNumber')),
    Size: Number(textIn(xml, 'Size')),
    ETag: textIn(xml, 'ETag') ?? '',
  }
}
