import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { memoize } from '#server/memoize.ts'
import { testerKey } from './rate-limits.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyRequest {
    /** The client's IP address, as trusted proxies report it. */
    address: string
    /** What limits count: the address, a share of it where a proxy that is not trusted hides everybody behind its own, or testerKey. */
    limitKey: string
  }
}

/** Without TRUST_PROXY (undefined) a proxy on this machine is trusted, one hop: any process here could take the shop's place. */
export type TrustSetting = number | string[] | undefined

export type Proxies = ReturnType<typeof createProxies>

/** Which peers are proxies of the shop, and what is wrong with how they are set up. */
export function createProxies(
  trusted: TrustSetting,
  {
    listOwnUrls = () => [],
    findSelfCheck = () => undefined,
    now = () => performance.now(),
  }: ProxyOptions = {},
) {
  const networks = Array.isArray(trusted) ? createNetworks(trusted) : undefined
  const forwarders = createSightings(now)
  const silent = createSightings(now)
  let replacedHost: { host: string; at: number } | undefined

  /** For Fastify: hop 0 is the peer. A number trusts that many hops from us; a list trusts by address. */
  function isTrusted(peer: string | undefined, hop: number): boolean {
    if (typeof trusted === 'number') return hop < trusted
    const address = plainAddress(peer ?? '')
    return networks ? isIn(networks, address) : hop === 0 && isLoopback(address)
  }

  /** By one of the shop's public names, as local processes hardly ask; Origin where the proxy replaces the Host. */
  function isFromOutside({ host, origin }: IncomingHttpHeaders): boolean {
    const publicHosts = listPublicHosts(listOwnUrls())
    return [host, findHost(origin)].some((name) => name !== undefined && publicHosts.has(name))
  }

  /** Each proxy added the one before it: from us outwards, up to the first that is not trusted to say so. */
  function followChain(peer: string, entries: string[]): { address: string; hops: number } {
    let address = peer
    let hops = 0
    while (hops < entries.length && isTrusted(address, hops)) {
      hops += 1
      address = plainAddress(entries.at(-hops)?.trim() ?? '')
    }
    return { address, hops }
  }

  /**
   * Whether everybody may come through this peer, so that a limit of its connections would be one for all. One that is not
   * trusted is known by its headers; on the internet anyone can send them, unless a number trusts everybody.
   */
  function isProxy(peer: string | undefined): boolean {
    const address = plainAddress(peer ?? '')
    if (isLoopback(address) || (networks && isIn(networks, address))) return true
    return (isPrivate(address) || typeof trusted === 'number') && forwarders.has(address)
  }

  /** Whether everybody may come from this address: that of a proxy, or of any while there is one in front of ours. */
  function isShared(address: string): boolean {
    return isProxy(address) || findSelfCheck()?.hasMoreHops === true
  }

  /** Proxies in networks of one's own. Anybody on the internet can send such headers. */
  function listUntrusted(): string[] {
    const own = findSelfCheck()
    const proven = own?.hasMoreHops && !own.isTrusted ? [own.peer] : []
    const likely = forwarders.list().filter((peer) => !isTrusted(peer, 0) && isPrivate(peer))
    return [...new Set([...likely, ...proven])].slice(-maxShown)
  }

  return {
    isTrusted,
    isProxy,
    isShared,
    /**
     * Whether everybody may be counted as this client, by a shared address. Behind a proxy that is not trusted clients
     * are spread over counters already.
     */
    isCountedAsAll({ address, limitKey }: Client): boolean {
      return isShared(address) && limitKey === addressToCount(address)
    },
    /** Who asks. Also notes what the request tells of proxies. */
    identify({ headers, socket }: IncomingMessage): Client {
      // Without a peer, which may be gone before its request is handled, requests share one limit.
      const peer = plainPeer(socket.remoteAddress ?? '')
      const name = findForwardingHeader(headers)
      const entries = name === undefined ? [] : String(headers[name]).split(',')
      if (!isTrusted(peer, 0)) {
        if (name !== undefined) forwarders.add(peer)
        const limitKey = addressToCount(peer)
        // The last entry was added by the proxy itself, those before it by anyone. Whoever is on the internet could claim
        // anything, and would get the limits of a hundred.
        const claimed = isPrivate(peer) ? entries.at(-1)?.trim() : undefined
        return {
          address: peer,
          limitKey: claimed === undefined ? limitKey : `${limitKey}#${shareOf(claimed)}`,
        }
      }
      if (name !== undefined && typeof trusted === 'number') forwarders.add(peer)
      if (name !== 'x-forwarded-for') {
        if (isFromOutside(headers)) silent.add(peer)
        return { address: peer, limitKey: addressToCount(peer) }
      }
      const { address } = followChain(peer, entries)
      return { address, limitKey: addressToCount(address) }
    },
    /** Whether X-Forwarded-For names more proxies than are trusted. Anybody may make some up, except the shop itself. */
    hasMoreHops({ headers, socket }: IncomingMessage): boolean {
      const header = headers['x-forwarded-for']
      if (header === undefined) return false
      const entries = String(header).split(',')
      return entries.length > followChain(plainPeer(socket.remoteAddress ?? ''), entries).hops
    },
    /** Why visitors look like one, for the owner. */
    findProblem(): ProxyProblem | undefined {
      const untrusted = listUntrusted()
      if (untrusted.length > 0)
        return {
          text: `Requests arrive through a proxy at ${untrusted.join(', ')}, which is not trusted, so limits are loose. If it is yours, tell the shop so and start it again.`,
          howTo: `TRUST_PROXY=${untrusted.join(',')}`,
        }
      if (findSelfCheck()?.hasMoreHops)
        return {
          text: 'Requests arrive through another proxy in front of yours, so visitors count as that proxy, and limits are loose. Tell the shop how many proxies there are, and start it again.',
          howTo: 'TRUST_PROXY=2',
        }
      const hiding = silent.list().at(-1)
      if (hiding === undefined) return undefined
      return {
        text: `The proxy at ${hiding} does not say for whom it asks, so visitors share its limits. Let it send X-Forwarded-For.`,
        howTo: 'in nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
      }
    },
    /** Records that somebody asked under a name that is no address of the shop. */
    recordReplacedHost(host: string): void {
      replacedHost = { host: host.slice(0, maxHostLength), at: now() }
    },
    /** The name that was asked under, for the owner. */
    findReplacedHost(): string | undefined {
      return replacedHost && now() - replacedHost.at < sightingMs ? replacedHost.host : undefined
    },
  }
}

