import { join } from 'node:path'
import compress from '@fastify/compress'
import cookies from '@fastify/cookie'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { findSession } from './admin/sessions.ts'
import { openDevices } from './admin/sign-in.ts'
import { createVisitors } from './analytics/visitors.ts'
import { calls, documentedCalls } from './calls.ts'
import { collectShopFacts, openOutside } from './checks/facts.ts'
import { openReadiness } from './checks/readiness.ts'
import { guardRoutes, rejectForeignOrigins, rememberReplacedHost } from './http/access.ts'
import type { Actor } from './http/audit.ts'
import { mountCalls } from './http/calls.ts'
import { createAddressHash } from './http/client-address.ts'
import { limitConnections } from './http/connections.ts'
import {
  handleInvalidRequest,
  handleInvalidUrl,
  isPage,
  registerErrorHandler,
} from './http/errors.ts'
import { createRequestIds, logAbortedRequests, RequestLog } from './http/request-log.ts'
import { mountMetrics } from './http/metrics.ts'
import { createOpenApi } from './http/openapi.ts'
import { ownCookie } from './http/own-cookie.ts'
import { createBody, minCompressed, type ReadyBody } from './http/page.ts'
import {
  createProxies,
  isCountedAsAll,
  registerClientAddress,
  type Client,
} from './http/proxies.ts'
import { limitRequests, testerKey } from './http/rate-limits.ts'
import {
  dropInvalid,
  limitBodyTime,
  registerBodyParsers,
  toPath,
  validateInput,
} from './http/request-body.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { createFactsReader } from './http/shop-facts.ts'
import { recognizeTesters } from './http/testers.ts'
import { createRefusalPage, mountPages, registerNotFoundHandler } from './http/web-files.ts'
import { mountBuyerPages } from './checkouts/pages.ts'
import { openSaleCalls } from './checkouts/sale-deps.ts'
import { openDrawnPictures } from './links/drawn-pictures.ts'
import { createLinkCards } from './links/link-card.ts'
import { mountAppleFile } from './links/apple-pay-file.ts'
import { mountRobots } from './links/robots.ts'
import { deleteMailFiles } from './mail/transport.ts'
import { openBuyers } from './orders/buyer.ts'
import { createOrderReader } from './orders/read-order.ts'
import type { Shop } from './shop.ts'
import { dismissSdkChange } from './sumup/sdk-watch.ts'
import { mountSandbox } from './sumup/sandbox-process.ts'
import { mountReceiver } from './uploads/calls.ts'

const maxJsonBytes = 64 * 1024
/** For bodies; a picture over a slow line may take longer. */
const bodyTimeoutMs = 30_000
const requestTimeoutMs = 15 * 60 * 1000
const headersTimeoutMs = 10_000
/** For connections on which nothing moves. Where an answer waits to be read Node looks twice: two minutes in all. */
const stalledMs = 60_000
/** S3-compatible stores have upload ids of some hundred characters. */
const maxParameterLength = 1_000

const noSchemas = () => {
  throw new Error('Routes check their input with zod, and have no JSON schemas.')
}
/** Otherwise Fastify loads ajv and what belongs to it: 100 files and 5 MB. */
const withoutSchemas = { buildValidator: noSchemas, buildSerializer: noSchemas }

