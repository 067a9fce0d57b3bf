import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookies from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance } from 'fastify'
import { Refusal } from '#contract/refusals.ts'
import { mountAdmin } from './admin/routes.ts'
import { sessionCookie } from './admin/session-cookie.ts'
import { maybeSessionAdmin } from './admin/sessions.ts'
import { mountCustomDomain } from './catalog/custom-domain.ts'
import { mountCatalog } from './catalog/routes.ts'
import { guardRoutes } from './http/access.ts'
import { answerErrors } from './http/answer-errors.ts'
import { addressToCount } from './http/client-address.ts'
import { mountHealth } from './http/health.ts'
import { checkReadable, readJsonBodies } from './http/json-body.ts'
import { refuseForeignOrigins } from './http/origin.ts'
import { answerUnknownPaths, mountPages } from './http/pages.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import type { Shop } from './shop.ts'

const largestJsonBytes = 64 * 1024
const requestTimeoutMs = 30_000
const headersTimeoutMs = 10_000
const mostSockets = 1_000
/** Far above what a person clicks, far below what hurts. Money and passwords have limits of their own. */
const callsPerMinute = 1_200

/** The shop as a function: what it answers, without a port, so that tests and servers use the same. */
export async function createApp(shop: Shop): Promise<FastifyInstance> {
  const { config, db } = shop
  const app: FastifyInstance = fastify({
    loggerInstance: shop.log,
    trustProxy: whichProxies(config.trustProxy),
    bodyLimit: largestJsonBytes,
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: headersTimeoutMs },
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
  })
  app.server.maxConnections = mostSockets

  answerErrors(app)
  answerUnknownPaths(app, shop.web)
  readJsonBodies(app)
  const cookie = sessionCookie(config.publicUrl)
  await addSecurityHeaders(app)
  await app.register(cookies)
  await app.register(compress)
  await app.register(rateLimit, {
    max: callsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: (request) => addressToCount(request.ip),
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal('too-many-requests', { retryAfter: ttl / 1000 }),
  })
  refuseForeignOrigins(app, [config.publicUrl, config.customDomain])
  guardRoutes(app, {
    customDomain: config.customDomain,
    maybeAdmin: async (request) => {
      const token = cookie.read(request)
      return token ? maybeSessionAdmin(db, token) : undefined
    },
  })
  app.addHook('onSend', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('preValidation', async (request) => checkReadable([request.params, request.query]))

  mountHealth(app, shop)
  mountAdmin(app, db, cookie)
  mountCatalog(app, shop)
  mountCustomDomain(app, { ...config, paymentCurrency: config.payments.currency })
  if (shop.web) await mountPages(app, shop.web)
  return app
}

/** A count trusts that many steps back from us; a list trusts by address. */
function whichProxies(trusted: Shop['config']['trustProxy']) {
  return typeof trusted === 'number' ? (_address: string, step: number) => step < trusted : trusted
}
