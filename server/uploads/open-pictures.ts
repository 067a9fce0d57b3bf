import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { maxPictureBytes, maxPixels } from '#contract/pictures.ts'
import type { Config } from '#server/config.ts'
import { allowIdleTransaction, type Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { openDiskStore } from './disk-store.ts'
import type { Pictures, PictureStore, UploadLimits } from './picture-store.ts'
import { openS3Store } from './s3-store.ts'
import { openWorkFolder } from './work-folder.ts'

type StoreConfig = Pick<Config, 'dataDir' | 'pictureStore'>

/** Where the shop keeps its pictures, ready to be written to. */
export async function openPictures(
  config: StoreConfig,
  secret: string,
  limits: Partial<UploadLimits> = {},
): Promise<Pictures> {
  const store = openPictureStore(config, secret)
  await store.prepare()
  return { store, limits: { ...maxPictureBytes, pixels: maxPixels, ...limits } }
}

/**
 * Pictures are kept on S3 if it is configured, otherwise in DATA_DIR. Opening makes no folder: a command that only reads, or
 * that may refuse, leaves nothing behind.
 */
export function openPictureStore(
  { dataDir, pictureStore }: StoreConfig,
  secret: string,
): PictureStore {
  const folder = join(dataDir, 'objects')
  const work = openWorkFolder(join(folder, 'work'))
  return pictureStore ? openS3Store(pictureStore, work) : openDiskStore(folder, work, secret)
}

/** Must differ from all other advisory locks in this database. */
const storeIdLock = 7_411_012
const storeIdName = 'store-id'
/** Two requests to S3. */
const maxIdleSeconds = 30

/**
 * Equal for nodes that share their pictures. A store is known by an id in it: a folder that several machines mount may have
 * another path on each, and two S3 servers a bucket of the same name. A store that cannot be used does not stop the start.
 */
export async function identifyPictureStore(
  { dataDir, databaseUrl, pictureStore }: Pick<Config, 'dataDir' | 'databaseUrl' | 'pictureStore'>,
  { store }: Pictures,
  db: Db,
): Promise<string> {
  const place = pictureStore ? `bucket ${pictureStore.bucket}` : 'folder'
  // Nobody shares the built-in database.
  if (!databaseUrl) return place
  try {
    return `${place} ${(await findStoreId(store)) ?? (await createStoreId(store, db))}`
  } catch {
    return pictureStore ? place : `folder ${hostname()}:${resolve(dataDir)}`.slice(0, 300)
  }
}

async function findStoreId(store: PictureStore): Promise<string | undefined> {
  const file = await store.findFile(storeIdName)
  return file && text(file.bytes)
}

/** Creates the store's id, once even if several nodes start at the same time. */
async function createStoreId(store: PictureStore, db: Db): Promise<string> {
  return db.transaction(async (tx) => {
    await allowIdleTransaction(tx, maxIdleSeconds)
    await tx.execute(sql`select pg_advisory_xact_lock(${storeIdLock})`)
    const found = await findStoreId(store)
    if (found) return found
    const id = randomUUID()
    await store.writeFile(storeIdName, Buffer.from(id), 'text/plain')
    return id
  })
}
