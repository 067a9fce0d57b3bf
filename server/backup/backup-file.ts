import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pipeline as connect } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { promisify } from 'node:util'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { createTarDecoder, createTarPacker, type TarPackController } from 'modern-tar'
import { z } from 'zod'
import { pictureTypes } from '#contract/pictures.ts'
import { CannotStart, madeBeforeFirstRelease } from '#server/cannot-start.ts'
import { moveDurably } from '#server/durable-files.ts'
import {
  damaged,
  endSchema,
  manifestSchema,
  maxBytes,
  notBackup,
  pictureName,
  type Encryption,
  type Entry,
  type Manifest,
} from './backup-entry.ts'
import { decrypt, encrypt, encryptedStart, isSecretKey } from './encryption.ts'

/*
 * The file of a backup: a tar, compressed with zstd and, with a passphrase, encrypted with age. It opens without Till:
 *
 *   age -d shop.backup | zstd -d | tar x
 *
 * manifest.json       what is in it
 * tables/orders/…     rows as PostgreSQL's COPY writes them (text), in files of some megabytes
 * pictures/image/…    the files of uploads, by their type
 * secret              of the shop, if it was generated
 * end.json            without it the file is not complete
 */

/** Formats 1 and 2 are from before 1.0. */
const format = 3
/** What a file of format 1 begins with, encrypted or not. Format 2 is told by its manifest. */
const firstFormatStart = '{"till":"backup",'

const note =
  'Contains personal data of customers and secrets of the shop: keep it where only you can read it. ' +
  'Rows of tables are in the text format of COPY, with the columns named here.'

/** Written entries name the columns in the manifest. */
export type WrittenEntry =
  | { kind: 'manifest'; manifest: Manifest }
  | Omit<Extract<Entry, { kind: 'table' }>, 'columns'>
  | Exclude<Entry, { kind: 'manifest' | 'table' }>

/** Tells a crashed run's file from a complete one. */
export const partialSuffix = '.partial'

/**
 * Writes a file that is there completely or not at all, readable for its owner only. Returns its size.
 * `entries` are read as they are written, so that memory stays flat.
 */
export async function writeBackupFile(
  path: string,
  entries: AsyncIterable<WrittenEntry>,
  { passphrase, signal }: { passphrase?: string | undefined; signal?: AbortSignal | undefined },
): Promise<number> {
  const draft = `${path}.${randomBytes(4).toString('hex')}${partialSuffix}`
  const file = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw describeWriteError(path, error)
  })
  const { readable: tar, controller } = createTarPacker()
  const packing = packEntries(entries, controller)
  try {
    let bytes = 0
    await pipeline(
      tar,
      compress,
      (content: AsyncIterable<Buffer>) =>
        passphrase === undefined ? content : encrypt(toWeb(content), passphrase),
      async (content: AsyncIterable<Uint8Array>) => {
        for await (const chunk of content) {
          await file.writeFile(chunk)
          bytes += chunk.length
        }
      },
      { ...(signal && { signal }) },
    )
    await file.sync()
    await moveDurably(draft, dirname(path), basename(path))
    return bytes
  } catch (error) {
    await rm(draft, { force: true })
    throw describeWriteError(path, error)
  } finally {
    await packing
    await file.close()
  }
}

/** Compresses to one frame: Node adds an empty one if the end comes while a chunk is still being compressed. */
async function* compress(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 }
  const zstd = createZstdCompress({ params })
  const write = promisify<Uint8Array, void>(zstd.write.bind(zstd))
  const writing = (async () => {
    for await (const chunk of content) await write(chunk)
    zstd.end()
  })().catch((error: unknown) => zstd.destroy(error as Error))
  yield* zstd
  await writing
}

/** Never throws: what goes wrong is told to whoever reads the tar. */
async function packEntries(
  entries: AsyncIterable<WrittenEntry>,
  controller: TarPackController,
): Promise<void> {
  try {
    let number = 0
    for await (const entry of entries) {
      number += 1
      const { name, bytes } = toFile(entry, number)
      const writer = controller.add({ name, size: bytes.length, mode: 0o600 }).getWriter()
      await writer.write(bytes)
      await writer.close()
    }
    controller.finalize()
  } catch (error) {
    controller.error(error)
  }
}

function toFile(entry: WrittenEntry, number: number): { name: string; bytes: Buffer } {
  switch (entry.kind) {
    case 'manifest':
      return { name: 'manifest.json', bytes: toJson({ format, note, ...entry.manifest }) }
    case 'table': {
      const name = `tables/${entry.name}/${String(number).padStart(6, '0')}.copy`
      return { name, bytes: entry.rows }
    }
    case 'picture':
      return { name: `pictures/${entry.type}/${entry.name}`, bytes: entry.bytes }
    case 'secret':
      return { name: 'secret', bytes: Buffer.from(entry.secret) }
    case 'end': {
      const { kind: _kind, ...end } = entry
      return { name: 'end.json', bytes: toJson(end) }
    }
  }
}

function toJson(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

const writeProblems: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
}

function describeWriteError(path: string, error: unknown): unknown {
  const isFileError = error instanceof Error && 'code' in error && 'syscall' in error
  const problem = isFileError ? writeProblems[String(error.code)] : undefined
  return problem ? new CannotStart(`${path} could not be written: ${problem}.`) : error
}

type ReadOptions = {
  /** Called for an encrypted file. */
  askPassphrase: () => Promise<string>
  /** How much of the file is read. */
  onBytes?: (bytes: number) => void
}

