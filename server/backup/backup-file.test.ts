import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { packTar } from 'modern-tar'
import { CannotStart, madeBeforeFirstRelease } from '#server/cannot-start.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { groupRows, type Entry } from './backup-entry.ts'
import { readBackupFile, writeBackupFile, type WrittenEntry } from './backup-file.ts'

const folder = temporaryFolder()
const passphrase = 'correct horse battery staple'
const [plain, encrypted] = [join(folder, 'plain'), join(folder, 'encrypted')] as const
const secretKey = await generateX25519Identity()

const manifest = {
  version: '0.1.0',
  createdAt: '2026-11-17T12:00:00.000Z',
  migrations: [{ version: 1, name: 'initial', checksum: 'x' }],
  tables: [{ name: 'orders', rows: 1, columns: ['id', 'name'] }],
  sequences: [],
  pictures: { count: 1, bytes: 3 },
  secret: { isIncluded: true, fingerprint: 'x' },
}
const key = 'a'.repeat(32)
const written: WrittenEntry[] = [
  { kind: 'manifest', manifest },
  { kind: 'table', name: 'orders', rows: Buffer.from('1\tAnna Muster\n') },
  { kind: 'picture', name: key, type: 'image/png', bytes: randomBytes(300_000) },
  { kind: 'secret', secret: 'hush' },
  { kind: 'end', pictures: 1, missing: 0, files: 1 },
]

async function* list<T>(values: T[]): AsyncGenerator<T> {
  yield* values
}

before(async () => {
  await writeBackupFile(plain, list(written), {})
  await writeBackupFile(encrypted, list(written), { passphrase })
})

async function readAll(path: string, given = passphrase): Promise<Entry[]> {
  return Array.fromAsync(readBackupFile(path, { askPassphrase: async () => given }))
}

/** What is said of a file with these bytes, if it is refused: in one sentence, with what to do. */
async function refusalOf(bytes: Buffer, given?: string): Promise<string | undefined> {
  const path = join(folder, 'changed')
  writeFileSync(path, bytes)
  const error: unknown = await readAll(path, given).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error === undefined || error instanceof CannotStart, String(error))
  return error?.message
}

function alter(bytes: Buffer, at: number): Buffer {
  const altered = Buffer.from(bytes)
  altered[at] = (altered[at] ?? 0) ^ 1
  return altered
}

test('what was written is read again, with and without a passphrase', async () => {
  for (const [path, encryption] of [
    [plain, 'none'],
    [encrypted, 'passphrase'],
  ] as const) {
    const [first, rows, ...others] = await readAll(path)
    assert.deepEqual(first, { kind: 'manifest', manifest, encryption })
    assert.deepEqual(rows, { ...written[1], columns: ['id', 'name'] })
    assert.deepEqual(others, written.slice(2))
  }
})

test('only its owner can read the file, and without the passphrase nobody', async () => {
  assert.equal(statSync(plain).mode & 0o777, 0o600)
  assert.ok(!readFileSync(encrypted).includes('Muster'))
  await assert.rejects(readAll(encrypted, 'another passphrase'), {
    message: `The passphrase does not open ${encrypted}, or its beginning is damaged.`,
  })
})

test('a file that is encrypted for a public key opens with its secret key alone', async () => {
  const publicKey = await identityToRecipient(secretKey)
  const path = join(folder, 'for-a-key')
  await writeBackupFile(path, list(written), { passphrase: publicKey })
  const [first, ...others] = await readAll(path, secretKey)
  assert.deepEqual(first, { kind: 'manifest', manifest, encryption: 'public-key' })
  assert.equal(others.length, written.length - 1)
  const isRefused = (given: string, name: string) =>
    assert.rejects(readAll(path, given), {
      message: `The ${name} does not open ${path}, or its beginning is damaged.`,
    })
  await isRefused(await generateX25519Identity(), 'secret key')
  await isRefused('AGE-SECRET-KEY-1', 'secret key')
  await isRefused(publicKey, 'passphrase')
  await assert.rejects(writeBackupFile(path, list(written), { passphrase: secretKey }), CannotStart)
})

test('a file opens without Till: with age, zstd and tar', async () => {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const tar = zstdDecompressSync(await decrypter.decrypt(readFileSync(encrypted)))
  const unpacked = temporaryFolder()
  execFileSync('tar', ['x', '-C', unpacked], { input: tar })
  const read = (name: string) => readFileSync(join(unpacked, name), 'utf8')
  assert.equal(JSON.parse(read('manifest.json')).createdAt, manifest.createdAt)
  assert.equal(read('tables/orders/000002.copy'), '1\tAnna Muster\n')
  assert.equal(statSync(join(unpacked, 'pictures/image/png', key)).size, 300_000)
})

