import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyReply {
    /** Where pages send pictures besides the shop itself. */
    uploadOrigin: string | undefined
  }
}

/**
 * What every answer says that says anything: without a body there is nothing to read, frame or run. Pages that show
 * HTML have a policy of their own. These are helmet's headers, written down: helmet makes them anew for each answer,
 * which took a third of the time of a small one.
 */
const always = Object.entries({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
})

export function addSecurityHeaders(
  app: FastifyInstance,
  pictureStore: { endpoint: string } | undefined,
): void {
  app.decorateReply('uploadOrigin', pictureStore && new URL(pictureStore.endpoint).origin)
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (reply.statusCode !== 204) addMissing(reply)
    done()
  })
}

function addMissing(reply: FastifyReply): void {
  for (const [name, value] of always) if (!reply.hasHeader(name)) reply.header(name, value)
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
