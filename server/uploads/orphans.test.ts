import assert from 'node:assert/strict'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
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

/** Two days pass, as far as the pictures are concerned. */
async function letDaysPass({ shop }: PictureDesk): Promise<void> {
  await shop.db.update(objects).set({ neededAt: sql`now() - interval '2 days'` })
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

  test(`${store}: what was begun and never finished goes`, async () => {
    const { objectPath } = await desk.start()
    const { key, uploadId } = await beginParts(db, shop.pictures, 'image', 'admin')
    await letDaysPass(desk)
    await tidyUp()
    const left = await db.select({ key: objects.key }).from(objects)
    for (const gone of [objectPath, key]) assert.ok(!left.some((row) => row.key === gone))
    const url = { uploadId, partNumber: 1, key, kind: 'image', most: 1e7, now: Date.now() / 1000 }
    const part = await shop.pictures.store.partUrl({ ...url, kind: 'image' }, 'http://localhost')
    assert.equal((await desk.send(part, picture)).status, 404)
  })

  test(`${store}: a picture is not removed between the look at it and the saving`, async () => {
    const { key } = await desk.upload(picture)
    await letDaysPass(desk)
    await shop.checkPictures([{ url: objectUrl(key), kind: 'image' }])
    await tidyUp()
    assert.ok(await isThere(desk, key))
  })

  test(`${store}: a product saved while pictures are removed has its picture, or is told it is gone`, async () => {
    for (let round = 0; round < 10; round += 1) {
      const { key } = await desk.upload(picture)
      await letDaysPass(desk)
      const save = async () => {
        await shop.checkPictures([{ url: objectUrl(key), kind: 'image' }])
        await add(desk, { imageUrl: objectUrl(key) })
      }
      const [saved] = await Promise.allSettled([save(), tidyUp()])
      assert.equal(await isThere(desk, key), saved.status === 'fulfilled')
      if (saved.status === 'rejected') assert.equal(saved.reason.code, 'picture-missing')
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
