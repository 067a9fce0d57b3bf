import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  addressToCount,
  createNetworks,
  isIn,
  isLoopback,
  isPrivate,
  plainAddress,
} from './client-address.ts'
import { testerKey } from './rate-limits.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyRequest extends Client {}
}

/** Who sends a request, as trusted proxies report it. */
export type Client = {
  address: string
  /** What limits count: the address, a share of it where a proxy that is not trusted hides everybody behind its own, or testerKey. */
  limitKey: string
  /** Everybody may come from this address: a proxy's own, or any while a proxy is in front of the trusted ones. */
  isAddressShared: boolean
}

/** Without TRUST_PROXY (undefined) a proxy on this machine is trusted, one hop: any process here could take the shop's place. */
export type TrustSetting = number | string[] | undefined

export type Proxies = ReturnType<typeof createProxies>

/**
 * Which peers are proxies of the shop. `findSelfCheck` is how a request of the shop itself arrived: unlike those of others,
 * it makes up no header.
 */
export function createProxies(
  trusted: TrustSetting,
  findSelfCheck: () => { hasMoreHops: boolean } | undefined = () => undefined,
) {
  const networks = Array.isArray(trusted) ? createNetworks(trusted) : undefined

  /** For Fastify: hop 0 is the peer. A number trusts that many hops from us; a list trusts by address. */
  function isTrusted(peer: string | undefined, hop: number): boolean {
    if (typeof trusted === 'number') return hop < trusted
    const address = plainAddress(peer ?? '')
    return networks ? isIn(networks, address) : hop === 0 && isLoopback(address)
  }

  return {
    isTrusted,
    /**
     * Whether everybody may come through this peer, so that a limit of its connections would be one for all. In a private
     * network that may be a proxy which nobody has named.
     */
    isProxy: (peer: string | undefined): boolean =>
      isTrusted(peer, 0) || isPrivate(plainAddress(peer ?? '')),
    identify(request: FastifyRequest): Client {
      // Without a peer, which may be gone before its request is handled, requests share one limit.
      const [peer = '', ...hops] = (request.ips ?? [request.ip]).map((ip) => plainAddress(ip ?? ''))
      const address = hops.at(-1) ?? peer
      // The chain ends at a proxy, or at an address that may be one: it does not say for whom it asks. A number of hops
      // that is too high makes nobody a proxy.
      const isProxy = hops.length === 0 || networks ? isTrusted(address, 0) : false
      const isHidden = isProxy || isPrivate(address)
      // A proxy that is not trusted. From the internet anyone could claim anything, and would get the limits of a hundred.
      const claimed =
        !isTrusted(peer, 0) && isPrivate(peer) ? findClaimedAddress(request) : undefined
      const key = addressToCount(address)
      return {
        address,
        limitKey: claimed === undefined ? key : `${key}#${shareOf(claimed)}`,
        isAddressShared: isHidden || findSelfCheck()?.hasMoreHops === true,
      }
    },
  }
}

export const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const

/** The last entry was added by the proxy itself, those before it by anyone. */
function findClaimedAddress({ headers }: FastifyRequest): string | undefined {
  const name = forwardingHeaders.find((header) => headers[header] !== undefined)
  return name && String(headers[name]).split(',').at(-1)?.trim()
}

/** Limits of a proxy that is not trusted are this many times as high: its clients are spread over so many counters. */
const sharesOfProxy = 100

function shareOf(claimed: string): number {
  return hash('sha256', claimed, 'buffer').readUInt32BE() % sharesOfProxy
}

/** Whether X-Forwarded-For names more proxies than are trusted. Anybody may make some up, except the shop itself. */
export function hasMoreHops({ headers, ips }: FastifyRequest): boolean {
  const entries = String(headers['x-forwarded-for'] ?? '').split(',')
  return entries.filter((entry) => entry.trim()).length > (ips ?? ['']).length - 1
}

/** Whether everybody is counted as this client. Behind a proxy that is not trusted clients are spread over counters already. */
export function isCountedAsAll({ address, limitKey, isAddressShared }: Client): boolean {
  return isAddressShared && limitKey === addressToCount(address)
}

/** Whether everybody is counted as this client, so that a strict limit would be one for all. */
export type IsLimitShared = (client: Client) => boolean

/** The app must trust as the proxies do (Fastify's `trustProxy`). */
export function registerClientAddress(
  app: FastifyInstance,
  proxies: Pick<Proxies, 'identify'> = createProxies(0),
  isTester: (request: FastifyRequest) => boolean = () => false,
): void {
  app.decorateRequest('address', '')
  app.decorateRequest('limitKey', '')
  app.decorateRequest('isAddressShared', false)
  app.addHook('onRequest', (request, _reply, done) => {
    Object.assign(request, proxies.identify(request))
    if (isTester(request)) request.limitKey = testerKey
    done()
  })
}
