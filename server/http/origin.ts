import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/refusals.ts'

const harmlessMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A page of another site must not act with the cookies of our visitors. Browsers say where a request
 * comes from; programs without a browser (SumUp's webhook, curl) say nothing and carry no cookies.
 */
export function refuseForeignOrigins(
  app: FastifyInstance,
  ownOrigins: (string | undefined)[],
): void {
  const ownHosts = new Set(ownOrigins.flatMap((origin) => (origin ? [new URL(origin).host] : [])))
  app.addHook('onRequest', async (request) => {
    const guarded =
      !harmlessMethods.has(request.method) || request.routeOptions.config.access === 'admin'
    if (guarded && comesFromElsewhere(request, ownHosts)) throw new Refusal('foreign-origin')
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
