import AwsS3, { type AwsBody } from '@uppy/aws-s3'
import Uppy from '@uppy/core'

import {
  largestPicture,
  objectUrl,
  type PictureKind,
  type UploadAddress,
} from '#contract/pictures.ts'

import { keepTrying, type Pause } from './keep-trying.ts'
import { putBytes } from './put-bytes.ts'
import { retryDelaysMs } from './retry-decision.ts'
import { askForAddress, checkPicture } from './upload-address.ts'

const uploadsAtOnce = 6
const multipartAboveBytes = 100 * 1024 * 1024

/** What is wrong is shown beside the field, not written into the console. */
const logger = { debug: () => {}, warn: () => {}, error: () => {} }

type PictureUppyOptions = { kind: PictureKind; onPause: (pause: Pause) => void }

/**
 * Uppy for one picture, without a face. Uppy 5 never repeats an upload that is a single request and
 * hangs when the answer hides its ETag, so sending the bytes is ours: see keep-trying.ts.
 */
export function createPictureUppy({ kind, onPause }: PictureUppyOptions) {
  let address: UploadAddress | undefined
  const uppy = new Uppy<Record<string, never>, AwsBody>({
    id: kind,
    logger,
    restrictions: { maxNumberOfFiles: 1, maxFileSize: largestPicture[kind] },
  })

  async function getAddress(signal: AbortSignal) {
    address = await askForAddress(kind, signal, (isOffline) =>
      onPause(isOffline ? 'offline' : 'none'),
    )
    return address
  }

  uppy.use(PictureUploader, {
    endpoint: objectUrl(''),
    limit: uploadsAtOnce,
    retryDelays: retryDelaysMs,
    shouldUseMultipart: (file) => (file.size ?? 0) > multipartAboveBytes,
    getUploadParameters: async (_file, { signal }) => ({
      method: 'PUT',
      url: (await getAddress(signal ?? never)).uploadURL,
    }),
    uploadPartBytes: async ({ body, onProgress, onComplete, signal = never }) => {
      const pace = {
        signal,
        onPause,
        onSlowDown: (ms: number) =>
          uppy.getPlugin<PictureUploader>(PictureUploader.id)?.slowDown(ms),
        getNewAddress: async () => void (await getAddress(signal)),
      }
      const headers = await keepTrying(
        () =>
          putBytes({
            url: address?.uploadURL,
            body: body as Blob,
            onProgress: (loaded) => onProgress({ loaded, lengthComputable: true }),
            signal,
          }),
        pace,
      )
      await keepTrying(() => checkPicture(address?.objectPath ?? '', signal), pace)
      const ETag = headers.get('etag') ?? ''
      onComplete(ETag)
      return { ETag }
    },
  })
  return { uppy, readObjectPath: () => address?.objectPath ?? '' }
}

/** Nobody cancels this one. */
const never = new AbortController().signal

class PictureUploader extends AwsS3<Record<string, never>, AwsBody> {
  static readonly id = 'AwsS3Multipart'

  /** The storage is too busy: nothing new starts for so long, and less at once after that. */
  slowDown(ms: number) {
    this.requests.rateLimit(ms)
  }
}
