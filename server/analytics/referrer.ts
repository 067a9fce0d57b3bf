import type { FastifyReply, FastifyRequest } from 'fastify'
import { otherReferrer } from '#contract/analytics.ts'
import { hostOf, hostOfUrl, plainHost } from '#server/http/access.ts'
import { ownCookie } from '#server/http/own-cookie.ts'
import { memoize } from '#server/memoize.ts'
import { visitMinutes } from './visits.ts'

/** As names in the DNS are at most. */
const longestHost = 253
/** Anyone can claim to come from anywhere, and every address is a row in the figures of its day. */
const mostPerDay = 300
const dayMs = 86_400_000
const mostKept = 2_000
/** What comes behind the longest host is of the page. */
const longestAddress = 500

type Site = { host: string; origin: string }

/** Its address without the page, which may tell more of the visitor than we want to know. */
const maybeSite = memoize(mostKept, (address): Site | undefined => {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const host = plainHost(url.hostname)
  return host.length > longestHost ? undefined : { host, origin: url.origin }
})

export type Referrers = ReturnType<typeof referrersOf>

/**
 * The site a visitor came from. Browsers say so when they open the checkout page, while all calls of that page come
 * from the page itself: so it is kept in their cookie for as long as a visit lasts.
 */
export function referrersOf(ownUrls: (string | undefined)[]) {
  const ownHosts = new Set(ownUrls.flatMap((url) => (url ? [hostOfUrl(url)] : [])))
  const cookie = ownCookie('till_from', ownUrls, visitMinutes * 60)

  function maybeForeign(request: FastifyRequest, address: string | undefined): string | undefined {
    const site = address ? maybeSite(address.slice(0, longestAddress)) : undefined
    if (!site || ownHosts.has(site.host) || site.host === hostOf(request)) return undefined
    return site.origin
  }

  let told = { day: 0, addresses: new Set<string>() }

  /** Kept as 'Other' in the event itself, so that counting anew finds the same. */
  function withinMost(address: string): string {
    const day = Math.floor(Date.now() / dayMs)
    if (told.day !== day) told = { day, addresses: new Set() }
    if (told.addresses.size < mostPerDay) told.addresses.add(address)
    return told.addresses.has(address) ? address : otherReferrer
  }

  return {
    maybeReferrer(request: FastifyRequest): string | undefined {
      const referrer =
        maybeForeign(request, request.headers.referer) ??
        maybeForeign(request, cookie.read(request))
      return referrer && withinMost(referrer)
    },
    /** Called where a visit begins. */
    remember(request: FastifyRequest, reply: FastifyReply): void {
      const referrer = maybeForeign(request, request.headers.referer)
      if (referrer) cookie.set(request, reply, referrer)
    },
  }
}
