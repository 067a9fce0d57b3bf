import type { FastifyReply, FastifyRequest } from 'fastify'
import { hostOf, hostOfUrl, plainHost } from '#server/http/host.ts'
import { ownCookie } from '#server/http/own-cookie.ts'
import { visitMinutes } from './visits.ts'

const longestReferrer = 500

export type Referrers = ReturnType<typeof referrersOf>

/**
 * The site a visitor came from. Browsers say so when they open the checkout page, while all calls of that page come
 * from the page itself: so it is kept in their cookie for as long as a visit lasts.
 */
export function referrersOf(ownUrls: (string | undefined)[]) {
  const ownHosts = new Set(ownUrls.flatMap((url) => (url ? [hostOfUrl(url)] : [])))
  const cookie = ownCookie('till_from', ownUrls, visitMinutes * 60)

  /** Its address without the page, which may tell more of the visitor than we want to know. */
  function maybeForeign(request: FastifyRequest, address: string | undefined): string | undefined {
    const url = address ? URL.parse(address) : null
    if (!url || !/^https?:$/.test(url.protocol) || url.origin.length > longestReferrer)
      return undefined
    const host = plainHost(url.hostname)
    return host === hostOf(request) || ownHosts.has(host) ? undefined : url.origin
  }

  return {
    maybeReferrer: (request: FastifyRequest): string | undefined =>
      maybeForeign(request, request.headers.referer) ?? maybeForeign(request, cookie.read(request)),
    /** Called where a visit begins. */
    remember(request: FastifyRequest, reply: FastifyReply): void {
      const referrer = maybeForeign(request, request.headers.referer)
      if (referrer) cookie.set(request, reply, referrer)
    },
  }
}
