import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { objectUrl, findObjectKey, type PictureKind } from '#contract/pictures.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { demoProductPrefix } from '#server/demo.ts'
import { acceptUpload, receiveUpload } from '#server/uploads/accept.ts'
import { createObject, findObject, isStored } from '#server/uploads/objects.ts'
import type { Pictures } from '#server/uploads/picture-store.ts'

type DemoProduct = {
  /** Constant, so that links keep working after another seed. */
  id: string
  /** A file of tools/seed/pictures. */
  picture: string
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
    id: `${demoProductPrefix}000000000001`,
    picture: 'mug',
    name: 'Stoneware Mug',
    price: '24.00',
    description: 'Thrown by hand, glazed in sea green. Holds 350 ml, loves the dishwasher.',
    headerName,
  },
  {
    id: `${demoProductPrefix}000000000002`,
    picture: 'candle',
    name: 'Beeswax Candle',
    earlierName: 'Honey Candle',
    price: '18.50',
    description: 'Pure beeswax from the valley, poured into amber glass. Burns for 45 hours.',
    headerName,
  },
  {
    id: `${demoProductPrefix}000000000003`,
    picture: 'board',
    name: 'Oak Serving Board',
    price: '49.00',
    description: 'One piece of European oak, oiled twice. 42 × 18 cm, with a leather loop.',
    headerName,
  },
  {
    id: `${demoProductPrefix}000000000004`,
    picture: 'kettle',
    name: 'Pour-over Set',
    price: '64.00',
    description: 'Dripper, glass server and forty filters: coffee for two, slowly.',
    headerName,
  },
  {
    id: `${demoProductPrefix}000000000005`,
    picture: 'throw',
    name: 'Wool Throw',
    price: '119.00',
    description: 'Woven from undyed lambswool, 130 × 180 cm. Warm in winter, light in spring.',
    headerName,
  },
  {
    id: `${demoProductPrefix}000000000006`,
    picture: 'vase',
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
    const imageUrl =
      (await findKept(db, pictures, known?.imageUrl)) ??
      (await uploadPicture(db, pictures, 'image', createdBy, await readPicture(product.picture)))
    logo ??=
      (await findKept(db, pictures, known?.headerLogoUrl)) ??
      (await uploadPicture(db, pictures, 'logo', createdBy, await readPicture('logo')))
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
  await db
    .insert(products)
    .values({ id, ...content })
    .onConflictDoUpdate({
      target: products.id,
      set: { ...content, deletedAt: null, updatedAt: sql`now()` },
    })
}

export function readPicture(name: string): Promise<Buffer> {
  return readFile(join(import.meta.dirname, 'pictures', `${name}.webp`))
}

/** The picture of an earlier seed if it is still readable, so that it is not uploaded again. */
async function findKept(
  db: Db,
  pictures: Pictures,
  url: string | null | undefined,
): Promise<string | undefined> {
  const key = url ? findObjectKey(url) : undefined
  const object = key ? await findObject(db, key) : undefined
  if (!url || !key || !object || !isStored(object)) return undefined
  const file = await pictures.store.findFile(key)
  file?.bytes.destroy()
  return file && url
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
