import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { Refusal, refusals, type RefusalBody, type RefusalCode } from '#contract/refusals.ts'
import { isDatabaseUnavailable } from '#server/db/database.ts'

/** Turns whatever was thrown into a response: below 500 it tells the reason, from 500 on it hides and logs it. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const refusal = toRefusal(error)
    // A refusal of our own was expected, unless it has a cause.
    const isUnexpected = error !== refusal || refusal.cause !== undefined
    if (isUnexpected && refusal.status >= 500)
      request.log.error({ err: refusal.cause ?? error }, refusal.message)
    return sendRefusal(reply, refusal)
  })
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.retryAfter !== undefined) reply.header('retry-after', Math.ceil(refusal.retryAfter))
  return reply.code(refusal.status).header('cache-control', 'no-store').send(showRefusal(refusal))
}

function showRefusal({ status, message, code, facts }: Refusal): RefusalBody {
  // The browser recognises the end of its session by the word 'Unauthorized' in any 401 body.
  const error = status === 401 ? refusals.unauthorized.text : message
  return { message, error, code, ...facts }
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ZodError) {
    const text = error.issues[0]?.message ?? refusals['bad-request'].text
    return new Refusal('bad-request', { text, cause: error })
  }
  if (isDatabaseUnavailable(error))
    return new Refusal('unavailable', { cause: error, retryAfter: 2 })
  return new Refusal(codeOfFastifyError(error), { cause: error })
}

function codeOfFastifyError(error: unknown): RefusalCode {
  const { code, statusCode = 500 } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'body-type'
  if (statusCode === 413) return 'body-too-large'
  if (statusCode === 429) return 'too-many-requests'
  return statusCode < 500 ? 'bad-request' : 'unexpected'
}

/** A URL that cannot be decoded reaches no route and no hook, so the security headers are set here. */
export function handleInvalidUrl(
  _error: unknown,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply
    .header('content-security-policy', "default-src 'none'")
    .header('x-content-type-options', 'nosniff')
  sendRefusal(reply, new Refusal('call-missing'))
}

const statusLines: Record<string, [number, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
}

/** What Node's parser rejects never becomes a request: the response is written to the socket. */
export function handleInvalidRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, reason] = statusLines[error.code ?? ''] ?? [400, 'Bad Request']
  const { text } = refusals['bad-request']
  const body = JSON.stringify({ message: text, error: text })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  )
}
