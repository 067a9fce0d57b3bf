import type { FastifyInstance } from 'fastify'
import { apiRoutes } from '#contract/paths.ts'
import type { PictureUse } from '#contract/pictures.ts'
import { productSchema, type ProductContent } from '#contract/products.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { ProductCache } from './product-cache.ts'
import { addProduct, changeProduct, listProducts, removeProduct } from './products.ts'
import { showProduct, showSingleProduct } from './show-product.ts'

type WithId = { Params: { id: string } }

export function mountCatalog(
  app: FastifyInstance,
  shop: {
    db: Db
    productCache: ProductCache
    checkPictures: (uses: PictureUse[]) => Promise<void>
  },
): void {
  const { db, productCache, checkPictures } = shop

  app.get(apiRoutes.products, { config: { access: 'admin' } }, async () =>
    (await listProducts(db)).map(showProduct),
  )

  const forEveryone = { config: { access: 'public', knowsAdmins: true } } as const
  app.get<WithId>(apiRoutes.product, forEveryone, async (request, reply) => {
    const product = isUuid(request.params.id)
      ? await productCache.read(request.params.id)
      : undefined
    if (!product) throw new Refusal('product-missing')
    const isAdmin = request.admin !== undefined
    // What an admin sees is not kept anywhere, where others could be shown it.
    reply.header('cache-control', isAdmin ? 'no-store' : 'no-cache')
    return reply.send(showSingleProduct(product, isAdmin))
  })

  app.post(apiRoutes.products, { config: { access: 'admin' } }, async (request, reply) => {
    const content = productSchema.parse(request.body)
    await checkPictures(picturesOf(content))
    const product = await addProduct(db, content, signedInAdmin(request).id)
    return reply.code(201).send(showProduct(product))
  })

  app.put<WithId>(apiRoutes.product, { config: { access: 'admin' } }, async (request) => {
    const id = productId(request.params.id)
    const content = productSchema.parse(request.body)
    await checkPictures(picturesOf(content))
    const product = await changeProduct(db, id, content)
    productCache.forget(id)
    return showProduct(product)
  })

  app.delete<WithId>(apiRoutes.product, { config: { access: 'admin' } }, async (request, reply) => {
    const id = productId(request.params.id)
    await removeProduct(db, id)
    productCache.forget(id)
    return reply.code(204).send()
  })
}

function picturesOf({ imageUrl, headerLogoUrl }: ProductContent): PictureUse[] {
  return [
    { url: imageUrl, kind: 'image' },
    { url: headerLogoUrl, kind: 'logo' },
  ]
}

function productId(text: string): string {
  if (!isUuid(text)) throw new Refusal('product-missing')
  return text
}
