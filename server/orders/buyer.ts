import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OwnCookie } from '#server/http/own-cookie.ts'
import { hashToken } from '#server/payments/ledger.ts'

/** As long as the buyer's browser may read the order's personal parts. */
export const buyerDays = 30
const tokenPattern = /^[\w-]{22}$/

export type Buyers = ReturnType<typeof buyersBy>

/** Buyers have no account: 128 random bits in their browser are who they are. Only the hash is kept. */
export function buyersBy(cookie: OwnCookie) {
  function maybeBuyer(request: FastifyRequest): string | undefined {
    const token = cookie.read(request)
    return token && tokenPattern.test(token) ? hashToken(token) : undefined
  }
  return {
    maybeBuyer,
    /** The buyer behind a request; a browser that is new here gets its token with the answer. */
    ensureBuyer(request: FastifyRequest, reply: FastifyReply): string {
      const known = maybeBuyer(request)
      if (known) return known
      const token = randomBytes(16).toString('base64url')
      cookie.set(request, reply, token)
      return hashToken(token)
    },
  }
}
