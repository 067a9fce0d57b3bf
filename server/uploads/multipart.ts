import type { PictureKind } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { accept, isVerdict, type Pictures } from './accept.ts'
import { addObject, dropObject, isStored, noteParts, type PictureObject } from './objects.ts'
import type { NamedPart } from './picture-store.ts'

type InParts = PictureObject & { uploadId: string }

export async function beginParts(
  db: Db,
  { store }: Pictures,
  kind: PictureKind,
  createdBy: string,
): Promise<{ key: string; uploadId: string }> {
  const { key } = await addObject(db, kind, createdBy)
  const uploadId = await store.beginParts(key)
  await noteParts(db, key, uploadId)
  return { key, uploadId }
}

/** Joins the parts and accepts the whole. Asked again after a lost answer, it answers the same. */
export async function completeParts(
  db: Db,
  pictures: Pictures,
  object: InParts,
  parts: NamedPart[],
): Promise<void> {
  const { store, limits } = pictures
  const { key, uploadId, kind } = object
  if (isStored(object)) return
  try {
    if (!object.refusal) await store.joinParts(key, uploadId, parts, limits[kind])
    if (!(await accept(db, pictures, key))) throw new Refusal('upload-missing')
  } catch (error) {
    if (isVerdict(error)) await store.dropParts(key, uploadId)
    throw error
  }
  await store.dropParts(key, uploadId)
}

export async function giveUpParts(db: Db, { store }: Pictures, object: InParts): Promise<void> {
  const { key, uploadId } = object
  if (isStored(object)) throw new Refusal('upload-missing')
  await store.dropParts(key, uploadId)
  await store.dropArrived(key)
  await dropObject(db, key)
}