/**
 * Reads a backup from its first byte to its last. Throws what is wrong with the file in one sentence, after the last entry
 * at the latest: until then nothing that was read is proven to be whole.
 */
export async function* readBackupFile(path: string, options: ReadOptions): AsyncGenerator<Entry> {
  try {
    const start = await readStart(path)
    if (start.startsWith(firstFormatStart)) throw new CannotStart(madeBeforeFirstRelease)
    const isEncrypted = start === encryptedStart
    if (!isEncrypted && !start.startsWith(zstdStart)) throw notBackup(path)
    yield* readEntries(path, isEncrypted, options)
  } catch (error) {
    throw describeReadError(path, error)
  }
}

/** The magic number of zstd. */
const zstdStart = '\u0028\u00b5\u002f\u00fd'

async function readStart(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(encryptedStart.length))
  return buffer.toString('latin1', 0, bytesRead)
}

async function* readEntries(
  path: string,
  isEncrypted: boolean,
  { askPassphrase, onBytes = () => {} }: ReadOptions,
): AsyncGenerator<Entry> {
  const file = createReadStream(path)
  try {
    const key = isEncrypted ? await askPassphrase() : undefined
    const compressed = key === undefined ? file : decrypt(path, toWeb(file), key)
    // Errors end the stream, and so reach whoever reads it.
    const zstd = createZstdDecompress()
    const tar = connect(compressed, zstd, () => {})
    const decoder = createTarDecoder({ strict: true })
    let manifest: Manifest | undefined
    let isComplete = false
    for await (const { header, body } of toWeb(tar).pipeThrough(decoder)) {
      const { name, size, type } = header
      if (!manifest && name !== 'manifest.json') throw notBackup(path)
      if (isComplete || type !== 'file' || size > (maxFileBytes[name.split('/')[0] ?? ''] ?? 0))
        throw damaged(path)
      const bytes = await buffer(body)
      onBytes(file.bytesRead)
      if (!manifest) {
        manifest = parseManifest(path, bytes)
        yield { kind: 'manifest', manifest, encryption: encryptionBy(key) }
        continue
      }
      const entry = toEntry(name, bytes, manifest)
      if (!entry) throw damaged(path)
      isComplete = entry.kind === 'end'
      yield entry
    }
    // zstd stops where its content ends, whatever follows.
    const isLonger = !isEncrypted && zstd.bytesWritten < file.bytesRead
    if (!isComplete || isLonger) throw damaged(path)
  } finally {
    file.destroy()
  }
}

function encryptionBy(key: string | undefined): Encryption {
  if (key === undefined) return 'none'
  return isSecretKey(key) ? 'public-key' : 'passphrase'
}

/** The libraries name the global type, which the server's compiler knows as that of browsers. */
function toWeb(content: AsyncIterable<Uint8Array>): globalThis.ReadableStream<Uint8Array> {
  return ReadableStream.from(content) as unknown as globalThis.ReadableStream<Uint8Array>
}

/** The largest size of a file, by its name or folder. Nothing is read of files that are not listed. */
const maxFileBytes: Record<string, number> = {
  'manifest.json': 16 * 1024 * 1024,
  tables: maxBytes.rows,
  pictures: maxBytes.picture,
  secret: maxBytes.secret,
  'end.json': 1_000,
}

function parseManifest(path: string, bytes: Buffer): Manifest {
  const json = parseJson(bytes)
  const named = z.object({ format: z.int() }).safeParse(json)
  if (named.success && named.data.format < format) throw new CannotStart(madeBeforeFirstRelease)
  if (named.success && named.data.format > format)
    throw new CannotStart(
      `${path} was written by a newer Till (format ${named.data.format}, this one reads ${format}): restore it with that one.`,
    )
  const parsed = manifestSchema.safeParse(json)
  if (!parsed.success) throw damaged(path)
  return parsed.data
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** Undefined if it is nothing of ours. */
function toEntry(file: string, bytes: Buffer, { tables }: Manifest): Entry | undefined {
  const [kind = '', ...place] = file.split('/')
  switch (kind) {
    case 'tables': {
      const table = tables.find(({ name }) => name === place[0])
      return table && { kind: 'table', name: table.name, columns: table.columns, rows: bytes }
    }
    case 'pictures': {
      const type = pictureTypes.find((one) => one === place.slice(0, -1).join('/'))
      const name = pictureName.safeParse(place.at(-1))
      return type && name.success ? { kind: 'picture', name: name.data, type, bytes } : undefined
    }
    case 'secret':
      return { kind, secret: bytes.toString() }
    case 'end.json': {
      const end = endSchema.safeParse(parseJson(bytes))
      return end.success ? { kind: 'end', ...end.data } : undefined
    }
    default:
      return undefined
  }
}

const readProblems: Record<string, (path: string) => string> = {
  ENOENT: (path) => `There is no file ${path}.`,
  EACCES: (path) => `${path} may not be read by this user.`,
  EISDIR: (path) => `${path} is a folder.`,
}

/** Errors of the file system stay what they are; all others say that the content is not what it should be. */
function describeReadError(path: string, error: unknown): unknown {
  if (error instanceof CannotStart) return error
  const isFileError = error instanceof Error && 'code' in error && 'syscall' in error
  if (!isFileError) return damaged(path, error)
  const describe = readProblems[String(error.code)]
  return describe ? new CannotStart(describe(path)) : error
}
