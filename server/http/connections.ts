import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressToCount, plainAddress } from './client-address.ts'

export type ConnectionLimits = {
  /** Of all clients together. */
  max: number
  /** Of one address. Proxies of the shop have no such limit, since everybody comes through them. */
  maxPerAddress: number
  /** For how long an idle connection is kept while more than half of `max` are open. */
  busyKeepAliveMs: number
  /** For how long the rest of a body is read after the response, so that the client gets to read that. */
  drainMs: number
}

type Connection = {
  socket: Socket
  address: string
  isProxy: boolean
  /** Requests without a complete response. */
  running: number
  /** The beginning of the connection, or the end of its last response. */
  idleSince: number
  /** The rest of a request that was answered before it had arrived. */
  rest: { request: IncomingMessage; until: number } | undefined
}

const checksPerLimit = 4

/**
 * Bounds what connections can cost. Where there are too many, the one that has been idle for longest makes room, so that
 * idle connections never keep others out: those of its own address first, then of all, proxies last.
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isProxy: (peer: string | undefined) => boolean,
): { stop: () => void } {
  const connections = new Map<Socket, Connection>()
  const countOf = new Map<string, number>()

  function add(socket: Socket): void {
    const now = performance.now()
    const address = addressToCount(plainAddress(socket.remoteAddress ?? ''))
    const connection: Connection = {
      socket,
      address,
      isProxy: isProxy(socket.remoteAddress),
      running: 0,
      idleSince: now,
      rest: undefined,
    }
    connections.set(socket, connection)
    countOf.set(address, (countOf.get(address) ?? 0) + 1)
    socket.once('close', () => remove(connection))
    const isOwnFull = !connection.isProxy && (countOf.get(address) ?? 0) > limits.maxPerAddress
    if (isOwnFull) closeIdlest((other) => other.address === address)
    if (connections.size <= limits.max) return
    const isClosed = closeIdlest((other) => other !== connection && !other.isProxy)
    if (!isClosed) closeIdlest(() => true)
  }

  function remove({ socket, address }: Connection): void {
    if (!connections.delete(socket)) return
    const left = (countOf.get(address) ?? 1) - 1
    if (left > 0) countOf.set(address, left)
    else countOf.delete(address)
  }

  /** Removed at once: the socket's own event comes later, and would be counted until then. */
  function close(connection: Connection): void {
    remove(connection)
    connection.socket.destroy()
  }

  /** The newcomer is idle too, for the shortest time: it goes if all others are at work. */
  function closeIdlest(isMeant: (connection: Connection) => boolean): boolean {
    let idlest: Connection | undefined
    for (const connection of connections.values()) {
      if (connection.running > 0 || !isMeant(connection)) continue
      if (!idlest || connection.idleSince < idlest.idleSince) idlest = connection
    }
    if (idlest) close(idlest)
    return idlest !== undefined
  }

  function check(): void {
    const now = performance.now()
    const isBusy = connections.size > limits.max / 2
    for (const connection of connections.values()) {
      const { running, idleSince, rest } = connection
      const isIdle = running === 0 && rest === undefined
      if (rest?.request.complete) connection.rest = undefined
      else if (rest && rest.until <= now) close(connection)
      else if (isBusy && isIdle && now - idleSince > limits.busyKeepAliveMs) close(connection)
    }
  }

  server.on('connection', add)
  server.on('timeout', (socket: Socket) => {
    const isAtWork = (connections.get(socket)?.running ?? 0) > 0 && socket.writableLength === 0
    // The silence is that of the shop, whose answer takes long.
    if (!isAtWork) socket.destroy()
  })
  server.prependListener('request', (request, response) => {
    const connection = connections.get(request.socket)
    if (!connection) return
    connection.running += 1
    response.on('close', () => {
      connection.running -= 1
      connection.idleSince = performance.now()
      if (!request.complete)
        connection.rest = { request, until: connection.idleSince + limits.drainMs }
    })
  })
  const intervalMs = Math.min(limits.drainMs, limits.busyKeepAliveMs) / checksPerLimit
  const timer = setInterval(check, intervalMs).unref()
  return { stop: () => clearInterval(timer) }
}
