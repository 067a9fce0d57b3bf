import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MerchantAccount } from './accounts.ts'
import { Refused } from './answers.ts'
import type { Desk } from './desk.ts'
import { sendAnswer } from './operation.ts'
import { invalidAccessToken, invalidRequest, problem, unauthorized } from './refusals.ts'

/** What holds for every call: bodies, trailing slashes, unknown addresses, our own mistakes. */
export function hangDoor(app: FastifyInstance, desk: Desk): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => parseJson(text),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => Object.fromEntries(new URLSearchParams(text)),
  )

  app.addHook('onRequest', async ({ url }) => {
    const [path = ''] = url.split('?')
    // Since 2026-01-17 SumUp refuses these; with which status it does not say.
    if (path.length > 1 && path.endsWith('/')) throw nothingHere()
  })
  app.setNotFoundHandler((_request, reply) => sendAnswer(reply, nothingHere().answer))
  app.setErrorHandler((error, request, reply) => sendAnswer(reply, answerTo(error, request, desk)))
}

/** `Authorization: Bearer sup_sk_…` on every call of a merchant's server. */
export function requireKey(desk: Desk) {
  return async (request: FastifyRequest): Promise<void> => void getMerchant(desk, request)
}

/** The merchant whose server calls. */
export function getMerchant({ accounts }: Desk, request: FastifyRequest): MerchantAccount {
  const key = findKey(request)
  const merchant = key === undefined ? undefined : accounts.findByKey(key)
  if (merchant !== undefined) return merchant
  throw key === undefined || key.startsWith('sup_') ? unauthorized() : invalidAccessToken()
}

export function findKey({ headers }: FastifyRequest): string | undefined {
  const [scheme, key] = (headers.authorization ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' ? key || undefined : undefined
}

/** The widget pays without a key; a key that is there must be right. */
export function allowBrowser(desk: Desk) {
  const checkKey = requireKey(desk)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    void reply.header('access-control-allow-origin', '*')
    if (request.headers.authorization !== undefined) await checkKey(request)
  }
}

function answerTo(error: unknown, request: FastifyRequest, desk: Desk) {
  if (error instanceof Refused) return error.answer
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status < 500) return { ...invalidRequest().answer, status }
  desk.log('mistake', { url: request.routeOptions.url, error: String(error) })
  return problem(500, 'internal-server-error', 'Internal Server Error', 'A mistake of the sandbox')
    .answer
}

const nothingHere = (): Refused => problem(404, 'not-found', 'Not Found', 'There is nothing here')

/** The official client posts an empty body with a JSON content type for a full refund. */
function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw invalidRequest()
  }
}
