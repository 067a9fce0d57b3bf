import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookies from '@fastify/cookie'
import fastify, { type FastifyInstance } from 'fastify'
import { mountAdmin } from './admin/routes.ts'
import { findSessionAdmin } from './admin/sessions.ts'
import { mountAnalytics } from './analytics/routes.ts'
import { createVisitors } from './analytics/visitors.ts'
import { mountCatalog } from './catalog/routes.ts'
import { guardRoutes, rejectForeignOrigins } from './http/access.ts'
import { createAddressHash, registerClientAddress } from './http/client-address.ts'
import { handleInvalidRequest, handleInvalidUrl, registerErrorHandler } from './http/errors.ts'
import { mountHealth } from './http/health.ts'
import { ownCookie } from './http/own-cookie.ts'
import { limitRequests } from './http/rate-limits.ts'
import { limitBodyTime, registerJsonParser, validateInput } from './http/request-body.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { mountPages, registerNotFoundHandler } from './http/web-files.ts'
import { isCardTestingAttack } from './checkouts/declined-cards.ts'
import { mountSales } from './checkouts/routes.ts'
import { openBuyers } from './orders/buyer.ts'
import { mountPrivacy } from './privacy/routes.ts'
import type { Shop } from './shop.ts'
import { mountUploads } from './uploads/routes.ts'

const maxJsonBytes = 64 * 1024
/** For bodies; a picture over a slow line may take longer. */
const bodyTimeoutMs = 30_000
const requestTimeoutMs = 15 * 60 * 1000
const headersTimeoutMs = 10_000
/** S3-compatible stores have upload ids of some hundred characters. */
const maxParameterLength = 1_000
const maxSockets = 1_000

/** The shop without a port, so that tests and servers use the same. */
export async function createApp(shop: Shop): Promise<FastifyInstance> {
  const { config, db } = shop
  const app: FastifyInstance = fastify({
    loggerInstance: shop.log,
    trustProxy: toFastifyTrust(config.trustProxy),
    bodyLimit: maxJsonBytes,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: maxParameterLength },
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 5_000 },
    frameworkErrors: handleInvalidUrl,
    clientErrorHandler: handleInvalidRequest,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
  })
  app.server.maxConnections = maxSockets
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })

  registerClientAddress(app)
  registerErrorHandler(app)
  registerNotFoundHandler(app, shop.web)
  registerJsonParser(app)
  limitRequests(app)
  addSecurityHeaders(app, config.pictureStore)
  await app.register(cookies)
  await app.register(compress, { globalDecompression: false })
  rejectForeignOrigins(app, config)
  const cookie = ownCookie('till_session', [config.publicUrl])
  guardRoutes(app, {
    customDomain: config.customDomain,
    findAdmin: async (request) => {
      const token = cookie.read(request)
      return token ? findSessionAdmin(db, token) : undefined
    },
  })
  limitBodyTime(app, bodyTimeoutMs)
  app.addHook('preValidation', (request, _reply, done) => {
    validateInput([request.params, request.query])
    done()
  })

  const isTestMode = () => shop.payments.account().isSandbox === true
  mountHealth(app, shop)
  const hashAddress = createAddressHash(shop.secret)
  mountAdmin(app, {
    ...shop,
    cookie,
    hashAddress,
    isCardTestingAttack: () => isCardTestingAttack(db, isTestMode()),
  })
  mountCatalog(app, shop)
  await mountUploads(app, shop)
  const ownUrls = [config.publicUrl, config.customDomain]
  const buyers = openBuyers(ownUrls)
  const visitors = createVisitors({
    ...shop,
    ownUrls,
    findBuyer: (request) => buyers.findBuyer(request),
  })
  await mountSales(app, { ...shop, buyers, visitors, hashAddress, isTestMode })
  mountAnalytics(app, { ...shop, visitors, isTestMode })
  mountPrivacy(app, shop)
  if (shop.web) await mountPages(app, shop.web)
  return app
}

/** A number trusts that many hops from us; a list trusts by address. */
function toFastifyTrust(trusted: Shop['config']['trustProxy']) {
  return typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : trusted
}
