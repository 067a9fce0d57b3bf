import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AdminUser } from '#contract/admin.ts'
import { readAtHeader } from '#contract/news.ts'
import { Refusal } from '#contract/refusals.ts'
import { hostOfUrl, plainHost } from '#server/hosts.ts'
import type { AdminActor } from './audit.ts'
import { isLoopback } from './client-address.ts'

/**
 * Who may use a route. `public`: anyone, on every domain. `backoffice`: anyone, but never on the custom
 * domain, where the payment page is. `admin`: a signed-in admin, on the main domain.
 */
export type Access = 'public' | 'backoffice' | 'admin'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyContextConfig {
    access?: Access
    /** Mounted by `mountCalls`, and so in the API reference. */
    isCall?: true
    /** A public route that shows admins more. */
    knowsAdmins?: true
    /** A public read that depends on the visitor's cookie: pages of other sites must not read it. */
    isCookieBound?: true
    /** Asked by open pages by themselves: it does not keep a session from ending. */
    isBackground?: true
    /** A page that runs SumUp's script or shows an order: where there is a custom domain, it answers only there. */
    isBuyerPage?: true
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- as above
  interface FastifyRequest {
    /** The signed-in admin; set on routes with access `admin`, and on those that know admins. */
    admin: AdminUser | undefined
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- as above
  interface FastifyInstance {
    /** Every route and who may use it, for the test that compares them with the decided list. */
    accessOfRoutes: Map<string, Access>
  }
}

/** Whose session it is, and when that was looked up, by the database's clock. */
export type FoundSession = { admin: AdminUser; checkedAt: Date }

/** The addresses that the shop is published under, as they are when they are read. */
type OwnAddresses = {
  readonly publicUrl: string | undefined
  readonly customDomain: string | undefined
}

/** Deny by default: a route without `config.access` stops the start. */
export function guardRoutes(
  app: FastifyInstance,
  options: {
    /** As they are now: the owner may change them while the shop runs. */
    addresses: OwnAddresses
    findSession: (request: FastifyRequest) => Promise<FoundSession | undefined>
    /** Of a page that was asked for by a name which is no address of the shop. */
    onReplacedHost?: (host: string) => void
  },
): void {
  const { addresses, onReplacedHost } = options
  const isOnCustomDomain = (request: FastifyRequest) => isNamed(request, addresses.customDomain)
  const isOnMainAddress = (request: FastifyRequest) =>
    addresses.publicUrl ? isNamed(request, addresses.publicUrl) : isNamedPublicly(request)
  app.decorateRequest('admin', undefined)
  app.decorate('accessOfRoutes', new Map<string, Access>())
  app.addHook('onRoute', (route) => {
    const { method, url, config } = route
    if (!config?.access) throw new Error(`${url} does not say who may use it (config.access)`)
    if (url.startsWith('/api/') && !config.isCall)
      throw new Error(`${url} is not in the API reference: mount it with mountCalls`)
    app.accessOfRoutes.set(`${[method].flat().join(',')} ${url}`, config.access)
    if (config.isBuyerPage) route.onRequest = [redirectBuyer, ...[route.onRequest ?? []].flat()]
    if (config.isBuyerPage || config.access === 'admin')
      route.onResponse = [noticeReplacedHost, ...[route.onResponse ?? []].flat()]
    const ownGuard = config.access === 'public' ? config.knowsAdmins && recognizeAdmin : guard
    if (ownGuard) route.onRequest = [ownGuard, ...[route.onRequest ?? []].flat()]
  })

  /** On the address of the back-office, a script of the payment page could act as the signed-in owner. */
  function redirectBuyer(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { customDomain } = addresses
    if (!customDomain || isOnCustomDomain(request) || !isOnMainAddress(request)) return done()
    reply.header('referrer-policy', 'no-referrer')
    reply.redirect(`${customDomain}${request.url}`)
  }

  /** Where a proxy replaces the host, nothing tells the two addresses apart. Strangers who guess pages tell nothing. */
  function noticeReplacedHost(
    request: FastifyRequest,
    reply: FastifyReply,
    done: () => void,
  ): void {
    const isSeen = addresses.customDomain && reply.statusCode === 200
    if (isSeen && !isOnCustomDomain(request) && !isOnMainAddress(request))
      onReplacedHost?.(request.headers.host ?? '')
    done()
  }

  async function recognizeAdmin(request: FastifyRequest): Promise<void> {
    // A page of another site could read the response, so for it nobody is signed in.
    const isForeign = isFromElsewhere(request, [addresses.publicUrl])
    if (!request.headers.cookie || isForeign || isOnCustomDomain(request)) return
    request.admin = (await options.findSession(request))?.admin
  }

  async function guard(request: FastifyRequest, reply: FastifyReply) {
    if (isOnCustomDomain(request)) return reply.callNotFound()
    if (request.routeOptions.config.access !== 'admin') return
    const session = await options.findSession(request)
    if (!session) throw new Refusal('unauthorized')
    request.admin = session.admin
    // Before anything is read for the answer: what was there then, the answer has.
    reply.header(readAtHeader, session.checkedAt.getTime())
  }
}

const replacedHostMs = 60 * 60 * 1000
const maxHostLength = 255

/** The last name that was asked under and is no address of the shop, for an hour. */
export function rememberReplacedHost() {
  let last: { host: string; at: number } | undefined
  return {
    onReplacedHost: (host: string): void => {
      last = { host: host.slice(0, maxHostLength), at: performance.now() }
    },
    findReplacedHost: (): string | undefined =>
      last && performance.now() - last.at < replacedHostMs ? last.host : undefined,
  }
}

/** Whether Host or X-Forwarded-Host, from whomever, names this host: for what is closed there, either is enough. */
function isNamed({ headers }: FastifyRequest, url: string | undefined): boolean {
  if (!url) return false
  const host = hostOfUrl(url)
  return [headers.host, ...String(headers['x-forwarded-host'] ?? '').split(',')].some(
    (name) => name !== undefined && plainHost(name.trim()) === host,
  )
}

/** Not by a name that only this machine knows, as in development or behind a proxy that replaces the Host. */
function isNamedPublicly(request: FastifyRequest): boolean {
  const host = hostOf(request)
  return host !== 'localhost' && !isLoopback(host.replace(/^\[(.*)\]$/, '$1'))
}

/** The admin of a request on an `admin` route, where there always is one. */
export function signedInAdmin(request: FastifyRequest): AdminUser {
  if (!request.admin) throw new Refusal('unauthorized')
  return request.admin
}

/** Who acts on an `admin` route, for the audit log. */
export function getActor(request: FastifyRequest): AdminActor {
  return { admin: signedInAdmin(request), address: request.address }
}

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A page of another site must not act with the cookies of our visitors. Browsers say where a request comes
 * from; programs without a browser (SumUp's webhook, curl) do not, and carry no cookies.
 */
export function rejectForeignOrigins(app: FastifyInstance, own: OwnAddresses): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, isCookieBound } = request.routeOptions.config
    const isRead = readMethods.has(request.method)
    const isGuarded = !isRead || access === 'admin' || (isCookieBound && !isOwnLink(request))
    // The payment page also runs SumUp's script, so only public routes trust it.
    const urls = access === 'public' ? [own.publicUrl, own.customDomain] : [own.publicUrl]
    if (isGuarded && isFromElsewhere(request, urls)) throw new Refusal('foreign-origin')
    done()
  })
}

function isFromElsewhere(request: FastifyRequest, ownUrls: (string | undefined)[]): boolean {
  const site = request.headers['sec-fetch-site']
  // 'none' is the user: a typed address, a bookmark.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = request.headers
  if (origin === undefined) return false
  const host = URL.parse(origin)?.host
  return host === undefined || (host !== request.host && !listHosts(ownUrls).has(host))
}

/** A link between our own domains: the user sees the response, the page with the link does not. */
function isOwnLink({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-site' && headers['sec-fetch-mode'] === 'navigate'
}

/** With their ports, as in an Origin header. */
function listHosts(urls: (string | undefined)[]): Set<string> {
  return new Set(urls.flatMap((url) => (url ? [new URL(url).host] : [])))
}

/** The normalized host of a request. */
export function hostOf({ host }: Pick<FastifyRequest, 'host'>): string {
  return plainHost(host)
}

/** Whoever came by this address has shown that it leads here, also where this machine cannot reach it itself. */
export function isAskedThrough(request: FastifyRequest, publicUrl: string): boolean {
  const isEncrypted = publicUrl.startsWith('https:') && request.protocol === 'https'
  return isEncrypted && hostOf(request) === hostOfUrl(publicUrl)
}