/** The shop without a port, so that tests and servers use the same. */
export async function createApp(shop: Shop): Promise<FastifyInstance> {
  const { config, db } = shop
  const listOwnUrls = () => [config.publicUrl, config.customDomain]
  const proxies = createProxies(config.trustProxy, shop.selfChecks.findLast)
  const createId = createRequestIds((peer) => proxies.isTrusted(peer, 0))
  const app: FastifyInstance = fastify({
    loggerInstance: shop.log,
    trustProxy: proxies.isTrusted,
    bodyLimit: maxJsonBytes,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: stalledMs,
    rewriteUrl: ({ url = '' }) => toPath(url),
    routerOptions: { maxParamLength: maxParameterLength },
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 5_000 },
    schemaController: { compilersFactory: withoutSchemas },
    frameworkErrors: handleInvalidUrl,
    clientErrorHandler: (error, socket) => handleInvalidRequest(shop.log, error, socket),
    genReqId: createId,
    logController: new RequestLog(),
    forceCloseConnections: 'idle',
    // What arrives on an open connection while the shop closes is still answered.
    return503OnClosing: false,
  })
  limitConnections(app.server, config.connections, proxies.isProxy)
  logAbortedRequests(app)
  addSecurityHeaders(app, config.pictureStore)
  app.addHook('onSend', (request, reply, _payload, done) => {
    // A proxy then opens its next connection to another node. Before the body has arrived the answer would be lost.
    const { complete, headers } = request.raw
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding']
    if (shop.isClosing() && (complete || !hasBody)) reply.header('connection', 'close')
    done()
  })

  const findMode = () => shop.payments.account().mode
  const isTestMode = () => findMode() === 'test'
  registerClientAddress(app, proxies, recognizeTesters({ isTestMode, listOwnUrls }))
  registerErrorHandler(app, shop.web && createRefusalPage(shop.web, config))
  const readFacts = createFactsReader(config, findMode)
  registerNotFoundHandler(app, { web: shop.web, readFacts, config })
  registerBodyParsers(app)
  limitRequests(app)
  await app.register(cookies)
  await app.register(compress, { globalDecompression: false, threshold: minCompressed })
  rejectForeignOrigins(app, config)
  const cookie = ownCookie('till_session', () => [config.publicUrl])
  const findOwnSession = async (request: FastifyRequest) => {
    const token = cookie.read(request)
    const { isBackground } = request.routeOptions.config
    return token ? findSession(db, token, isBackground) : undefined
  }
  const { onReplacedHost, findReplacedHost } = rememberReplacedHost()
  guardRoutes(app, { addresses: config, findSession: findOwnSession, onReplacedHost })
  limitBodyTime(app, bodyTimeoutMs)
  app.addHook('preValidation', (request, _reply, done) => {
    if (isPage(request)) request.query = dropInvalid(request.query)
    else validateInput([request.params, request.query])
    done()
  })

  const hashLimitKey = createAddressHash(shop.secret)
  const buyers = openBuyers(listOwnUrls, shop.secret)
  let reference: ReadyBody | undefined
  const deps = {
    ...shop,
    ...shop.sales,
    ...openReadiness(app, shop),
    ...openSaleCalls(shop),
    proxies,
    cookie,
    devices: openDevices(shop),
    outside: openOutside(shop),
    collectFacts: () => ({ ...collectShopFacts(shop), findReplacedHost }),
    buyers,
    visitors: createVisitors({
      ...shop,
      listOwnUrls,
      isKnownToday: (request) => buyers.isKnownToday(request),
    }),
    readOrder: createOrderReader(db, buyers, shop.secret),
    readFacts,
    drawnPictures: openDrawnPictures(join(config.dataDir, 'drawn')),
    describeLink: createLinkCards(config, readFacts),
    findMode,
    hashAddress: ({ limitKey }: FastifyRequest) =>
      limitKey === testerKey ? testerKey : hashLimitKey(limitKey),
    // In test mode orders cost nothing: strangers keep their limits, whoever shares them.
    isLimitShared: (client: Client) => !isTestMode() && isCountedAsAll(client),
    dismissCardForm: (changedAt: string, actor: Actor) =>
      dismissSdkChange(db, shop.payments.sdkUrl, changedAt, actor),
    deleteMailFiles: (ids: string[]) => deleteMailFiles(config.dataDir, { ids }),
    describeApi: () => (reference ??= createBody(JSON.stringify(createOpenApi(documentedCalls)))),
  }
  mountCalls(app, deps, calls)
  await mountReceiver(app, shop)
  mountRobots(app)
  mountAppleFile(app, config)
  mountMetrics(app, shop)
  await mountSandbox(app, () => shop.payments.sandboxUrl)
  if (shop.web) {
    mountBuyerPages(app, { ...deps, web: shop.web })
    await mountPages(app, shop.web, findOwnSession)
  }
  return app
}
