import { createDecipheriv, createHash, createHmac, scrypt, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createZstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { pictureTypes } from '#contract/pictures.ts'
import { CannotStart } from '#server/cannot-start.ts'
import {
  damaged,
  endSchema,
  groupRows,
  identifier,
  manifestSchema,
  maxBytes,
  pictureName,
  type Entry,
} from './backup-entry.ts'

/*
 * Reads backups of format 1, which Till wrote until 0.1. The first line is JSON that says how to read the file. Then come
 * chunks of the compressed content: 4 bytes with the length, whose highest bit marks the last chunk, the bytes, and a tag
 * over the first line, the chunk's number, whether it is the last, and the bytes. The tag is a SHA-256, or that of
 * AES-256-GCM with a key from the passphrase (scrypt).
 *
 * The content is a list of entries, each a line of JSON and then blocks with 4 bytes of length before them; an empty block
 * ends an entry.
 */

export const legacyStart = '{"till":"backup",'

const maxChunkBytes = 256 * 1024
const lastChunkBit = 0x8000_0000
const maxHeaderBytes = 2_000
const maxHeadBytes = 1_000_000
const maxBlockBytes = 16 * 1024 * 1024
const scryptCost = { N: 65_536, r: 8, p: 2 }
const [hashBytes, gcmTagBytes] = [32, 16]

const headerSchema = z.object({
  format: z.literal(1),
  /** Null for a file without a passphrase. `check` proves the passphrase. */
  encryption: z
    .object({
      salt: z.string().regex(/^[0-9a-f]{32}$/),
      check: z.string().regex(/^[0-9a-f]{64}$/),
    })
    .nullable(),
})

const headSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('manifest'), manifest: manifestSchema }),
  z.object({ kind: z.literal('table'), name: identifier, columns: z.array(identifier).min(1) }),
  z.object({ kind: z.literal('picture'), name: pictureName, type: z.enum(pictureTypes) }),
  z.object({ kind: z.literal('secret') }),
  endSchema.extend({ kind: z.literal('end') }),
])

export async function* readLegacyBackup(
  path: string,
  {
    askPassphrase,
    onBytes = () => {},
  }: { askPassphrase: () => Promise<string>; onBytes?: (bytes: number) => void },
): AsyncGenerator<Entry> {
  const file = createReadStream(path, { highWaterMark: maxChunkBytes })
  try {
    const sealed = openByteReader(file)
    const line = await sealed.readLine(maxHeaderBytes)
    const header = headerSchema.parse(JSON.parse(line.toString()))
    const open = await createOpener(path, line, header.encryption, askPassphrase)
    const content = pipeline(openChunks(sealed, open), createZstdDecompress(), () => {})
    const reader = openByteReader(content)
    for (let kind: Entry['kind'] | undefined; kind !== 'end';) {
      const head = headSchema.parse(JSON.parse((await reader.readLine(maxHeadBytes)).toString()))
      if ((kind === undefined) !== (head.kind === 'manifest')) throw damaged(path)
      kind = head.kind
      for await (const entry of readEntry(head, reader, header.encryption !== null)) {
        onBytes(file.bytesRead)
        yield entry
      }
    }
    if (!(await reader.isAtEnd())) throw damaged(path)
  } finally {
    file.destroy()
  }
}

async function* readEntry(
  head: z.infer<typeof headSchema>,
  reader: ByteReader,
  isEncrypted: boolean,
): AsyncGenerator<Entry> {
  switch (head.kind) {
    case 'table':
      for await (const rows of groupRows(readBlocks(reader, Infinity))) yield { ...head, rows }
      return
    case 'picture':
      yield { ...head, bytes: await buffer(readBlocks(reader, maxBytes.picture)) }
      return
    case 'secret':
      yield { ...head, secret: String(await buffer(readBlocks(reader, maxBytes.secret))) }
      return
    case 'manifest':
    case 'end':
      await buffer(readBlocks(reader, 0))
      yield head.kind === 'manifest' ? { ...head, isEncrypted } : head
  }
}

