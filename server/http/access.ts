import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AdminUser } from '#contract/admin.ts'
import { Refusal } from '#contract/refusals.ts'
import { hostOf, hostOfUrl } from './host.ts'

/**
 * Who a route answers. `public`: anyone, on every domain. `backoffice`: anyone, but never on the
 * custom domain, where the payment page lives. `admin`: a signed-in admin, on the main domain.
 */
export const accesses = ['public', 'backoffice', 'admin'] as const
export type Access = (typeof accesses)[number]

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    access?: Access
    /** A public route that shows admins more. */
    knowsAdmins?: true
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- as above
  interface FastifyRequest {
    /** The signed-in admin; set on routes with access `admin`, and on those that know admins. */
    admin: AdminUser | undefined
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- as above
  interface FastifyInstance {
    /** Every route and who may use it, for the test that compares them with what we decided. */
    accessOfRoutes: Map<string, Access>
  }
}

/** Deny by default: a route that does not say who may use it stops the start. */
export function guardRoutes(
  app: FastifyInstance,
  options: {
    customDomain: string | undefined
    maybeAdmin: (request: FastifyRequest) => Promise<AdminUser | undefined>
  },
): void {
  const customHost = options.customDomain && hostOfUrl(options.customDomain)
  app.decorateRequest('admin', undefined)
  app.decorate('accessOfRoutes', new Map<string, Access>())
  app.addHook('onRoute', (route) => {
    const { method, url, config } = route
    if (!config?.access) throw new Error(`${url} does not say who may use it (config.access)`)
    app.accessOfRoutes.set(`${[method].flat().join(',')} ${url}`, config.access)
    // Where anyone may, nobody waits for a guard.
    if (config.access === 'public' && !config.knowsAdmins) return
    route.onRequest = [guard, ...[route.onRequest ?? []].flat()]
  })

  async function guard(request: FastifyRequest, reply: FastifyReply) {
    const { access } = request.routeOptions.config
    const isCustomDomain = customHost !== undefined && hostOf(request) === customHost
    if (access === 'public') {
      // Another site's page could read what we show; as far as it goes, nobody is signed in.
      if (isCustomDomain || request.isForeign) return
      request.admin = await options.maybeAdmin(request)
      return
    }
    if (isCustomDomain) return reply.callNotFound()
    if (access !== 'admin') return
    request.admin = await options.maybeAdmin(request)
    if (!request.admin) throw new Refusal('unauthorized')
  }
}

/** The admin of a request on an `admin` route, where there always is one. */
export function signedInAdmin(request: FastifyRequest): AdminUser {
  if (!request.admin) throw new Refusal('unauthorized')
  return request.admin
}
