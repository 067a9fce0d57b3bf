import { z } from 'zod'
import { checkoutSettings, product, publicProduct } from '#contract/answers/products.ts'
import type { Mode } from '#contract/mode.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { PictureUse } from '#contract/pictures.ts'
import {
  productChangeSchema,
  productSchema,
  type CheckoutSettings,
  type ProductChange,
} from '#contract/products.ts'
import { pictureRefusals, Refusal } from '#contract/refusals.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import { createBody, sendBody, type ReadyBody } from '#server/http/page.ts'
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
import { isCounted, listPieces } from './stock.ts'

type CatalogDeps = {
  config: Config
  db: Db
  productCache: ProductCache
  checkPictures: (uses: PictureUse[]) => Promise<void>
  payments: { account: () => { currency: string | undefined; mode: Mode | undefined } }
}

const example = {
  name: 'Harbour Mug',
  price: '24.00',
  currency: 'EUR',
  description: 'Stoneware, 350 ml.',
  headerLogoUrl: 'https://example.com/logo.png',
}

const call = callsOf<CatalogDeps>('Products', 'admin')
const unknownId = 'product-missing'

export const catalogCalls = [
  call(`GET ${apiRoutes.products}`, {
    summary: 'Lists all products, newest first.',
    answers: { 200: z.array(product) },
    async handle(deps) {
      const found = await listProducts(deps.db)
      const counted = found.filter((row) => isCounted(row)).map(({ id }) => id)
      const pieces =
        counted.length > 0 ? await listPieces(deps.db, counted, modeOfSales(deps)) : undefined
      return found.map((row) => showProduct(row, isCounted(row) ? pieces : undefined))
    },
  }),

  call(`POST ${apiRoutes.products}`, {
    summary: 'Adds a product.',
    note: 'Whatever else is sent along is dropped.',
    body: productSchema,
    example,
    answers: { 201: product },
    refusals: ['too-many-products', ...pictureRefusals],
    async handle(deps, { body, request }) {
      await deps.checkPictures(listPictures(body))
      const added = await deps.db.transaction(async (tx) => {
        const created = await createProduct(tx, body, signedInAdmin(request).id)
        const { id, name, price, currency } = created
        const detail = { name, price, currency }
        await recordAudit(tx, request, { action: 'product-created', subject: id, detail })
        return created
      })
      return showCounted(deps, added)
    },
  }),

  call(`GET ${apiRoutes.product}`, {
    access: 'public',
    summary: 'Reads a product on sale.',
    answers: { 200: publicProduct, 304: null },
    refusals: ['product-missing'],
    unknownId,
    options: { config: { knowsAdmins: true }, compress: false },
    async handle(deps, { params, request, reply }) {
      const found = await deps.productCache.find(params.id)
      if (!found) throw new Refusal('product-missing')
      // An admin's answer has more fields, so no shared cache may keep it.
      return request.admin
        ? showPublicProduct(found, true, await countPieces(deps, found))
        : sendBody(reply.headers(publicHeaders), findPublicBody(found))
    },
  }),

  call(`PUT ${apiRoutes.product}`, {
    summary: 'Changes a product.',
    note: 'What is left out stays as it is, and null clears. With `updatedAt`, a product that was changed since it was read is refused. Orders keep the product as it was sold.',
    body: productChangeSchema,
    example: { price: '26.00' },
    answers: { 200: product },
    refusals: ['product-missing', 'product-changed', ...pictureRefusals],
    unknownId,
    async handle(deps, { params: { id }, body, request }) {
      await deps.checkPictures(listPictures(body))
      const { isTest } = modeOfSales(deps)
      const changed = await deps.db.transaction(async (tx) => {
        const { product: updated, before } = await updateProduct(tx, id, body, isTest)
        const detail = describeProductChange(before, updated)
        await recordAudit(tx, request, { action: 'product-changed', subject: id, detail })
        return updated
      })
      deps.productCache.outdate(id)
      return showCounted(deps, changed)
    },
  }),

  call(`DELETE ${apiRoutes.product}`, {
    summary: 'Takes a product off sale. Its orders stay.',
    answers: { 204: null },
    refusals: ['product-missing'],
    unknownId,
    async handle({ db, productCache }, { params: { id }, request }) {
      await db.transaction(async (tx) => {
        const { name } = await deleteProduct(tx, id)
        const detail = { name }
        await recordAudit(tx, request, { action: 'product-deleted', subject: id, detail })
      })
      productCache.outdate(id)
    },
  }),

  call(`POST ${apiRoutes.productRestore}`, {
    summary: 'Undoes a deletion, with the same link and orders.',
    answers: { 200: product },
    refusals: ['product-missing', 'too-many-products'],
    unknownId,
    async handle(deps, { params: { id }, request }) {
      const shown = await deps.db.transaction(async (tx) => {
        const { product: restored, isRestored } = await restoreProduct(tx, id)
        const detail = { name: restored.name }
        if (isRestored)
          await recordAudit(tx, request, { action: 'product-restored', subject: id, detail })
        return restored
      })
      deps.productCache.outdate(id)
      return showCounted(deps, shown)
    },
  }),

  pausing(apiRoutes.productPause, true, 'Pauses the sale: the checkout takes no new payments.'),
  pausing(apiRoutes.productResume, false, 'Resumes the sale.'),

  call(`GET ${apiRoutes.customDomain}`, {
    summary: 'Tells where checkouts are reached, and what they charge in.',
    answers: { 200: checkoutSettings },
    handle: ({ config, payments }, { request }): CheckoutSettings => ({
      customDomain: config.customDomain ?? null,
      currentDomain: config.publicUrl ?? `${request.protocol}://${request.host}`,
      paymentCurrency: config.payments.currency,
      accountCurrency: payments.account().currency ?? null,
    }),
  }),
]

