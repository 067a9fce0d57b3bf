import assert from 'node:assert/strict'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { objectUrl } from '#contract/pictures.ts'
import { createProduct, deleteProduct, keepShownProduct } from '#server/catalog/products.ts'
import { productSchema } from '#contract/products.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, objects, orders } from '#server/db/schema.ts'
import { createMultipart } from './multipart.ts'
import { deleteUnusedPictures } from './unused-pictures.ts'
import { noise, openBothStores, type PictureClient } from '#server/testing/pictures.ts'

const { s3, clients } = await openBothStores()
const picture = await noise(30, 20).png().toBuffer()
const elsewhere = 'https://example.com/logo.png'

/** Makes all uploads some days older. */
async function advanceDays({ shop }: PictureClient, days = 2): Promise<void> {
  const passed = sql`make_interval(days => ${days})`
  await shop.db.update(objects).set({ neededAt: sql`${objects.neededAt} - ${passed}` })
  if (shop.shop.config.pictureStore) return
  for (const name of ['incoming', 'parts']) {
    const folder = join(shop.shop.config.dataDir, 'objects', name)
    for (const file of readdirSync(folder).map((entry) => join(folder, entry))) {
      const before = statSync(file).mtimeMs / 1000 - days * 24 * 60 * 60
      utimesSync(file, before, before)
    }
  }
}

async function add(
  { shop }: PictureClient,
  pictures: { imageUrl?: string; headerLogoUrl?: string; choice?: object },
) {
  const content = productSchema.parse({
    name: 'Mug',
    price: '12.50',
    headerLogoUrl: elsewhere,
    ...pictures,
  })
  return createProduct(shop.db, content, 'admin')
}

/** What was sold of a product that has other pictures by now. */
async function sell(client: PictureClient, sold: { imageUrl?: string; headerLogoUrl?: string }) {
  const { id: productId } = await add(client, {})
  const product = { id: productId, headerLogoUrl: elsewhere, imageUrl: null, ...sold } as never
  return { productId, product, amount: '12.50', currency: 'EUR' }
}

async function isServed(client: PictureClient, key: string): Promise<boolean> {
  return (await client.get(objectUrl(key))).status === 200
}

