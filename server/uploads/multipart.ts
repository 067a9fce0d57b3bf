import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { PictureKind } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { acceptUpload, isFileRefusal } from './accept.ts'
import {
  createObject,
  deleteObject,
  isStored,
  setUploadId,
  type MultipartObject,
} from './objects.ts'
import { tooLarge, type NamedPart, type Pictures, type UploadReceiver } from './picture-store.ts'

/** S3's limit. */
const maxParts = 10_000

/** Enough for the names of the maximum number of parts. */
export const maxCompletionBytes = 1024 * 1024

export const completionSchema = z.object({
  parts: z
    .array(
      z.object({
        PartNumber: z.int().min(1).max(maxParts),
        ETag: z.string().regex(/^"?[\w+/=.-]{1,500}"?$/, 'This is not an ETag'),
      }),
    )
    .min(1, 'There is no part to complete')
    .max(maxParts)
    .refine(
      (parts) => parts.every((part, at) => part.PartNumber > (parts[at - 1]?.PartNumber ?? 0)),
      'Parts go in the order of their numbers',
    ),
})

export function parsePartNumber(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > maxParts) throw new Refusal('part-unnamed')
  return number
}

export async function createMultipart(
  db: Db,
  { store }: Pictures,
  kind: PictureKind,
  createdBy: string,
): Promise<{ key: string; uploadId: string }> {
  const { key } = await createObject(db, kind, createdBy)
  const uploadId = await store.createMultipart(key)
  await setUploadId(db, key, uploadId)
  return { key, uploadId }
}

/** Receives one part and returns its MD5. All parts together may be as large as one file. */
export async function receivePart(
  { store, limits }: Pictures,
  receiver: UploadReceiver,
  object: MultipartObject,
  partNumber: number,
  bytes: Readable,
): Promise<string> {
  const { key, kind, uploadId } = object
  if (object.refusal || isStored(object)) throw new Refusal('upload-missing')
  const others = (await store.listParts(key, uploadId)).filter(
    (part) => part.PartNumber !== partNumber,
  )
  const maxBytes = limits[kind] - others.reduce((sum, part) => sum + part.Size, 0)
  if (maxBytes <= 0) throw tooLarge(limits[kind])
  const received = await receiver.receive(bytes, maxBytes)
  try {
    await receiver.savePart(uploadId, partNumber, received)
    return received.md5
  } finally {
    await rm(received.path, { force: true })
  }
}

/** Joins the parts and accepts the result. After a lost answer it can be called again. */
export async function completeMultipart(
  db: Db,
  pictures: Pictures,
  object: MultipartObject,
  parts: NamedPart[],
): Promise<void> {
  const { store, limits } = pictures
  const { key, uploadId, kind } = object
  if (isStored(object)) return
  try {
    if (!object.refusal) await store.completeMultipart(key, uploadId, parts, limits[kind])
    if (!(await acceptUpload(db, pictures, key))) throw new Refusal('upload-missing')
  } catch (error) {
    if (isFileRefusal(error)) await store.abortMultipart(key, uploadId)
    throw error
  }
  await store.abortMultipart(key, uploadId)
}

export async function abortMultipart(
  db: Db,
  { store }: Pictures,
  object: MultipartObject,
): Promise<void> {
  const { key, uploadId } = object
  if (isStored(object)) throw new Refusal('upload-missing')
  await store.abortMultipart(key, uploadId)
  await store.deleteUpload(key)
  await deleteObject(db, key)
}
