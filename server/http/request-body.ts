import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/refusals.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyContextConfig {
    /** A body that may take as long as Node's own limit, such as a picture over a slow line. */
    slowBody?: boolean
    /** A form without script sends its fields here. */
    takesForm?: true
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** JSON is the only body that the shop accepts, except of a form where a route says so. */
export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    ({ routeOptions }: FastifyRequest, body: Buffer, done) => {
      if (!routeOptions.config.takesForm) return done(new Refusal('body-type'))
      const parsed = parseForm(body)
      if (parsed instanceof Refusal) done(parsed)
      else done(null, parsed)
    },
  )
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (_request: unknown, body: Buffer, done) => {
      const parsed = body.length === 0 ? undefined : parseJson(body)
      if (parsed instanceof Refusal) done(parsed)
      else done(null, parsed)
    },
  )
}

/** Returns the refusal of what cannot be stored. Of a field that is there twice the last one counts. */
function parseForm(body: Buffer): unknown {
  try {
    const fields = Object.fromEntries(new URLSearchParams(strictUtf8.decode(body)))
    validateInput(fields)
    return fields
  } catch (cause) {
    return cause instanceof Refusal ? cause : new Refusal('body-unreadable', { cause })
  }
}

/** Returns the refusal of what is no JSON, or none that the shop can hold. */
function parseJson(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(strictUtf8.decode(body))
    validateInput(value)
    return value
  } catch (cause) {
    return cause instanceof Refusal ? cause : new Refusal('body-unreadable', { cause })
  }
}

/** More than any body of ours; deeper nesting is an attack on recursive code. */
const maxDepth = 16

/** Keys that would reach an object's prototype instead of the object. */
const prototypeKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Rejects what JSON and URLs allow but PostgreSQL or our code cannot hold. */
export function validateInput(value: unknown, depth = 0): void {
  if (typeof value === 'string' && !isStorable(value)) throw new Refusal('body-unreadable')
  if (typeof value !== 'object' || value === null) return
  if (depth >= maxDepth) throw new Refusal('body-unreadable')
  for (const key of Object.keys(value)) {
    if (prototypeKeys.has(key) || !isStorable(key)) throw new Refusal('body-unreadable')
    validateInput(value[key as keyof typeof value], depth + 1)
  }
}

/** The query of a page without what cannot be held: a broken parameter must not cost the buyer the page. */
export function dropInvalid(query: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query as object).filter(([name, value]) => {
      try {
        validateInput({ [name]: value })
        return !prototypeKeys.has(name)
      } catch {
        return false
      }
    }),
  )
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** A proxy may name the whole URL in the request line (`GET http://host/path`), which is decided by its path like any other. */
export function toPath(url: string): string {
  const atHost = url.startsWith('/') ? -1 : url.indexOf('://')
  if (atHost === -1) return url
  const atPath = url.slice(atHost + 3).search(/[/?]/)
  const path = atPath === -1 ? '' : url.slice(atHost + 3 + atPath)
  return path.startsWith('/') ? path : `/${path}`
}

/**
 * Closes connections whose body does not arrive. Node has one timeout for all requests, which must be long enough for
 * uploads; all other bodies are small. What comes after the answer is limited for all connections (limitConnections).
 */
export function limitBodyTime(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', ({ raw, headers, routeOptions }, _reply, done) => {
    const hasBody = Number(headers['content-length']) > 0 || 'transfer-encoding' in headers
    if (hasBody && !routeOptions.config.slowBody) {
      const timer = setTimeout(() => raw.complete || raw.destroy(), timeoutMs).unref()
      raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
