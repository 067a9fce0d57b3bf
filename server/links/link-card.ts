import { hash } from 'node:crypto'
import { languages, type BuyersLanguage } from '#contract/languages.ts'
import { writeLinkCard, type LinkCard } from '#contract/link-cards.ts'
import { formatMoney } from '#contract/money.ts'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { absolutePicture, findObjectKey } from '#contract/pictures.ts'
import type { ShopFacts } from '#contract/public-pages.ts'
import type { LinkSettings } from '#contract/shop-settings.ts'
import { pageTextsOf } from '#contract/texts/all.ts'
import type { PageTexts } from '#contract/texts/pages/en.ts'
import type { ProductRow } from '#server/catalog/products.ts'
import { chargeFor } from '#server/checkouts/offer.ts'
import { findMailLanguage } from '#server/http/page-language.ts'
import type { Connection } from '#server/sumup/payments.ts'

/** What of a product a card shows, also of one that is not saved yet. */
export type LinkedProduct = Pick<
  ProductRow,
  'id' | 'name' | 'description' | 'price' | 'currency' | 'imageUrl' | 'headerLogoUrl' | 'pausedAt'
> & { isSoldOut?: boolean }

export type CardContext = {
  shop: Pick<ShopFacts, 'name'>
  settings: { links: LinkSettings; buyersLanguage: BuyersLanguage }
  currency: Connection['currency']
  /** Of buyers' pages, as seen from outside. */
  origin: string
}

/** Describes the links of pages, as they are now. */
export function createLinkCards(settings: CardContext['settings'], readFacts: () => ShopFacts) {
  return (product: LinkedProduct, { currency }: Pick<Connection, 'currency'>, origin: string) =>
    createLinkCard(product, { shop: readFacts(), settings, currency, origin })
}

export function createLinkCard(product: LinkedProduct, context: CardContext): LinkCard {
  const { id, name, description, imageUrl, headerLogoUrl } = product
  const { shop, settings, origin } = context
  const { links } = settings
  const charge = chargeFor(product, context.currency)
  const { priceText, notForSale } = speakForAll(product, context)
  const texts = writeLinkCard(
    { name, description, priceText, notForSale },
    { shopName: shop.name, hasPriceInTitle: links.hasPriceInTitle },
  )
  const drawn = pathOf(apiRoutes.linkPicture, { id })
  const version = versionOfPicture(describePicture(product, context))
  const logoKey = findObjectKey(headerLogoUrl)
  // Pictures that are not ours are not fetched, so nothing can be drawn around them.
  const elsewhere = keyOf(imageUrl) ? undefined : absolutePicture(imageUrl, 'logo', origin)
  return {
    ...texts,
    url: `${origin}${checkoutPath(id)}`,
    siteName: shop.name,
    offer: { name, ...charge },
    picture: elsewhere
      ? { url: elsewhere, isDrawn: false }
      : { url: `${origin}${drawn}?v=${version}`, isDrawn: true },
    iconUrl: logoKey ? pathOf(apiRoutes.icon, { key: logoKey }) : null,
    isForSale: notForSale === null,
    isIndexed: links.isIndexed,
  }
}

/** A card is one for everybody: in the owner's language, or in English where buyers choose. */
function speakForAll(product: LinkedProduct, { settings, currency }: CardContext) {
  const language = findMailLanguage(settings, null)
  const charge = chargeFor(product, currency)
  return {
    priceText: formatMoney(charge.amount, charge.currency, languages[language].locale),
    notForSale: findNotForSale(product, pageTextsOf[language]),
  }
}

/** Null while it is sold. */
function findNotForSale({ pausedAt, isSoldOut }: LinkedProduct, texts: PageTexts): string | null {
  if (pausedAt) return texts.paused.title
  return isSoldOut ? texts.soldOut.title : null
}

function keyOf(imageUrl: string | null): string | undefined {
  return findObjectKey(imageUrl ?? '')
}

export type PictureContent = {
  name: string
  note: string
  shopName: string | null
  imageKey: string | undefined
}

export function describePicture(product: LinkedProduct, context: CardContext): PictureContent {
  const { priceText, notForSale } = speakForAll(product, context)
  return {
    name: product.name,
    note: notForSale ?? priceText,
    shopName: context.shop.name,
    imageKey: keyOf(product.imageUrl),
  }
}

/** In the picture's address: services keep a picture for weeks, and ask again only for another address. */
export function versionOfPicture(content: PictureContent): string {
  return hash('sha256', JSON.stringify(content), 'base64url').slice(0, 12)
}
