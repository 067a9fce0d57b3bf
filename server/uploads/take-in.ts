import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { accept, type Pictures } from './accept.ts'
import type { Inbox } from './disk-store.ts'
import { tooLarge } from './limits.ts'
import { isStored, type PictureObject } from './objects.ts'

/**
 * Takes the bytes of an upload and answers their MD5. An address serves one file: whoever sends the
 * same again, because the answer was lost, is answered the same; another file is refused.
 */
export async function takeIn(
  db: Db,
  pictures: Pictures,
  inbox: Inbox,
  object: PictureObject,
  bytes: Readable,
): Promise<string> {
  if (object.refusal) throw new Refusal(object.refusal)
  const { key, kind } = object
  const { path, md5 } = await inbox.receive(bytes, pictures.limits[kind])
  try {
    const stored = await accept(db, pictures, key, () => inbox.arrive(key, path))
    if (!stored) throw new Refusal('upload-missing')
    if (stored.etag !== md5) throw new Refusal('upload-used')
    return md5
  } finally {
    await rm(path, { force: true })
  }
}

/** Takes one part. All parts together may be as large as one file. */
export async function takeInPart(
  { store, limits }: Pictures,
  inbox: Inbox,
  object: PictureObject & { uploadId: string },
  partNumber: number,
  bytes: Readable,
): Promise<string> {
  const { key, kind, uploadId } = object
  if (object.refusal || isStored(object)) throw new Refusal('upload-missing')
  const others = (await store.listParts(key, uploadId)).filter(
    (part) => part.PartNumber !== partNumber,
  )
  const room = limits[kind] - others.reduce((sum, part) => sum + part.Size, 0)
  if (room <= 0) throw tooLarge(limits[kind])
  const received = await inbox.receive(bytes, room)
  try {
    await inbox.arriveAsPart(uploadId, partNumber, received)
    return received.md5
  } finally {
    await rm(received.path, { force: true })
  }
}
