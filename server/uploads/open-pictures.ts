import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { maxPictureBytes, maxPixels } from '#contract/pictures.ts'
import type { Config } from '#server/config.ts'
import { openDiskStore } from './disk-store.ts'
import type { Pictures, UploadLimits } from './picture-store.ts'
import { openS3Store } from './s3-store.ts'
import { openWorkFolder } from './work-folder.ts'

/** Pictures are kept on S3 if it is configured, otherwise in DATA_DIR. */
export async function openPictures(
  config: Pick<Config, 'dataDir' | 'pictureStore'>,
  secret: string,
  limits: Partial<UploadLimits> = {},
): Promise<Pictures> {
  const folder = join(config.dataDir, 'objects')
  const work = await openWorkFolder(join(folder, 'work'))
  const store = config.pictureStore
    ? openS3Store(config.pictureStore, work)
    : await openDiskStore(folder, work, secret)
  return { store, limits: { ...maxPictureBytes, pixels: maxPixels, ...limits } }
}

/**
 * Equal for nodes that share their pictures. A folder is known by a file in it, since a folder that several machines mount
 * may have another path on each.
 */
export async function identifyPictureStore({
  dataDir,
  pictureStore,
}: Pick<Config, 'dataDir' | 'pictureStore'>): Promise<string> {
  if (pictureStore) return `bucket ${pictureStore.bucket}`
  const folder = join(dataDir, 'objects')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'folder-id')
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, randomUUID(), { flag: 'wx', flush: true })
  // Of two nodes that start at once, one wins.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft, { force: true })
  return `folder ${await readFile(file, 'utf8')}`
}
