import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { LinkPreview } from '#contract/link-cards.ts'
import { apiRoutes } from '#contract/paths.ts'
import { objectKeyPattern } from '#contract/pictures.ts'
import { productDraftSchema } from '#contract/products.ts'
import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import { unsavedId } from '#server/catalog/products.ts'
import { findLeft } from '#server/catalog/stock.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { callsOf } from '#server/http/calls.ts'
import type { ReadFacts } from '#server/http/shop-facts.ts'
import type { Payments } from '#server/sumup/payments.ts'
import { queueDecoding } from '#server/uploads/image-processing.ts'
import { formatResizedName, type Pictures } from '#server/uploads/picture-store.ts'
import {
  createLinkCard,
  describePicture,
  versionOfPicture,
  type CardContext,
  type PictureContent,
} from './link-card.ts'
import { drawIcon, drawLinkPicture } from './link-picture.ts'
import { linkOrigin, type Addressed } from './link-origin.ts'

type LinkDeps = {
  config: Config
  db: Db
  payments: Payments
  readFacts: ReadFacts
  productCache: ProductCache
  pictures: Pictures
  keepDrawn: KeepDrawn
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
      const linked = { ...product, isSoldOut: left !== undefined && left < 1 }
      const content = describePicture(linked, contextOf(deps, request))
      const version = versionOfPicture(content)
      const bytes = await deps.keepDrawn(version, () => draw(deps.pictures, content))
      return reply.headers(picture('image/jpeg', query.v === version)).send(bytes)
    },
  }),

  call(`GET ${apiRoutes.icon}`, {
    access: 'public',
    summary: 'A logo on a square, for tabs and home screens.',
    answers: { 200: 'image/png' },
    refusals: ['object-missing', 'pictures-busy'],
    options: { config: { isFile: true }, compress: false },
    async handle({ pictures, keepDrawn }, { params: { key }, reply }) {
      const logo = objectKeyPattern.test(key) && (await readStored(pictures, key))
      if (!logo) throw new Refusal('object-missing')
      const bytes = await keepDrawn(key, () => queueDecoding(() => drawIcon(logo)))
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
      const { host } = new URL(url)
      if (!shown.isDrawn) return { host, title, description, picture: shown.url }
      const bytes = await draw(deps.pictures, describePicture(product, context))
      const data = `data:image/jpeg;base64,${bytes.toString('base64')}`
      return { host, title, description, picture: data }
    },
  }),
]

function contextOf({ config, payments, readFacts }: LinkDeps, request: Addressed): CardContext {
  const { links } = config
  const { currency } = payments
  return { shop: readFacts(), links, currency, origin: linkOrigin(config, request) }
}

async function draw(pictures: Pictures, { imageKey, ...texts }: PictureContent): Promise<Buffer> {
  // A picture that is gone, or not there yet, must not cost the card.
  const photo = imageKey ? await readStored(pictures, imageKey) : undefined
  return queueDecoding(() => drawLinkPicture({ ...texts, photo }))
}

/** The largest of the sizes in which every picture is kept. */
async function readStored({ store }: Pictures, key: string): Promise<Buffer | undefined> {
  const file = await store.findFile(formatResizedName(key, 'logo', 'webp'))
  return file && buffer(file.bytes)
}

function picture(type: string, isForGood: boolean): Record<string, string> {
  return {
    'content-type': type,
    'cache-control': isForGood ? 'public, max-age=31536000, immutable' : 'no-cache',
    // Messengers' web pages show it.
    'cross-origin-resource-policy': 'cross-origin',
  }
}

/** At most 250 kB each. */
const maxKept = 40

export type KeepDrawn = (name: string, drawOne: () => Promise<Buffer>) => Promise<Buffer>

/** Keeps the last drawn pictures, and draws each once for all who ask at once. */
export function createDrawnPictures(): KeepDrawn {
  const kept = new Map<string, Promise<Buffer>>()
  return (name, drawOne) => {
    const known = kept.get(name)
    if (known) return known
    const drawn = drawOne()
    drawn.catch(() => kept.delete(name))
    kept.set(name, drawn)
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    return drawn
  }
}
