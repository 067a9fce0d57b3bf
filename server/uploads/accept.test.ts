import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { objectUrl } from '#contract/pictures.ts'
import { createPng, noise, openBothStores, type PictureClient } from '#server/testing/pictures.ts'

const { clients } = await openBothStores()
const picture = await noise(30, 20).png().toBuffer()

async function save({ shop, admin }: PictureClient, pictures: object) {
  const answer = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.products,
    headers: admin,
    payload: { name: 'Mug', price: '12.50', ...pictures },
  })
  return { status: answer.statusCode, message: answer.json().message }
}

for (const [store, client] of Object.entries(clients)) {
  test(`${store}: a product is saved with the pictures that were uploaded for it`, async () => {
    const image = await client.start('image')
    const logo = await client.start('logo')
    await client.send(image.uploadURL, picture)
    await client.send(logo.uploadURL, picture)
    const saved = await save(client, {
      imageUrl: objectUrl(image.objectPath),
      headerLogoUrl: objectUrl(logo.objectPath),
    })
    assert.equal(saved.status, 201, saved.message)
    assert.equal((await client.get(objectUrl(image.objectPath))).status, 200)
  })

  test(`${store}: a product is saved with a missing picture`, async () => {
    const { objectPath } = await client.start()
    for (const key of [objectPath, '0'.repeat(32)]) {
      const saved = await save(client, { headerLogoUrl: objectUrl(key), imageUrl: objectUrl(key) })
      assert.equal(saved.status, 201, saved.message)
    }
  })

  test(`${store}: a product is not saved with a file that is not a picture, at every attempt`, async () => {
    const { objectPath, uploadURL } = await client.start('logo')
    await client.send(uploadURL, Buffer.from('<svg onload="alert(1)"/>'))
    for (let time = 0; time < 2; time += 1) {
      const saved = await save(client, { headerLogoUrl: objectUrl(objectPath) })
      assert.equal(saved.status, 422)
      assert.match(saved.message, /SVG/)
    }
  })

  test(`${store}: a file that is too large for a logo is refused when it is uploaded or used`, async () => {
    const { objectPath, uploadURL } = await client.start('logo')
    const sent = await client.send(uploadURL, await createPng(6 * 1024 * 1024))
    const saved = await save(client, { headerLogoUrl: objectUrl(objectPath) })
    // S3 takes anything, so it is checked when it is used; on disk nothing was stored.
    assert.deepEqual([sent.status, saved.status], store === 'S3' ? [200, 413] : [413, 201])
  })

  test(`${store}: a picture uploaded as an image may be too large for a logo`, async () => {
    const { key, status } = await client.upload(await createPng(6 * 1024 * 1024), 'image')
    assert.equal(status, 200)
    const saved = await save(client, { headerLogoUrl: objectUrl(key) })
    assert.equal(saved.status, 413)
    assert.match(saved.message, /larger than 5 MB/)
  })
}

test('pictures of other sites are not fetched', async () => {
  const saved = await save(clients.disk, { headerLogoUrl: 'https://nowhere.invalid/logo.png' })
  assert.equal(saved.status, 201)
})
