import type { FastifyInstance } from 'fastify'
import { apiRoutes } from '#contract/paths.ts'
import type { PictureUse } from '#contract/pictures.ts'
import { productSchema, type CheckoutSettings, type ProductContent } from '#contract/products.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import { createBody, sendBody, type ReadyBody } from '#server/http/page.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { ProductCache } from './product-cache.ts'
import {
  createProduct,
  deleteProduct,
  describeProductChange,
  listProducts,
  restoreProduct,
  setPaused,
  showProduct,
  showPublicProduct,
  type ProductRow,
  updateProduct,
} from './products.ts'

type ProductRoute = { Params: { id: string } }

const admin = { config: { access: 'admin' } } as const

export function mountCatalog(
  app: FastifyInstance,
  shop: {
    config: Config
    db: Db
    productCache: ProductCache
    checkPictures: (uses: PictureUse[]) => Promise<void>
    payments: { account: () => { currency: string | undefined } }
  },
): void {
  const { config, db, productCache, checkPictures } = shop

  app.get(apiRoutes.products, admin, async () => (await listProducts(db)).map(showProduct))

  const publicRoute = { config: { access: 'public', knowsAdmins: true }, compress: false } as const
  app.get<ProductRoute>(apiRoutes.product, publicRoute, async (request, reply) => {
    const product = await productCache.find(parseProductId(request.params.id))
    if (!product) throw new Refusal('product-missing')
    const isAdmin = request.admin !== undefined
    if (!isAdmin) return sendBody(reply.headers(publicHeaders), findPublicBody(product))
    // An admin's answer has more fields, so no shared cache may keep it.
    return reply.header('cache-control', 'no-store').send(showPublicProduct(product, true))
  })
  app.post(apiRoutes.products, admin, async (request, reply) => {
    const content = productSchema.parse(request.body)
    await checkPictures(listPictures(content))
    const product = await db.transaction(async (tx) => {
      const created = await createProduct(tx, content, signedInAdmin(request).id)
      const { id, name, price, currency } = created
      const detail = { name, price, currency }
      await recordAudit(tx, request, { action: 'product-created', subject: id, detail })
      return created
    })
    return reply.code(201).send(showProduct(product))
  })

  app.put<ProductRoute>(apiRoutes.product, admin, async (request) => {
    const id = parseProductId(request.params.id)
    const content = productSchema.parse(request.body)
    await checkPictures(listPictures(content))
    const product = await db.transaction(async (tx) => {
      const { product: updated, before } = await updateProduct(tx, id, content)
      const detail = describeProductChange(before, updated)
      await recordAudit(tx, request, { action: 'product-changed', subject: id, detail })
      return updated
    })
    productCache.delete(id)
    return showProduct(product)
  })

  app.delete<ProductRoute>(apiRoutes.product, admin, async (request, reply) => {
    const id = parseProductId(request.params.id)
    await db.transaction(async (tx) => {
      const { name } = await deleteProduct(tx, id)
      const detail = { name }
      await recordAudit(tx, request, { action: 'product-deleted', subject: id, detail })
    })
    productCache.delete(id)
    return reply.code(204).send()
  })

  app.post<ProductRoute>(apiRoutes.productRestore, admin, async (request) => {
    const id = parseProductId(request.params.id)
    const product = await db.transaction(async (tx) => {
      const { product: restored, isRestored } = await restoreProduct(tx, id)
      const detail = { name: restored.name }
      if (isRestored)
        await recordAudit(tx, request, { action: 'product-restored', subject: id, detail })
      return restored
    })
    productCache.delete(id)
    return showProduct(product)
  })

  for (const isPaused of [true, false]) {
    const route = isPaused ? apiRoutes.productPause : apiRoutes.productResume
    const action = isPaused ? 'product-paused' : 'product-resumed'
    app.post<ProductRoute>(route, admin, async (request) => {
      const id = parseProductId(request.params.id)
      const product = await db.transaction(async (tx) => {
        const { product: changed, isChanged } = await setPaused(tx, id, isPaused)
        const detail = { name: changed.name }
        if (isChanged) await recordAudit(tx, request, { action, subject: id, detail })
        return changed
      })
      productCache.delete(id)
      return showProduct(product)
    })
  }

  /** The address that checkout links begin with. */
  app.get(apiRoutes.customDomain, admin, async (request): Promise<CheckoutSettings> => ({
    customDomain: config.customDomain ?? null,
    currentDomain: config.publicUrl ?? `${request.protocol}://${request.host}`,
    paymentCurrency: config.payments.currency,
    accountCurrency: shop.payments.account().currency ?? null,
  }))
}

function listPictures({ imageUrl, headerLogoUrl }: ProductContent): PictureUse[] {
  return [
    { url: imageUrl, kind: 'image' },
    { url: headerLogoUrl, kind: 'logo' },
  ]
}

function parseProductId(text: string): string {
  if (!isUuid(text)) throw new Refusal('product-missing')
  return text
}

const publicHeaders = {
  'cache-control': 'no-cache',
  'content-type': 'application/json; charset=utf-8',
}

/** What everybody reads is written once for as long as the product is the same. */
const publicBodies = new WeakMap<ProductRow, ReadyBody>()

function findPublicBody(product: ProductRow): ReadyBody {
  const known = publicBodies.get(product)
  if (known) return known
  const body = createBody(JSON.stringify(showPublicProduct(product, false)))
  publicBodies.set(product, body)
  return body
}
