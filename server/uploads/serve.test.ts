import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { objectUrl, pictureSizes, sizedPicture } from '#contract/pictures.ts'
import { animate, noise, openBothStores } from '#server/testing/pictures.ts'

const { s3, clients } = await openBothStores()
const photo = await noise(80, 40).resize(800).jpeg().toBuffer()
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')

for (const [store, client] of Object.entries(clients)) {
  test(`${store}: everyone sees what the admin uploaded`, async () => {
    const { objectPath, uploadURL } = await client.start()
    assert.match(objectPath, /^[0-9a-f]{32}$/)
    const sent = await client.send(uploadURL, photo)
    assert.equal(sent.status, 200)
    assert.equal(sent.headers.get('etag'), `"${md5(photo)}"`)
    const seen = await client.get(objectUrl(objectPath))
    assert.equal(seen.status, 200)
    assert.equal(seen.headers.get('content-type'), 'image/jpeg')
    const { width, height } = await sharp(seen.body).metadata()
    assert.deepEqual({ width, height }, { width: 800, height: 400 })
  })

  test(`${store}: every picture is served with its real type, whatever was claimed`, async () => {
    for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
      const { key, status, message } = await client.upload(
        await noise(60, 40).toFormat(format).toBuffer(),
      )
      assert.equal(status, 200, `${format}: ${message}`)
      const { headers } = await client.get(objectUrl(key))
      assert.equal(headers.get('content-type'), `image/${format}`)
    }
  })

  test(`${store}: sizes are as requested, in the best format that the browser accepts`, async () => {
    const { key } = await client.upload(photo)
    for (const [size, side] of Object.entries(pictureSizes)) {
      for (const [accept, type] of [
        ['image/avif,image/webp,*/*', 'avif'],
        ['image/webp,*/*', 'webp'],
        ['image/avif;q=0, image/png', 'webp'],
        ['', 'webp'],
      ] as const) {
        const { body, headers } = await client.get(`${objectUrl(key)}?size=${size}`, { accept })
        assert.equal(headers.get('content-type'), `image/${type}`)
        assert.equal(headers.get('vary'), 'Accept')
        assert.equal(headers.get('content-length'), String(body.length))
        const { width, height } = await sharp(body).metadata()
        assert.deepEqual({ width, height }, { width: side, height: side / 2 })
      }
    }
    assert.equal((await client.get(`${objectUrl(key)}?size=huge`)).status, 404)
    assert.equal((await client.get(`${objectUrl(key)}?size=constructor`)).status, 404)
  })

  test(`${store}: pictures are upright, never enlarged, and without camera metadata`, async () => {
    const sideways = await noise(100, 60)
      .withExif({ IFD0: { Make: 'Secret Camera' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { key } = await client.upload(sideways)
    for (const path of [objectUrl(key), sizedPicture(objectUrl(key), 'logo')]) {
      const { body } = await client.get(path)
      assert.equal(body.includes('Secret Camera'), false)
      const { width, height, exif, orientation } = await sharp(body).metadata()
      assert.deepEqual(
        { width, height, exif, orientation },
        { width: 60, height: 100, exif: undefined, orientation: undefined },
      )
    }
  })

  test(`${store}: of no format anything but pixels is served, and animations keep moving`, async () => {
    const exif = { IFD0: { Copyright: 'Secret Camera' } }
    for (const format of ['png', 'jpeg', 'webp', 'avif'] as const) {
      const { key } = await client.upload(
        await noise(60, 40).toFormat(format).withExif(exif).toBuffer(),
      )
      const { body } = await client.get(objectUrl(key))
      assert.equal(body.includes('Secret Camera'), false, format)
      const { width, height } = await sharp(body).metadata()
      assert.deepEqual({ width, height }, { width: 60, height: 40 })
    }
    const { key } = await client.upload(await animate(40, 3).gif().toBuffer())
    const { body } = await client.get(objectUrl(key))
    assert.equal((await sharp(body).metadata()).pages, 3)
  })

  test(`${store}: pictures are cached forever, and nothing in them is executed`, async () => {
    const { key } = await client.upload(photo)
    for (const path of [objectUrl(key), sizedPicture(objectUrl(key), 'item')]) {
      const { headers, body } = await client.get(path)
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
      assert.equal(headers.get('content-disposition'), 'inline')
      const etag = headers.get('etag') ?? ''
      const known = await client.get(path, { 'if-none-match': `"other", W/${etag}` })
      assert.equal(known.status, 304)
      assert.equal(known.body.length, 0)
      assert.equal((await client.get(path, { 'if-none-match': '"other"' })).status, 200)
      const head = await client.get(path, {}, 'HEAD')
      assert.equal(head.status, 200)
      assert.equal(head.body.length, 0)
      assert.equal(head.headers.get('content-length'), String(body.length))
    }
  })

  test(`${store}: an upload URL cannot change a picture once it is served`, async () => {
    const { objectPath, uploadURL } = await client.start()
    await client.send(uploadURL, photo)
    const { body: before } = await client.get(objectUrl(objectPath))
    const again = await client.send(uploadURL, photo)
    assert.equal(again.status, 200)
    assert.equal(again.headers.get('etag'), `"${md5(photo)}"`)
    await client.send(uploadURL, await noise(20, 20).png().toBuffer())
    assert.deepEqual((await client.get(objectUrl(objectPath))).body, before)
  })

  test(`${store}: a picture that was not uploaded is not found`, async () => {
    const { objectPath } = await client.start()
    assert.equal((await client.get(objectUrl(objectPath))).status, 404)
  })

  test(`${store}: an unknown kind of picture is refused`, async () => {
    const answer = await client.shop.app.inject({
      method: 'POST',
      url: apiRoutes.upload,
      headers: client.admin,
      payload: { kind: 'video' },
    })
    assert.equal(answer.statusCode, 400)
  })
}

test('on S3 uploads are separate from served files, and deleted once accepted', async () => {
  const before = new Set(s3.list())
  const { key } = await clients.S3.upload(photo)
  const added = s3.list().filter((name) => !before.has(name))
  assert.deepEqual(added, [
    `objects/${key}`,
    ...[
      'item.avif',
      'item.webp',
      'logo.avif',
      'logo.webp',
      'public',
      'thumb.avif',
      'thumb.webp',
    ].map((name) => `objects/${key}.${name}`),
  ])
})

test('presigned URLs are valid for seven days, for files and for parts', async () => {
  const client = clients.S3
  const { uploadURL } = await client.start()
  const ask = async (method: 'GET' | 'POST', url: string) =>
    (await client.shop.app.inject({ method, url, headers: client.admin })).json()
  const { key, uploadId } = await ask('POST', apiRoutes.multipart)
  const part = pathOf(apiRoutes.multipartPart, { uploadId, partNumber: '1' })
  const { url } = await ask('GET', `${part}?key=${key}`)
  for (const address of [uploadURL, url])
    assert.equal(new URL(address).searchParams.get('X-Amz-Expires'), '604800')
})

test('upload URLs have the origin that the browser sees, or else that of the request', async () => {
  const ask = async (headers: Record<string, string>) => {
    const answer = await clients.disk.shop.app.inject({
      method: 'POST',
      url: apiRoutes.upload,
      headers: { ...clients.disk.admin, ...headers },
    })
    return new URL(answer.json().uploadURL).origin
  }
  const site = { 'sec-fetch-site': 'same-origin' }
  assert.equal(
    await ask({ origin: 'https://shop.example.com', ...site }),
    'https://shop.example.com',
  )
  assert.equal(await ask({ origin: 'null', host: 'shop:3000', ...site }), 'http://shop:3000')
  assert.equal(await ask({ host: 'shop:3000' }), 'http://shop:3000')
})

/** Path traversals that have worked somewhere. */
const traversals = [
  '../secret',
  '..%2fsecret',
  '..%2Fsecret',
  '%2e%2e%2fsecret',
  '%2e%2e/secret',
  '%252e%252e%252fsecret',
  '..%5csecret',
  '..\\secret',
  '....//secret',
  '%2fetc%2fpasswd',
  '/etc/passwd',
  'C:%5cwindows%5cwin.ini',
  '%5c%5cserver%5cshare',
  'file:%2f%2f%2fetc%2fpasswd',
  'stored%2fKEY',
  '.%2fKEY',
  'KEY%2f',
  'KEY%2f..%2fKEY',
  'KEY.thumb.webp',
  'KEY%00',
  'KEY%00.png',
  'KEY%20',
  'KEY%0a',
  '%EF%BC%8E%EF%BC%8E%EF%BC%8Fsecret',
  '..%c0%afsecret',
  'incoming',
  'incoming/KEY',
  's3/../KEY',
  '0'.repeat(32),
  '0'.repeat(31),
  '0'.repeat(5000),
  '',
  'secret',
  '__proto__',
]

/** Sends the path unchanged; other clients would normalize it. */
async function getRawPath(address: string, path: string) {
  const sending = request(address, { path })
  sending.end()
  const [answer] = await once(sending, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode, body: Buffer.concat(chunks).toString('latin1') }
}

for (const [store, client] of Object.entries(clients)) {
  test(`${store}: nothing but a key that was stored is served`, async () => {
    const { dataDir } = client.shop.shop.config
    mkdirSync(join(dataDir, 'objects', 'stored'), { recursive: true })
    for (const folder of ['', 'objects', 'objects/stored'])
      writeFileSync(join(dataDir, folder, 'secret'), 'the secret')
    const address = await client.shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { key } = await client.upload(await noise(30, 20).png().toBuffer())
    for (const path of [
      ...traversals.map((path) => path.replaceAll('KEY', key)),
      key.toUpperCase(),
    ]) {
      const { status, body } = await getRawPath(address, `/api/objects/${path}`)
      // A NUL is refused before the key is looked up.
      assert.equal(status, path.includes('%00') ? 400 : 404, path)
      assert.doesNotMatch(body, /the secret|root:/)
    }
    assert.equal((await getRawPath(address, `/api/objects/${key}`)).status, 200)
  })
}
