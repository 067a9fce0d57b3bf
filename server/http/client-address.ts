import { isIPv4, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyRequest {
    /** Where it came from, as we trust proxies to say. Found once: Fastify finds `ip` anew whenever it is asked. */
    address: string
  }
}

export function knowAddresses(app: FastifyInstance): void {
  app.decorateRequest('address', '')
  app.addHook('onRequest', (request, _reply, done) => {
    request.address = plainAddress(request.ip)
    done()
  })
}

/** Whom a limit counts: one IPv4 address, or the /64 of an IPv6 one, which a single household owns whole. */
export function addressToCount(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head ? head.split(':') : []
  const rest = tail ? tail.split(':') : []
  const zeros = address.includes('::')
    ? Array(Math.max(0, 8 - groups.length - rest.length)).fill('0')
    : []
  return [...groups, ...zeros, ...rest]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'))
}

/** The address alone. Some proxies write the port behind it. */
export function plainAddress(ip: string): string {
  if (isIPv4(ip)) return ip
  const bare = ip
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return isIPv6(bare) ? (maybeMapped(bare) ?? bare) : bare
}

/** The IPv4 address that an IPv6 one stands for: ::ffff:c633:6407 is 198.51.100.7. URLs know every way to write it. */
function maybeMapped(ip: string): string | undefined {
  const mapped = /^\[::ffff:(\w+):(\w+)\]$/.exec(URL.parse(`http://[${ip}]`)?.hostname ?? '')
  if (!mapped) return undefined
  const [high, low] = mapped.slice(1).map((group) => Number.parseInt(group, 16))
  return [high, low].flatMap((group = 0) => [group >> 8, group & 255]).join('.')
}
