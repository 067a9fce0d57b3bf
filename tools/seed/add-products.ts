import { Readable } from 'node:stream'
import { objectUrl, findObjectKey, type PictureKind } from '#contract/pictures.ts'
import { productChanged } from '#server/catalog/products.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { accept } from '#server/uploads/accept.ts'
import { addObject, isStored, maybeObject } from '#server/uploads/objects.ts'
import type { OpenPictures } from '#server/uploads/open-pictures.ts'
import { takeIn } from '#server/uploads/take-in.ts'
import { drawLogo, drawProduct } from '#tools/seed/demo-art.ts'
import { demoProducts, type DemoProduct } from '#tools/seed/demo-products.ts'

/** Puts the demo's products on sale, as they were at first, with pictures that went the way of every picture. */
export async function addProducts(
  db: Db,
  pictures: OpenPictures,
  createdBy: string,
  chosen: readonly DemoProduct[] = demoProducts,
): Promise<void> {
  let logo: string | undefined
  for (const product of chosen) {
    const [known] = await db.select().from(products).where(eq(products.id, product.id))
    const imageUrl = await keepOrMake(db, pictures, known?.imageUrl, 'image', createdBy, () =>
      drawProduct(product.art),
    )
    logo ??= await keepOrMake(db, pictures, known?.headerLogoUrl, 'logo', createdBy, drawLogo)
    await putOnSale(db, product, { imageUrl, headerLogoUrl: logo, createdBy })
  }
}

async function putOnSale(
  db: Db,
  { id, name, price, description, headerName }: DemoProduct,
  more: { imageUrl: string; headerLogoUrl: string; createdBy: string },
): Promise<void> {
  const content = { name, price, currency: 'EUR', description, headerName, ...more }
  await db.transaction(async (tx) => {
    await tx
      .insert(products)
      .values({ id, ...content })
      .onConflictDoUpdate({
        target: products.id,
        set: { ...content, deletedAt: null, updatedAt: sql`now()` },
      })
    // The running shop remembers products; it is told as if an admin had changed one.
    await tx.execute(sql`select pg_notify(${productChanged}, ${id})`)
  })
}

/** A picture of an earlier seed is kept while it can be read; making one takes a second. */
async function keepOrMake(
  db: Db,
  pictures: OpenPictures,
  known: string | null | undefined,
  kind: PictureKind,
  createdBy: string,
  draw: () => Promise<Buffer>,
): Promise<string> {
  const key = known ? findObjectKey(known) : undefined
  const object = key ? await maybeObject(db, key) : undefined
  if (known && key && object && isStored(object)) {
    const kept = await pictures.store.maybeRead(key)
    kept?.bytes.destroy()
    if (kept) return known
  }
  return bringIn(db, pictures, kind, createdBy, await draw())
}

async function bringIn(
  db: Db,
  pictures: OpenPictures,
  kind: PictureKind,
  createdBy: string,
  bytes: Buffer,
): Promise<string> {
  const object = await addObject(db, kind, createdBy)
  const { key, now } = object
  if (pictures.inbox) {
    await takeIn(db, pictures, pictures.inbox, object, Readable.from([bytes]))
  } else {
    const most = pictures.limits[kind]
    const url = await pictures.store.uploadUrl({ key, kind, most, now }, '')
    const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })
    if (!answer.ok) throw new Error(`the store of pictures answered ${answer.status}`)
    await accept(db, pictures, key)
  }
  return objectUrl(key)
}
