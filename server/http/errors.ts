import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { config as configureZod, ZodError } from 'zod'
import { Refusal, refusals, type RefusalBody, type RefusalCode } from '#contract/refusals.ts'
import { isDatabaseUnavailable } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { isClientGone, logUnparsable, logUnroutable } from './request-log.ts'

/** Turns whatever was thrown into a response: below 500 it tells the reason, from 500 on it hides and logs it. */
export function registerErrorHandler(app: FastifyInstance, sendPage?: RefusalPage): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const { refusal, reason } = explainError(error)
    if (reason !== undefined && !isClientGone(reason, reply))
      request.log.error({ err: reason }, refusal.message)
    return sendRefusal(reply, refusal, isPage(request) ? sendPage : undefined)
  })
}

/** What to answer, and the reason if that hides one, for the log. */
function explainError(error: unknown): { refusal: Refusal; reason?: unknown } {
  const refusal = toRefusal(error)
  // A refusal of our own was expected, unless it has a cause.
  const isExpected = error === refusal && refusal.cause === undefined
  return isExpected || refusal.status < 500
    ? { refusal }
    : { refusal, reason: refusal.cause ?? error }
}

/** Sends the refusal of a page with its text, for people. */
export type RefusalPage = (reply: FastifyReply, refusal: Refusal) => FastifyReply

/** Whether a browser shows the response: everything but calls. */
export function isPage({ url, method }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    !/^\/(?:(?:api|sandbox)(?:[/?]|$)|metrics(?:\?|$))/.test(url)
  )
}

export function sendRefusal(
  reply: FastifyReply,
  refusal: Refusal,
  sendPage?: RefusalPage,
): FastifyReply {
  if (refusal.retryAfter !== undefined) reply.header('retry-after', Math.ceil(refusal.retryAfter))
  reply.code(refusal.status).header('cache-control', 'no-store')
  return sendPage ? sendPage(reply, refusal) : reply.send(showRefusal(refusal))
}

function showRefusal({ status, message, code, facts }: Refusal): RefusalBody {
  // The browser recognises the end of its session by the word 'Unauthorized' in any 401 body.
  const error = status === 401 ? refusals.unauthorized.text : message
  return { message, error, code, ...facts }
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ZodError) {
    const [issue] = error.issues
    const field = issue?.path.join('.').slice(0, 100)
    const text = issue?.message || describeField(field ?? '')
    return new Refusal('bad-request', { text, cause: error, ...(field && { facts: { field } }) })
  }
  if (isDatabaseUnavailable(error))
    return new Refusal('unavailable', { cause: error, retryAfter: 2 })
  return new Refusal(codeOfFastifyError(error), { cause: error })
}

/** Schemas have texts for what people type. For the rest zod's own would say too much, and differ with its version. */
configureZod({ customError: () => '' })

function describeField(name: string): string {
  const { text } = refusals['bad-request']
  return name ? `${text} Please check: ${name}` : text
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
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  logUnroutable(request, reply)
  reply
    .header('content-security-policy', "default-src 'none'")
    .header('x-content-type-options', 'nosniff')
  sendRefusal(reply, new Refusal('call-missing'))
}

const codesOfParser: Record<string, RefusalCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
}

/** After this time the connection of a rejected request ends, whether the client has read the response or not. */
const lingerMs = 5_000

/** What Node's parser rejects never becomes a request: the response is written to the socket. */
export function handleInvalidRequest(log: Log, error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const refusal = new Refusal(codesOfParser[error.code ?? ''] ?? 'bad-request')
  logUnparsable(log, refusal.status, error.code ?? 'none')
  const body = JSON.stringify(showRefusal(refusal))
  setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  )
}
