import type { FastifyInstance, FastifyRequest } from 'fastify'
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
export async function mountStandIn(app: FastifyInstance, apiUrl: string): Promise<void> {
  // A room of its own: the bank's page posts a form, and the shop itself takes nothing but JSON.
  await app.register(async (room) => {
    room.removeAllContentTypeParsers()
    room.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body)
    room.route<{ Params: { '*': string }; Body: Buffer | undefined }>({
      method: ['GET', 'POST', 'PUT', 'OPTIONS'],
      url: `${standInPath}/*`,
      config: { access: 'public', bringsOwnPolicy: true },
      handler: async (request, reply) => {
        const answer = await ask(apiUrl, request)
        for (const name of passedOn) {
          const value = answer.headers.get(name)
          if (value) reply.header(name, value)
        }
        return reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()))
      },
    })
  })
}

async function ask(
  apiUrl: string,
  request: FastifyRequest<{ Params: { '*': string }; Body: Buffer | undefined }>,
): Promise<Response> {
  const wanted = new URL(apiUrl)
  wanted.pathname = request.params['*']
  wanted.search = new URL(request.url, apiUrl).search
  const { 'content-type': type } = request.headers
  return fetch(wanted, {
    method: request.method,
    headers: {
      'x-forwarded-for': request.ip,
      'x-forwarded-host': request.host,
      'x-forwarded-proto': request.protocol,
      'x-forwarded-prefix': standInPath,
      ...(type && { 'content-type': type }),
    },
    ...(request.body && { body: new Uint8Array(request.body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch((cause: unknown) => {
    throw new Refusal('payments-away', { cause })
  })
}
