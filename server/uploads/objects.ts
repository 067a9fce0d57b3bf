import { randomBytes } from 'node:crypto'
import { objectKeyPattern, type PictureKind, type PictureType } from '#contract/pictures.ts'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { eq, getTableColumns, sql } from '#server/db/drizzle.ts'
import { objects } from '#server/db/schema.ts'
import type { InspectedPicture } from './image-processing.ts'
import type { UploadGrant, UploadLimits } from './picture-store.ts'

const columns = {
  ...getTableColumns(objects),
  kind: sql<PictureKind>`${objects.kind}`,
  contentType: sql<PictureType | null>`${objects.contentType}`,
  refusal: sql<RefusalCode | null>`${objects.refusal}`,
  /** In seconds. The database's clock alone decides when a URL expires. */
  now: sql<number>`extract(epoch from now())::float8`,
}

type Row = typeof objects.$inferSelect
/** An uploaded picture, or one that is about to be uploaded. */
export type PictureObject = Omit<Row, 'kind' | 'contentType' | 'refusal'> & {
  kind: PictureKind
  contentType: PictureType | null
  refusal: RefusalCode | null
  now: number
}
export type StoredObject = PictureObject & { etag: string; contentType: PictureType }
export type MultipartObject = PictureObject & { uploadId: string }

export function isStored(object: PictureObject): object is StoredObject {
  return object.storedAt !== null
}

/** What may be uploaded for this object. */
export function createGrant({ key, kind, now }: PictureObject, limits: UploadLimits): UploadGrant {
  return { key, kind, now, maxBytes: limits[kind] }
}

export async function createObject(
  db: Db,
  kind: PictureKind,
  createdBy: string,
): Promise<PictureObject> {
  const key = randomBytes(16).toString('hex')
  const [created] = await db.insert(objects).values({ key, kind, createdBy }).returning(columns)
  if (!created) throw new Error('creating a picture returned no row')
  return created
}

export async function findObject(db: Db, key: string): Promise<PictureObject | undefined> {
  if (!objectKeyPattern.test(key)) return undefined
  const [found] = await db.select(columns).from(objects).where(eq(objects.key, key))
  return found
}

/** Finds an object and locks it until the transaction ends. */
export async function lockObject(tx: Db, key: string): Promise<PictureObject | undefined> {
  const [found] = await tx.select(columns).from(objects).where(eq(objects.key, key)).for('update')
  return found
}

/** Postpones the deletion of an unused picture. */
export async function touchObject(db: Db, key: string): Promise<PictureObject | undefined> {
  const [found] = await db
    .update(objects)
    .set({ neededAt: sql`now()` })
    .where(eq(objects.key, key))
    .returning(columns)
  return found
}

export async function setUploadId(db: Db, key: string, uploadId: string): Promise<void> {
  await db.update(objects).set({ uploadId }).where(eq(objects.key, key))
}

/** The object of a multipart upload, pending or completed. */
export async function getMultipartObject(
  db: Db,
  key: unknown,
  uploadId: string,
): Promise<MultipartObject> {
  const object = typeof key === 'string' ? await findObject(db, key) : undefined
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
  if (!stored || !isStored(stored)) throw new Error(`picture ${key} was deleted while being stored`)
  return stored
}

export async function markRefused(tx: Db, key: string, refusal: RefusalCode): Promise<void> {
  await tx.update(objects).set({ refusal }).where(eq(objects.key, key))
}

export async function deleteObject(db: Db, key: string): Promise<void> {
  await db.delete(objects).where(eq(objects.key, key))
}