async function* readBlocks(reader: ByteReader, maxContentBytes: number): AsyncGenerator<Buffer> {
  for (let left = maxContentBytes; ;) {
    const length = (await reader.read(4)).readUInt32BE()
    if (length === 0) return
    left -= length
    if (length > maxBlockBytes || left < 0) throw new Error('a block is too large')
    yield await reader.read(length)
  }
}

type Opener = {
  tagBytes: number
  /** Throws if the tag is wrong. */
  open: (bytes: Buffer, tag: Buffer, number: Buffer) => Buffer
}

async function createOpener(
  path: string,
  line: Buffer,
  encryption: z.infer<typeof headerSchema>['encryption'],
  askPassphrase: () => Promise<string>,
): Promise<Opener> {
  const context = hashOf(line)
  if (!encryption)
    return {
      tagBytes: hashBytes,
      open(bytes, tag, number) {
        if (!hashOf(context, number, bytes).equals(tag)) throw new Error('a tag is wrong')
        return bytes
      },
    }
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
  const passphrase = (await askPassphrase()).normalize('NFKC')
  const salt = Buffer.from(encryption.salt, 'hex')
  const maxmem = 128 * 1024 * 1024
  const derived = await derive(passphrase, salt, 64, { ...scryptCost, maxmem })
  const check = createHmac('sha256', derived.subarray(32)).update('till backup').digest()
  if (!timingSafeEqual(check, Buffer.from(encryption.check, 'hex')))
    throw new CannotStart(`The passphrase does not open ${path}.`)
  const key = derived.subarray(0, 32)
  return {
    tagBytes: gcmTagBytes,
    open(bytes, tag, number) {
      const decipher = createDecipheriv('aes-256-gcm', key, number, { authTagLength: gcmTagBytes })
      decipher.setAAD(context)
      decipher.setAuthTag(tag)
      return Buffer.concat([decipher.update(bytes), decipher.final()])
    },
  }
}

function hashOf(...parts: Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

async function* openChunks(reader: ByteReader, { tagBytes, open }: Opener): AsyncGenerator<Buffer> {
  for (let number = 0, isLast = false; !isLast; number += 1) {
    const value = (await reader.read(4)).readUInt32BE()
    isLast = value >= lastChunkBit
    const length = isLast ? value - lastChunkBit : value
    if (length > maxChunkBytes) throw new Error('a chunk is too large')
    const bytes = await reader.read(length)
    const tag = await reader.read(tagBytes)
    const place = Buffer.alloc(12)
    place.writeBigUInt64BE(BigInt(number))
    place[11] = isLast ? 1 : 0
    yield open(bytes, tag, place)
  }
  if (!(await reader.isAtEnd())) throw new Error('something follows the last chunk')
}

type ByteReader = {
  /** Throws if there are fewer bytes. */
  read: (length: number) => Promise<Buffer>
  /** Throws if no line ends within so many bytes. */
  readLine: (maxLength: number) => Promise<Buffer>
  isAtEnd: () => Promise<boolean>
}

function openByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)

  async function fill(length: number): Promise<boolean> {
    while (buffered.length < length) {
      const next = await chunks.next()
      if (next.done) return false
      buffered = Buffer.concat([buffered, next.value])
    }
    return true
  }

  function take(length: number): Buffer {
    const taken = buffered.subarray(0, length)
    buffered = buffered.subarray(length)
    return taken
  }

  return {
    async read(length) {
      if (!(await fill(length))) throw new Error('the file is cut off')
      return take(length)
    },
    async readLine(maxLength) {
      for (;;) {
        const end = buffered.subarray(0, maxLength).indexOf(0x0a)
        if (end >= 0) return take(end + 1)
        if (buffered.length >= maxLength || !(await fill(buffered.length + 1)))
          throw new Error('a line does not end')
      }
    },
    isAtEnd: async () => !(await fill(1)),
  }
}
