import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyHttpOptions, FastifyServerFactoryHandler } from 'fastify'
import { Refusal } from '#contract/refusals.ts'
import type { Log } from '#server/log.ts'
import { clientGoneStatus } from '#server/metrics.ts'
import { isFromElsewhere } from './access.ts'
import type { Proxies, Sender } from './client-address.ts'
import { explainError, showRefusal } from './errors.ts'
import type { RequestLimits } from './rate-limits.ts'
import { parseJson, type BodyDeadlines } from './request-body.ts'
import { recordRequest } from './request-log.ts'
import { headersWithoutBody, listAllHeaders } from './security-headers.ts'

/*
 * What visitors do all the time is answered before Fastify, whose hooks and ours take longer than sending what is ready:
 * reading a product's page or its JSON, which everybody reads alike, and reporting a visit. Only the plainest requests take
 * this way, and they get what Fastify would have answered (express-lane.test.ts); only the connection stays open after a
 * body that is no JSON, since all of it was read. Everything else goes to Fastify.
 */

/** An answer of status 200: names and values of its headers in turns, and its body as `toBytes` makes it. */
export type ReadyAnswer = { headers: readonly string[]; body: string }

/** As text with one character for each byte, which Node sends in one piece with the headers. */
export function toBytes(buffer: Buffer): string {
  return buffer.toString('latin1')
}

export function toBuffer(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1')
}

export type ReadyRoute = {
  /** The route's template, which ends in `:id`. */
  url: string
  /** Whether a query changes nothing. */
  ignoresQuery: boolean
  /** Undefined if Fastify is to answer. Called for requests without a cookie. */
  find: (id: string, request: IncomingMessage) => ReadyAnswer | undefined
}

/**
 * A public POST of a small JSON body, counted separately (`maxPerMinute`). Its answer is 204 or a refusal; it sets no cookie
 * and is not compressed.
 */
export type PlainCall = {
  url: string
  maxBytes: number
  run: (sender: Sender, body: unknown) => Promise<void>
}

export type ExpressLane = ReturnType<typeof createExpressLane>

const idLength = 36

/** Answers of fewer bytes are not compressed: it would gain nothing. */
export const minCompressed = 1_024

/** Headers of every refusal. */
const refusalHeaders = listAllHeaders({
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
})

