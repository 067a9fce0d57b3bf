import { hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownCookie, type OwnCookie } from '#server/http/own-cookie.ts'

/** As long as the buyer's browser may read the order's personal parts. */
export const buyerDays = 30
const tokenPattern = /^[\w-]{22}$/

const secondsADay = 86_400

export type Buyers = ReturnType<typeof buyersBy>

/** The buyers of a shop, by the cookie that its pages give them. */
export function openBuyers(ownUrls: (string | undefined)[]): Buyers {
  return buyersBy(ownCookie('till_buyer', ownUrls, buyerDays * secondsADay))
}

/** Buyers have no account: 128 random bits in their browser are who they are. Only the hash is kept. */
function buyersBy(cookie: OwnCookie) {
  function maybeToken(request: FastifyRequest): string | undefined {
    const token = cookie.read(request)
    return token && tokenPattern.test(token) ? token : undefined
  }
  return {
    maybeBuyer(request: FastifyRequest): string | undefined {
      const token = maybeToken(request)
      return token && hashToken(token)
    },
    /** The buyer behind a request. The answer carries the token, new or known, so that its days begin anew. */
    ensureBuyer(request: FastifyRequest, reply: FastifyReply): string {
      const known = maybeToken(request)
      const token = known ?? randomBytes(16).toString('base64url')
      cookie.set(request, reply, token)
      return hashToken(token)
    },
  }
}

function hashToken(token: string): string {
  return hash('sha256', token)
}
