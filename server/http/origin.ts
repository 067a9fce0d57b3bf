import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/refusals.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyRequest {
    /** Whether a page of another site sent it, or our payment page, which runs SumUp's script too. */
    isForeign: boolean
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- as above
  interface FastifyContextConfig {
    /** A public read that answers by the visitor's cookie: pages of other sites get nothing of it. */
    isCookieBound?: true
  }
}

const harmlessMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A page of another site must not act with the cookies of our visitors. Browsers say where a request
 * comes from; programs without a browser (SumUp's webhook, curl) say nothing and carry no cookies.
 */
export function refuseForeignOrigins(
  app: FastifyInstance,
  own: { publicUrl: string | undefined; customDomain: string | undefined },
): void {
  const mainHosts = hostsOf([own.publicUrl])
  // The payment page runs SumUp's script too: what comes from there is ours only for buyers' calls.
  const allHosts = hostsOf([own.publicUrl, own.customDomain])
  app.decorateRequest('isForeign', false)
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, isCookieBound } = request.routeOptions.config
    request.isForeign = comesFromElsewhere(request, mainHosts)
    const isRead = harmlessMethods.has(request.method)
    const guarded = !isRead || access === 'admin' || (isCookieBound && !isOwnLink(request))
    const hosts = access === 'public' ? allHosts : mainHosts
    if (guarded && comesFromElsewhere(request, hosts)) throw new Refusal('foreign-origin')
    done()
  })
}

function comesFromElsewhere(request: FastifyRequest, ownHosts: Set<string>): boolean {
  const site = request.headers['sec-fetch-site']
  // 'none' is the person at the browser: a typed address, a bookmark.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = request.headers
  if (origin === undefined) return false
  const host = URL.parse(origin)?.host
  return host === undefined || (host !== request.host && !ownHosts.has(host))
}

/** A link between our own domains: the person sees the answer, the page that linked to it does not. */
function isOwnLink({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-site' && headers['sec-fetch-mode'] === 'navigate'
}

function hostsOf(urls: (string | undefined)[]): Set<string> {
  return new Set(urls.flatMap((url) => (url ? [new URL(url).host] : [])))
}
