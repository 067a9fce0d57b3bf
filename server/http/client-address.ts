import { createHmac } from 'node:crypto'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyRequest {
    /** The client's IP address, as trusted proxies report it. Computed once: Fastify's `ip` is computed on every access. */
    address: string
  }
}

export function registerClientAddress(app: FastifyInstance): void {
  app.decorateRequest('address', '')
  app.addHook('onRequest', (request, _reply, done) => {
    // Without a peer, which may be gone before its request is handled, requests share one limit.
    const { ip }: { ip?: string } = request
    request.address = plainAddress(ip ?? '')
    done()
  })
}

/** What a limit counts: one IPv4 address, or the /64 of an IPv6 one, which belongs to a single household. */
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

export type HashAddress = (address: string) => string

const dayMs = 86_400_000

/**
 * Names an address for limits that are stored. All IPv4 addresses can be tried against a plain hash within minutes, so the hash
 * needs the shop's secret, and its key changes every day: the names of two days cannot be joined.
 */
export function createAddressHash(secret: string, nowMs: () => number = Date.now): HashAddress {
  const key = createHmac('sha256', secret).update('addresses').digest()
  return (address) => {
    const day = Math.floor(nowMs() / dayMs)
    return createHmac('sha256', key)
      .update(`${day}\n${addressToCount(address)}`)
      .digest('hex')
  }
}

/** What is stored of an address: 203.0.113.7 as 203.0.113.0, an IPv6 address as its first three groups. */
export function truncateAddress(address: string): string | undefined {
  const version = isIP(address)
  if (version === 4) return `${address.slice(0, address.lastIndexOf('.'))}.0`
  if (version === 6) return `${addressToCount(address).split(':').slice(0, 3).join(':')}::`
  return undefined
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'))
}

/** The address alone: some proxies add a port, brackets or a zone. */
export function plainAddress(ip: string): string {
  if (isIPv4(ip)) return ip
  const bare = ip
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return isIPv6(bare) ? (findMappedIPv4(bare) ?? bare) : bare
}

/** ::ffff:c633:6407 is 198.51.100.7. URL normalizes every spelling of it. */
function findMappedIPv4(ip: string): string | undefined {
  const mapped = /^\[::ffff:(\w+):(\w+)\]$/.exec(URL.parse(`http://[${ip}]`)?.hostname ?? '')
  if (!mapped) return undefined
  const [high, low] = mapped.slice(1).map((group) => Number.parseInt(group, 16))
  return [high, low].flatMap((group = 0) => [group >> 8, group & 255]).join('.')
}
