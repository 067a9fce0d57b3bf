import { z } from 'zod'
import { pictureTypes } from '#contract/pictures.ts'
import type { ByteReader } from './byte-reader.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { damaged, readSealedFile, writeSealedFile } from './sealed-file.ts'

/*
 * What is inside a backup: a list of entries, each a line of JSON and then its content in blocks, each with 4 bytes of
 * length before it; an empty block ends it. The manifest comes first, then each table as PostgreSQL's COPY writes it
 * (text, so that any PostgreSQL reads it), the pictures, the secret, and the end.
 */

const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const count = z.int().min(0)

const manifestSchema = z.object({
  /** Of the Till that wrote it. */
  version: z.string().max(50),
  /** The moment that the backup shows, by the database's clock. */
  createdAt: z.iso.datetime(),
  /** Those applied; their number is the schema version. */
  migrations: z.array(z.object({ version: count, name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.object({ name: identifier, rows: count })),
  /** Of identity columns. The value may be larger than a number of JavaScript. */
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

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('manifest'), manifest: manifestSchema }),
  z.object({ kind: z.literal('table'), name: identifier, columns: z.array(identifier).min(1) }),
  z.object({
    kind: z.literal('picture'),
    /** Becomes a file name or the key of an object: nothing else is accepted. */
    name: z.string().regex(/^[0-9a-f]{32}(\.[a-z]{1,10}){0,2}$/),
    type: z.enum(pictureTypes),
  }),
  z.object({ kind: z.literal('secret') }),
  z.object({
    kind: z.literal('end'),
    pictures: count,
    /** Uploads whose files were not in the store. */
    missing: count,
    files: count,
  }),
])
export type EntryHead = z.infer<typeof entrySchema>
export type BackupEnd = Extract<EntryHead, { kind: 'end' }>
export type Entry = { head: EntryHead; content: AsyncIterable<Buffer> }

/** Of an entry's first line; that of a large table is far below. */
const maxHeadBytes = 1_000_000
const blockBytes = 64 * 1024
/** Written blocks are smaller; a longer one is no block of ours. */
const maxBlockBytes = 16 * 1024 * 1024

/** Of one entry's content: a file of some kilobytes may unpack to gigabytes. Tables are never in memory as a whole. */
const maxContentBytes: Record<EntryHead['kind'], number> = {
  manifest: 0,
  table: Infinity,
  picture: 64 * 1024 * 1024,
  secret: 1_000,
  end: 0,
}

export function writeBackupFile(
  path: string,
  entries: AsyncIterable<Entry>,
  options: Parameters<typeof writeSealedFile>[2],
): Promise<number> {
  return writeSealedFile(path, encodeEntries(entries), options)
}

async function* encodeEntries(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const { head, content } of entries) {
    yield Buffer.from(`${JSON.stringify(head)}\n`)
    for await (const block of inBlocks(content)) {
      yield lengthOf(block)
      yield block
    }
    yield lengthOf(Buffer.alloc(0))
  }
}

function lengthOf(block: Buffer): Buffer {
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE(block.length)
  return prefix
}

/** COPY hands out many small pieces. */
async function* inBlocks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const piece of content) {
    pieces.push(piece)
    size += piece.length
    if (size < blockBytes) continue
    yield Buffer.concat(pieces)
    pieces = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pieces)
}

/**
 * Reads a backup from its first byte to its last. `use` gets each entry in turn, the manifest first and the end last;
 * what it does not read of a content is skipped.
 */
export async function readBackupFile(
  path: string,
  askPassphrase: () => Promise<string>,
  use: (entry: Entry) => Promise<void>,
  onBytes?: (bytes: number) => void,
): Promise<{ isEncrypted: boolean }> {
  const readEntries = async (reader: ByteReader) => {
    let kind: EntryHead['kind'] | undefined
    do {
      const head = await readHead(path, reader)
      if ((kind === undefined) !== (head.kind === 'manifest')) throw damaged(path)
      kind = head.kind
      const content = readContent(path, reader, maxContentBytes[kind])
      await use({ head, content })
      for await (const _skipped of content);
    } while (kind !== 'end')
  }
  return readSealedFile(path, askPassphrase, readEntries, onBytes)
}

async function readHead(path: string, reader: ByteReader): Promise<EntryHead> {
  const line = await reader.readLine(maxHeadBytes)
  if (!line) throw damaged(path)
  let parsed
  try {
    parsed = entrySchema.safeParse(JSON.parse(line.toString('utf8')))
  } catch {
    throw damaged(path)
  }
  // Its tags are right, so it is what was written, and that is not what this version reads.
  if (!parsed.success) throw new CannotStart(`${path} holds something that this Till cannot read.`)
  return parsed.data
}

async function* readContent(
  path: string,
  reader: ByteReader,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  for (let left = maxBytes; ;) {
    const prefix = await reader.read(4)
    const length = prefix?.readUInt32BE() ?? Infinity
    if (length === 0) return
    left -= length
    const block = length <= maxBlockBytes && left >= 0 ? await reader.read(length) : undefined
    if (!block) throw damaged(path)
    yield block
  }
}
