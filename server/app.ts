import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookies from '@fastify/cookie'
import fastify, { type FastifyInstance } from 'fastify'
import { mountNotices } from './admin/notices.ts'
import { mountAdmin } from './admin/routes.ts'
import { maybeSessionAdmin } from './admin/sessions.ts'
import { mountAnalytics } from './analytics/routes.ts'
import { visitorsOf } from './analytics/visitors.ts'
import { mountCustomDomain } from './catalog/custom-domain.ts'
import { mountCatalog } from './catalog/routes.ts'
import { guardRoutes } from './http/access.ts'
import { answerBrokenAddress, answerBrokenRequest } from './http/broken-requests.ts'
import { answerErrors } from './http/answer-errors.ts'
import { limitBodyTime } from './http/body-deadline.ts'
import { limitCalls } from './http/call-limit.ts'
import { knowAddresses } from './http/client-address.ts'
import { mountHealth } from './http/health.ts'
import { checkReadable, readJsonBodies } from './http/json-body.ts'
import { refuseForeignOrigins } from './http/origin.ts'
import { ownCookie } from './http/own-cookie.ts'
import { answerUnknownPaths, mountPages } from './http/pages.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { isCardTestingAttack } from './checkouts/declined-cards.ts'
import { mountSales } from './checkouts/routes.ts'
import { openBuyers } from './orders/buyer.ts'
import type { Shop } from './shop.ts'
import { mountUploads } from './uploads/routes.ts'

const largestJsonBytes = 64 * 1024
/** For bodies; a picture over a slow line may take longer. */
const bodyTimeoutMs = 30_000
const requestTimeoutMs = 15 * 60 * 1000
const headersTimeoutMs = 10_000
/** S3-compatible stores name uploads in parts by up to some hundred characters. */
const longestParameter = 1_000
const mostSockets = 1_000
/** The shop as a function: what it answers, without a port, so that tests and servers use the same. */
export async function createApp(shop: Shop): Promise<FastifyInstance> {
  const { config, db } = shop
  const app: FastifyInstance = fastify({
    loggerInstance: shop.log,
    trustProxy: whichProxies(config.trustProxy),
    bodyLimit: largestJsonBytes,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: longestParameter },
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 5_000 },
    frameworkErrors: answerBrokenAddress,
    clientErrorHandler: answerBrokenRequest,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
  })
  app.server.maxConnections = mostSockets
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })

  knowAddresses(app)
  answerErrors(app)
  answerUnknownPaths(app, shop.web)
  readJsonBodies(app)
  const cookie = ownCookie('till_session', [config.publicUrl])
  limitCalls(app)
  addSecurityHeaders(app, config.pictureStore)
  await app.register(cookies)
  await app.register(compress, { globalDecompression: false })
  refuseForeignOrigins(app, config)
  guardRoutes(app, {
    customDomain: config.customDomain,
    maybeAdmin: async (request) => {
      const token = cookie.read(request)
      return token ? maybeSessionAdmin(db, token) : undefined
    },
  })
  limitBodyTime(app, bodyTimeoutMs)
  app.addHook('preValidation', (request, _reply, done) => {
    checkReadable([request.params, request.query])
    done()
  })

  mountHealth(app, shop)
  mountAdmin(app, db, cookie)
  mountNotices(app, shop, () => isCardTestingAttack(db))
  mountCatalog(app, shop)
  mountCustomDomain(app, { ...config, paymentCurrency: config.payments.currency })
  await mountUploads(app, shop)
  const ownUrls = [config.publicUrl, config.customDomain]
  const buyers = openBuyers(ownUrls)
  const visitors = visitorsOf({
    ...shop,
    ownUrls,
    maybeBuyer: (request) => buyers.findBuyer(request),
  })
  await mountSales(app, { ...shop, buyers, visitors })
  mountAnalytics(app, { ...shop, visitors })
  if (shop.web) await mountPages(app, shop.web)
  return app
}

/** A count trusts that many steps back from us; a list trusts by address. */
function whichProxies(trusted: Shop['config']['trustProxy']) {
  return typeof trusted === 'number' ? (_address: string, step: number) => step < trusted : trusted
}
