import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Streams a response as fast as the client reads; when it disconnects, no further piece is generated. An error before
 * the first piece becomes an error response without these headers; after it, the connection breaks, so that the
 * response does not look complete.
 */
export async function sendStream(
  reply: FastifyReply,
  headers: Record<string, string>,
  pieces: AsyncGenerator<string>,
): Promise<FastifyReply> {
  // HEAD would produce the whole stream and throw it away.
  if (reply.request.method === 'HEAD') return reply.headers(headers).send()
  const first = await pieces.next()
  reply.headers(headers)
  async function* all() {
    if (first.done) return
    yield first.value
    yield* pieces
  }
  return reply.send(Readable.from(all(), { objectMode: false }))
}

export const jsonStream = { 'content-type': 'application/json; charset=utf-8' }

/** One JSON array, chunk by chunk. */
export async function* streamJson(chunks: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let prefix = '['
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    yield prefix + JSON.stringify(chunk).slice(1, -1)
    prefix = ','
  }
  yield prefix === '[' ? '[]' : ']'
}
