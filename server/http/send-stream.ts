import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Sends an answer piece by piece, as fast as the other side reads; when it hangs up, no further piece is made. What
 * fails before the first piece is answered like any fault, without these headers; after it, the connection breaks
 * instead of looking whole.
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
