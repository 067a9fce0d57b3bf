import { randomBytes } from 'node:crypto'
import { objectKeyPattern, type PictureKind, type PictureType } from '#contract/pictures.ts'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { eq, getTableColumns, sql } from '#server/db/drizzle.ts'
import { objects } from '#server/db/schema.ts'
import type { InspectedPicture } from './inspect-picture.ts'

type Row = typeof objects.$inferSelect
export type PictureObject = Omit<Row, 'kind' | 'refusal'> & {
  kind: PictureKind
  refusal: RefusalCode | null
  /** The database's clock when this was read, in seconds: no other clock ends an address. */
  now: number
}
export type StoredObject = PictureObject & { etag: string; contentType: PictureType }

const columns = {
  ...getTableColumns(objects),
  now: sql<number>`extract(epoch from now())::float8`,
}

/** A place for a picture that is about to be uploaded, under a name that nobody guesses. */
export async function addObject(
  db: Db,
  kind: PictureKind,
  createdBy: string,
): Promise<PictureObject> {
  const key = randomBytes(16).toString('hex')
  const [added] = await db.insert(objects).values({ key, kind, createdBy }).returning(columns)
  if (!added) throw new Error('adding a picture returned no row')
  return added as PictureObject
}

export async function maybeObject(db: Db, key: string): Promise<PictureObject | undefined> {
  if (!objectKeyPattern.test(key)) return undefined
  const [found] = await db.select(columns).from(objects).where(eq(objects.key, key))
  return found as PictureObject | undefined
}

/** Holds the object until the transaction ends: who else wants to change it waits. */
export async function lockObject(tx: Db, key: string): Promise<PictureObject | undefined> {
  const [found] = await tx.select(columns).from(objects).where(eq(objects.key, key)).for('update')
  return found as PictureObject | undefined
}

export function isStored(object: PictureObject): object is StoredObject {
  return object.storedAt !== null
}

/** Somebody needs the picture, or waits for it: from now on it is kept for a while, whatever uses it or not. */
export async function noteNeed(db: Db, key: string): Promise<PictureObject | undefined> {
  const [found] = await db
    .update(objects)
    .set({ neededAt: sql`now()` })
    .where(eq(objects.key, key))
    .returning(columns)
  return found as PictureObject | undefined
}

export async function noteParts(db: Db, key: string, uploadId: string): Promise<void> {
  await db.update(objects).set({ uploadId }).where(eq(objects.key, key))
}

/** An upload in parts that is still under way, or was completed; anything else is not there. */
export async function findParts(
  db: Db,
  key: unknown,
  uploadId: string,
): Promise<PictureObject & { uploadId: string }> {
  const object = typeof key === 'string' ? await maybeObject(db, key) : undefined
  if (!object || object.uploadId !== uploadId) throw new Refusal('upload-missing')
  return { ...object, uploadId }
}

export async function markStored(
  tx: Db,
  key: string,
  { type, size, width, height, md5 }: InspectedPicture,
): Promise<StoredObject> {
  const [stored] = await tx
    .update(objects)
    .set({ contentType: type, size, width, height, etag: md5, storedAt: sql`now()` })
    .where(eq(objects.key, key))
    .returning(columns)
  if (!stored) throw new Error(`the picture ${key} vanished while it was stored`)
  return stored as StoredObject
}

export async function markRefused(tx: Db, key: string, refusal: RefusalCode): Promise<void> {
  await tx.update(objects).set({ refusal }).where(eq(objects.key, key))
}

export async function dropObject(db: Db, key: string): Promise<void> {
  await db.delete(objects).where(eq(objects.key, key))
}
