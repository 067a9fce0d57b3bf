import { maybeObjectKey, type PictureUse } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { accept, type Pictures } from './accept.ts'
import { tooLarge } from './limits.ts'
import { isStored, noteNeed } from './objects.ts'

/**
 * Refuses addresses of uploaded pictures that are not there. The need of those that are is noted, so
 * that none is removed before what shows it is saved. Pictures elsewhere are never fetched.
 */
export async function checkPictures(db: Db, pictures: Pictures, uses: PictureUse[]): Promise<void> {
  for (const { url, kind } of uses) {
    const key = maybeObjectKey(url ?? '')
    if (!key) continue
    const object = await noteNeed(db, key)
    const stored = object && (isStored(object) ? object : await accept(db, pictures, key))
    if (!stored) throw new Refusal('picture-missing')
    // An upload says what it is for, but only its use proves it.
    if ((stored.size ?? 0) > pictures.limits[kind]) throw tooLarge(pictures.limits[kind])
  }
}
