import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { findParts } from './objects.ts'
import { beginParts, completeParts } from './multipart.ts'
import { signAddress } from './signed-address.ts'
import { noise, openDesk } from './test-pictures.ts'

const shop = await openTestShop({ uploadLimits: { image: 10_000 } })
const desk = await openDesk(shop)
const { pictures, secret } = shop.shop
const now = Date.now() / 1000

async function begin() {
  const upload = await beginParts(shop.db, pictures, 'image', 'admin')
  const address = (partNumber: number) =>
    pictures.store.partUrl(
      { ...upload, partNumber, kind: 'image', most: 10_000, now },
      'http://localhost',
    )
  return { ...upload, address }
}

test('all parts together are no larger than one file', async () => {
  const { address } = await begin()
  assert.equal((await desk.send(await address(1), Buffer.alloc(9_000))).status, 200)
  assert.equal((await desk.send(await address(2), Buffer.alloc(1_001))).status, 413)
  assert.equal((await desk.send(await address(1), Buffer.alloc(1_001))).status, 200, 'sent anew')
  assert.equal((await desk.send(await address(2), Buffer.alloc(8_999))).status, 200)
  assert.equal((await desk.send(await address(3), Buffer.alloc(1))).status, 413)
})

test('the last of several parts with one number counts', async () => {
  const { key, uploadId, address } = await begin()
  const picture = await noise(20, 20).png().toBuffer()
  await desk.send(await address(1), Buffer.from('first'))
  const { headers } = await desk.send(await address(1), picture)
  const parts = await pictures.store.listParts(key, uploadId)
  assert.deepEqual(parts, [{ PartNumber: 1, Size: picture.length, ETag: headers.get('etag') }])
  const object = await findParts(shop.db, key, uploadId)
  const missing = [{ PartNumber: 2, ETag: headers.get('etag') ?? '' }]
  await assert.rejects(completeParts(shop.db, pictures, object, missing), /has not arrived/)
  await completeParts(shop.db, pictures, object, parts)
})

test('the address of a part is good for that part alone, and not for ever', async () => {
  const { key, uploadId, address } = await begin()
  const other = await begin()
  const url = await address(1)
  const bytes = Buffer.from('a part')
  for (const bad of [
    url.replace('/1?', '/2?'),
    url.replace(/signature=./, 'signature=x'),
    url.replace(key, other.key).replace(uploadId, other.uploadId),
  ])
    assert.equal((await desk.send(bad, bytes)).status, 403)
  assert.equal((await desk.send(url.replace(key, other.key), bytes)).status, 404)
  assert.equal((await desk.send(url.replace(/\/1\?.*/, '/one'), bytes)).status, 400)

  const path = pathOf(apiRoutes.arrivalOfPart, { key, uploadId, partNumber: '1' })
  const part = { uploadId, partNumber: 1 }
  const ended = { key, kind: 'image', most: 10_000, expires: Math.floor(now) - 10, part }
  const late = await desk.send(signAddress(`http://localhost${path}`, secret, ended), bytes)
  assert.deepEqual([late.status, late.message], [403, 'Request has expired'])
  assert.equal((await desk.send(url, bytes)).status, 200)
})
