import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'

/**
 * Opens the shop's port. `localhost` is 127.0.0.1 and ::1, since browsers try either first. Fastify would ask the machine's
 * resolver, and open a second HTTP server that the limit of connections does not know. Returns what closes the port and
 * waits for the answers under way.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<Config, 'host' | 'port'>,
  log: Log,
): Promise<() => Promise<void>> {
  const isLocal = host === 'localhost'
  await app.listen({ port, host: isLocal ? '127.0.0.1' : host })
  const second = isLocal ? await listenBeside(app, log) : undefined
  return async () => {
    const closed = second && once(second, 'close')
    second?.close()
    await Promise.all([app.close(), closed])
  }
}

/**
 * Passes connections to ::1 on to the one HTTP server, so that its limits, timeouts and shutdown hold for them as well.
 * Machines without IPv6, or with another program there, have no such address.
 */
async function listenBeside(app: FastifyInstance, log: Log): Promise<Server | undefined> {
  const { port } = app.server.address() as AddressInfo
  // As Node's HTTP server opens its own.
  const options = { allowHalfOpen: true, noDelay: true }
  const second = createServer(options, (socket: Socket) => app.server.emit('connection', socket))
  second.listen({ port, host: '::1', ipv6Only: true })
  try {
    await once(second, 'listening')
    return second
  } catch (error) {
    log.warn(
      { err: error },
      'Not listening at ::1: with some programs localhost may lead elsewhere',
    )
    return undefined
  }
}
