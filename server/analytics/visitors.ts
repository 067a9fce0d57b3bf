import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VisitorFacts } from '#server/db/analytics-schema.ts'
import { addressToCount } from '#server/http/client-address.ts'
import { readDevice } from './devices.ts'
import type { Places } from './places.ts'
import { referrersOf } from './referrer.ts'

export type SeenVisitor = {
  isBot: boolean
  /** Who is the same visitor again, by the buyer's cookie; nobody is followed in another way. */
  buyer: string | null
  facts: VisitorFacts
}

export type Visitors = {
  see: (request: FastifyRequest) => Promise<SeenVisitor>
  /** Called where a visit begins. */
  rememberReferrer: (request: FastifyRequest, reply: FastifyReply) => void
}

/** What the shop learns of who visits it: what a request says by itself, and not all of that. */
export function visitorsOf(shop: {
  places: Places
  ownUrls: (string | undefined)[]
  maybeBuyer: (request: FastifyRequest) => string | undefined
}): Visitors {
  const referrers = referrersOf(shop.ownUrls)

  return {
    rememberReferrer: (request, reply) => referrers.remember(request, reply),
    async see(request) {
      const { address } = request
      const { isBot, deviceType, browser, os } = readDevice(request.headers['user-agent'])
      const { country, city } = await shop.places.find(address)
      // A bot's would take the place of a visitor's.
      const referrer = isBot ? undefined : referrers.maybeReferrer(request)
      const visitorIp = maybeWithoutEnd(address)
      const facts = { visitorIp, deviceType, browser, os, country, city, referrer }
      return { isBot, buyer: shop.maybeBuyer(request) ?? null, facts }
    },
  }
}

/** 203.0.113.7 is kept as 203.0.113.0, an IPv6 address as its first three groups, and what is no address not at all. */
function maybeWithoutEnd(address: string): string | undefined {
  const version = isIP(address)
  if (version === 4) return `${address.slice(0, address.lastIndexOf('.'))}.0`
  if (version === 6) return `${addressToCount(address).split(':').slice(0, 3).join(':')}::`
  return undefined
}
