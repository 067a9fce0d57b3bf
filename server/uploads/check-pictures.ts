import { maybeObjectKey } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { accept, type Pictures } from './accept.ts'
import { isStored, noteNeed } from './objects.ts'

/**
 * Refuses addresses of uploaded pictures that are not there. The need of those that are is noted, so
 * that none is removed before what shows it is saved. Pictures elsewhere are never fetched.
 */
export async function checkPictures(
  db: Db,
  pictures: Pictures,
  urls: (string | null)[],
): Promise<void> {
  const keys = urls.flatMap((url) => maybeObjectKey(url ?? '') ?? [])
  for (const key of new Set(keys)) {
    const object = await noteNeed(db, key)
    if (object && isStored(object)) continue
    const accepted = object && (await accept(db, pictures, key))
    if (!accepted) throw new Refusal('picture-missing')
  }
}
