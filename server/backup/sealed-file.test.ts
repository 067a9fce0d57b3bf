import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { CannotStart } from '#server/cannot-start.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { readSealedFile, writeSealedFile } from './sealed-file.ts'

const folder = temporaryFolder()
const passphrase = 'correct horse battery staple'
const text = 'Anna Muster, Weg 1, 10115 Berlin'
const [plain, encrypted, large] = ['plain', 'encrypted', 'large'].map((name) =>
  join(folder, name),
) as [string, string, string]
/** Of several chunks, since it cannot be compressed. */
const noise = randomBytes(700_000)

before(async () => {
  await writeSealedFile(plain, pieces(Buffer.from(text)), {})
  await writeSealedFile(encrypted, pieces(Buffer.from(text)), { passphrase })
  await writeSealedFile(large, pieces(noise), {})
})

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000)
}

async function readAll(path: string, given = passphrase, length = text.length): Promise<Buffer> {
  let bytes: Buffer | undefined
  await readSealedFile(
    path,
    async () => given,
    async (content) => {
      bytes = await content.read(length)
    },
  )
  assert.ok(bytes)
  return bytes
}

/** What is said of a file with these bytes. It must be refused in one sentence, with what to do. */
async function refusalOf(bytes: Buffer, length?: number): Promise<string> {
  const path = join(folder, 'changed')
  writeFileSync(path, bytes)
  const error: unknown = await readAll(path, passphrase, length).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof CannotStart, `read without an error, or with ${String(error)}`)
  return error.message
}

function alter(bytes: Buffer, at: number): Buffer {
  const altered = Buffer.from(bytes)
  altered[at] = (altered[at] ?? 0) ^ 1
  return altered
}

test('what was written is read again, with and without a passphrase', async () => {
  assert.equal((await readAll(plain)).toString(), text)
  assert.equal((await readAll(encrypted)).toString(), text)
  assert.ok((await readAll(large, passphrase, noise.length)).equals(noise))
})

test('only its owner can read the file, and without the passphrase nobody', async () => {
  assert.equal(statSync(plain).mode & 0o777, 0o600)
  assert.ok(!readFileSync(encrypted).includes('Muster'))
  await assert.rejects(readAll(encrypted, 'another passphrase'), {
    message: `The passphrase does not open ${encrypted}.`,
  })
})

test('a file that is cut off is refused, wherever', async () => {
  const bytes = readFileSync(plain)
  const header = bytes.indexOf('\n') + 1
  for (let length = 0; length < bytes.length; length += 1) {
    const message = await refusalOf(bytes.subarray(0, length))
    assert.match(message, length < header ? /is not a backup of Till/ : /is cut off/)
  }
  const many = readFileSync(large)
  for (const length of [1, 1_000, 262_200, 600_000])
    assert.match(await refusalOf(many.subarray(0, -length), noise.length), /is cut off/)
})

test('a file with one altered byte is refused, wherever', async () => {
  const bytes = readFileSync(plain)
  for (let at = 0; at < bytes.length; at += 1) await refusalOf(alter(bytes, at))
  const sealed = readFileSync(encrypted)
  const header = sealed.indexOf('\n')
  for (const at of [5, header - 20, header + 2, header + 8, sealed.length - 1])
    await refusalOf(alter(sealed, at))
  const many = readFileSync(large)
  for (let at = 300; at < many.length; at += 50_021)
    assert.match(await refusalOf(alter(many, at), noise.length), /is damaged|is cut off/)
})

test('a file with chunks in another order, or with something added, is refused', async () => {
  const bytes = readFileSync(large)
  const first = bytes.indexOf('\n') + 1
  const chunk = 4 + 256 * 1024 + 32
  const swapped = Buffer.concat([
    bytes.subarray(0, first),
    bytes.subarray(first + chunk, first + 2 * chunk),
    bytes.subarray(first, first + chunk),
    bytes.subarray(first + 2 * chunk),
  ])
  assert.equal(swapped.length, bytes.length)
  assert.match(await refusalOf(swapped, noise.length), /is damaged/)
  const longer = Buffer.concat([bytes, Buffer.from('x')])
  assert.match(await refusalOf(longer, noise.length), /is damaged/)
})

test('a file whose content cannot be unpacked is refused, although its tags are right', async () => {
  const bytes = readFileSync(plain)
  const line = bytes.subarray(0, bytes.indexOf('\n') + 1)
  const content = bytes.subarray(line.length + 4, -32)
  const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
  const sealAgain = (compressed: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(0x8000_0000 + compressed.length)
    const tag = sha256(sha256(line), Buffer.alloc(12).fill(1, 11), compressed)
    return Buffer.concat([line, length, compressed, tag])
  }
  assert.ok(sealAgain(content).equals(bytes))
  for (const compressed of [Buffer.from('hello'), Buffer.alloc(0), content.subarray(0, -5)])
    assert.match(await refusalOf(sealAgain(compressed)), /is damaged/)
})

test('a file of a newer Till is refused with what to do', async () => {
  const bytes = Buffer.from(
    readFileSync(plain, 'latin1').replace('"format":1', '"format":2'),
    'latin1',
  )
  assert.match(await refusalOf(bytes), /was written by a newer Till \(format 2, this one reads 1\)/)
})

test('a file that is none of ours is refused', async () => {
  for (const content of ['', 'hello', '{}\n', '{"till":"picture","format":1}\n'])
    assert.match(await refusalOf(Buffer.from(content)), /is not a backup of Till/)
})

test('writing that fails leaves no file', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield noise
    throw new Error('the source broke')
  }
  const before = readdirSync(folder)
  await assert.rejects(writeSealedFile(join(folder, 'failed'), failing(), {}), /the source broke/)
  await assert.rejects(writeSealedFile(join(folder, 'no', 'such'), pieces(noise), {}), {
    message: `${join(folder, 'no', 'such')} could not be written: there is no such folder.`,
  })
  assert.deepEqual(readdirSync(folder), before)
})
