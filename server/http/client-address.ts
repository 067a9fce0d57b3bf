import { createHmac } from 'node:crypto'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Reads addresses and networks such as 10.0.0.0/8. */
export function createNetworks(texts: string[]): BlockList {
  const networks = new BlockList()
  for (const text of texts) {
    const [written = '', bits] = text.split('/')
    const address = plainAddress(written)
    const version = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) networks.addAddress(address, version)
    else networks.addSubnet(address, Number(bits), version)
  }
  return networks
}

export function isIn(networks: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && networks.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

const privateNetworks = createNetworks([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '127.0.0.0/8',
  '::1',
  'fc00::/7',
  'fe80::/10',
])

/** In a network of one's own, such as between containers. */
export function isPrivate(address: string): boolean {
  return isIn(privateNetworks, address)
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

/** Names the address of a request for limits that are stored. */
export type HashAddress = (request: FastifyRequest) => string

const dayMs = 86_400_000

/**
 * Names an address for limits that are stored. All IPv4 addresses can be tried against a plain hash within minutes, so the hash
 * needs the shop's secret, and its key changes every day: the names of two days cannot be joined.
 */
export function createAddressHash(
  secret: string,
  nowMs: () => number = Date.now,
): (limitKey: string) => string {
  const key = createHmac('sha256', secret).update('addresses').digest()
  return (limitKey) => {
    const day = Math.floor(nowMs() / dayMs)
    return createHmac('sha256', key).update(`${day}\n${limitKey}`).digest('hex')
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
    .replace(/%.*/s, '')
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
