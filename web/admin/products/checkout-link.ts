import { checkoutPath } from '#contract/paths.ts'
import type { CustomDomain } from '#contract/products.ts'

const longestShown = 40

/** The custom domain if there is one, else the one the shop answers at, else where this page came from. */
export function checkoutOrigin(domain: CustomDomain | undefined, ownOrigin: string): string {
  const current = domain?.currentDomain ?? ownOrigin
  // Behind a proxy the server may not know that it is reached by https; the browser does.
  const seen = hostOf(current) === hostOf(ownOrigin) ? ownOrigin : current
  const origin = domain?.customDomain || seen
  const withScheme = /^https?:\/\//i.test(origin) ? origin : `https://${origin}`
  return withScheme.replace(/\/+$/, '')
}

export function checkoutLink(origin: string, productId: string): string {
  return `${origin}${checkoutPath(productId)}`
}

/** As much of a link as fits a column. */
export function shortenLink(link: string): string {
  return link.length > longestShown ? `${link.slice(0, longestShown)}…` : link
}

function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host
}
