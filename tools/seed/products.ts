import { Readable } from 'node:stream'
import { objectUrl, findObjectKey, type PictureKind } from '#contract/pictures.ts'
import { productChangedChannel } from '#server/catalog/products.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { acceptUpload, receiveUpload } from '#server/uploads/accept.ts'
import { createObject, findObject, isStored } from '#server/uploads/objects.ts'
import type { Pictures } from '#server/uploads/picture-store.ts'
import { drawLogo, drawProduct, type ArtName } from '#tools/seed/art.ts'

export type DemoProduct = {
  /** Constant, so that links keep working after another seed. */
  id: string
  art: ArtName
  name: string
  /** Its name half a year ago. Orders keep the name of their time. */
  earlierName?: string
  price: string
  description: string
  headerName: string
}

const headerName = 'Hearth & Oak'

/** By their share of the sales. */
export const demoProducts: readonly [DemoProduct, ...DemoProduct[]] = [
  {
    id: 'de300000-0000-4000-a000-000000000001',
    art: 'mug',
    name: 'Stoneware Mug',
    price: '24.00',
    description: 'Thrown by hand, glazed in sea green. Holds 350 ml, loves the dishwasher.',
    headerName,
  },
  {
    id: 'de300000-0000-4000-a000-000000000002',
    art: 'candle',
    name: 'Beeswax Candle',
    earlierName: 'Honey Candle',
    price: '18.50',
    description: 'Pure beeswax from the valley, poured into amber glass. Burns for 45 hours.',
    headerName,
  },
  {
    id: 'de300000-0000-4000-a000-000000000003',
    art: 'board',
    name: 'Oak Serving Board',
    price: '49.00',
    description: 'One piece of European oak, oiled twice. 42 × 18 cm, with a leather loop.',
    headerName,
  },
  {
    id: 'de300000-0000-4000-a000-000000000004',
    art: 'kettle',
    name: 'Pour-over Set',
    price: '64.00',
    description: 'Dripper, glass server and forty filters: coffee for two, slowly.',
    headerName,
  },
  {
    id: 'de300000-0000-4000-a000-000000000005',
    art: 'throw',
    name: 'Wool Throw',
    price: '119.00',
    description: 'Woven from undyed lambswool, 130 × 180 cm. Warm in winter, light in spring.',
    headerName,
  },
  {
    id: 'de300000-0000-4000-a000-000000000006',
    art: 'vase',
    name: 'Porcelain Vase',
    price: '79.00',
    description: 'Thin enough for the light to shine through. Each one leans its own way.',
    headerName,
  },
]

/** Adds or restores the demo's products, with pictures that are uploaded like any other. */
export async function addProducts(
  db: Db,
  pictures: Pictures,
  createdBy: string,
  selection: readonly DemoProduct[] = demoProducts,
  onProduct: (done: number) => void = () => {},
): Promise<void> {
  let logo: string | undefined
  for (const [index, product] of selection.entries()) {
    const [known] = await db.select().from(products).where(eq(products.id, product.id))
    const imageUrl = await keepOrDraw(db, pictures, known?.imageUrl, 'image', createdBy, () =>
      drawProduct(product.art),
    )
    logo ??= await keepOrDraw(db, pictures, known?.headerLogoUrl, 'logo', createdBy, drawLogo)
    await saveProduct(db, product, { imageUrl, headerLogoUrl: logo, createdBy })
    onProduct(index + 1)
  }
}

async function saveProduct(
  db: Db,
  { id, name, price, description, headerName }: DemoProduct,
  rest: { imageUrl: string; headerLogoUrl: string; createdBy: string },
): Promise<void> {
  const content = { name, price, currency: 'EUR' as const, description, headerName, ...rest }
  await db.transaction(async (tx) => {
    await tx
      .insert(products)
      .values({ id, ...content })
      .onConflictDoUpdate({
        target: products.id,
        set: { ...content, deletedAt: null, updatedAt: sql`now()` },
      })
    // A running shop caches products.
    await tx.execute(sql`select pg_notify(${productChangedChannel}, ${id})`)
  })
}

/** Keeps a picture of an earlier seed if it is still readable: drawing one takes a second. */
async function keepOrDraw(
  db: Db,
  pictures: Pictures,
  known: string | null | undefined,
  kind: PictureKind,
  createdBy: string,
  draw: () => Promise<Buffer>,
): Promise<string> {
  const key = known ? findObjectKey(known) : undefined
  const object = key ? await findObject(db, key) : undefined
  if (known && key && object && isStored(object)) {
    const kept = await pictures.store.findFile(key)
    kept?.bytes.destroy()
    if (kept) return known
  }
  return uploadPicture(db, pictures, kind, createdBy, await draw())
}

async function uploadPicture(
  db: Db,
  pictures: Pictures,
  kind: PictureKind,
  createdBy: string,
  bytes: Buffer,
): Promise<string> {
  const object = await createObject(db, kind, createdBy)
  const { key, now } = object
  if (pictures.store.receiver) {
    await receiveUpload(db, pictures, pictures.store.receiver, object, Readable.from([bytes]))
  } else {
    const maxBytes = pictures.limits[kind]
    const url = await pictures.store.createUploadUrl({ key, kind, maxBytes, now }, '')
    const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })
    if (!answer.ok) throw new Error(`the picture store answered ${answer.status}`)
    await acceptUpload(db, pictures, key)
  }
  return objectUrl(key)
}
