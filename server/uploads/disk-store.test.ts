import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request, type ClientRequest } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { maxPictureBytes, objectUrl } from '#contract/pictures.ts'
import { sql } from '#server/db/drizzle.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { signUrl } from './disk-store.ts'
import { completeMultipart, createMultipart } from './multipart.ts'
import { getMultipartObject, lockObject } from './objects.ts'
import type { UploadGrant } from './picture-store.ts'
import { noise, openPictureClient, createPng, type Answer } from '#server/testing/pictures.ts'

const shop = await openTestShop()
const client = await openPictureClient(shop)
const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
const picture = await noise(30, 20).png().toBuffer()
const other = await noise(20, 30).png().toBuffer()

/** Unfinished files. */
function leftovers(): string[] {
  const folder = join(shop.shop.config.dataDir, 'objects')
  return ['work', 'incoming'].flatMap((name) => readdirSync(join(folder, name)))
}

/** An upload over a socket, to write and abort at will. */
function put(uploadURL: string, headers: Record<string, string | number> = {}): ClientRequest {
  const { pathname, search } = new URL(uploadURL)
  return request(address + pathname + search, { method: 'PUT', headers })
}

async function readAnswer(sending: ClientRequest): Promise<{ status: number; message: string }> {
  const [answer] = await once(sending, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return { status: answer.statusCode, message: text && JSON.parse(text).message }
}

const smallShop = await openTestShop({ uploadLimits: { image: 10_000 } })
const smallClient = await openPictureClient(smallShop)
const { pictures, secret } = smallShop.shop
const now = Date.now() / 1000

test('a file of exactly the maximum size is accepted, one byte more is not', async () => {
  for (const kind of ['image', 'logo'] as const) {
    const maxBytes = maxPictureBytes[kind]
    assert.equal((await client.upload(await createPng(maxBytes), kind)).status, 200)
    const { status, message } = await client.upload(await createPng(maxBytes + 1), kind)
    assert.equal(status, 413)
    assert.equal(
      message,
      `This file is larger than ${maxBytes / 2 ** 20} MB. Please upload a smaller picture.`,
    )
  }
  assert.deepEqual(leftovers(), [])
})

test('bytes are counted as they arrive, whatever Content-Length says', async () => {
  const large = await createPng(maxPictureBytes.logo + 1)
  const { uploadURL } = await client.start('logo')
  for (const headers of [
    {},
    { 'transfer-encoding': 'chunked' },
    { 'content-length': large.length },
  ]) {
    const sending = put(uploadURL, headers)
    sending.end(large)
    assert.equal((await readAnswer(sending)).status, 413)
  }
  assert.deepEqual(leftovers(), [])
  const sending = put(uploadURL, { 'transfer-encoding': 'chunked' })
  sending.end(picture)
  assert.equal((await readAnswer(sending)).status, 200)
})

test('a client that sends far too much can finish sending and read the refusal', async () => {
  const { uploadURL } = await client.start('logo')
  const sending = put(uploadURL, { 'transfer-encoding': 'chunked' })
  const closed = once(sending, 'close')
  // More than the buffers of sockets hold.
  sending.end(Buffer.alloc(40 * 1024 * 1024))
  assert.equal((await readAnswer(sending)).status, 413)
  await closed
  assert.ok(sending.writableFinished)
  assert.deepEqual(leftovers(), [])
})

test('an aborted upload leaves nothing behind and can be tried again', async () => {
  const { objectPath, uploadURL } = await client.start()
  const arrived = once(shop.app.server, 'request')
  const sending = put(uploadURL, { 'content-length': picture.length })
  sending.on('error', () => {})
  sending.write(picture.subarray(0, 100))
  const [received, answer] = await arrived
  await once(received, 'readable').catch(() => {})
  sending.destroy()
  await once(answer, 'close')
  assert.equal((await client.get(objectUrl(objectPath))).status, 404)
  assert.equal((await client.send(uploadURL, picture)).status, 200)
  assert.deepEqual(leftovers(), [])
})

test('an upload URL takes one file, and sending it again repeats the answer', async () => {
  const { uploadURL } = await client.start()
  const first = await client.send(uploadURL, picture)
  const second = await client.send(uploadURL, picture)
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(second.headers.get('etag'), first.headers.get('etag'))
  assert.equal((await client.send(uploadURL, other)).status, 409)
  assert.deepEqual(leftovers(), [])
})

test('of two files sent to one URL at once, one wins', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { objectPath, uploadURL } = await client.start()
    const files = [picture, other, picture, other]
    const answers = await Promise.all(files.map((bytes) => client.send(uploadURL, bytes)))
    const { body } = await client.get(objectUrl(objectPath))
    const won = answers.map(({ status }, at) => [status, files[at]?.equals(body)])
    for (const [status, isServed] of won) assert.equal(status, isServed ? 200 : 409)
    assert.ok(won.some(([status]) => status === 200))
  }
  assert.deepEqual(leftovers(), [])
})

