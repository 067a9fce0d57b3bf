import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    /** A body that may take as long as Node's own limit, such as a picture over a slow line. */
    slowBody?: boolean
  }
}

const checksPerDeadline = 4

/**
 * Ends connections whose body does not arrive. Node has one limit for all requests, which must be
 * long enough for uploads; everything else is small and has no reason to be slow. One clock for all of them: a timer
 * for each request cost as much as reading its body.
 */
export function limitBodyTime(app: FastifyInstance, mostMs: number): void {
  const arriving = new Map<IncomingMessage, number>()
  app.addHook('onRequest', ({ raw, headers, routeOptions }, _reply, done) => {
    const hasBody = Number(headers['content-length']) > 0 || 'transfer-encoding' in headers
    if (hasBody && !routeOptions.config.slowBody) arriving.set(raw, performance.now() + mostMs)
    done()
  })
  app.addHook('preValidation', ({ raw }, _reply, done) => {
    arriving.delete(raw)
    done()
  })
  const clock = setInterval(endOverdue, mostMs / checksPerDeadline).unref()
  app.addHook('onClose', async () => clearInterval(clock))

  function endOverdue(): void {
    const now = performance.now()
    for (const [raw, endsAt] of arriving) {
      if (!raw.complete && endsAt > now) continue
      arriving.delete(raw)
      if (!raw.complete) raw.socket.destroy()
    }
  }
}
