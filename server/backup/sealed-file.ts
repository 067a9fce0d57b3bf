import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'
import { moveDurably } from '#server/durable-files.ts'
import { openByteReader, type ByteReader } from './byte-reader.ts'

/*
 * A compressed file that cannot be cut off, altered or reordered unnoticed. Its first line is JSON that says how to read
 * it. Then come chunks of the compressed content: 4 bytes with the length, whose highest bit marks the last chunk, the
 * bytes, and a tag over the first line, the chunk's number, whether it is the last, and the bytes. The tag is a SHA-256,
 * or that of AES-256-GCM if the file is encrypted, with a key from a passphrase (scrypt) that no other file has.
 */

/** Of the layout described above and of the entries inside. */
const formatVersion = 1
const maxChunkBytes = 256 * 1024
const lastChunkBit = 0x8000_0000
const maxHeaderBytes = 2_000

/** 64 MB and a fifth of a second: little for the shop, much for somebody who guesses. */
const scryptCost = { N: 65_536, r: 8, p: 2 }
const scryptMemory = 128 * 1024 * 1024

const headerSchema = z.object({
  till: z.literal('backup'),
  format: z.int().min(1),
  note: z.string(),
  /** Null for a file without a passphrase. `check` proves the passphrase. */
  encryption: z
    .object({
      scrypt: z.object({
        N: z.literal(scryptCost.N),
        r: z.literal(scryptCost.r),
        p: z.literal(scryptCost.p),
      }),
      salt: z.string().regex(/^[0-9a-f]{32}$/),
      check: z.string().regex(/^[0-9a-f]{64}$/),
    })
    .nullable(),
})
type Header = z.infer<typeof headerSchema>

const note =
  'Contains personal data of customers and secrets of the shop: keep it where only you can read it.'

/** Tells a crashed run's file from a complete one. */
export const partialSuffix = '.partial'

/**
 * Writes a file that is there completely or not at all, readable for its owner only. Returns its size.
 * `content` is read as it is written, so that memory stays flat.
 */
