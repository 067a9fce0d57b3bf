import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, refusals } from '#contract/refusals.ts'
import { sendRefusal } from './answer-errors.ts'

/** An address that cannot be read never reaches a route, nor our headers; the answer still looks like ours. */
export function answerBrokenAddress(
  _error: unknown,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply
    .header('content-security-policy', "default-src 'none'")
    .header('x-content-type-options', 'nosniff')
  sendRefusal(reply, new Refusal('call-missing'))
}

/** What Node's parser refuses never becomes a request: answered by hand, and the connection closed. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, reason] = statusLines[error.code ?? ''] ?? [400, 'Bad Request']
  const { text } = refusals['bad-request']
  const body = JSON.stringify({ message: text, error: text })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  )
}

const statusLines: Record<string, [number, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
}
