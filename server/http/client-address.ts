import { createHash, createHmac } from 'node:crypto'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyRequest {
    /** The client's IP address, as trusted proxies report it. Computed once: Fastify's `ip` is computed on every access. */
    address: string
    /** What limits count: the address, or a share of it where a proxy that is not trusted hides everybody behind its own. */
    limitKey: string
  }
}

/** Without TRUST_PROXY (undefined) a proxy on this machine is trusted, one hop: any process here could take the shop's place. */
export type TrustSetting = number | string[] | undefined

export type Proxies = ReturnType<typeof createProxies>

/** Which peers are proxies of the shop, and which ones look like it but are not trusted. */
export function createProxies(trusted: TrustSetting, now = () => performance.now()) {
  const networks = Array.isArray(trusted) ? createNetworks(trusted) : undefined
  const forwarders = new Map<string, { requests: number; lastAt: number }>()
  let replacedHost: { host: string; at: number } | undefined

  return {
    /** For Fastify: hop 0 is the peer. A number trusts that many hops from us; a list trusts by address. */
    isTrusted: (peer: string | undefined, hop: number): boolean => {
      if (typeof trusted === 'number') return hop < trusted
      const address = plainAddress(peer ?? '')
      return networks ? isIn(networks, address) : hop === 0 && isLoopback(address)
    },
    /** Records that a peer that is not trusted says for whom it asks. */
    recordForwarder(peer: string): void {
      const known = forwarders.get(peer)
      forwarders.delete(peer)
      const [oldest] = forwarders.size >= maxForwarders ? forwarders.keys() : []
      if (oldest !== undefined) forwarders.delete(oldest)
      forwarders.set(peer, { requests: (known?.requests ?? 0) + 1, lastAt: now() })
    },
    /** Their addresses, for the owner. */
    listUntrusted(): string[] {
      return [...forwarders]
        .filter(([, { lastAt }]) => now() - lastAt < forwarderMs)
        .filter(([peer, { requests }]) => isPrivate(peer) || requests >= minPublicRequests)
        .map(([peer]) => peer)
        .slice(-maxShownForwarders)
    },
    /** Records that a proxy asked under a name that is no address of the shop. */
    recordReplacedHost(host: string): void {
      replacedHost = { host: host.slice(0, maxHostLength), at: now() }
    },
    /** That name, for the owner. */
    findReplacedHost(): string | undefined {
      return replacedHost && now() - replacedHost.at < forwarderMs ? replacedHost.host : undefined
    },
  }
}

/** For how long a proxy is reported after its last request. */
const forwarderMs = 60 * 60 * 1000
const maxForwarders = 100
const maxHostLength = 255
const maxShownForwarders = 3
/** Anyone on the internet can send such headers now and then; a proxy sends them with every request. */
const minPublicRequests = 100

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const
/** Proxies that hide their client still name the host or themselves. */
const proxyHeaders = [...forwardingHeaders, 'x-forwarded-host', 'x-forwarded-proto', 'via'] as const

/** Whether the peer asks for somebody else. */
export function isForwarded({ headers }: FastifyRequest): boolean {
  return proxyHeaders.some((name) => headers[name] !== undefined)
}

/** Limits of a proxy that is not trusted are this many times as high: its clients are spread over so many counters. */
const sharesOfProxy = 100

export function registerClientAddress(app: FastifyInstance, proxies?: Proxies): void {
  app.decorateRequest('address', '')
  app.decorateRequest('limitKey', '')
  app.addHook('onRequest', (request, _reply, done) => {
    // Without a peer, which may be gone before its request is handled, requests share one limit.
    const { ip }: { ip?: string } = request
    request.address = plainAddress(ip ?? '')
    request.limitKey = addressToCount(request.address)
    const claimed = proxies && findUntrustedClaim(request, proxies)
    if (claimed !== undefined) {
      proxies?.recordForwarder(request.address)
      // Whoever is on the internet could claim anything, and would get the limits of a hundred.
      if (isPrivate(request.address)) request.limitKey += `#${shareOf(claimed)}`
    }
    done()
  })
}

/** Whether it comes through a proxy: browsers send no forwarded headers, and nginx without settings asks in HTTP/1.0. */
export function isProxied({ headers, raw }: FastifyRequest): boolean {
  return (
    forwardingHeaders.some((header) => headers[header] !== undefined) || raw.httpVersion === '1.0'
  )
}

/** For whom the peer says it asks, if it is not trusted to say so. */
function findUntrustedClaim(request: FastifyRequest, proxies: Proxies): string | undefined {
  const { headers, socket } = request
  const name = forwardingHeaders.find((header) => headers[header] !== undefined)
  if (name === undefined || proxies.isTrusted(socket.remoteAddress, 0)) return undefined
  // The last entry was added by the proxy itself, those before it by anyone.
  return String(headers[name]).split(',').at(-1)?.trim() ?? ''
}

function shareOf(claimed: string): number {
  return createHash('sha256').update(claimed).digest().readUInt32BE() % sharesOfProxy
}

function createNetworks(texts: string[]): BlockList {
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

function isIn(networks: BlockList, address: string): boolean {
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
function isPrivate(address: string): boolean {
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
