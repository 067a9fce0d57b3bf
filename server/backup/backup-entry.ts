import { z } from 'zod'
import type { PictureType } from '#contract/pictures.ts'
import { CannotStart } from '#server/cannot-start.ts'

/** The parts of a backup: the manifest first, the end last. */
export type Entry =
  | { kind: 'manifest'; manifest: Manifest; encryption: Encryption }
  /** Whole rows of a table as PostgreSQL's COPY writes them. A large table comes in several entries. */
  | { kind: 'table'; name: string; columns: string[]; rows: Buffer }
  | { kind: 'picture'; name: string; type: PictureType; bytes: Buffer }
  | { kind: 'secret'; secret: string }
  | BackupEnd
/** A passphrase shows that the writer knew it too; to a public key everybody can encrypt who knows that key. */
export type Encryption = 'none' | 'passphrase' | 'public-key'
export type BackupEnd = { kind: 'end' } & z.infer<typeof endSchema>

const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const count = z.int().min(0)

export const manifestSchema = z.object({
  /** The version of the Till that wrote the backup. */
  version: z.string().max(50),
  /** The moment that the backup shows, by the database's clock. */
  createdAt: z.iso.datetime(),
  /** Applied migrations; their number is the schema version. */
  migrations: z.array(z.object({ version: count, name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.object({ name: identifier, rows: count, columns: z.array(identifier).min(1) })),
  /** Sequences of identity columns. A value may be larger than a number of JavaScript. */
  sequences: z.array(
    z.object({
      table: identifier,
      column: identifier,
      value: z.string().regex(/^\d{1,19}$/),
      isUsed: z.boolean(),
    }),
  ),
  /** Uploads in the database; each has several files. */
  pictures: z.object({ count, bytes: count }),
  secret: z.object({
    /** Only a secret that the shop generated is inside; one from the settings is the owner's to keep. */
    isIncluded: z.boolean(),
    /** Tells whether another secret is the same. */
    fingerprint: z.string().max(100),
  }),
})
export type Manifest = z.infer<typeof manifestSchema>

export const endSchema = z.object({
  pictures: count,
  /** Uploads whose files were not in the store. */
  missing: count,
  files: count,
})

/** Becomes a file name or the key of an object: nothing else is accepted. */
export const pictureName = z.string().regex(/^[0-9a-f]{32}(\.[a-z]{1,10}){0,2}$/)

/** A file of some kilobytes may unpack to gigabytes, so nothing larger is read. */
export const maxBytes = { rows: 64 * 1024 * 1024, picture: 64 * 1024 * 1024, secret: 1_000 }

/** The size from which on a group of rows is written. */
const groupBytes = 4 * 1024 * 1024

/** COPY writes one line for each row; line ends within a value are escaped. */
export const lineEnd = 0x0a

/** Groups what COPY hands out in small pieces. */
export async function* groupRows(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const piece of content) {
    size += piece.length
    const end = size < groupBytes ? 0 : piece.lastIndexOf(lineEnd) + 1
    if (end === 0) pieces.push(piece)
    else {
      yield Buffer.concat([...pieces, piece.subarray(0, end)])
      pieces = [piece.subarray(end)]
      size = piece.length - end
    }
    if (size > maxBytes.rows) throw new Error('a row is too large')
  }
  if (size > 0) yield Buffer.concat(pieces)
}

export function countRows(bytes: Buffer): number {
  let rows = 0
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) rows += 1
  return rows
}

export function damaged(path: string, cause?: unknown): CannotStart {
  return new CannotStart(
    `${path} is cut off or damaged: it is not what was written. Use another copy of it, or another backup.`,
    { cause },
  )
}

export function notBackup(path: string): CannotStart {
  return new CannotStart(`${path} is not a backup of Till.`)
}