export function createExpressLane(shop: {
  log: Log
  isClosing: () => boolean
  createId: (request: IncomingMessage) => string
  proxies: Proxies
  limits: RequestLimits
  bodyDeadlines: BodyDeadlines
  listOwnUrls: () => (string | undefined)[]
}) {
  const routes: (ReadyRoute & { prefix: string })[] = []
  const calls = new Map<string, PlainCall>()

  function serve(request: IncomingMessage, response: ServerResponse): boolean {
    if (shop.isClosing()) return false
    if (request.method === 'GET') return serveRead(request, response)
    return request.method === 'POST' && serveCall(request, response)
  }

  function serveRead(request: IncomingMessage, response: ServerResponse): boolean {
    const startedAt = performance.now()
    const { url = '', headers } = request
    if (headers.cookie !== undefined || hasBody(request)) return false
    const route = routes.find(({ prefix }) => url.startsWith(prefix))
    if (!route) return false
    const end = route.prefix.length + idLength
    if (url.length !== end && !(route.ignoresQuery && url[end] === '?')) return false
    const { limitKey } = shop.proxies.identify(request)
    if (!isWithinLimit(limitKey)) return false
    const answer = route.find(url.slice(route.prefix.length, end), request)
    if (!answer) {
      // Fastify counts it again.
      shop.limits.release(limitKey)
      return false
    }
    const id = shop.createId(request)
    const { headers: own, body } = answer
    response.writeHead(200, [...own, 'x-request-id', id, 'content-length', String(body.length)])
    response.end(body, 'latin1')
    recordAtEnd(response, { id, route: route.url, startedAt })
    return true
  }

  /** Decided by the headers: what has been read once cannot be read by Fastify. */
  function serveCall(request: IncomingMessage, response: ServerResponse): boolean {
    const startedAt = performance.now()
    const call = calls.get(request.url ?? '')
    if (!call || !hasPlainBody(request, call.maxBytes)) return false
    const { headers } = request
    const { host, protocol } = shop.proxies.findAddressee(request)
    if (isFromElsewhere({ headers, host }, shop.listOwnUrls())) return false
    const { address, limitKey } = shop.proxies.identify(request)
    if (!isWithinLimit(limitKey, call.url)) return false
    const cookies = headers.cookie === undefined ? {} : fastifyCookie.parse(headers.cookie)
    const sender = { headers, cookies, address, limitKey, host, protocol }
    const id = shop.createId(request)
    recordAtEnd(response, { id, route: call.url, startedAt })
    shop.bodyDeadlines.start(request)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    // Not if the client is gone before that.
    request.on('end', () => {
      shop.bodyDeadlines.end(request)
      runCall(call, sender, Buffer.concat(parts)).then(
        () => send(response, 204, [...headersWithoutBody, 'x-request-id', id]),
        (error: unknown) => refuse(response, id, error),
      )
    })
    return true
  }

  async function runCall({ run }: PlainCall, sender: Sender, bytes: Buffer): Promise<void> {
    const body = parseJson(bytes)
    if (body instanceof Refusal) throw body
    await run(sender, body)
  }

  function refuse(response: ServerResponse, id: string, error: unknown): void {
    const { refusal, reason } = explainError(error)
    if (reason !== undefined) shop.log.error({ reqId: id, err: reason }, refusal.message)
    const body = JSON.stringify(showRefusal(refusal))
    const length = String(Buffer.byteLength(body))
    const headers = [...refusalHeaders, 'x-request-id', id, 'content-length', length]
    if (refusal.retryAfter !== undefined)
      headers.push('retry-after', String(Math.ceil(refusal.retryAfter)))
    send(response, refusal.status, headers, body)
  }

  function send(response: ServerResponse, status: number, headers: string[], body = ''): void {
    if (response.closed) return
    // A proxy then opens its next connection to another node.
    if (shop.isClosing()) headers.push('connection', 'close')
    response.writeHead(status, headers)
    response.end(body)
  }

  function recordAtEnd(
    response: ServerResponse,
    { id, route, startedAt }: { id: string; route: string; startedAt: number },
  ): void {
    const { method = '' } = response.req
    response.on('close', () => {
      const status = response.writableFinished ? response.statusCode : clientGoneStatus
      const ms = performance.now() - startedAt
      recordRequest(shop.log, { reqId: id, method, route, status, ms })
    })
  }

  /** Above the limit Fastify refuses it. */
  function isWithinLimit(limitKey: string, route?: string): boolean {
    try {
      shop.limits.consume(limitKey, route)
      return true
    } catch {
      return false
    }
  }

  return {
    add(route: ReadyRoute): void {
      routes.push({ ...route, prefix: route.url.replace(/:id$/, '') })
    },
    addCall(call: PlainCall): void {
      calls.set(call.url, call)
    },
    /** The server that Fastify would create, with this lane before it. */
    createServer(
      handler: FastifyServerFactoryHandler,
      options: FastifyHttpOptions<Server>,
    ): Server {
      const server = createServer(options.http ?? {}, (request, response) => {
        if (!serve(request, response)) handler(request, response)
      })
      server.requestTimeout = options.requestTimeout ?? 0
      server.keepAliveTimeout = options.keepAliveTimeout ?? 72_000
      server.setTimeout(options.connectionTimeout ?? 0)
      return server
    },
  }
}

function hasPlainBody({ headers }: IncomingMessage, maxBytes: number): boolean {
  const length = Number(headers['content-length'])
  return headers['content-type'] === 'application/json' && length > 0 && length <= maxBytes
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
