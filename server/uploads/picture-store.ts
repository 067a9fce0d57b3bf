import type { Readable } from 'node:stream'
import type { PictureKind, PictureSize } from '#contract/pictures.ts'
import { sizeFormats, sizes, type SizeFormat } from './picture-sizes.ts'

/** How long an address to upload to is good for, in seconds. */
export const uploadSeconds = 604_800

/** An upload that is about to happen. `now` is the database's clock, in seconds. */
export type ExpectedUpload = { key: string; kind: PictureKind; most: number; now: number }

/** A part that has arrived, by the names that uploaders use. */
export type Part = { PartNumber: number; Size: number; ETag: string }
export type NamedPart = Pick<Part, 'PartNumber' | 'ETag'>

/** A file of ours with what was uploaded. */
export type Arrived = { path: string; discard: () => Promise<void> }

/**
 * Where pictures are kept. Bytes arrive in one place and are served from another: in between lies
 * the check (accept.ts), and nothing that is sent later reaches what is served.
 */
export type PictureStore = {
  /** Absolute, or for the disk below `origin`, the address of the shop that was asked. */
  uploadUrl: (upload: ExpectedUpload, origin: string) => Promise<string>
  maybeArrived: (key: string, most: number) => Promise<Arrived | undefined>
  dropArrived: (key: string) => Promise<void>

  /** Whole or not at all, and there to stay when this is done. */
  put: (name: string, content: Buffer | { path: string }, type: string) => Promise<void>
  maybeRead: (name: string) => Promise<{ size: number; bytes: Readable } | undefined>
  remove: (names: string[]) => Promise<void>

  beginParts: (key: string) => Promise<string>
  partUrl: (
    upload: ExpectedUpload & { uploadId: string; partNumber: number },
    origin: string,
  ) => Promise<string>
  listParts: (key: string, uploadId: string) => Promise<Part[]>
  joinParts: (key: string, uploadId: string, parts: NamedPart[], most: number) => Promise<void>
  dropParts: (key: string, uploadId: string) => Promise<void>

  /** Removes what nobody came back for. */
  dropStale: () => Promise<void>
  /** Says why pictures could not be kept right now, if so. */
  maybeTrouble: () => Promise<string | undefined>
}

/** How long a file that is being written may lie still. In ms, as below. */
export const staleMs = 24 * 60 * 60 * 1000

/** How long an unfinished upload waits for the rest: while an address of it is good, and a day for who came last. */
export const unfinishedMs = uploadSeconds * 1000 + staleMs

export function nameOfSize(key: string, size: PictureSize, format: SizeFormat): string {
  return `${key}.${size}.${format}`
}

/** Everything that is kept of a picture. */
export function namesOf(key: string): string[] {
  return [
    key,
    ...sizes.flatMap((size) => sizeFormats.map((format) => nameOfSize(key, size, format))),
  ]
}