/** Who sends a request, as trusted proxies report it. */
export type Client = { address: string; limitKey: string }

/** Why visitors look like one, and what to set. */
export type ProxyProblem = { text: string; howTo: string }

type ProxyOptions = {
  listOwnUrls?: () => (string | undefined)[]
  /** How a request of the shop itself arrived here. Unlike those of others, it makes up no header. */
  findSelfCheck?: () => SelfCheck | undefined
  now?: () => number
}

type SelfCheck = { peer: string; isTrusted: boolean; hasMoreHops: boolean }

/** Peers and when they were last seen. A peer is forgotten an hour after its last request, or when there are too many. */
function createSightings(now: () => number) {
  const seen = new Map<string, number>()
  const isRecent = (at: number | undefined) => at !== undefined && now() - at < sightingMs
  return {
    add(peer: string): void {
      seen.delete(peer)
      const [oldest] = seen.size >= maxSightings ? seen.keys() : []
      if (oldest !== undefined) seen.delete(oldest)
      seen.set(peer, now())
    },
    has: (peer: string) => isRecent(seen.get(peer)),
    /** The most recent last. */
    list: () => [...seen].filter(([, at]) => isRecent(at)).map(([peer]) => peer),
  }
}

const sightingMs = 60 * 60 * 1000
const maxSightings = 100
const maxShown = 3
const maxHostLength = 255

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const

