import { hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownCookie } from '#server/http/own-cookie.ts'

/** How long the buyer's browser may read the personal parts of its order. */
export const buyerDays = 30

export type Buyers = ReturnType<typeof openBuyers>

/** Buyers have no account: 128 random bits in a cookie identify them. The database has only the hash. */
export function openBuyers(ownUrls: (string | undefined)[]) {
  const cookie = ownCookie('till_buyer', ownUrls, buyerDays * 86_400)

  function findToken(request: FastifyRequest): string | undefined {
    const token = cookie.read(request)
    return token && /^[\w-]{22}$/.test(token) ? token : undefined
  }

  return {
    /** The buyer's token hash. */
    findBuyer(request: FastifyRequest): string | undefined {
      const token = findToken(request)
      return token && hash('sha256', token)
    },
    /** The buyer's token hash. Sets the cookie, new or known, so that its 30 days begin again. */
    ensureBuyer(request: FastifyRequest, reply: FastifyReply): string {
      const token = findToken(request) ?? randomBytes(16).toString('base64url')
      cookie.set(request, reply, token)
      return hash('sha256', token)
    },
  }
}
