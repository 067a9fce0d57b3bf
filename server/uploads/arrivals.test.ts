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
import { lockObject } from './objects.ts'
import { signAddress } from './signed-address.ts'
import { noise, openDesk, pngOf, type Answer } from './test-pictures.ts'

const shop = await openTestShop()
const desk = await openDesk(shop)
const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
const picture = await noise(30, 20).png().toBuffer()
const other = await noise(20, 30).png().toBuffer()

/** Files that are not where they belong yet. */
function leftovers(): string[] {
  const folder = join(shop.shop.config.dataDir, 'objects')
  return ['work', 'incoming'].flatMap((name) => readdirSync(join(folder, name)))
}

/** An upload through a socket, whose sender writes and breaks off as it likes. */
function put(uploadURL: string, headers: Record<string, string | number> = {}): ClientRequest {
  const { pathname, search } = new URL(uploadURL)
  return request(address + pathname + search, { method: 'PUT', headers })
}

async function answerTo(sending: ClientRequest): Promise<{ status: number; message: string }> {
  const [answer] = await once(sending, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return { status: answer.statusCode, message: text && JSON.parse(text).message }
}

test('a file of exactly the largest size is taken, one byte more is not', async () => {
  for (const kind of ['image', 'logo'] as const) {
    const most = maxPictureBytes[kind]
    assert.equal((await desk.upload(await pngOf(most), kind)).status, 200)
    const { status, message } = await desk.upload(await pngOf(most + 1), kind)
    assert.equal(status, 413)
    assert.equal(
      message,
      `This file is larger than ${most / 2 ** 20} MB. Please upload a smaller picture.`,
    )
  }
  assert.deepEqual(leftovers(), [])
})

test('bytes are counted as they arrive, whatever was announced', async () => {
  const large = await pngOf(maxPictureBytes.logo + 1)
  const { uploadURL } = await desk.start('logo')
  for (const headers of [
    {},
    { 'transfer-encoding': 'chunked' },
    { 'content-length': large.length },
  ]) {
    const sending = put(uploadURL, headers)
    sending.end(large)
    assert.equal((await answerTo(sending)).status, 413)
  }
  assert.deepEqual(leftovers(), [])
  const sending = put(uploadURL, { 'transfer-encoding': 'chunked' })
  sending.end(picture)
  assert.equal((await answerTo(sending)).status, 200)
})

test('who sends far too much can send it to the end, and read why it was refused', async () => {
  const { uploadURL } = await desk.start('logo')
  const sending = put(uploadURL, { 'transfer-encoding': 'chunked' })
  const closed = once(sending, 'close')
  // More than the buffers of sockets hold.
  sending.end(Buffer.alloc(40 * 1024 * 1024))
  assert.equal((await answerTo(sending)).status, 413)
  await closed
  assert.ok(sending.writableFinished)
  assert.deepEqual(leftovers(), [])
})

test('an upload that breaks off leaves nothing and can be tried again', async () => {
  const { objectPath, uploadURL } = await desk.start()
  const arrived = once(shop.app.server, 'request')
  const sending = put(uploadURL, { 'content-length': picture.length })
  sending.on('error', () => {})
  sending.write(picture.subarray(0, 100))
  const [received, answer] = await arrived
  await once(received, 'readable').catch(() => {})
  sending.destroy()
  await once(answer, 'close')
  assert.equal((await desk.get(objectUrl(objectPath))).status, 404)
  assert.equal((await desk.send(uploadURL, picture)).status, 200)
  assert.deepEqual(leftovers(), [])
})

test('an address serves one file, and whoever lost the answer gets it again', async () => {
  const { uploadURL } = await desk.start()
  const first = await desk.send(uploadURL, picture)
  const second = await desk.send(uploadURL, picture)
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(second.headers.get('etag'), first.headers.get('etag'))
  assert.equal((await desk.send(uploadURL, other)).status, 409)
  assert.deepEqual(leftovers(), [])
})

test('of two files sent to one address at once, one wins', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { objectPath, uploadURL } = await desk.start()
    const files = [picture, other, picture, other]
    const answers = await Promise.all(files.map((bytes) => desk.send(uploadURL, bytes)))
    const { body } = await desk.get(objectUrl(objectPath))
    const won = answers.map(({ status }, at) => [status, files[at]?.equals(body)])
    for (const [status, isServed] of won) assert.equal(status, isServed ? 200 : 409)
    assert.ok(won.some(([status]) => status === 200))
  }
  assert.deepEqual(leftovers(), [])
})

test('one at a time judges a file, on however many nodes', async () => {
  const { objectPath: key, uploadURL } = await desk.start()
  let sending: Promise<Answer> | undefined
  await shop.db.transaction(async (tx) => {
    await lockObject(tx, key)
    sending = desk.send(uploadURL, picture)
    for (let isWaiting = false; !isWaiting;) {
      const waiting = await shop.db.execute(sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`)
      isWaiting = (waiting.rowCount ?? 0) > 0
    }
    assert.equal(await shop.shop.pictures.store.maybeRead(key), undefined)
  })
  assert.equal((await sending)?.status, 200)
})

test('a refused file stays refused, and its address takes no other', async () => {
  const { uploadURL } = await desk.start()
  assert.equal((await desk.send(uploadURL, Buffer.from('text'))).status, 422)
  assert.equal((await desk.send(uploadURL, picture)).status, 422)
})

test('an address ends after seven days', async () => {
  const { objectPath: key, uploadURL } = await desk.start()
  const expires = Number(new URL(uploadURL).searchParams.get('expires'))
  assert.ok(Math.abs(expires - Date.now() / 1000 - 604_800) < 60)
  const upload = { key, kind: 'image', most: maxPictureBytes.image, expires: expires - 604_900 }
  const path = pathOf(apiRoutes.arrival, { key })
  const ended = await desk.send(
    signAddress(`http://localhost${path}`, shop.shop.secret, upload),
    picture,
  )
  assert.equal(ended.status, 403)
  assert.equal(ended.message, 'Request has expired')
})

test('an address that was altered, or made by anyone else, is not valid', async () => {
  const mine = await desk.start()
  const foreign = await desk.start('logo')
  const url = new URL(mine.uploadURL)
  const expires = Number(url.searchParams.get('expires'))
  const change = (name: string, value: string) => {
    const changed = new URL(url)
    changed.searchParams.set(name, value)
    return changed.href
  }
  const { objectPath: key } = mine
  const guessed = { key, kind: 'image', most: maxPictureBytes.image, expires }
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
    signAddress(`${url.origin}${url.pathname}`, 'another secret', guessed),
    signAddress(`${url.origin}${url.pathname}`, shop.shop.secret, { ...guessed, most: 1e9 }),
    signAddress(`${url.origin}${url.pathname}`, shop.shop.secret, { ...guessed, kind: 'logo' }),
  ]) {
    const { status, message } = await desk.send(bad, picture)
    assert.equal(status, 403, bad)
    assert.match(message ?? '', /not valid/)
  }
  assert.equal((await desk.get(objectUrl(key))).status, 404)
  assert.deepEqual(leftovers(), [])
  assert.equal((await desk.send(mine.uploadURL, picture)).status, 200)
})

test('a page of another site cannot upload with an address that leaked', async () => {
  const { uploadURL } = await desk.start()
  const { pathname, search } = new URL(uploadURL)
  const answer = await shop.app.inject({
    method: 'PUT',
    url: pathname + search,
    headers: { origin: 'https://evil.example' },
    payload: picture,
  })
  assert.equal(answer.statusCode, 403)
})
