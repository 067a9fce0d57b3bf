import { hash } from 'node:crypto'
import { writeLinkCard, type LinkCard, type NotForSale } from '#contract/link-cards.ts'
import { formatMoney } from '#contract/money.ts'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { absolutePicture, findObjectKey } from '#contract/pictures.ts'
import type { ShopFacts } from '#contract/public-pages.ts'
import type { LinkSettings } from '#contract/shop-settings.ts'
import type { ProductRow } from '#server/catalog/products.ts'
import { chargeFor } from '#server/checkouts/offer.ts'
import type { Connection } from '#server/sumup/payments.ts'

/** What of a product a card shows, also of one that is not saved yet. */
export type LinkedProduct = Pick<
  ProductRow,
  'id' | 'name' | 'description' | 'price' | 'currency' | 'imageUrl' | 'headerLogoUrl' | 'pausedAt'
> & { isSoldOut?: boolean }

export type CardContext = {
  shop: Pick<ShopFacts, 'name'>
  links: LinkSettings
  currency: Connection['currency']
  /** Of buyers' pages, as seen from outside. */
  origin: string
}

export function createLinkCard(product: LinkedProduct, context: CardContext): LinkCard {
  const { id, name, description, imageUrl, headerLogoUrl } = product
  const { shop, links, origin } = context
  const notForSale = findNotForSale(product)
  const charge = chargeFor(product, context.currency)
  const priceText = formatMoney(charge.amount, charge.currency)
  const texts = writeLinkCard(
    { name, description, priceText, notForSale },
    { shopName: shop.name, hasPriceInTitle: links.hasPriceInTitle },
  )
  const drawn = pathOf(apiRoutes.linkPicture, { id })
  const version = versionOfPicture(describePicture(product, context))
  const logoKey = findObjectKey(headerLogoUrl)
  return {
    ...texts,
    url: `${origin}${checkoutPath(id)}`,
    siteName: shop.name,
    offer: { name, ...charge },
    picture: isElsewhere(imageUrl)
      ? { url: absolutePicture(imageUrl, 'logo', origin), isDrawn: false }
      : { url: `${origin}${drawn}?v=${version}`, isDrawn: true },
    iconUrl: logoKey ? pathOf(apiRoutes.icon, { key: logoKey }) : null,
    isForSale: notForSale === undefined,
    isIndexed: links.isIndexed,
  }
}

function findNotForSale({ pausedAt, isSoldOut }: LinkedProduct): NotForSale | undefined {
  if (pausedAt) return 'Not for sale right now'
  return isSoldOut ? 'Sold out' : undefined
}

/** Pictures that are not ours are not fetched, so nothing can be drawn around them. */
function isElsewhere(imageUrl: string | null): imageUrl is string {
  return imageUrl !== null && !findObjectKey(imageUrl)
}

export type PictureContent = {
  name: string
  note: string
  shopName: string | null
  imageKey: string | undefined
}

export function describePicture(product: LinkedProduct, context: CardContext): PictureContent {
  const charge = chargeFor(product, context.currency)
  return {
    name: product.name,
    note: findNotForSale(product) ?? formatMoney(charge.amount, charge.currency),
    shopName: context.shop.name,
    imageKey: product.imageUrl ? findObjectKey(product.imageUrl) : undefined,
  }
}

/** In the picture's address: services keep a picture for weeks, and ask again only for another address. */
export function versionOfPicture(content: PictureContent): string {
  return hash('sha256', JSON.stringify(content), 'base64url').slice(0, 12)
}
