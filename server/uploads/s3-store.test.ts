import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { objectUrl } from '#contract/pictures.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { noise, openPictureClient } from '#server/testing/pictures.ts'
import { startS3 } from '#server/testing/s3-server.ts'

const s3 = await startS3()
const shop = await openTestShop({ environment: s3.environment })
const client = await openPictureClient(shop)
const picture = await noise(30, 20).png().toBuffer()
const { store } = shop.shop.pictures

test('a presigned URL is valid for one key, method and time only', async () => {
  const { objectPath, uploadURL } = await client.start()
  const served = uploadURL.replace('/incoming/', '/objects/')
  for (const url of [
    served,
    uploadURL.replace(objectPath, '0'.repeat(32)),
    uploadURL.replace('=604800', '=604801'),
  ])
    assert.equal((await client.send(url, picture)).status, 403, url)
  assert.equal((await fetch(uploadURL)).status, 403)
  assert.equal((await fetch(uploadURL, { method: 'DELETE' })).status, 403)
})

test('a missing bucket and wrong access keys are reported', async () => {
  assert.equal(await store.findProblem(), undefined)
  for (const wrong of [{ S3_BUCKET: 'other' }, { S3_SECRET_ACCESS_KEY: 'wrong' }]) {
    const environment = { ...s3.environment, ...wrong }
    const { shop } = await openTestShop({ environment })
    assert.match(
      (await shop.pictures.store.findProblem()) ?? '',
      /The bucket \w+ at http.* (404|403)/,
    )
  }
})

test('a store that does not speak S3 counts as unavailable', async () => {
  const gibberish = createServer((socket) => void socket.end('hello\r\n\r\n'))
  gibberish.listen(0, '127.0.0.1')
  await once(gibberish, 'listening')
  after(() => gibberish.close())
  const { port } = gibberish.address() as AddressInfo
  const environment = { ...s3.environment, S3_ENDPOINT: `http://127.0.0.1:${port}` }
  const other = await openPictureClient(await openTestShop({ environment }))
  const { objectPath } = await other.start()
  assert.equal((await other.get(objectUrl(objectPath))).status, 503)
})

test('while S3 is down requests are answered 503, and afterwards all works again', async () => {
  const stored = await client.upload(picture)
  const begun = await client.start()
  await client.send(begun.uploadURL, picture)
  await s3.stop()
  const product = { name: 'Mug', price: '1', headerLogoUrl: objectUrl(begun.objectPath) }
  const answers = [
    await client.get(objectUrl(stored.key)),
    await client.get(objectUrl(begun.objectPath)),
    ...(await Promise.all(
      [
        { method: 'POST', url: apiRoutes.products, payload: product } as const,
        { method: 'POST', url: apiRoutes.multipart, payload: {} } as const,
      ].map(async (call) => {
        const { statusCode, headers, body } = await shop.app.inject({
          ...call,
          headers: client.admin,
        })
        return { status: statusCode, headers: new Headers(headers as never), message: body }
      }),
    )),
  ]
  for (const { status, headers, message } of answers) {
    assert.equal(status, 503)
    assert.equal(headers.get('retry-after'), '5')
    assert.match(message ?? '', /store of pictures cannot be reached/)
    assert.doesNotMatch(message ?? '', /ECONNREFUSED|127\.0\.0\.1/)
  }
  assert.equal((await client.start()).objectPath.length, 32, 'URLs are signed without S3')
  assert.match((await store.findProblem()) ?? '', /does not answer/)

  await s3.start()
  assert.deepEqual((await client.get(objectUrl(stored.key))).body, picture)
  assert.deepEqual((await client.get(objectUrl(begun.objectPath))).body, picture)
})

test('the CSP allows pages to connect to the bucket and to the shop only', async () => {
  const web = await readWebFiles()
  for (const environment of [s3.environment, undefined]) {
    const { app } = await openTestShop({ web, ...(environment && { environment }) })
    const policy = String((await app.inject('/login')).headers['content-security-policy'])
    const origin = environment ? ` ${environment.S3_ENDPOINT}` : ''
    assert.ok(`${policy};`.includes(`connect-src 'self'${origin};`), policy)
  }
})
