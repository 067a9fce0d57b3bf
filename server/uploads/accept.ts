import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { findObjectKey, type PictureUse } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import { allowIdleTransaction, type Db } from '#server/db/database.ts'
import {
  inspectPicture,
  queueDecoding,
  renderPublicPicture,
  resizePicture,
} from './image-processing.ts'
import {
  isStored,
  lockObject,
  markRefused,
  markStored,
  touchObject,
  type PictureObject,
  type StoredObject,
} from './objects.ts'
import { drawSvg } from './svg.ts'
import {
  formatPublicName,
  listFileNames,
  listResized,
  resizedTypes,
  tooLarge,
  type Pictures,
  type UploadReceiver,
} from './picture-store.ts'

/** For a large picture to be scaled and written to a slow store. */
const maxWorkSeconds = 180

/**
 * Turns an upload into a picture: it is checked, written with its sizes to where it is served from, and only then marked
 * as stored. Returns undefined if nothing was uploaded. A second call has the same result as the first, including a
 * refusal.
 */
export async function acceptUpload(
  db: Db,
  pictures: Pictures,
  key: string,
  saveUpload: () => Promise<void> = async () => {},
): Promise<StoredObject | undefined> {
  const result = await queueDecoding(() =>
    db.transaction((tx) => checkUpload(tx, pictures, key, saveUpload)),
  )
  if (result instanceof Refusal) throw result
  // After the commit, so that a crash before it leaves the upload to be checked again. If this fails, the upload is
  // deleted as stale later.
  if (result) await pictures.store.deleteUpload(key).catch(() => {})
  return result
}

/** Returns a refusal instead of throwing it, since a throw would roll back that it was recorded. */
async function checkUpload(
  tx: Db,
  { store, limits }: Pictures,
  key: string,
  saveUpload: () => Promise<void>,
): Promise<StoredObject | Refusal | undefined> {
  await allowIdleTransaction(tx, maxWorkSeconds)
  const object = await lockObject(tx, key)
  if (!object || isStored(object)) return object
  if (object.refusal) return new Refusal(object.refusal)
  const maxBytes = limits[object.kind]
  // Under the lock: of several files sent at once, the one that is checked is the one that is kept.
  await saveUpload()
  try {
    const upload = await store.findUpload(key, maxBytes)
    if (!upload) return undefined
    let drawn: Awaited<ReturnType<typeof drawSvg>>
    try {
      drawn = await drawSvg(upload.path)
      const path = drawn?.path ?? upload.path
      const picture = await inspectPicture(path, { bytes: maxBytes, pixels: limits.pixels })
      for (const { name, size, format } of listResized(key)) {
        const bytes = await resizePicture(picture.pixels, size, format)
        await store.writeFile(name, bytes, resizedTypes[format])
      }
      const whole = await renderPublicPicture(path, picture.type)
      await store.writeFile(formatPublicName(key), whole, picture.type)
      await store.writeFile(key, { path }, picture.type)
      // The MD5 of the bytes that were sent: the same file, sent again, is known by it.
      return await markStored(tx, key, { ...picture, ...(drawn && { md5: drawn.md5 }) })
    } finally {
      if (drawn) await rm(drawn.path, { force: true })
      await upload.discard()
    }
  } catch (error) {
    if (!isFileRefusal(error)) throw error
    await store.deleteUpload(key)
    await store.deleteFiles(listFileNames(key))
    await markRefused(tx, key, error.code)
    return error
  }
}

/** A refusal of the file itself, which trying again would not change. */
export function isFileRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.status === 422 || error.status === 413)
}

/**
 * Receives an upload and returns its MD5. A URL takes one file: the same file again, because the answer was lost, has
 * the same result; another file is refused.
 */
export async function receiveUpload(
  db: Db,
  pictures: Pictures,
  receiver: UploadReceiver,
  object: PictureObject,
  bytes: Readable,
): Promise<string> {
  if (object.refusal) throw new Refusal(object.refusal)
  const { key, kind } = object
  const { path, md5 } = await receiver.receive(bytes, pictures.limits[kind])
  try {
    const stored = await acceptUpload(db, pictures, key, () => receiver.saveUpload(key, path))
    if (!stored) throw new Refusal('upload-missing')
    if (stored.etag !== md5) throw new Refusal('upload-used')
    return md5
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * Refuses uploads that are not pictures or too large for their use. The others are touched, so that none is deleted
 * before the product is saved. A missing picture is not refused, and pictures of other sites are never fetched.
 */
export async function checkPictures(db: Db, pictures: Pictures, uses: PictureUse[]): Promise<void> {
  for (const { url, kind } of uses) {
    const key = findObjectKey(url ?? '')
    if (!key) continue
    const object = await touchObject(db, key)
    const stored = object && (isStored(object) ? object : await acceptUpload(db, pictures, key))
    // An upload says what it is for, but only its use proves it.
    if ((stored?.size ?? 0) > pictures.limits[kind]) throw tooLarge(pictures.limits[kind])
  }
}
