import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressToCount, plainAddress } from './client-address.ts'

export type ConnectionLimits = {
  /** Of all clients together. */
  max: number
  /** Of one address. Proxies of the shop have no such limit, since everybody comes through them. */
  maxPerAddress: number
}

/** From this part of `max` on, idle connections are closed, so that none of them keeps a buyer out. */
const fullShare = 0.75

/**
 * Bounds how many connections there are. Slow ones are cut by Node's own timeouts; it has no limit for an address, so that
 * one visitor could hold them all. Many buyers may share an address too: the oldest idle one makes room for the next.
 */
export function limitConnections(
  server: Server,
  { max, maxPerAddress }: ConnectionLimits,
  isProxy: (peer: string | undefined) => boolean,
): void {
  server.maxConnections = max
  const atWork = new WeakSet<Socket>()
  const ofAddress = new Map<string, Set<Socket>>()
  server.on('request', ({ socket }, response) => {
    atWork.add(socket)
    response.once('close', () => atWork.delete(socket))
  })
  server.on('connection', (socket) => {
    server.getConnections((_error, count) => {
      if (count > max * fullShare) server.closeIdleConnections()
    })
    if (isProxy(socket.remoteAddress)) return
    const address = addressToCount(plainAddress(socket.remoteAddress ?? ''))
    const sockets = ofAddress.get(address) ?? new Set()
    ofAddress.set(address, sockets.add(socket))
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) ofAddress.delete(address)
    })
    // The new one itself, if all others are at work.
    if (sockets.size > maxPerAddress) [...sockets].find((one) => !atWork.has(one))?.destroy()
  })
}
