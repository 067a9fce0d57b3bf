import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressToCount, plainAddress } from './client-address.ts'

export type ConnectionLimits = {
  /** How many connections all clients together may have. */
  max: number
  /** How many one address may have. Proxies of the shop have no such limit, since everybody comes through them. */
  maxPerAddress: number
  /** For how long the rest of a body is read after the response, so that the client gets to read that. */
  lateBodyMs: number
}

/** From this part of `max` on, a new connection closes an idle one; above `max` it is closed itself. */
const fullShare = 0.75

/**
 * Bounds how many connections there are. Slow ones are cut by Node's own timeouts; it has no limit for an address, so that
 * one visitor could hold them all, and its `maxConnections` turns away whoever comes next. Here the connection that has
 * been idle for longest makes room: of its own address first, then of all, proxies last.
 */
export function limitConnections(
  server: Server,
  { max, maxPerAddress, lateBodyMs }: ConnectionLimits,
  isProxy: (peer: string | undefined) => boolean,
): void {
  /** The address of each, or 'proxy'. Those that have been idle for longest come first. */
  const owners = new Map<Socket, string>()
  const counts = new Map<string, number>()
  const atWork = new WeakSet<Socket>()

  function count(owner: string, change: number): number {
    const counted = (counts.get(owner) ?? 0) + change
    if (counted > 0) counts.set(owner, counted)
    else counts.delete(owner)
    return counted
  }

  function closeIdlest(isMeant: (owner: string, socket: Socket) => boolean): boolean {
    for (const [socket, owner] of owners) {
      if (atWork.has(socket) || socket.destroyed || !isMeant(owner, socket)) continue
      socket.destroy()
      return true
    }
    return false
  }

  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    const owner = isProxy(remoteAddress)
      ? 'proxy'
      : addressToCount(plainAddress(remoteAddress ?? ''))
    owners.set(socket, owner)
    socket.once('close', () => {
      owners.delete(socket)
      count(owner, -1)
    })
    const isOwnFull = count(owner, 1) > maxPerAddress && owner !== 'proxy'
    // The new one itself, if all others are at work.
    if (isOwnFull) closeIdlest((other) => other === owner)
    if (owners.size <= max * fullShare) return
    const isClosed =
      closeIdlest((other, one) => other !== 'proxy' && one !== socket) ||
      closeIdlest((_other, one) => one !== socket)
    if (!isClosed && owners.size > max) socket.destroy()
  })

  server.on('request', (request, response) => {
    const { socket } = request
    atWork.add(socket)
    response.on('close', () => {
      atWork.delete(socket)
      const owner = owners.get(socket)
      // Its idle time begins now.
      if (owner !== undefined && owners.delete(socket)) owners.set(socket, owner)
      if (request.complete) return
      setTimeout(() => request.complete || socket.destroy(), lateBodyMs).unref()
    })
  })
}
