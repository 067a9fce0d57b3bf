import { renderToStaticMarkup } from 'react-dom/server'

import type { PageAssets } from '#contract/public-pages.ts'
import favicon from '#web/ui/favicon.svg'
import { type PageData, pageDataId, writePageData } from '#web/storefront/checkout/page-data.ts'

type Page = {
  title: string
  assets: PageAssets
  /** The page itself, as HTML that React made. */
  html: string
  /** What it was made from, for the script that takes it over in the browser. */
  data?: PageData
  /** Another origin that the page is about to ask. */
  soonAsked?: string
}

/** The HTML around a page of the public. No inline script, no inline style: the content policy allows neither. */
export function writeDocument({ title, assets, html, data, soonAsked }: Page): string {
  const head = renderToStaticMarkup(<Head {...{ title, assets, soonAsked }} />)
  const pageData = data
    ? `<script type="application/json" id="${pageDataId}">${writePageData(data)}</script>`
    : ''
  return `<!doctype html><html lang="en"><head>${head}</head><body>${html}${pageData}</body></html>`
}

function Head({ title, assets, soonAsked }: Pick<Page, 'title' | 'assets' | 'soonAsked'>) {
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      {assets.nonce && <meta property="csp-nonce" nonce={assets.nonce} />}
      <title>{title}</title>
      <link rel="icon" type="image/svg+xml" href={favicon} />
      <link rel="stylesheet" href={assets.stylesheet} />
      {soonAsked && <link rel="preconnect" href={soonAsked} />}
      {assets.script && <script type="module" src={assets.script} />}
    </>
  )
}
