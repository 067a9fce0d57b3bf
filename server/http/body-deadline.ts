import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    /** A body that may take as long as Node's own limit, such as a picture over a slow line. */
    slowBody?: boolean
  }
}

/**
 * Ends connections whose body does not arrive. Node has one limit for all requests, which must be
 * long enough for uploads; everything else is small and has no reason to be slow.
 */
export function limitBodyTime(app: FastifyInstance, mostMs: number): void {
  app.addHook('onRequest', async ({ raw, headers, routeOptions }) => {
    const hasBody = Number(headers['content-length']) > 0 || 'transfer-encoding' in headers
    if (!hasBody || routeOptions.config.slowBody) return
    const timer = setTimeout(() => raw.socket.destroy(), mostMs)
    timer.unref()
    const stop = () => clearTimeout(timer)
    raw.once('end', stop).once('close', stop)
  })
}
