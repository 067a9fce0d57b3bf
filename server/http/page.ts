import { hash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'

/** Bytes that are sent as often as somebody asks for them, and compressed once. */
export type ReadyBody = { bytes: Buffer; compressed?: Buffer; etag: string }

/** What is shorter is not compressed: it would gain nothing. */
export const minCompressed = 1_024

export function createBody(text: string): ReadyBody {
  const bytes = Buffer.from(text)
  // Weak: plain and compressed bytes share it.
  return { bytes, etag: `W/"${hash('sha256', bytes, 'base64url')}"` }
}

/** A nonce for one page and its policy. 18 bytes: Base64 without padding. */
export function createNonce(): string {
  return randomBytes(18).toString('base64')
}

/** Browsers keep no page: Back must ask again too, since what a buyer sees depends on what they did meanwhile. */
export function sendPage(reply: FastifyReply, body: ReadyBody, policy: string): FastifyReply {
  reply.header('content-type', 'text/html; charset=utf-8')
  reply.header('cache-control', 'no-store')
  reply.header('content-security-policy', policy)
  return sendBody(reply, body)
}

/** Sends 304 instead of the body to who has it already. */
export function sendBody(reply: FastifyReply, body: ReadyBody): FastifyReply {
  const { 'accept-encoding': accepted, 'if-none-match': known } = reply.request.headers
  reply.header('etag', body.etag)
  const isKnown = known?.split(',').some((etag) => etag.trim() === body.etag)
  if (isKnown && reply.statusCode === 200) return reply.code(304).send()
  if (body.bytes.length < minCompressed) return reply.send(body.bytes)
  reply.header('vary', 'accept-encoding')
  if (!takesGzip(accepted)) return reply.send(body.bytes)
  body.compressed ??= gzipSync(body.bytes)
  return reply.header('content-encoding', 'gzip').send(body.compressed)
}

function takesGzip(accepted = ''): boolean {
  return accepted.split(',').some((entry) => {
    const [coding, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    return coding === 'gzip' && Number(weight) > 0
  })
}
