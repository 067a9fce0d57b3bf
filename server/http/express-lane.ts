import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyHttpOptions, FastifyServerFactoryHandler } from 'fastify'
import type { Client } from './client-address.ts'
import type { Log } from '#server/log.ts'
import { recordRequest } from './request-log.ts'
import { clientGoneStatus } from '#server/metrics.ts'

/*
 * What visitors read all the time and everybody reads alike, a product's page and its JSON, is answered before Fastify:
 * its hooks and ours take longer than sending what is ready. Only the plainest requests take this way, and they get what
 * Fastify would have answered, byte by byte (express-lane.test.ts). Everything else goes to Fastify.
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

export type ExpressLane = ReturnType<typeof createExpressLane>

const idLength = 36

/** Answers of fewer bytes are not compressed: it would gain nothing. */
export const minCompressed = 1_024

export function createExpressLane(shop: {
  log: Log
  isClosing: () => boolean
  createId: (request: IncomingMessage) => string
  identify: (request: IncomingMessage) => Client
  /** Throws above the limit. */
  countRequest: (limitKey: string) => void
}) {
  const routes: (ReadyRoute & { prefix: string })[] = []

  function serve(request: IncomingMessage, response: ServerResponse): boolean {
    const startedAt = performance.now()
    const { method, url = '', headers } = request
    if (method !== 'GET' || headers.cookie !== undefined || hasBody(request)) return false
    const route = routes.find(({ prefix }) => url.startsWith(prefix))
    if (!route || shop.isClosing()) return false
    const end = route.prefix.length + idLength
    if (url.length !== end && !(route.ignoresQuery && url[end] === '?')) return false
    const answer = route.find(url.slice(route.prefix.length, end), request)
    if (!answer || !isWithinLimit(request)) return false
    const id = shop.createId(request)
    const { headers: own, body } = answer
    response.writeHead(200, [...own, 'x-request-id', id, 'content-length', String(body.length)])
    response.end(body, 'latin1')
    response.on('close', () => {
      const status = response.writableFinished ? 200 : clientGoneStatus
      const ms = performance.now() - startedAt
      recordRequest(shop.log, { reqId: id, method, route: route.url, status, ms })
    })
    return true
  }

  /** Above the limit Fastify refuses it. */
  function isWithinLimit(request: IncomingMessage): boolean {
    try {
      shop.countRequest(shop.identify(request).limitKey)
      return true
    } catch {
      return false
    }
  }

  return {
    add(route: ReadyRoute): void {
      routes.push({ ...route, prefix: route.url.replace(/:id$/, '') })
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

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
