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
  const first = await pieces.next()
  reply.headers({ 'cache-control': 'no-store', ...headers })
  async function* all() {
    if (first.done) return
    yield first.value
    yield* pieces
  }
  return reply.send(Readable.from(all(), { objectMode: false }))
}

export const jsonStream = { 'content-type': 'application/json; charset=utf-8' }