test('a file that is cut off is refused, wherever', async () => {
  const bytes = readFileSync(plain)
  for (let length = 0; length < bytes.length; length += length < 300 ? 1 : 9_973)
    assert.match(
      String(await refusalOf(bytes.subarray(0, length))),
      length < 4 ? /is not a backup of Till/ : /is cut off or damaged/,
    )
  assert.match(String(await refusalOf(bytes.subarray(0, -1))), /is cut off or damaged/)
  const sealed = readFileSync(encrypted)
  for (const length of [sealed.length - 1, 65_536 * 2])
    assert.match(String(await refusalOf(sealed.subarray(0, length))), /damaged/)
})

test('a file with an altered byte is refused, wherever', async () => {
  const bytes = readFileSync(plain)
  // What zstd says of its window, and a bit that it does not use, change nothing.
  for (let at = 6; at < bytes.length; at += at < 300 ? 1 : 9_973)
    assert.ok(await refusalOf(alter(bytes, at)), `byte ${at}`)
  const sealed = readFileSync(encrypted)
  for (const at of [200, sealed.length - 1])
    assert.match(String(await refusalOf(alter(sealed, at))), /damaged/)
})

test('a file or a tar with something added is refused', async () => {
  for (const added of [Buffer.from('x'), readFileSync(plain)])
    assert.match(
      String(await refusalOf(Buffer.concat([readFileSync(plain), added]))),
      /is cut off or damaged/,
    )
  const tar = zstdDecompressSync(readFileSync(plain))
  for (const end of [tar.length, tar.length - 1024]) {
    const more = await packTar([{ header: { name: 'secret', size: 1 }, body: 'a' }])
    const longer = zstdCompressSync(Buffer.concat([tar.subarray(0, end), more]))
    assert.match(String(await refusalOf(longer)), /is cut off or damaged/)
  }
})

test('a tar whose end is missing is refused, although it is compressed right', async () => {
  const tar = zstdDecompressSync(readFileSync(plain))
  for (const length of [tar.length - 512, tar.length - 1024, tar.length - 2048, 512, 0])
    assert.match(
      String(await refusalOf(zstdCompressSync(tar.subarray(0, length)))),
      /is cut off or damaged/,
    )
})

test('a file that is none of ours is refused', async () => {
  const other = await packTar([{ header: { name: 'a.txt', size: 1 }, body: 'a' }])
  for (const content of ['', 'hello', '{}\n', '{"till":"picture"}\n', zstdCompressSync(other)])
    assert.match(String(await refusalOf(Buffer.from(content))), /is not a backup of Till/)
  await assert.rejects(readAll(folder), { message: `${folder} is a folder.` })
  const missing = join(folder, 'missing')
  await assert.rejects(readAll(missing), { message: `There is no file ${missing}.` })
})

test('writing that fails leaves no file', async () => {
  async function* failing(): AsyncGenerator<WrittenEntry> {
    yield* written
    throw new Error('the source broke')
  }
  const before = readdirSync(folder)
  await assert.rejects(writeBackupFile(join(folder, 'failed'), failing(), {}), /the source broke/)
  const signal = AbortSignal.abort(new Error('stopped'))
  await assert.rejects(writeBackupFile(join(folder, 'aborted'), list(written), { signal }))
  await assert.rejects(writeBackupFile(join(folder, 'no', 'such'), list(written), {}), {
    message: `${join(folder, 'no', 'such')} could not be written: there is no such folder.`,
  })
  assert.deepEqual(readdirSync(folder), before)
})

test('rows that are written together are whole', async () => {
  const rows = Array.from({ length: 3_000 }, (_, row) => `${row}\t${'x'.repeat(row)}\n`).join('')
  const bytes = Buffer.from(rows)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 60_000) }, (_, piece) =>
    bytes.subarray(piece * 60_000, (piece + 1) * 60_000),
  )
  const groups = await Array.fromAsync(groupRows(list(pieces)))
  assert.equal(groups.length, 2)
  assert.ok(groups.every((group) => group.toString().endsWith('\n')))
  assert.ok(Buffer.concat(groups).equals(bytes))
  const endless = list(Array.from({ length: 70 }, () => Buffer.alloc(1_000_000)))
  await assert.rejects(Array.fromAsync(groupRows(endless)), /a row is too large/)
})

test('a file from before 1.0 is refused in one sentence, in the first format without its passphrase', async () => {
  const refusal = { name: 'CannotStart', message: madeBeforeFirstRelease }
  const first = join(folder, 'first-format')
  writeFileSync(first, '{"till":"backup","format":1,"encryption":{"salt":"","check":""}}\n')
  const notAsked = async () => assert.fail('the passphrase is asked for')
  await assert.rejects(Array.fromAsync(readBackupFile(first, { askPassphrase: notAsked })), refusal)

  const body = JSON.stringify({ ...manifest, format: 2 })
  const tar = await packTar([{ header: { name: 'manifest.json', size: body.length }, body }])
  const second = zstdCompressSync(tar)
  assert.equal(await refusalOf(second), madeBeforeFirstRelease)
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(secretKey))
  const sealed = Buffer.from(await encrypter.encrypt(second))
  assert.equal(await refusalOf(sealed, secretKey), madeBeforeFirstRelease)
})
