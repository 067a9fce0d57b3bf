import { objectUrl } from '#contract/pictures.ts'
import { shopSettings } from '#server/db/admin-schema.ts'
import { allowIdleTransaction, type Db } from '#server/db/database.ts'
import { and, eq, lt, or, sql, type SQL } from '#server/db/drizzle.ts'
import { claimJob, finishJob } from '#server/db/node-jobs.ts'
import { objects, products } from '#server/db/schema.ts'
import { deleteObject, touchObject } from './objects.ts'
import { listFileNames, unfinishedMs, type PictureStore } from './picture-store.ts'

/** Per run; the next run takes the next. */
const batchSize = 500
/** For the store to delete the files of one picture. */
const maxStoreSeconds = 60

/** What products and settings show. Deleted products count too: their orders and open checkouts show their pictures. */
const ofShop = [
  sql`select image_url as url from ${products}`,
  sql`select header_logo_url from ${products}`,
  sql`select value->>'imageUrl' from ${products} cross join jsonb_array_elements(choice->'values') as of_choice (value)`,
  sql`select values->'shop'->>'logoUrl' from ${shopSettings}`,
]
/** Some checkout shows it: a form that led to nothing is deleted one day. */
const isOpened = sql`exists (select from checkouts where shown_version = shown_products.version)`
/** What was sold. Read once for all pictures of a run, because these tables are large and have no index of pictures. */
const ofSales = [
  sql`select product->>'imageUrl' as url from orders`,
  sql`select product->>'headerLogoUrl' from orders`,
  sql`select product->>'imageUrl' from shown_products where ${isOpened}`,
  sql`select product->>'headerLogoUrl' from shown_products where ${isOpened}`,
  sql`select chosen->>'imageUrl' from checkouts where chosen is not null`,
]

async function findUsed(db: Db, keys: string[], sources: SQL[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await db.execute<{ url: string }>(sql`
    select distinct url from (${sql.join(sources, sql` union all `)}) as shown
    where url = any(${sql.param(keys.map(objectUrl))}::text[])`)
  const used = new Set(rows.map(({ url }) => url))
  return new Set(keys.filter((key) => used.has(objectUrl(key))))
}

/** A day for stored pictures; unfinished uploads are kept while their URLs are valid. */
const isExpired = and(
  lt(objects.neededAt, sql`now() - interval '24 hours'`),
  or(
    sql`${objects.storedAt} is not null`,
    lt(objects.neededAt, sql`now() - make_interval(secs => ${unfinishedMs / 1000})`),
  ),
)

const jobName = 'unused pictures'
const everyMinutes = 14
/** Longer than a run takes; after a crash another node takes over after this. */
const holdMinutes = 30

/** Runs unless a node has done so lately, or is doing it. Unfinished files are each node's own. */
export async function deleteUnusedPicturesIfDue(db: Db, store: PictureStore): Promise<void> {
  const claimed = await claimJob(db, jobName, holdMinutes)
  if (!claimed) return store.deleteStale()
  await deleteUnusedPictures(db, store)
  await finishJob(db, jobName, { doneUntil: claimed.now, dueInMinutes: everyMinutes })
}

/** Deletes pictures that nothing shows, and uploads that were never finished. */
export async function deleteUnusedPictures(db: Db, store: PictureStore): Promise<void> {
  const expired = await db
    .select({ key: objects.key })
    .from(objects)
    .where(isExpired)
    .orderBy(objects.neededAt)
    .limit(batchSize)
  const keys = expired.map(({ key }) => key)
  const shown = await findUsed(db, keys, ofShop)
  const others = keys.filter((key) => !shown.has(key))
  const sold = await findUsed(db, others, ofSales)
  for (const key of keys) {
    // A picture in use is not looked at again for a day.
    if (shown.has(key) || sold.has(key)) await touchObject(db, key)
    else await deleteIfUnused(db, store, key)
  }
  await store.deleteStale()
}

/**
 * Checks again under a lock: a product that is being saved has touched its picture (checkPictures), or waits for the
 * lock and finds all of the picture gone. What was sold meanwhile shows pictures of such products only. The files go first, since
 * a row without files is found again, but files without a row are not.
 */
async function deleteIfUnused(db: Db, store: PictureStore, key: string): Promise<void> {
  await db.transaction(async (tx) => {
    await allowIdleTransaction(tx, maxStoreSeconds)
    const [unused] = await tx
      .select({ uploadId: objects.uploadId })
      .from(objects)
      .where(and(eq(objects.key, key), isExpired))
      .for('update', { skipLocked: true })
    if (!unused || (await findUsed(tx, [key], ofShop)).size > 0) return
    if (unused.uploadId) await store.abortMultipart(key, unused.uploadId)
    await store.deleteUpload(key)
    await store.deleteFiles(listFileNames(key))
    await deleteObject(tx, key)
  })
}
