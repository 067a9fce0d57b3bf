import { hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownCookie } from '#server/http/own-cookie.ts'
import { hmac, isSameText } from '#server/secret.ts'

/** How long the buyer's browser may read the personal parts of its order. */
export const buyerDays = 30

export type Buyers = ReturnType<typeof openBuyers>

/**
 * Buyers have no account: 128 random bits in a cookie identify them, signed, so that nobody can plant bits of their own
 * choice in a buyer's browser or make up buyers by the million. The database has only the hash of the bits. The day on which
 * the cookie was last set tells analytics whether this browser was here today, without storing who was.
 */
export function openBuyers(listOwnUrls: () => (string | undefined)[], secret: string) {
  const cookie = ownCookie('till_buyer', listOwnUrls, buyerDays * 86_400)

  function findToken(request: Pick<FastifyRequest, 'protocol' | 'cookies'>): string | undefined {
    const value = cookie.read(request)
    // Most visitors come without: nothing to compute for them.
    if (!value) return undefined
    const [token = '', signature = ''] = value.split('.')
    return isSameText(signToken(token, secret), signature) ? token : undefined
  }

  return {
    /** The buyer's token hash. */
    findBuyer(request: Pick<FastifyRequest, 'protocol' | 'cookies'>): string | undefined {
      const token = findToken(request)
      return token && hash('sha256', token)
    },
    /** Whether a payment form was opened in this browser today (UTC). */
    isKnownToday(request: Pick<FastifyRequest, 'protocol' | 'cookies'>): boolean {
      const [, , day] = cookie.read(request)?.split('.') ?? []
      return day === formatDay() && findToken(request) !== undefined
    },
    /** The buyer's token hash. Sets the cookie, new or known, so that its 30 days begin again. */
    ensureBuyer(request: FastifyRequest, reply: FastifyReply): string {
      const token = findToken(request) ?? randomBytes(16).toString('base64url')
      cookie.set(request, reply, formatBuyerToken(token, secret))
      return hash('sha256', token)
    },
  }
}

/** The value of a buyer's cookie. */
export function formatBuyerToken(token: string, secret: string, day = formatDay()): string {
  return `${token}.${signToken(token, secret)}.${day}`
}

/** Today, in days since 1970. */
function formatDay(): string {
  return String(Math.floor(Date.now() / 86_400_000))
}

function signToken(token: string, secret: string): string {
  const signature = hmac(secret, `buyer\n${token}`, 'binary')
  return Buffer.from(signature.slice(0, 16), 'binary').toString('base64url')
}
