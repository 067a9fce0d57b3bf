import AwsS3, { type AwsBody } from '@uppy/aws-s3'
import Uppy from '@uppy/core'

import {
  maxPictureBytes,
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
    restrictions: { maxNumberOfFiles: 1, maxFileSize: maxPictureBytes[kind] },
  })

  const onSlowDown = (ms: number) =>
    uppy.getPlugin<PictureUploader>(PictureUploader.id)?.slowDown(ms)

  async function getAddress(signal: AbortSignal) {
    address = await askForAddress(kind, signal)
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
    uploadPartBytes: async ({ signature, body, onProgress, onComplete, signal = never }) => {
      // A part of a large file has an address of its own; only a whole file can get another one.
      const isWhole = address !== undefined
      const pace = {
        signal,
        onPause,
        onSlowDown,
        getNewAddress: async () => void (isWhole && (await getAddress(signal))),
      }
      const headers = await keepTrying(
        () =>
          putBytes({
            url: isWhole ? address?.uploadURL : signature.url,
            body: body as Blob,
            onProgress: (loaded) => onProgress({ loaded, lengthComputable: true }),
            signal,
          }),
        pace,
      )
      if (isWhole) await keepTrying(() => checkPicture(address?.objectPath ?? '', signal), pace)
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

  /** One line for all pictures: together they are six at once, and one that must slow down slows all. */
  static shared: unknown

  constructor(
    ...[uppy, options]: ConstructorParameters<typeof AwsS3<Record<string, never>, AwsBody>>
  ) {
    const { shared } = PictureUploader
    super(uppy, shared ? Object.assign({ rateLimitedQueue: shared }, options) : options)
    PictureUploader.shared ??= this.requests
  }

  /** The storage is too busy: nothing new starts for so long, and less at once after that. */
  slowDown(ms: number) {
    this.requests.rateLimit(ms)
  }
}