function findForwardingHeader(headers: IncomingMessage['headers']) {
  return forwardingHeaders.find((name) => headers[name] !== undefined)
}

/** Proxies that hide their client still name the host or themselves. */
const proxyHeaders = [...forwardingHeaders, 'x-forwarded-host', 'x-forwarded-proto', 'via'] as const

function isForwarded({ headers }: FastifyRequest): boolean {
  return proxyHeaders.some((name) => headers[name] !== undefined)
}

const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

function isLoopbackPeer({ socket }: FastifyRequest): boolean {
  return isLoopback(plainPeer(socket.remoteAddress ?? ''))
}

/**
 * Whether this machine asks, by a name of its own. A proxy here that replaces the Host and says nothing of itself looks the
 * same: where the shop has a public address, this is not enough.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  return (
    isLoopbackPeer(request) && localHost.test(request.headers.host ?? '') && !isForwarded(request)
  )
}

/** Whether people elsewhere are meant to reach the shop: it has an address that is not this machine's own. */
export function isPublished(ownUrls: (string | undefined)[]): boolean {
  return listPublicHosts(ownUrls).size > 0
}

/**
 * Recognizes who tries the shop out in test mode, at the machine itself, for whom limits are wide. Nobody is a tester from
 * when a request on this machine named another host: then a proxy here lets others in.
 */
export function recognizeTesters(shop: {
  isTestMode: () => boolean
  listOwnUrls: () => (string | undefined)[]
}): (request: FastifyRequest) => boolean {
  let hasForeignName = false
  return (request) => {
    const { host = '', origin } = request.headers
    const originHost = origin === undefined ? 'localhost' : (findHost(origin) ?? '')
    if (isLoopbackPeer(request) && !(localHost.test(host) && localHost.test(originHost)))
      hasForeignName = true
    const isOpen = hasForeignName || isPublished(shop.listOwnUrls())
    return !isOpen && shop.isTestMode() && isFromThisMachine(request)
  }
}

/** Limits of a proxy that is not trusted are this many times as high: its clients are spread over so many counters. */
const sharesOfProxy = 100

/** The hosts of these URLs, except those that only this machine knows. */
function listPublicHosts(urls: (string | undefined)[]): Set<string> {
  const hosts = urls.flatMap((url) => findHost(url) ?? [])
  return new Set(hosts.filter((host) => !isLoopback(plainAddress(host)) && !isLocalName(host)))
}

function isLocalName(host: string): boolean {
  return /^localhost(:|$)/.test(host)
}

function findHost(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.host
}

export function registerClientAddress(
  app: FastifyInstance,
  proxies: Pick<Proxies, 'identify'> = createProxies(0),
  isTester: (request: FastifyRequest) => boolean = () => false,
): void {
  app.decorateRequest('address', '')
  app.decorateRequest('limitKey', '')
  app.addHook('onRequest', (request, _reply, done) => {
    const { address, limitKey } = proxies.identify(request.raw)
    request.address = address
    request.limitKey = isTester(request) ? testerKey : limitKey
    done()
  })
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

/** Names the address of a request for limits that are stored. */
export type HashAddress = (request: FastifyRequest) => string

/** Whether everybody is counted as this client, so that a strict limit would be one for all. */
export type IsLimitShared = (client: Client) => boolean

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

/** The address of a connection's peer. Cached, since a proxy has many connections. */
const plainPeer = memoize(1_000, plainAddress)

/** ::ffff:c633:6407 is 198.51.100.7. URL normalizes every spelling of it. */
function findMappedIPv4(ip: string): string | undefined {
  const mapped = /^\[::ffff:(\w+):(\w+)\]$/.exec(URL.parse(`http://[${ip}]`)?.hostname ?? '')
  if (!mapped) return undefined
  const [high, low] = mapped.slice(1).map((group) => Number.parseInt(group, 16))
  return [high, low].flatMap((group = 0) => [group >> 8, group & 255]).join('.')
}
