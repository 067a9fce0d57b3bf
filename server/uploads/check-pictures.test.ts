import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { objectUrl } from '#contract/pictures.ts'
import { noise, openBothStores, type PictureDesk } from './test-pictures.ts'

const { desks } = await openBothStores()
const picture = await noise(30, 20).png().toBuffer()

async function save({ shop, admin }: PictureDesk, pictures: object) {
  const answer = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.products,
    headers: admin,
    payload: { name: 'Mug', price: '12.50', ...pictures },
  })
  return { status: answer.statusCode, message: answer.json().message }
}

for (const [store, desk] of Object.entries(desks)) {
  test(`${store}: a product is saved with the pictures that were uploaded for it`, async () => {
    const image = await desk.start('image')
    const logo = await desk.start('logo')
    await desk.send(image.uploadURL, picture)
    await desk.send(logo.uploadURL, picture)
    const saved = await save(desk, {
      imageUrl: objectUrl(image.objectPath),
      headerLogoUrl: objectUrl(logo.objectPath),
    })
    assert.equal(saved.status, 201, saved.message)
    assert.equal((await desk.get(objectUrl(image.objectPath))).status, 200)
  })

  test(`${store}: a product is saved with a picture that is not there`, async () => {
    const { objectPath } = await desk.start()
    for (const key of [objectPath, '0'.repeat(32)]) {
      const saved = await save(desk, { headerLogoUrl: objectUrl(key), imageUrl: objectUrl(key) })
      assert.equal(saved.status, 201, saved.message)
    }
  })

  test(`${store}: a product is not saved with a file that is no picture, however often it is tried`, async () => {
    const { objectPath, uploadURL } = await desk.start('logo')
    await desk.send(uploadURL, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    for (let time = 0; time < 2; time += 1) {
      const saved = await save(desk, { headerLogoUrl: objectUrl(objectPath) })
      assert.equal(saved.status, 422)
      assert.match(saved.message, /SVG/)
    }
  })

  test(`${store}: a logo sent through the limit of images is too large for a logo`, async () => {
    const { objectPath, uploadURL } = await desk.start('logo')
    await desk.send(uploadURL, Buffer.alloc(6 * 1024 * 1024))
    const saved = await save(desk, { headerLogoUrl: objectUrl(objectPath) })
    // The disk refused the bytes when they came, so there is no picture; S3 takes anything, and is asked now.
    assert.equal(saved.status, store === 'S3' ? 413 : 201)
  })
}

test('pictures of other sites are not fetched', async () => {
  const saved = await save(desks.disk, { headerLogoUrl: 'https://nowhere.invalid/logo.png' })
  assert.equal(saved.status, 201)
})