for (const [store, client] of Object.entries(clients)) {
  const { db, shop } = client.shop
  const cleanUp = () => deleteUnusedPictures(db, shop.pictures.store)

  test(`${store}: a picture in use stays, an unused one is deleted`, async () => {
    const upload = async () => (await client.upload(picture)).key
    const [image, logo, value, deleted, offered, sold, soldLogo, unused, fresh] = [
      await upload(),
      await upload(),
      await upload(),
      await upload(),
      await upload(),
      await upload(),
      await upload(),
      await upload(),
      await upload(),
    ]
    await add(client, { imageUrl: objectUrl(image), headerLogoUrl: objectUrl(logo) })
    const values = [{ name: 'Plain' }, { name: 'Red', imageUrl: objectUrl(value) }]
    await add(client, { choice: { name: 'Colour', values } })
    await deleteProduct(db, (await add(client, { imageUrl: objectUrl(deleted) })).id)
    const { product, ...offer } = await sell(client, { imageUrl: objectUrl(offered) })
    const shownVersion = await keepShownProduct(db, product)
    const buyerTokenHash = '0'.repeat(64)
    await db
      .insert(checkouts)
      .values({ ...offer, shownVersion, buyerTokenHash, merchantCode: 'M', validUntil: sql`now()` })
    for (const pictures of [{ imageUrl: objectUrl(sold) }, { headerLogoUrl: objectUrl(soldLogo) }])
      await db
        .insert(orders)
        .values({ ...(await sell(client, pictures)), shippingAddress: {} as never })
    await advanceDays(client)
    await db
      .update(objects)
      .set({ neededAt: sql`now()` })
      .where(eq(objects.key, fresh))

    await cleanUp()
    for (const key of [image, logo, value, deleted, offered, sold, soldLogo, fresh])
      assert.ok(await isServed(client, key))
    assert.ok(!(await isServed(client, unused)))
    assert.deepEqual(await db.select().from(objects).where(eq(objects.key, unused)), [])
    const files =
      store === 'S3' ? s3.list() : readdirSync(join(shop.config.dataDir, 'objects', 'stored'))
    assert.deepEqual(
      files.filter((name) => name.includes(unused)),
      [],
    )
  })

  test(`${store}: an upload URL works until it expires, however often unused pictures are deleted`, async () => {
    const { objectPath, uploadURL } = await client.start()
    await advanceDays(client, 6)
    await cleanUp()
    assert.equal((await client.send(uploadURL, picture)).status, 200)
    assert.ok(await isServed(client, objectPath))
  })

  test(`${store}: a multipart upload is kept as long as the URL that was issued last`, async () => {
    const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
      const more = payload && { payload }
      const answer = await client.shop.app.inject({ method, url, headers: client.admin, ...more })
      return answer.json()
    }
    const { key, uploadId } = await call('POST', apiRoutes.multipart)
    await advanceDays(client, 6)
    const part = pathOf(apiRoutes.multipartPart, { uploadId, partNumber: '1' })
    const { url } = await call('GET', `${part}?key=${key}`)
    await advanceDays(client, 6)
    await cleanUp()
    const sent = await client.send(url, picture)
    assert.equal(sent.status, 200)
    const parts = [{ PartNumber: 1, ETag: sent.headers.get('etag') }]
    await call('POST', `${pathOf(apiRoutes.multipartComplete, { uploadId })}?key=${key}`, { parts })
    assert.ok(await isServed(client, key))
  })

  test(`${store}: uploads that were never finished are deleted`, async () => {
    const { objectPath } = await client.start()
    const { key, uploadId } = await createMultipart(db, shop.pictures, 'image', 'admin')
    const part = { uploadId, partNumber: 1 }
    const grant = { key, kind: 'image', maxBytes: 1e7, now: Date.now() / 1000, part } as const
    const url = await shop.pictures.store.createUploadUrl(grant, 'http://localhost')
    await advanceDays(client, 9)
    await cleanUp()
    const left = await db.select({ key: objects.key }).from(objects)
    for (const gone of [objectPath, key]) assert.ok(!left.some((row) => row.key === gone))
    assert.equal((await client.send(url, picture)).status, 404)
  })

  test(`${store}: a picture is not deleted between its check and the saving of the product`, async () => {
    const { key } = await client.upload(picture)
    await advanceDays(client)
    await shop.checkPictures([{ url: objectUrl(key), kind: 'image' }])
    await cleanUp()
    assert.ok(await isServed(client, key))
  })

  test(`${store}: a picture used with a query or fragment in its URL stays`, async () => {
    for (const more of ['?size=logo', '#top', '?']) {
      const { key } = await client.upload(picture)
      const { imageUrl } = await add(client, { imageUrl: `${objectUrl(key)}${more}` })
      assert.equal(imageUrl, objectUrl(key))
      await advanceDays(client)
      await cleanUp()
      assert.ok(await isServed(client, key), more)
    }
  })

  test(`${store}: a product saved while pictures are deleted has all of its picture or none`, async () => {
    for (let round = 0; round < 10; round += 1) {
      const { key } = await client.upload(picture)
      await advanceDays(client)
      const save = async () => {
        await shop.checkPictures([{ url: objectUrl(key), kind: 'image' }])
        await add(client, { imageUrl: objectUrl(key) })
      }
      await Promise.all([save(), cleanUp()])
      const [row] = await db.select().from(objects).where(eq(objects.key, key))
      assert.equal(await isServed(client, key), row !== undefined)
    }
  })

  test(`${store}: files left behind by a crash are deleted after a day`, async () => {
    const work = join(shop.config.dataDir, 'objects', 'work')
    writeFileSync(join(work, 'old'), 'x')
    writeFileSync(join(work, 'new'), 'x')
    const longAgo = Date.now() / 1000 - 2 * 24 * 60 * 60
    utimesSync(join(work, 'old'), longAgo, longAgo)
    await cleanUp()
    assert.deepEqual(readdirSync(work), ['new'])
  })
}
