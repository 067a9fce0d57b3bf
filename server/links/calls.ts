import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { LinkPreview } from '#contract/link-cards.ts'
import { apiRoutes } from '#contract/paths.ts'
import { productDraftSchema } from '#contract/products.ts'
import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import { unsavedId } from '#server/catalog/products.ts'
import { asOffered, findLeft } from '#server/catalog/stock.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { callsOf } from '#server/http/calls.ts'
import { linkOrigin, type Addressed } from '#server/http/link-origin.ts'
import type { ReadFacts } from '#server/http/shop-facts.ts'
import type { Payments } from '#server/sumup/payments.ts'
import { countFile } from '#server/http/rate-limits.ts'
import { findObject } from '#server/uploads/objects.ts'
import { getStored } from '#server/uploads/serve.ts'
import { formatResizedName, type Pictures } from '#server/uploads/picture-store.ts'
import type { Drawn, DrawnPictures } from './drawn-pictures.ts'
import {
  createLinkCard,
  describePicture,
  versionOfPicture,
  type CardContext,
  type PictureContent,
} from './link-card.ts'
import { drawIcon, drawLinkPicture } from './link-picture.ts'

type LinkDeps = {
  config: Config
  payments: Payments
  readFacts: ReadFacts
  productCache: ProductCache
  db: Db
  pictures: Pictures
  drawnPictures: DrawnPictures
}

const call = callsOf<LinkDeps>('Products', 'admin')

export const linkCalls = [
  call(`GET ${apiRoutes.linkPicture}`, {
    access: 'public',
    summary: 'Draws the picture that messengers show of a checkout link.',
    query: z.object({ v: z.string().optional().catch(undefined).describe('Its version') }),
    answers: { 200: 'image/jpeg' },
    refusals: ['product-missing', 'pictures-busy'],
    unknownId: 'product-missing',
    options: { config: { isFile: true }, compress: false },
    async handle(deps, { params, query, request, reply }) {
      const product = await deps.productCache.find(params.id)
      if (!product) throw new Refusal('product-missing')
      const isTest = deps.payments.account().mode === 'test'
      const left = await findLeft(deps.db, product, { isTest })
      const offered = await asOffered(deps.db, product)
      const linked = { ...offered, isSoldOut: left !== undefined && left < 1 }
      const content = describePicture(linked, contextOf(deps, request))
      const version = versionOfPicture(content)
      const { bytes, isWhole, isNew } = await deps.drawnPictures.get(
        `card-${version}.jpg`,
        request.limitKey,
        () => draw(deps, content),
      )
      if (isNew) countFile(request)
      return reply.headers(picture('image/jpeg', isWhole && query.v === version)).send(bytes)
    },
  }),

  call(`GET ${apiRoutes.icon}`, {
    access: 'public',
    summary: 'A logo on a square, for tabs and home screens.',
    answers: { 200: 'image/png' },
    refusals: ['object-missing', 'pictures-busy'],
    options: { config: { isFile: true }, compress: false },
    async handle(deps, { params: { key }, request, reply }) {
      if (!(await findObject(deps.db, key))) throw new Refusal('object-missing')
      const { bytes, isNew } = await deps.drawnPictures.get(
        `icon-${key}.png`,
        request.limitKey,
        async () => {
          const logo = await readStored(deps, key)
          if (!logo) throw new Refusal('object-missing')
          return { bytes: await drawIcon(logo), isWhole: true }
        },
      )
      if (isNew) countFile(request)
      return reply.headers(picture('image/png', true)).send(bytes)
    },
  }),

  call(`POST ${apiRoutes.linkPreview}`, {
    summary: 'Shows what messengers will show of the link of an unfinished product.',
    note: 'What is not valid yet is shown as a placeholder.',
    body: productDraftSchema,
    example: { name: 'Harbour Mug', price: '24.00', currency: 'EUR' },
    answers: {
      200: z.object({
        host: z.string(),
        title: z.string(),
        description: z.string(),
        picture: z.string().describe('An address; a drawn one as a data URL'),
      }),
    },
    refusals: ['pictures-busy'],
    async handle(deps, { body: draft, request }): Promise<LinkPreview> {
      const product = { ...draft, id: unsavedId, pausedAt: null }
      const context = contextOf(deps, request)
      const { title, description, picture: shown, url } = createLinkCard(product, context)
      const host = URL.parse(url)?.host ?? ''
      if (!shown.isDrawn) return { host, title, description, picture: shown.url }
      const content = describePicture(product, context)
      const { bytes } = await deps.drawnPictures.inTurn(() => draw(deps, content), {
        isKnown: true,
      })
      const data = `data:image/jpeg;base64,${bytes.toString('base64')}`
      return { host, title, description, picture: data }
    },
  }),
]

function contextOf({ config, payments, readFacts }: LinkDeps, request: Addressed): CardContext {
  const { currency } = payments
  const origin = linkOrigin(config, request)
  return { shop: readFacts(), settings: config, currency, origin }
}

async function draw(deps: StoredPictures, { imageKey, ...texts }: PictureContent): Promise<Drawn> {
  // A picture that is gone, or not there yet, must not cost the card.
  const photo = imageKey ? await readStored(deps, imageKey) : undefined
  const bytes = await drawLinkPicture({ ...texts, photo })
  return { bytes, isWhole: photo !== undefined || imageKey === undefined }
}

type StoredPictures = Pick<LinkDeps, 'db' | 'pictures'>

/** The largest of the sizes in which every picture is kept. */
async function readStored(
  { db, pictures }: StoredPictures,
  key: string,
): Promise<Buffer | undefined> {
  const isThere = await getStored(db, pictures, key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false
      throw error
    },
  )
  const file = isThere && (await pictures.store.findFile(formatResizedName(key, 'logo', 'webp')))
  return file ? buffer(file.bytes) : undefined
}

function picture(type: string, isForGood: boolean): Record<string, string> {
  return {
    'content-type': type,
    'cache-control': isForGood ? 'public, max-age=31536000, immutable' : 'no-cache',
    // Messengers' web pages show it.
    'cross-origin-resource-policy': 'cross-origin',
  }
}
