import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { objectUrl, sizedPicture } from '#contract/pictures.ts'
import { noise, openBothStores, type PictureClient } from '#server/testing/pictures.ts'

const megabyte = 1024 * 1024
const { s3, clients } = await openBothStores({ image: 200 * megabyte, pixels: 60_000_000 })
const partBytes = 25 * megabyte
const large = await noise(7000, 5800).png({ compressionLevel: 0 }).toBuffer()

type Method = 'GET' | 'POST' | 'DELETE'
type Upload = { key: string; uploadId: string }

async function call(client: PictureClient, method: Method, url: string, payload?: object) {
  const answer = await client.shop.app.inject({
    method,
    url,
    headers: client.admin,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

async function begin(client: PictureClient, metadata: object = {}): Promise<Upload> {
  const file = { filename: '../mug.png', type: 'text/html', metadata }
  return (await call(client, 'POST', apiRoutes.multipart, file)).body
}

const multipartPath = (
  path: string,
  { key, uploadId }: Upload,
  more: Record<string, string> = {},
) => `${pathOf(path, { uploadId, ...more })}?key=${key}`

async function sendPart(client: PictureClient, upload: Upload, number: number, bytes: Buffer) {
  const named = multipartPath(apiRoutes.multipartPart, upload, { partNumber: String(number) })
  const { body } = await call(client, 'GET', named)
  assert.equal(body.expires, 604_800)
  const { status, headers, message } = await client.send(body.url, bytes)
  return { status, message, PartNumber: number, ETag: headers.get('etag') ?? '' }
}

const md5Of = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')

const complete = (client: PictureClient, upload: Upload, parts: object[]) =>
  call(client, 'POST', multipartPath(apiRoutes.multipartComplete, upload), { parts })
const list = (client: PictureClient, upload: Upload) =>
  call(client, 'GET', multipartPath(apiRoutes.multipartUpload, upload))
const abort = (client: PictureClient, upload: Upload) =>
  call(client, 'DELETE', multipartPath(apiRoutes.multipartUpload, upload))

for (const [store, client] of Object.entries(clients)) {
  test(`${store}: a file of 120 MB arrives in parts, in any order, and is a picture`, async () => {
    assert.ok(large.length > 115 * megabyte)
    const upload = await begin(client)
    const count = Math.ceil(large.length / partBytes)
    const numbers = Array.from({ length: count }, (_, at) => count - at)
    const parts = []
    for (const number of numbers) {
      const bytes = large.subarray((number - 1) * partBytes, number * partBytes)
      const part = await sendPart(client, upload, number, bytes)
      assert.equal(part.status, 200, part.message)
      parts.push(part)
    }
    parts.reverse()
    const { body: listed } = await list(client, upload)
    assert.deepEqual(
      listed,
      parts.map(({ PartNumber, ETag }) => ({
        PartNumber,
        ETag,
        Size: PartNumber === count ? large.length - (count - 1) * partBytes : partBytes,
      })),
    )
    assert.deepEqual(await complete(client, upload, parts), {
      status: 200,
      body: { location: objectUrl(upload.key) },
    })
    const url = objectUrl(upload.key)
    assert.equal((await client.get(url)).headers.get('content-type'), 'image/png')
    assert.equal(await client.readUploaded(upload.key), md5Of(large))
    assert.equal((await client.get(sizedPicture(objectUrl(upload.key), 'item'))).status, 200)
    assert.equal(
      (await complete(client, upload, parts)).status,
      200,
      'a lost answer is given again',
    )
  })

  test(`${store}: parts that are not a picture together are refused and deleted`, async () => {
    const upload = await begin(client)
    const part = await sendPart(client, upload, 1, Buffer.from('<script>alert(1)</script>'))
    const { status, body } = await complete(client, upload, [part])
    assert.equal(status, 422)
    assert.match(body.message, /PNG, JPEG, WebP, GIF, AVIF or SVG/)
    assert.equal((await complete(client, upload, [part])).status, 422)
    assert.equal((await client.get(objectUrl(upload.key))).status, 404)
    const { dataDir } = client.shop.shop.config
    const files = store === 'S3' ? s3.list() : readdirSync(join(dataDir, 'objects/parts'))
    assert.ok(!files.some((name) => name.includes(upload.key) || name.includes(upload.uploadId)))
  })

  test(`${store}: an aborted upload takes nothing more`, async () => {
    const upload = await begin(client)
    const part = await sendPart(client, upload, 1, Buffer.from('a part'))
    assert.equal(part.status, 200)
    const named = multipartPath(apiRoutes.multipartPart, upload, { partNumber: '2' })
    const { body: next } = await call(client, 'GET', named)
    assert.deepEqual(await abort(client, upload), { status: 200, body: {} })
    assert.equal((await client.send(next.url, Buffer.from('another'))).status, 404)
    for (const answer of [
      await list(client, upload),
      await abort(client, upload),
      await complete(client, upload, [part]),
      await call(client, 'GET', named),
    ])
      assert.equal(answer.status, 404)
  })

  test(`${store}: a part is signed for its own upload only`, async () => {
    const mine = await begin(client)
    const foreign = await begin(client)
    const cannotSign = 'Cannot sign without a key, an uploadId, and a partNumber'
    const { uploadId } = mine
    for (const url of [
      pathOf(apiRoutes.multipartPart, { uploadId, partNumber: '1' }),
      multipartPath(apiRoutes.multipartPart, mine, { partNumber: '0' }),
      multipartPath(apiRoutes.multipartPart, mine, { partNumber: '10001' }),
      multipartPath(apiRoutes.multipartPart, mine, { partNumber: 'one' }),
    ]) {
      const { status, body } = await call(client, 'GET', url)
      assert.deepEqual([status, body.message], [400, cannotSign], url)
    }
    for (const upload of [
      { key: foreign.key, uploadId },
      { key: '0'.repeat(32), uploadId },
      { key: '../secret', uploadId },
      { key: mine.key, uploadId: 'x'.repeat(900) },
    ]) {
      const named = multipartPath(apiRoutes.multipartPart, upload, { partNumber: '1' })
      assert.equal((await call(client, 'GET', named)).status, 404)
      assert.equal((await list(client, upload)).status, 404)
      assert.equal((await abort(client, upload)).status, 404)
    }
  })

  test(`${store}: a completion names existing parts, in order`, async () => {
    const upload = await begin(client)
    const part = await sendPart(client, upload, 1, await noise(20, 20).png().toBuffer())
    for (const parts of [[], [part, part], [{ PartNumber: 1 }], [{ ...part, ETag: '<x>' }]])
      assert.equal((await complete(client, upload, parts)).status, 400)
    assert.equal((await complete(client, upload, [part])).status, 200)
    assert.equal((await abort(client, upload)).status, 404, 'a stored picture cannot be aborted')
  })

  test(`${store}: Uppy gets parameters for a single upload, and no temporary credentials`, async () => {
    const query = 'filename=mug.png&type=image%2Fpng&metadata%5Bkind%5D=logo'
    const { status, body } = await call(client, 'GET', `${apiRoutes.uploadParameters}?${query}`)
    assert.equal(status, 200)
    const { method, url, fields, headers } = body
    assert.deepEqual({ method, headers }, { method: 'PUT', headers: {} })
    const picture = await noise(20, 20).png().toBuffer()
    assert.equal((await client.send(url, picture)).status, 200)
    assert.deepEqual((await client.get(objectUrl(fields.key))).body, picture)
    const sts = await call(client, 'GET', apiRoutes.temporaryCredentials)
    assert.equal(sts.status, 501)
    assert.match(sts.body.message, /no temporary credentials/)
  })
}
