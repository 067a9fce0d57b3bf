import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import sharp from 'sharp'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { objectUrl, pictureSizes, sizedPicture } from '#contract/pictures.ts'
import { noise, openBothStores } from './test-pictures.ts'

const { s3, desks } = await openBothStores()
const photo = await noise(80, 40).resize(800).jpeg().toBuffer()
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')

for (const [store, desk] of Object.entries(desks)) {
  test(`${store}: what the admin uploads is what everyone sees`, async () => {
    const { objectPath, uploadURL } = await desk.start()
    assert.match(objectPath, /^[0-9a-f]{32}$/)
    const sent = await desk.send(uploadURL, photo)
    assert.equal(sent.status, 200)
    assert.equal(sent.headers.get('etag'), `"${md5(photo)}"`)
    const seen = await desk.get(objectUrl(objectPath))
    assert.equal(seen.status, 200)
    assert.deepEqual(seen.body, photo)
    assert.equal(seen.headers.get('content-type'), 'image/jpeg')
  })

  test(`${store}: every kind of picture is served as what it is, whatever was claimed`, async () => {
    for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
      const { key, status, message } = await desk.upload(
        await noise(60, 40).toFormat(format).toBuffer(),
      )
      assert.equal(status, 200, `${format}: ${message}`)
      const { headers } = await desk.get(objectUrl(key))
      assert.equal(headers.get('content-type'), `image/${format}`)
    }
  })

  test(`${store}: sizes are as small as asked, in the best format the browser takes`, async () => {
    const { key } = await desk.upload(photo)
    for (const [size, side] of Object.entries(pictureSizes)) {
      for (const [accept, type] of [
        ['image/avif,image/webp,*/*', 'avif'],
        ['image/webp,*/*', 'webp'],
        ['image/avif;q=0, image/png', 'webp'],
        ['', 'webp'],
      ] as const) {
        const { body, headers } = await desk.get(`${objectUrl(key)}?size=${size}`, { accept })
        assert.equal(headers.get('content-type'), `image/${type}`)
        assert.equal(headers.get('vary'), 'Accept')
        assert.equal(headers.get('content-length'), String(body.length))
        const { width, height } = await sharp(body).metadata()
        assert.deepEqual({ width, height }, { width: side, height: side / 2 })
      }
    }
    assert.equal((await desk.get(`${objectUrl(key)}?size=huge`)).status, 404)
    assert.equal((await desk.get(`${objectUrl(key)}?size=constructor`)).status, 404)
  })

  test(`${store}: sizes are upright, never larger than the picture, and tell nothing of the camera`, async () => {
    const sideways = await noise(100, 60)
      .withExif({ IFD0: { Make: 'Secret Camera' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { key } = await desk.upload(sideways)
    const { body } = await desk.get(sizedPicture(objectUrl(key), 'logo'))
    const { width, height, exif, orientation } = await sharp(body).metadata()
    assert.deepEqual(
      { width, height, exif, orientation },
      {
        width: 60,
        height: 100,
        exif: undefined,
        orientation: undefined,
      },
    )
  })

  test(`${store}: pictures keep for good, and nothing in them runs`, async () => {
    const { key } = await desk.upload(photo)
    for (const path of [objectUrl(key), sizedPicture(objectUrl(key), 'item')]) {
      const { headers, body } = await desk.get(path)
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
      assert.equal(headers.get('content-disposition'), 'inline')
      const etag = headers.get('etag') ?? ''
      const known = await desk.get(path, { 'if-none-match': `"other", W/${etag}` })
      assert.equal(known.status, 304)
      assert.equal(known.body.length, 0)
      assert.equal((await desk.get(path, { 'if-none-match': '"other"' })).status, 200)
      const head = await desk.get(path, {}, 'HEAD')
      assert.equal(head.status, 200)
      assert.equal(head.body.length, 0)
      assert.equal(head.headers.get('content-length'), String(body.length))
    }
  })

  test(`${store}: an address cannot change a picture once it is seen`, async () => {
    const { objectPath, uploadURL } = await desk.start()
    await desk.send(uploadURL, photo)
    await desk.get(objectUrl(objectPath))
    const again = await desk.send(uploadURL, photo)
    assert.equal(again.status, 200)
    assert.equal(again.headers.get('etag'), `"${md5(photo)}"`)
    await desk.send(uploadURL, await noise(20, 20).png().toBuffer())
    assert.deepEqual((await desk.get(objectUrl(objectPath))).body, photo)
  })

  test(`${store}: a picture that has not arrived is not there`, async () => {
    const { objectPath } = await desk.start()
    assert.equal((await desk.get(objectUrl(objectPath))).status, 404)
  })

  test(`${store}: only kinds of pictures that exist are asked for`, async () => {
    const answer = await desk.shop.app.inject({
      method: 'POST',
      url: apiRoutes.upload,
      headers: desk.admin,
      payload: { kind: 'video' },
    })
    assert.equal(answer.statusCode, 400)
  })
}

test('on S3 what was sent is kept apart from what is served, and removed from there', async () => {
  const before = new Set(s3.list())
  const { key } = await desks.S3.upload(photo)
  const added = s3.list().filter((name) => !before.has(name))
  assert.deepEqual(added, [
    `objects/${key}`,
    ...['item', 'logo', 'thumb'].flatMap((size) => [
      `objects/${key}.${size}.avif`,
      `objects/${key}.${size}.webp`,
    ]),
  ])
})

test('addresses of S3 are good for seven days, of whole files and of parts', async () => {
  const desk = desks.S3
  const { uploadURL } = await desk.start()
  const ask = async (method: 'GET' | 'POST', url: string) =>
    (await desk.shop.app.inject({ method, url, headers: desk.admin })).json()
  const { key, uploadId } = await ask('POST', apiRoutes.multipart)
  const part = pathOf(apiRoutes.multipartPart, { uploadId, partNumber: '1' })
  const { url } = await ask('GET', `${part}?key=${key}`)
  for (const address of [uploadURL, url])
    assert.equal(new URL(address).searchParams.get('X-Amz-Expires'), '604800')
})

test('the address is the one the browser sees, or else the one that was asked', async () => {
  const ask = async (headers: Record<string, string>) => {
    const answer = await desks.disk.shop.app.inject({
      method: 'POST',
      url: apiRoutes.upload,
      headers: { ...desks.disk.admin, ...headers },
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
