import type { FastifyInstance } from 'fastify'
import { Refusal } from '#contract/refusals.ts'

/** Where the stand-in's widget and pages are found in test mode: on the shop's own address, whatever that is. */
export const standInPath = '/sandbox'

const answerWithinMs = 20_000
const passedOn = [
  'content-type',
  'cache-control',
  'access-control-allow-origin',
  'content-security-policy',
  'location',
]

/**
 * Buyers' browsers reach the stand-in through the shop, so that test mode works wherever the shop does.
 * The stand-in sees by the header that it is not spoken to directly, and keeps its controls shut.
 */
export function mountStandIn(app: FastifyInstance, apiUrl: string): void {
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'POST', 'PUT', 'OPTIONS'],
    url: `${standInPath}/*`,
    config: { access: 'public' },
    handler: async (request, reply) => {
      const wanted = new URL(apiUrl)
      wanted.pathname = request.params['*']
      wanted.search = new URL(request.url, apiUrl).search
      const answer = await fetch(wanted, {
        method: request.method,
        headers: {
          'x-forwarded-for': request.ip,
          ...(request.body ? { 'content-type': 'application/json' } : {}),
        },
        ...(request.body ? { body: JSON.stringify(request.body) } : {}),
        redirect: 'manual',
        signal: AbortSignal.timeout(answerWithinMs),
      }).catch((cause: unknown) => {
        throw new Refusal('payments-away', { cause })
      })
      // The pages of the stand-in bring their own policy; ours would forbid everything.
      reply.removeHeader('content-security-policy').removeHeader('x-frame-options')
      for (const name of passedOn) {
        const value = answer.headers.get(name)
        if (value) reply.header(name, value)
      }
      return reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()))
    },
  })
}
