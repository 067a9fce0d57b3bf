import type { Readable } from 'node:stream'
import { pictureSizes, type PictureKind, type PictureSize } from '#contract/pictures.ts'
import { Refusal } from '#contract/refusals.ts'

/** How long an upload URL is valid. */
export const uploadUrlSeconds = 604_800
/** A temporary file this old was left behind by a crash. */
export const staleMs = 24 * 60 * 60 * 1000
/** An unfinished upload is kept while one of its URLs may still be valid, and a day longer. */
export const unfinishedMs = uploadUrlSeconds * 1000 + staleMs

/** Maximum bytes of a file by its kind, and maximum pixels of a picture. */
export type UploadLimits = Record<PictureKind, number> & { pixels: number }

export type Pictures = { store: PictureStore; limits: UploadLimits }

export function tooLarge(maxBytes: number): Refusal {
  const megabytes = Number((maxBytes / 1024 / 1024).toFixed(1))
  return new Refusal('picture-too-large', {
    text: `This file is larger than ${megabytes} MB. Please upload a smaller picture.`,
  })
}

/** What an upload URL allows. `now` is the database's clock, in seconds. */
export type UploadGrant = {
  key: string
  kind: PictureKind
  maxBytes: number
  now: number
  part?: { uploadId: string; partNumber: number }
}

/** An uploaded part, with the field names of S3 and its clients. */
export type Part = { PartNumber: number; Size: number; ETag: string }
export type NamedPart = Pick<Part, 'PartNumber' | 'ETag'>

/**
 * Where pictures are kept. Uploads and served files are separate: between them is the check in accept.ts, so that no
 * later upload changes what is served.
 */
export type PictureStore = {
  /** Makes the folders that files are written to. Reading needs none. */
  prepare: () => Promise<void>

  /** `origin` is that of the shop as the browser sees it; S3 has its own. */
  createUploadUrl: (grant: UploadGrant, origin: string) => Promise<string>
  /** A local copy of what was uploaded, until it is discarded. */
  findUpload: (
    key: string,
    maxBytes: number,
  ) => Promise<{ path: string; discard: () => Promise<void> } | undefined>
  deleteUpload: (key: string) => Promise<void>

  /** Atomic and durable. */
  writeFile: (name: string, content: Buffer | { path: string }, type: string) => Promise<void>
  findFile: (name: string) => Promise<{ size: number; bytes: Readable } | undefined>
  deleteFiles: (names: string[]) => Promise<void>

  createMultipart: (key: string) => Promise<string>
  listParts: (key: string, uploadId: string) => Promise<Part[]>
  /** Turns the parts into an upload. They stay until aborted, so that a lost answer can be asked for again. */
  completeMultipart: (
    key: string,
    uploadId: string,
    parts: NamedPart[],
    maxBytes: number,
  ) => Promise<void>
  abortMultipart: (key: string, uploadId: string) => Promise<void>

  deleteStale: () => Promise<void>
  /** Why pictures cannot be stored right now. */
  findProblem: () => Promise<string | undefined>

  /** Only where the shop receives the bytes itself; for S3 browsers send them to the bucket. */
  receiver: UploadReceiver | undefined
}

/** A file in the work folder, with what was sent. */
export type ReceivedFile = { path: string; md5: string; size: number }

export type UploadReceiver = {
  /** Refuses a URL that is not ours, was altered or has expired. */
  verifyUrl: (query: unknown, grant: UploadGrant) => void
  receive: (bytes: Readable, maxBytes: number) => Promise<ReceivedFile>
  saveUpload: (key: string, path: string) => Promise<void>
  savePart: (uploadId: string, partNumber: number, received: ReceivedFile) => Promise<void>
}

/** The formats of resized pictures. Every current browser shows WebP. */
export const resizedTypes = { avif: 'image/avif', webp: 'image/webp' } as const
export type ResizedFormat = keyof typeof resizedTypes

export function formatResizedName(key: string, size: PictureSize, format: ResizedFormat): string {
  return `${key}.${size}.${format}`
}

/** All resized files of a picture. */
export function listResized(key: string) {
  return (Object.keys(pictureSizes) as PictureSize[]).flatMap((size) =>
    (Object.keys(resizedTypes) as ResizedFormat[]).map((format) => ({
      name: formatResizedName(key, size, format),
      size,
      format,
    })),
  )
}

/** The whole picture as it is served. The file named by the key alone is what was uploaded, and is never served. */
export function formatPublicName(key: string): string {
  return `${key}.public`
}

export function listFileNames(key: string): string[] {
  return [key, formatPublicName(key), ...listResized(key).map(({ name }) => name)]
}
