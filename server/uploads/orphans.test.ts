import assert from 'node:assert/strict'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { objectUrl } from '#contract/pictures.ts'
import { addProduct, removeProduct } from '#server/catalog/products.ts'
import { productSchema } from '#contract/products.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, objects, orders } from '#server/db/schema.ts'
import { beginParts } from './multipart.ts'
import { dropOrphans } from './orphans.ts'
import { noise, openBothStores, type PictureDesk } from './test-pictures.ts'

const { s3, desks } = await openBothStores()
const picture = await noise(30, 20).png().toBuffer()
const elsewhere = 'https://example.com/logo.png'

/** Days pass, as far as the pictures are concerned. */
async function letDaysPass({ shop }: PictureDesk, days = 2): Promise<void> {
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

async function add({ shop }: PictureDesk, pictures: { imageUrl?: string; headerLogoUrl?: string }) {
  const content = productSchema.parse({
    name: 'Mug',
    price: '12.50',
    headerLogoUrl: elsewhere,
    ...pictures,
  })
  return addProduct(shop.db, content, 'admin')
}

/** A product as it was sold, with pictures that it no longer has. */
async function sell(desk: PictureDesk, sold: { imageUrl?: string; headerLogoUrl?: string }) {
  const { id: productId } = await add(desk, {})
  const product = { id: productId, headerLogoUrl: elsewhere, imageUrl: null, ...sold } as never
  return { productId, product, amount: '12.50', currency: 'EUR' }
}

async function isThere(desk: PictureDesk, key: string): Promise<boolean> {
  return (await desk.get(objectUrl(key))).status === 200
}

for (const [store, desk] of Object.entries(desks)) {
  const { db, shop } = desk.shop
  const tidyUp = () => dropOrphans(db, shop.pictures.store)

  test(`${store}: a picture that anything shows stays, one that nothing shows goes`, async () => {
    const upload = async () => (await desk.upload(picture)).key
    const [image, logo, deleted, offered, sold, soldLogo, unused, fresh] = [
      await upload(),
      await upload(),
      await upload(),
      await upload(),
      await upload(),
      await upload(),
      await upload(),
      await upload(),
    ]
    await add(desk, { imageUrl: objectUrl(image), headerLogoUrl: objectUrl(logo) })
    await removeProduct(db, (await add(desk, { imageUrl: objectUrl(deleted) })).id)
    const offer = await sell(desk, { imageUrl: objectUrl(offered) })
    const buyerTokenHash = '0'.repeat(64)
    await db
      .insert(checkouts)
      .values({ ...offer, buyerTokenHash, merchantCode: 'M', validUntil: sql`now()` })
    for (const pictures of [{ imageUrl: objectUrl(sold) }, { headerLogoUrl: objectUrl(soldLogo) }])
      await db
        .insert(orders)
        .values({ ...(await sell(desk, pictures)), shippingAddress: {} as never })
    await letDaysPass(desk)
    await db
      .update(objects)
      .set({ neededAt: sql`now()` })
      .where(eq(objects.key, fresh))

    await tidyUp()
    for (const key of [image, logo, deleted, offered, sold, soldLogo, fresh])
      assert.ok(await isThere(desk, key))
    assert.ok(!(await isThere(desk, unused)))
    assert.deepEqual(await db.select().from(objects).where(eq(objects.key, unused)), [])
    const files =
      store === 'S3' ? s3.list() : readdirSync(join(shop.config.dataDir, 'objects', 'stored'))
    assert.deepEqual(
      files.filter((name) => name.includes(unused)),
      [],
    )
  })

  test(`${store}: an address takes its file as long as it is good, however often is tidied up`, async () => {
    const { objectPath, uploadURL } = await desk.start()
    await letDaysPass(desk, 6)
    await tidyUp()
    assert.equal((await desk.send(uploadURL, picture)).status, 200)
    assert.ok(await isThere(desk, objectPath))
  })

  test(`${store}: an upload in parts lasts as long as the address that was signed last`, async () => {
    const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
      const more = payload && { payload }
      const answer = await desk.shop.app.inject({ method, url, headers: desk.admin, ...more })
      return answer.json()
    }
    const { key, uploadId } = await call('POST', apiRoutes.multipart)
    await letDaysPass(desk, 6)
    const part = pathOf(apiRoutes.multipartPart, { uploadId, partNumber: '1' })
    const { url } = await call('GET', `${part}?key=${key}`)
    await letDaysPass(desk, 6)
    await tidyUp()
    const sent = await desk.send(url, picture)
    assert.equal(sent.status, 200)
    const parts = [{ PartNumber: 1, ETag: sent.headers.get('etag') }]
    await call('POST', `${pathOf(apiRoutes.multipartComplete, { uploadId })}?key=${key}`, { parts })
    assert.ok(await isThere(desk, key))
  })

  test(`${store}: what was begun and never finished goes`, async () => {
    const { objectPath } = await desk.start()
    const { key, uploadId } = await beginParts(db, shop.pictures, 'image', 'admin')
    const url = { uploadId, partNumber: 1, key, kind: 'image', most: 1e7, now: Date.now() / 1000 }
    const part = await shop.pictures.store.partUrl({ ...url, kind: 'image' }, 'http://localhost')
    await letDaysPass(desk, 9)
    await tidyUp()
    const left = await db.select({ key: objects.key }).from(objects)
    for (const gone of [objectPath, key]) assert.ok(!left.some((row) => row.key === gone))
    assert.equal((await desk.send(part, picture)).status, 404)
  })

  test(`${store}: a picture is not removed between the look at it and the saving`, async () => {
    const { key } = await desk.upload(picture)
    await letDaysPass(desk)
    await shop.checkPictures([{ url: objectUrl(key), kind: 'image' }])
    await tidyUp()
    assert.ok(await isThere(desk, key))
  })

  test(`${store}: a picture shown by a longer way of writing its address stays`, async () => {
    for (const more of ['?size=logo', '#top', '?']) {
      const { key } = await desk.upload(picture)
      const { imageUrl } = await add(desk, { imageUrl: `${objectUrl(key)}${more}` })
      assert.equal(imageUrl, objectUrl(key))
      await letDaysPass(desk)
      await tidyUp()
      assert.ok(await isThere(desk, key), more)
    }
  })

  test(`${store}: a product saved while pictures are removed has its picture whole, or none of it`, async () => {
    for (let round = 0; round < 10; round += 1) {
      const { key } = await desk.upload(picture)
      await letDaysPass(desk)
      const save = async () => {
        await shop.checkPictures([{ url: objectUrl(key), kind: 'image' }])
        await add(desk, { imageUrl: objectUrl(key) })
      }
      await Promise.all([save(), tidyUp()])
      const [row] = await db.select().from(objects).where(eq(objects.key, key))
      assert.equal(await isThere(desk, key), row !== undefined)
    }
  })

  test(`${store}: files that a crash left behind go after a day`, async () => {
    const work = join(shop.config.dataDir, 'objects', 'work')
    writeFileSync(join(work, 'old'), 'x')
    writeFileSync(join(work, 'new'), 'x')
    const longAgo = Date.now() / 1000 - 2 * 24 * 60 * 60
    utimesSync(join(work, 'old'), longAgo, longAgo)
    await tidyUp()
    assert.deepEqual(readdirSync(work), ['new'])
  })
}
