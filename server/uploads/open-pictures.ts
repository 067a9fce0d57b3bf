import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { Pictures } from './accept.ts'
import { openDiskStore, type Inbox } from './disk-store.ts'
import { uploadLimits, type UploadLimits } from './limits.ts'
import { openS3Store } from './s3-store.ts'
import { openWorkFolder } from './work-folder.ts'

export type OpenPictures = Pictures & {
  /** Where the shop itself takes the bytes; absent where they go to S3. */
  inbox: Inbox | undefined
}

/** Pictures on S3 where it is configured, else in DATA_DIR. */
export async function openPictures(
  config: Pick<Config, 'dataDir' | 'pictureStore'>,
  secret: string,
  otherLimits: Partial<UploadLimits> = {},
): Promise<OpenPictures> {
  const folder = join(config.dataDir, 'objects')
  const limits = uploadLimits(otherLimits)
  const work = await openWorkFolder(join(folder, 'work'))
  if (config.pictureStore)
    return { limits, inbox: undefined, store: openS3Store(config.pictureStore, work) }
  return { limits, ...(await openDiskStore(folder, work, secret)) }
}
