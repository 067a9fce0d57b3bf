import { findObjectKey, type PictureUse } from '#contract/pictures.ts'
import type { Db } from '#server/db/database.ts'
import { accept, type Pictures } from './accept.ts'
import { tooLarge } from './limits.ts'
import { isStored, noteNeed } from './objects.ts'

/**
 * Refuses uploaded files that are no picture, or too large for their use. The need of the others is noted, so that
 * none is removed before what shows it is saved. What is not there is the page's to cope with, and pictures
 * elsewhere are never fetched.
 */
export async function checkPictures(db: Db, pictures: Pictures, uses: PictureUse[]): Promise<void> {
  for (const { url, kind } of uses) {
    const key = findObjectKey(url ?? '')
    if (!key) continue
    const object = await noteNeed(db, key)
    const stored = object && (isStored(object) ? object : await accept(db, pictures, key))
    // An upload says what it is for, but only its use proves it.
    if ((stored?.size ?? 0) > pictures.limits[kind]) throw tooLarge(pictures.limits[kind])
  }
}