function pausing(
  url: '/api/products/:id/pause' | '/api/products/:id/resume',
  isPaused: boolean,
  summary: string,
) {
  return call(`POST ${url}`, {
    summary,
    answers: { 200: product },
    refusals: ['product-missing'],
    unknownId,
    async handle(deps, { params: { id }, request }) {
      const action = isPaused ? 'product-paused' : 'product-resumed'
      const shown = await deps.db.transaction(async (tx) => {
        const { product: changed, isChanged } = await setPaused(tx, id, isPaused)
        const detail = { name: changed.name }
        if (isChanged) await recordAudit(tx, request, { action, subject: id, detail })
        return changed
      })
      deps.productCache.outdate(id)
      return showCounted(deps, shown)
    },
  })
}

/** Real sales and tests are counted apart. */
function modeOfSales({ payments }: Pick<CatalogDeps, 'payments'>): { isTest: boolean } {
  return { isTest: payments.account().mode === 'test' }
}

async function countPieces(deps: CatalogDeps, row: ProductRow) {
  return isCounted(row) ? listPieces(deps.db, [row.id], modeOfSales(deps)) : undefined
}

async function showCounted(deps: CatalogDeps, row: Parameters<typeof showProduct>[0]) {
  return showProduct(row, await countPieces(deps, row))
}

function listPictures({ imageUrl, headerLogoUrl, choice }: ProductChange): PictureUse[] {
  const ofValues = (choice?.values ?? []).map((value) => value.imageUrl)
  return [
    ...[imageUrl, ...ofValues].map((url) => ({ url: url ?? null, kind: 'image' as const })),
    { url: headerLogoUrl ?? null, kind: 'logo' },
  ]
}

const publicHeaders = {
  'cache-control': 'no-cache',
  'content-type': 'application/json; charset=utf-8',
}

/** What everybody reads is written once for as long as the product is the same. */
const publicBodies = new WeakMap<ProductRow, ReadyBody>()

function findPublicBody(row: ProductRow): ReadyBody {
  const known = publicBodies.get(row)
  if (known) return known
  const body = createBody(JSON.stringify(showPublicProduct(row, false)))
  publicBodies.set(row, body)
  return body
}
