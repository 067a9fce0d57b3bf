import { objectUrl } from '#contract/pictures.ts'
import type { Db } from '#server/db/database.ts'
import { and, eq, lt, or, sql } from '#server/db/drizzle.ts'
import { checkouts, objects, orders, products } from '#server/db/schema.ts'
import { noteNeed } from './objects.ts'
import { namesOf, unfinishedMs, type PictureStore } from './picture-store.ts'

/** A run looks at so many; the next run at the next. */
const batch = 500

const url = sql`${objectUrl('')} || ${objects.key}`

/** Deleted products count too: their orders, and checkouts still open, show their pictures. */
const isUsed = sql`(
  exists (select from ${products} where ${products.imageUrl} = ${url})
  or exists (select from ${products} where ${products.headerLogoUrl} = ${url})
  or exists (select from ${checkouts} where ${checkouts.product}->>'imageUrl' = ${url})
  or exists (select from ${checkouts} where ${checkouts.product}->>'headerLogoUrl' = ${url})
  or exists (select from ${orders} where ${orders.product}->>'imageUrl' = ${url})
  or exists (select from ${orders} where ${orders.product}->>'headerLogoUrl' = ${url})
)`

/** A day for pictures; what has not arrived has as long as its address is good. */
const isLongUnneeded = and(
  lt(objects.neededAt, sql`now() - interval '24 hours'`),
  or(
    sql`${objects.storedAt} is not null`,
    lt(objects.neededAt, sql`now() - make_interval(secs => ${unfinishedMs / 1000})`),
  ),
)

/** Removes pictures that nothing shows and uploads that nobody finished, some time after the last need. */
export async function dropOrphans(db: Db, store: PictureStore): Promise<void> {
  const old = await db
    .select({ key: objects.key, used: sql<boolean>`${isUsed}` })
    .from(objects)
    .where(isLongUnneeded)
    .orderBy(objects.neededAt)
    .limit(batch)
  for (const { key, used } of old) {
    // What is in use is not asked about again before tomorrow.
    if (used) await noteNeed(db, key)
    else await dropOrphan(db, store, key)
  }
  await store.dropStale()
}

/**
 * Looked at again under a lock: a product that is being saved has noted its need (check-pictures.ts),
 * or waits for the lock and finds the picture gone, and no half of it. The files go first, since a row without
 * files is found again and files without a row are not.
 */
async function dropOrphan(db: Db, store: PictureStore, key: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [orphan] = await tx
      .select({ uploadId: objects.uploadId })
      .from(objects)
      .where(and(eq(objects.key, key), isLongUnneeded, sql`not ${isUsed}`))
      .for('update', { skipLocked: true })
    if (!orphan) return
    if (orphan.uploadId) await store.dropParts(key, orphan.uploadId)
    await store.dropArrived(key)
    await store.remove(namesOf(key))
    await tx.delete(objects).where(eq(objects.key, key))
  })
}
