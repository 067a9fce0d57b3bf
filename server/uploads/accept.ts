import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { inspectPicture, type InspectedPicture } from './inspect-picture.ts'
import type { UploadLimits } from './limits.ts'
import { isStored, lockObject, markRefused, markStored, type StoredObject } from './objects.ts'
import { makeSize, sizeFormats, sizes, sizeTypes } from './picture-sizes.ts'
import { nameOfSize, namesOf, type PictureStore } from './picture-store.ts'
import { inTurn } from './turns.ts'

/** Where pictures are kept, and how large they may be. */
export type Pictures = { store: PictureStore; limits: UploadLimits }

/**
 * Makes an upload a picture: what has arrived is checked, written with its sizes to where it is
 * served from, and only then known. Nothing, if nothing has arrived; a second call is answered what
 * the first was, a refused file too.
 */
export async function accept(
  db: Db,
  pictures: Pictures,
  key: string,
  arrive: () => Promise<void> = async () => {},
): Promise<StoredObject | undefined> {
  const verdict = await inTurn(() => db.transaction((tx) => judge(tx, pictures, key, arrive)))
  if (verdict instanceof Refusal) throw verdict
  // After the commit, so that a crash before it leaves the file to be judged again. If this fails,
  // the file is removed as stale later.
  if (verdict) await pictures.store.dropArrived(key).catch(() => {})
  return verdict
}

/** A refusal is an answer here, not a throw: what is thrown would undo that it was written down. */
async function judge(
  tx: Db,
  { store, limits }: Pictures,
  key: string,
  arrive: () => Promise<void>,
): Promise<StoredObject | Refusal | undefined> {
  const object = await lockObject(tx, key)
  if (!object || isStored(object)) return object
  if (object.refusal) return new Refusal(object.refusal)
  const most = limits[object.kind]
  // Under the lock: of several files sent at once, the one that is judged is the one that is kept.
  await arrive()
  try {
    const arrived = await store.maybeArrived(key, most)
    if (!arrived) return undefined
    try {
      const picture = await inspectPicture(arrived.path, { bytes: most, pixels: limits.pixels })
      await keep(store, key, arrived.path, picture)
      return await markStored(tx, key, picture)
    } finally {
      await arrived.discard()
    }
  } catch (error) {
    if (!isVerdict(error)) throw error
    await store.dropArrived(key)
    await store.remove(namesOf(key))
    await markRefused(tx, key, error.code)
    return error
  }
}

async function keep(
  store: PictureStore,
  key: string,
  path: string,
  { pixels, type }: InspectedPicture,
): Promise<void> {
  for (const size of sizes) {
    for (const format of sizeFormats) {
      const bytes = await makeSize(pixels, size, format)
      await store.put(nameOfSize(key, size, format), bytes, sizeTypes[format])
    }
  }
  await store.put(key, { path }, type)
}

/** A word on the file itself, which will not change by trying again. */
export function isVerdict(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.status === 422 || error.status === 413)
}
