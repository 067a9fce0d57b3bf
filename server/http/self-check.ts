import type { FastifyInstance } from 'fastify'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { isSignature, sign } from '#server/secret.ts'
import { plainAddress, type Proxies } from './client-address.ts'

/** How the shop sees a request of its own doctor: the only way to tell what a proxy in between does. */
export type Seen = {
  /** Whose connection it is. */
  peer: string
  isTrusted: boolean
  hasForwardedFor: boolean
  protocol: string
}

export const selfCheckHeader = 'x-till-self-check'
const purpose = 'self-check'
const validMs = 60_000

/** Proves that who asks has the secret of the shop. */
export function createSelfCheck(secret: string): string {
  const until = String(Date.now() + validMs)
  return `${until}.${sign(secret, purpose, until)}`
}

function isValid(secret: string, token: unknown): boolean {
  const [until = '', signature = ''] = typeof token === 'string' ? token.split('.') : []
  return isSignature(secret, purpose, until, signature) && Number(until) > Date.now()
}

/** For anybody else there is no such call. */
export function mountSelfCheck(
  app: FastifyInstance,
  { secret, proxies }: { secret: string; proxies: Pick<Proxies, 'isTrusted'> },
): void {
  const options = { config: { access: 'backoffice' } } as const
  app.get(apiRoutes.selfCheck, options, async ({ headers, socket, protocol }, reply) => {
    if (!isValid(secret, headers[selfCheckHeader])) throw new Refusal('call-missing')
    const seen: Seen = {
      peer: plainAddress(socket.remoteAddress ?? ''),
      isTrusted: proxies.isTrusted(socket.remoteAddress, 0),
      hasForwardedFor: headers['x-forwarded-for'] !== undefined,
      protocol,
    }
    return reply.header('cache-control', 'no-store').send(seen)
  })
}