export async function writeSealedFile(
  path: string,
  content: AsyncIterable<Buffer>,
  { passphrase, signal }: { passphrase?: string | undefined; signal?: AbortSignal | undefined },
): Promise<number> {
  const draft = `${path}.${randomBytes(4).toString('hex')}${partialSuffix}`
  const { header, seal } = await createSeal(passphrase)
  const file = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw describeWriteError(path, error)
  })
  try {
    let bytes = 0
    await pipeline(
      content,
      createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
      (compressed: AsyncIterable<Buffer>) => sealChunks(compressed, header, seal),
      async (sealed: AsyncIterable<Buffer>) => {
        for await (const chunk of sealed) {
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
    await file.close()
  }
}

/**
 * Reads a file from beginning to end and hands on only bytes whose tag is right. Throws what is wrong with the file in
 * one sentence; `use` may have read a part of it then. `askPassphrase` is called for an encrypted file.
 */
export async function readSealedFile(
  path: string,
  askPassphrase: () => Promise<string>,
  use: (content: ByteReader) => Promise<void>,
  onBytes: (bytes: number) => void = () => {},
): Promise<{ isEncrypted: boolean }> {
  const file = createReadStream(path, { highWaterMark: maxChunkBytes })
  try {
    const reader = openByteReader(file)
    const line = await readHeaderLine(path, reader)
    const open = await createOpener(path, line, askPassphrase)
    onBytes(line.length)
    await pipeline(
      openChunks(path, reader, open, onBytes),
      createZstdDecompress(),
      async (content: AsyncIterable<Buffer>) => {
        const inner = openByteReader(content)
        await use(inner)
        if (!(await inner.isAtEnd())) throw damaged(path)
      },
    )
    return { isEncrypted: open.isEncrypted }
  } catch (error) {
    throw describeReadError(path, error)
  } finally {
    file.destroy()
  }
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

function describeReadError(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return new CannotStart(`There is no file ${path}.`)
  if (code === 'EACCES') return new CannotStart(`${path} may not be read by this user.`)
  if (code === 'EISDIR') return new CannotStart(`${path} is a folder.`)
  if (code.startsWith('ZSTD_') || code === 'Z_BUF_ERROR') return damaged(path)
  return error
}

export function damaged(path: string): CannotStart {
  return new CannotStart(
    `${path} is damaged: it is not what was written. Use another copy of it, or another backup.`,
  )
}

function cutOff(path: string): CannotStart {
  return new CannotStart(
    `${path} is cut off: its end is missing. Use another copy of it, or another backup.`,
  )
}

async function readHeaderLine(path: string, reader: ByteReader): Promise<Buffer> {
  const noBackup = new CannotStart(`${path} is not a backup of Till.`)
  const line = await reader.readLine(maxHeaderBytes)
  if (!line) throw noBackup
  const raw = parseJson(line)
  const named = z.object({ till: z.literal('backup'), format: z.int().min(1) }).safeParse(raw)
  if (!named.success) throw noBackup
  const { format } = named.data
  if (format > formatVersion)
    throw new CannotStart(
      `${path} was written by a newer Till (format ${format}, this one reads ${formatVersion}): restore it with that one.`,
    )
  return line
}

function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
}

type Seal = (bytes: Buffer, number: number, isLast: boolean) => Buffer
type Opener = {
  isEncrypted: boolean
  tagBytes: number
  /** Undefined if the tag is wrong. */
  open: (sealed: Buffer, number: number, isLast: boolean) => Buffer | undefined
}

const hashBytes = 32
const gcmTagBytes = 16

async function createSeal(passphrase: string | undefined): Promise<{ header: Buffer; seal: Seal }> {
  const encryption = passphrase === undefined ? undefined : await createEncryption(passphrase)
  const header: Header = {
    till: 'backup',
    format: formatVersion,
    note,
    encryption: encryption?.header ?? null,
  }
  const line = Buffer.from(`${JSON.stringify(header)}\n`)
  const context = hashOf(line)
  if (!encryption)
    return {
      header: line,
      seal: (bytes, number, isLast) =>
        Buffer.concat([bytes, hashOf(context, numberOf(number, isLast), bytes)]),
    }
  return {
    header: line,
    seal(bytes, number, isLast) {
      const cipher = createCipheriv('aes-256-gcm', encryption.key, numberOf(number, isLast))
      cipher.setAAD(context)
      return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    },
  }
}

async function createOpener(
  path: string,
  line: Buffer,
  askPassphrase: () => Promise<string>,
): Promise<Opener> {
  const parsed = headerSchema.safeParse(parseJson(line))
  if (!parsed.success) throw damaged(path)
  const { encryption } = parsed.data
  const context = hashOf(line)
  if (!encryption)
    return {
      isEncrypted: false,
      tagBytes: hashBytes,
      open(sealed, number, isLast) {
        const bytes = sealed.subarray(0, -hashBytes)
        const tag = hashOf(context, numberOf(number, isLast), bytes)
        return tag.equals(sealed.subarray(-hashBytes)) ? bytes : undefined
      },
    }
  const { key, check } = await deriveKey(await askPassphrase(), Buffer.from(encryption.salt, 'hex'))
  if (!timingSafeEqual(check, Buffer.from(encryption.check, 'hex')))
    throw new CannotStart(`The passphrase does not open ${path}.`)
  return {
    isEncrypted: true,
    tagBytes: gcmTagBytes,
    open(sealed, number, isLast) {
      const nonce = numberOf(number, isLast)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: gcmTagBytes })
      decipher.setAAD(context)
      decipher.setAuthTag(sealed.subarray(-gcmTagBytes))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(0, -gcmTagBytes)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}

async function createEncryption(passphrase: string) {
  const salt = randomBytes(16)
  const { key, check } = await deriveKey(passphrase, salt)
  return {
    key,
    header: { scrypt: scryptCost, salt: salt.toString('hex'), check: check.toString('hex') },
  }
}

async function deriveKey(
  passphrase: string,
  salt: Buffer,
): Promise<{ key: Buffer; check: Buffer }> {
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
  // The same passphrase typed on another keyboard may be other bytes.
  const text = passphrase.normalize('NFKC')
  const derived = await derive(text, salt, 64, { ...scryptCost, maxmem: scryptMemory })
  const check = createHmac('sha256', derived.subarray(32)).update('till backup').digest()
  return { key: derived.subarray(0, 32), check }
}

function hashOf(...parts: Buffer[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The number of a chunk and whether it is the last, in 12 bytes: a nonce that is used once per key. */
function numberOf(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64BE(BigInt(number))
  bytes[11] = isLast ? 1 : 0
  return bytes
}

async function* sealChunks(
  compressed: AsyncIterable<Buffer>,
  header: Buffer,
  seal: Seal,
): AsyncGenerator<Buffer> {
  yield header
  let pending = Buffer.alloc(0)
  let number = 0
  for await (const bytes of compressed) {
    pending = Buffer.concat([pending, bytes])
    // The last chunk is only known at the end, so one is held back.
    while (pending.length > maxChunkBytes) {
      yield frame(seal(pending.subarray(0, maxChunkBytes), number, false), maxChunkBytes, false)
      pending = pending.subarray(maxChunkBytes)
      number += 1
    }
  }
  yield frame(seal(pending, number, true), pending.length, true)
}

function frame(sealed: Buffer, length: number, isLast: boolean): Buffer {
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE((length | (isLast ? lastChunkBit : 0)) >>> 0)
  return Buffer.concat([prefix, sealed])
}

async function* openChunks(
  path: string,
  reader: ByteReader,
  { tagBytes, open }: Opener,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const prefix = await reader.read(4)
    if (!prefix) throw cutOff(path)
    const value = prefix.readUInt32BE()
    const isLast = value >= lastChunkBit
    const length = isLast ? value - lastChunkBit : value
    if (length > maxChunkBytes) throw damaged(path)
    const sealed = await reader.read(length + tagBytes)
    if (!sealed) throw cutOff(path)
    const bytes = open(sealed, number, isLast)
    if (!bytes) throw damaged(path)
    onBytes(prefix.length + sealed.length)
    yield bytes
    if (isLast) break
  }
  if (!(await reader.isAtEnd())) throw damaged(path)
}