test('an upload is checked once at a time, on any number of nodes', async () => {
  const { objectPath: key, uploadURL } = await client.start()
  let sending: Promise<Answer> | undefined
  await shop.db.transaction(async (tx) => {
    await lockObject(tx, key)
    sending = client.send(uploadURL, picture)
    for (let isWaiting = false; !isWaiting;) {
      const waiting = await shop.db.execute(sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`)
      isWaiting = (waiting.rowCount ?? 0) > 0
    }
    assert.equal(await shop.shop.pictures.store.findFile(key), undefined)
  })
  assert.equal((await sending)?.status, 200)
})

test('a refused file stays refused, and its URL takes no other', async () => {
  const { uploadURL } = await client.start()
  assert.equal((await client.send(uploadURL, Buffer.from('text'))).status, 422)
  assert.equal((await client.send(uploadURL, picture)).status, 422)
})

test('an upload URL expires after seven days', async () => {
  const { objectPath: key, uploadURL } = await client.start()
  const expires = Number(new URL(uploadURL).searchParams.get('expires'))
  assert.ok(Math.abs(expires - Date.now() / 1000 - 604_800) < 60)
  const grant = { key, kind: 'image', maxBytes: maxPictureBytes.image } as const
  const path = pathOf(apiRoutes.incomingFile, { key })
  const expired = await client.send(
    signUrl(`http://localhost${path}`, shop.shop.secret, grant, expires - 604_900),
    picture,
  )
  assert.equal(expired.status, 403)
  assert.equal(expired.message, 'Request has expired')
})

test('an upload URL that was altered, or signed with another secret, is refused', async () => {
  const mine = await client.start()
  const foreign = await client.start('logo')
  const url = new URL(mine.uploadURL)
  const expires = Number(url.searchParams.get('expires'))
  const change = (name: string, value: string) => {
    const changed = new URL(url)
    changed.searchParams.set(name, value)
    return changed.href
  }
  const { objectPath: key } = mine
  const grant = { key, kind: 'image', maxBytes: maxPictureBytes.image } as const
  const signWith = (secret: string, change: Partial<UploadGrant> = {}) =>
    signUrl(`${url.origin}${url.pathname}`, secret, { ...grant, ...change }, expires)
  const signature = url.searchParams.get('signature') ?? ''
  for (const bad of [
    change('expires', String(expires + 1)),
    change('expires', '9'.repeat(30)),
    change('expires', 'soon'),
    change(
      'signature',
      signature.replace(/^./, (first) => (first === '0' ? '1' : '0')),
    ),
    change('signature', signature.toUpperCase().replace(/[A-F]/, 'Z')),
    change('signature', ''),
    `${url.href}&expires=1`,
    `${url.origin}${url.pathname}`,
    url.href.replace(key, foreign.objectPath),
    url.href.replace(key, '0'.repeat(32)),
    signWith('another secret'),
    signWith(shop.shop.secret, { maxBytes: 1e9 }),
    signWith(shop.shop.secret, { kind: 'logo' }),
  ]) {
    const { status, message } = await client.send(bad, picture)
    assert.equal(status, 403, bad)
    assert.match(message ?? '', /not valid/)
  }
  assert.equal((await client.get(objectUrl(key))).status, 404)
  assert.deepEqual(leftovers(), [])
  assert.equal((await client.send(mine.uploadURL, picture)).status, 200)
})

test('a page of another site cannot use a leaked upload URL', async () => {
  const { uploadURL } = await client.start()
  const { pathname, search } = new URL(uploadURL)
  const answer = await shop.app.inject({
    method: 'PUT',
    url: pathname + search,
    headers: { origin: 'https://evil.example' },
    payload: picture,
  })
  assert.equal(answer.statusCode, 403)
})

async function startMultipart() {
  const upload = await createMultipart(smallShop.db, pictures, 'image', 'admin')
  const { key, uploadId } = upload
  const partUrl = (partNumber: number) =>
    pictures.store.createUploadUrl(
      { key, kind: 'image', maxBytes: 10_000, now, part: { uploadId, partNumber } },
      'http://localhost',
    )
  return { ...upload, partUrl }
}

test('all parts together may be as large as one file', async () => {
  const { partUrl } = await startMultipart()
  assert.equal((await smallClient.send(await partUrl(1), Buffer.alloc(9_000))).status, 200)
  assert.equal((await smallClient.send(await partUrl(2), Buffer.alloc(1_001))).status, 413)
  assert.equal(
    (await smallClient.send(await partUrl(1), Buffer.alloc(1_001))).status,
    200,
    'sent again',
  )
  assert.equal((await smallClient.send(await partUrl(2), Buffer.alloc(8_999))).status, 200)
  assert.equal((await smallClient.send(await partUrl(3), Buffer.alloc(1))).status, 413)
})

test('the last upload of a part number counts', async () => {
  const { key, uploadId, partUrl } = await startMultipart()
  const picture = await noise(20, 20).png().toBuffer()
  await smallClient.send(await partUrl(1), Buffer.from('first'))
  const { headers } = await smallClient.send(await partUrl(1), picture)
  const parts = await pictures.store.listParts(key, uploadId)
  assert.deepEqual(parts, [{ PartNumber: 1, Size: picture.length, ETag: headers.get('etag') }])
  const object = await getMultipartObject(smallShop.db, key, uploadId)
  const missing = [{ PartNumber: 2, ETag: headers.get('etag') ?? '' }]
  await assert.rejects(
    completeMultipart(smallShop.db, pictures, object, missing),
    /has not arrived/,
  )
  await completeMultipart(smallShop.db, pictures, object, parts)
})

test('the URL of a part is valid for that part only, and expires', async () => {
  const { key, uploadId, partUrl } = await startMultipart()
  const other = await startMultipart()
  const url = await partUrl(1)
  const bytes = Buffer.from('a part')
  for (const bad of [
    url.replace('/1?', '/2?'),
    url.replace(/signature=./, 'signature=x'),
    url.replace(key, other.key).replace(uploadId, other.uploadId),
  ])
    assert.equal((await smallClient.send(bad, bytes)).status, 403)
  assert.equal((await smallClient.send(url.replace(key, other.key), bytes)).status, 404)
  assert.equal((await smallClient.send(url.replace(/\/1\?.*/, '/one'), bytes)).status, 400)

  const path = pathOf(apiRoutes.incomingPart, { key, uploadId, partNumber: '1' })
  const part = { uploadId, partNumber: 1 }
  const grant = { key, kind: 'image', maxBytes: 10_000, part } as const
  const expired = signUrl(`http://localhost${path}`, secret, grant, Math.floor(now) - 10)
  const late = await smallClient.send(expired, bytes)
  assert.deepEqual([late.status, late.message], [403, 'Request has expired'])
  assert.equal((await smallClient.send(url, bytes)).status, 200)
})
