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
