import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { Refusal, refusals, type RefusalBody, type RefusalCode } from '#contract/refusals.ts'
import { isDatabaseAway } from './database-away.ts'

/** One place that turns whatever was thrown into an answer: below 500 it tells, from 500 on it hides and logs. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const refusal = toRefusal(error)
    if (error !== refusal || refusal.cause) logFault(request, error, refusal)
    return sendRefusal(reply, refusal)
  })
}

/** A refusal of ours was meant; what stands behind one from 500 on was not. */
function logFault(request: FastifyRequest, error: unknown, refusal: Refusal): void {
  if (refusal.status >= 500) request.log.error({ err: refusal.cause ?? error }, refusal.message)
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.retryAfter !== undefined) reply.header('retry-after', Math.ceil(refusal.retryAfter))
  return reply.code(refusal.status).header('cache-control', 'no-store').send(showRefusal(refusal))
}

function showRefusal({ status, message, code, facts }: Refusal): RefusalBody {
  // The browser knows that its session ended by the word 'Unauthorized' in any 401 body.
  const error = status === 401 ? refusals.unauthorized.text : message
  return { message, error, code, ...facts }
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ZodError) {
    const text = error.issues[0]?.message ?? refusals['bad-request'].text
    return new Refusal('bad-request', { text, cause: error })
  }
  if (isDatabaseAway(error)) return new Refusal('unavailable', { cause: error, retryAfter: 2 })
  return new Refusal(codeOfFastifyError(error), { cause: error })
}

function codeOfFastifyError(error: unknown): RefusalCode {
  const { code, statusCode = 500 } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'body-type'
  if (statusCode === 413) return 'body-too-large'
  if (statusCode === 429) return 'too-many-requests'
  return statusCode < 500 ? 'bad-request' : 'unexpected'
}

export function isApiCall(request: FastifyRequest): boolean {
  return (
    request.url === '/api' || request.url.startsWith('/api/') || request.url.startsWith('/api?')
  )
}
