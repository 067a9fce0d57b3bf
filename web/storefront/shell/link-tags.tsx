import { type LinkCard, linkPictureSize } from '#contract/link-cards.ts'

/** What messengers, social networks and search engines read of a page. */
export function LinkTags({ link }: { link: LinkCard }) {
  const { title, description, url, picture, siteName, offer } = link
  const properties = {
    'og:type': 'product',
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': picture.url,
    'og:image:alt': offer.name,
    ...(picture.isDrawn && {
      'og:image:type': 'image/jpeg',
      'og:image:width': String(linkPictureSize.width),
      'og:image:height': String(linkPictureSize.height),
    }),
    ...(siteName && { 'og:site_name': siteName }),
    'product:price:amount': offer.amount,
    'product:price:currency': offer.currency,
    'product:availability': link.isForSale ? 'in stock' : 'out of stock',
  }

  return (
    <>
      <meta name="description" content={description} />
      {Object.entries(properties).map(([name, content]) => (
        <meta key={name} property={name} content={content} />
      ))}
      <meta name="twitter:card" content={picture.isDrawn ? 'summary_large_image' : 'summary'} />
      <link rel="canonical" href={url} />
      {link.iconUrl && <link rel="apple-touch-icon" href={link.iconUrl} />}
    </>
  )
}

/** Product data as search engines read it, for pages that they may list. */
export function writeProductData({ url, description, picture, offer, ...link }: LinkCard): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: offer.name,
    description,
    image: picture.url,
    offers: {
      '@type': 'Offer',
      url,
      price: offer.amount,
      priceCurrency: offer.currency,
      availability: `https://schema.org/${link.isForSale ? 'InStock' : 'OutOfStock'}`,
    },
  }
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
