import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyReply {
    /** Where pages send pictures besides the shop itself. */
    uploadOrigin: string | undefined
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- as above
  interface FastifyContextConfig {
    /** Pages of the stand-in: what they run and who may frame them they say themselves. */
    bringsOwnPolicy?: true
  }
}

/*
 * These are helmet's headers, written down: helmet makes them anew for each answer, which took a third of the time of
 * a small one.
 */

/** What is said of the connection, with every answer. */
const ofConnection = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** What is said of a body. Where there is none, there is nothing to read, frame or run. */
const ofBody = {
  ...ofConnection,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** Pages that show HTML have a policy of their own. */
const withPolicy = {
  ...ofBody,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-frame-options': 'DENY',
}

export function addSecurityHeaders(
  app: FastifyInstance,
  pictureStore: { endpoint: string } | undefined,
): void {
  app.decorateReply('uploadOrigin', pictureStore && new URL(pictureStore.endpoint).origin)
  app.addHook('onSend', ({ routeOptions }, reply, _payload, done) => {
    const headers = routeOptions.config.bringsOwnPolicy ? ofBody : withPolicy
    addMissing(reply, reply.statusCode === 204 ? ofConnection : headers)
    done()
  })
}

function addMissing(reply: FastifyReply, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers))
    if (!reply.hasHeader(name)) reply.header(name, value)
}

/** The policy of a back-office or plain page. The nonce is for the few style tags that our dialogs add. */
export function allowPage(reply: FastifyReply): { nonce: string } {
  const upload = reply.uploadOrigin ? [reply.uploadOrigin] : []
  return setPolicy(reply, {
    'img-src': ["'self'", 'data:', 'blob:', 'https:', ...upload],
    'connect-src': ["'self'", ...upload],
  })
}

/**
 * The policy of the payment page: our files, SumUp's, and nobody else's. Banks show their 3-D Secure challenge
 * in a frame from whatever address they like, so frames alone are open; a frame cannot reach into the page.
 */
export function allowPaymentPage(reply: FastifyReply, sumupOrigins: string[]): { nonce: string } {
  return setPolicy(reply, {
    'script-src': ["'self'", ...sumupOrigins],
    'img-src': ["'self'", 'data:', 'https:', ...sumupOrigins],
    'connect-src': ["'self'", ...sumupOrigins],
    'frame-src': ["'self'", 'https:', ...sumupOrigins],
  })
}

function setPolicy(reply: FastifyReply, directives: Record<string, string[]>): { nonce: string } {
  const nonce = randomBytes(16).toString('base64')
  const policy = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    ...directives,
  }
  const text = Object.entries(policy).map(([name, sources]) => `${name} ${sources.join(' ')}`)
  reply.header('content-security-policy', text.join('; '))
  return { nonce }
}
