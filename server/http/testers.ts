import type { FastifyRequest } from 'fastify'
import { isLoopback, plainAddress } from './client-address.ts'
import { forwardingHeaders } from './proxies.ts'

/** Proxies that hide their client still name the host or themselves. */
const proxyHeaders = [...forwardingHeaders, 'x-forwarded-host', 'x-forwarded-proto', 'via'] as const

const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Whether this machine asks, by a name of its own. A proxy here that replaces the Host and says nothing of itself looks the
 * same: where the shop has a public address, this is not enough.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const { headers } = request
  const isForwarded = proxyHeaders.some((name) => headers[name] !== undefined)
  return isLoopbackPeer(request) && localHost.test(headers.host ?? '') && !isForwarded
}

function isLoopbackPeer({ socket }: FastifyRequest): boolean {
  return isLoopback(plainAddress(socket.remoteAddress ?? ''))
}

/** Whether people elsewhere are meant to reach the shop: it has an address that is not this machine's own. */
export function isPublished(ownUrls: (string | undefined)[]): boolean {
  return ownUrls.some((url) => {
    const host = findHost(url)
    return host !== undefined && !isLoopback(plainAddress(host)) && !/^localhost(:|$)/.test(host)
  })
}

function findHost(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.host
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
