/** What messengers, social networks and search engines show of a link. */
export type LinkCard = {
  /** Where the link leads, with the shop's public address. */
  url: string
  title: string
  description: string
  siteName: string | null
  offer: { name: string; amount: string; currency: string }
  /** With its size where it is one that we draw; a picture of another site is named as it is. */
  picture: { url: string; isDrawn: boolean }
  /** The logo on a square, for tabs and home screens; null: ours. */
  iconUrl: string | null
  isForSale: boolean
  /** Whether search engines may list the page. */
  isIndexed: boolean
}

/** The card of an unfinished product, for a preview. */
export type LinkPreview = { host: string; title: string; description: string; picture: string }

/** Of a picture that all services show whole and large. */
export const linkPictureSize = { width: 1200, height: 630 }

/** Longer ones are cut off by everybody. */
const maxDescriptionLength = 200

type Linked = {
  name: string
  description: string | null
  priceText: string
  /** Null while it is sold. */
  notForSale: string | null
}

/** The texts of a card. Neither is ever empty: some services then show no card at all. */
export function writeLinkCard(
  { name, description, priceText, notForSale }: Linked,
  { shopName, hasPriceInTitle }: { shopName: string | null; hasPriceInTitle: boolean },
): { title: string; description: string } {
  const about = shorten((description ?? '').replaceAll(/\s+/g, ' ').trim())
  const plain = [priceText, shopName].filter(Boolean).join(' · ')
  return {
    title: hasPriceInTitle && notForSale === null ? `${name} · ${priceText}` : name,
    description: [notForSale && `${notForSale}.`, about || plain].filter(Boolean).join(' '),
  }
}

/** Ends with a whole word. */
function shorten(text: string): string {
  const letters = Array.from(text)
  if (letters.length <= maxDescriptionLength) return text
  const cut = letters.slice(0, maxDescriptionLength - 1).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${cut.slice(0, lastSpace > cut.length / 2 ? lastSpace : undefined).trimEnd()}…`
}
