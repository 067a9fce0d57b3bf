import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { Refusal, refusals, type RefusalBody, type RefusalCode } from '#contract/refusals.ts'

/** One place that turns whatever was thrown into an answer: below 500 it tells, from 500 on it hides and logs. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const refusal = toRefusal(error)
    if (refusal.status >= 500) request.log.error({ err: error }, refusal.message)
    return sendRefusal(reply, refusal)
  })
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.retryAfter !== undefined) reply.header('retry-after', Math.ceil(refusal.retryAfter))
  return reply.code(refusal.status).header('cache-control', 'no-store').send(showRefusal(refusal))
}

function showRefusal({ code, status, message }: Refusal): RefusalBody {
  // The browser knows that its session ended by the word 'Unauthorized' in any 401 body.
  return {
    message,
    error: status === 401 ? refusals.unauthorized.text : message || refusals[code].text,
  }
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

/** Connection trouble, shutting down (57P), too many connections (53), broken connection (08), read-only (25006). */
const awayCodes = /^(ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|57P\d\d|57014|53\d\d\d|08\d\d\d|25006)$/
const awayMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered/

function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('syscall' in cause && !['connect', 'read', 'write'].includes(String(cause.syscall)))
      return false
    if ('code' in cause && awayCodes.test(String(cause.code))) return true
    if (awayMessages.test(cause.message)) return true
  }
  return false
}

export function isApiCall(request: FastifyRequest): boolean {
  return (
    request.url === '/api' || request.url.startsWith('/api/') || request.url.startsWith('/api?')
  )
}
