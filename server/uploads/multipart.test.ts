import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { objectUrl, sizedPicture } from '#contract/pictures.ts'
import { noise, openBothStores, type PictureDesk } from './test-pictures.ts'

const megabyte = 1024 * 1024
const { s3, desks } = await openBothStores({ image: 200 * megabyte, pixels: 60_000_000 })
const partBytes = 25 * megabyte
const large = await noise(7000, 5800).png({ compressionLevel: 0 }).toBuffer()

type Method = 'GET' | 'POST' | 'DELETE'
type Upload = { key: string; uploadId: string }

async function call(desk: PictureDesk, method: Method, url: string, payload?: object) {
  const answer = await desk.shop.app.inject({
    method,
    url,
    headers: desk.admin,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

async function begin(desk: PictureDesk, metadata: object = {}): Promise<Upload> {
  const file = { filename: '../mug.png', type: 'text/html', metadata }
  return (await call(desk, 'POST', apiRoutes.multipart, file)).body
}

const pathOfUpload = (path: string, { key, uploadId }: Upload, more: Record<string, string> = {}) =>
  `${pathOf(path, { uploadId, ...more })}?key=${key}`

async function sendPart(desk: PictureDesk, upload: Upload, number: number, bytes: Buffer) {
  const named = pathOfUpload(apiRoutes.multipartPart, upload, { partNumber: String(number) })
  const { body } = await call(desk, 'GET', named)
  assert.equal(body.expires, 604_800)
  const { status, headers, message } = await desk.send(body.url, bytes)
  return { status, message, PartNumber: number, ETag: headers.get('etag') ?? '' }
}

async function md5Of(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

const complete = (desk: PictureDesk, upload: Upload, parts: object[]) =>
  call(desk, 'POST', pathOfUpload(apiRoutes.multipartComplete, upload), { parts })
const list = (desk: PictureDesk, upload: Upload) =>
  call(desk, 'GET', pathOfUpload(apiRoutes.multipartUpload, upload))
const abort = (desk: PictureDesk, upload: Upload) =>
  call(desk, 'DELETE', pathOfUpload(apiRoutes.multipartUpload, upload))

for (const [store, desk] of Object.entries(desks)) {
  test(`${store}: a file of 120 MB arrives in parts, in any order, and is a picture`, async () => {
    assert.ok(large.length > 115 * megabyte)
    const upload = await begin(desk)
    const count = Math.ceil(large.length / partBytes)
    const numbers = Array.from({ length: count }, (_, at) => count - at)
    const parts = []
    for (const number of numbers) {
      const bytes = large.subarray((number - 1) * partBytes, number * partBytes)
      const part = await sendPart(desk, upload, number, bytes)
      assert.equal(part.status, 200, part.message)
      parts.push(part)
    }
    parts.reverse()
    const { body: listed } = await list(desk, upload)
    assert.deepEqual(
      listed,
      parts.map(({ PartNumber, ETag }) => ({
        PartNumber,
        ETag,
        Size: PartNumber === count ? large.length - (count - 1) * partBytes : partBytes,
      })),
    )
    assert.deepEqual(await complete(desk, upload, parts), {
      status: 200,
      body: { location: objectUrl(upload.key) },
    })
    const url = objectUrl(upload.key)
    const served = await desk.shop.app.inject({ url, payloadAsStream: true })
    assert.equal(served.headers['content-type'], 'image/png')
    assert.equal(await md5Of(served.stream()), await md5Of([large]))
    assert.equal((await desk.get(sizedPicture(objectUrl(upload.key), 'item'))).status, 200)
    assert.equal((await complete(desk, upload, parts)).status, 200, 'a lost answer is given again')
  })

  test(`${store}: parts that together are no picture are refused, and all is removed`, async () => {
    const upload = await begin(desk)
    const part = await sendPart(desk, upload, 1, Buffer.from('<script>alert(1)</script>'))
    const { status, body } = await complete(desk, upload, [part])
    assert.equal(status, 422)
    assert.match(body.message, /PNG, JPEG, WebP, GIF or AVIF/)
    assert.equal((await complete(desk, upload, [part])).status, 422)
    assert.equal((await desk.get(objectUrl(upload.key))).status, 404)
    const { dataDir } = desk.shop.shop.config
    const files = store === 'S3' ? s3.list() : readdirSync(join(dataDir, 'objects/parts'))
    assert.ok(!files.some((name) => name.includes(upload.key) || name.includes(upload.uploadId)))
  })

  test(`${store}: an upload that was given up takes nothing more`, async () => {
    const upload = await begin(desk)
    const part = await sendPart(desk, upload, 1, Buffer.from('a part'))
    assert.equal(part.status, 200)
    const named = pathOfUpload(apiRoutes.multipartPart, upload, { partNumber: '2' })
    const { body: next } = await call(desk, 'GET', named)
    assert.deepEqual(await abort(desk, upload), { status: 200, body: {} })
    assert.equal((await desk.send(next.url, Buffer.from('another'))).status, 404)
    for (const answer of [
      await list(desk, upload),
      await abort(desk, upload),
      await complete(desk, upload, [part]),
      await call(desk, 'GET', named),
    ])
      assert.equal(answer.status, 404)
  })

  test(`${store}: a part is signed for the upload it belongs to, and no other`, async () => {
    const mine = await begin(desk)
    const foreign = await begin(desk)
    const cannotSign = 'Cannot sign without a key, an uploadId, and a partNumber'
    const { uploadId } = mine
    for (const url of [
      pathOf(apiRoutes.multipartPart, { uploadId, partNumber: '1' }),
      pathOfUpload(apiRoutes.multipartPart, mine, { partNumber: '0' }),
      pathOfUpload(apiRoutes.multipartPart, mine, { partNumber: '10001' }),
      pathOfUpload(apiRoutes.multipartPart, mine, { partNumber: 'one' }),
    ]) {
      const { status, body } = await call(desk, 'GET', url)
      assert.deepEqual([status, body.message], [400, cannotSign], url)
    }
    for (const upload of [
      { key: foreign.key, uploadId },
      { key: '0'.repeat(32), uploadId },
      { key: '../secret', uploadId },
      { key: mine.key, uploadId: 'x'.repeat(900) },
    ]) {
      const named = pathOfUpload(apiRoutes.multipartPart, upload, { partNumber: '1' })
      assert.equal((await call(desk, 'GET', named)).status, 404)
      assert.equal((await list(desk, upload)).status, 404)
      assert.equal((await abort(desk, upload)).status, 404)
    }
  })

  test(`${store}: a completion names its parts in order, and only parts that are there`, async () => {
    const upload = await begin(desk)
    const part = await sendPart(desk, upload, 1, await noise(20, 20).png().toBuffer())
    for (const parts of [[], [part, part], [{ PartNumber: 1 }], [{ ...part, ETag: '<x>' }]])
      assert.equal((await complete(desk, upload, parts)).status, 400)
    assert.equal((await complete(desk, upload, [part])).status, 200)
    assert.equal((await abort(desk, upload)).status, 404, 'what is a picture is not given up')
  })

  test(`${store}: a single upload is told where to go, and that there are no credentials`, async () => {
    const query = 'filename=mug.png&type=image%2Fpng&metadata%5Bkind%5D=logo'
    const { status, body } = await call(desk, 'GET', `${apiRoutes.uploadParameters}?${query}`)
    assert.equal(status, 200)
    const { method, url, fields, headers } = body
    assert.deepEqual({ method, headers }, { method: 'PUT', headers: {} })
    const picture = await noise(20, 20).png().toBuffer()
    assert.equal((await desk.send(url, picture)).status, 200)
    assert.deepEqual((await desk.get(objectUrl(fields.key))).body, picture)
    const sts = await call(desk, 'GET', apiRoutes.temporaryCredentials)
    assert.equal(sts.status, 501)
    assert.match(sts.body.message, /no temporary credentials/)
  })
}
