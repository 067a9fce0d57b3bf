import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyReply {
    /** Of a back-office or plain page. */
    pagePolicy: Policy
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- as above
  interface FastifyContextConfig {
    /** For pages of the SumUp stand-in, which send a content security policy of their own. */
    bringsOwnPolicy?: true
  }
}

/*
 * The headers of helmet, written down: helmet computes them for each response, which took a third of the time of a
 * small one, and every kind of page here has a policy of its own.
 */

const connectionHeaders = listHeaders({
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
})

/** Not for responses without a body: there is nothing to read, frame or run. */
const bodyHeaders = [
  ...connectionHeaders,
  ...listHeaders({
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  }),
]

/** The default. Pages with HTML set a policy of their own. */
const strictHeaders = [
  ...bodyHeaders,
  ...listHeaders({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'x-frame-options': 'DENY',
  }),
]

function listHeaders(headers: Record<string, string>): [name: string, value: string][] {
  return Object.entries(headers)
}

export function addSecurityHeaders(
  app: FastifyInstance,
  pictureStore: { endpoint: string } | undefined,
): void {
  app.decorateReply('pagePolicy', createPagePolicy(pictureStore))
  app.addHook('onSend', ({ routeOptions }, reply, _payload, done) => {
    const ofBody = routeOptions.config.bringsOwnPolicy ? bodyHeaders : strictHeaders
    // What says nothing about caching is not cached: answers to admins, pages, and what does not exist.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    for (const [name, value] of reply.statusCode === 204 ? connectionHeaders : ofBody)
      if (!reply.hasHeader(name)) reply.header(name, value)
    done()
  })
}

/** Names and values in turns: all headers of a response without a body. */
export const headersWithoutBody = ['cache-control', 'no-store', ...connectionHeaders.flat()]

/** Names and values in turns: these headers, and all that a response gets unless it has its own (`later` come with each). */
export function listAllHeaders(own: Record<string, string>, later: string[] = []): string[] {
  const others = strictHeaders.filter(([name]) => !(name in own || later.includes(name)))
  return [...Object.entries(own), ...others].flat()
}

/** The content security policy of a page with this nonce. */
export type Policy = (nonce: string) => string

/** The nonce is for the few style tags that our dialogs add. Pages upload to the picture store directly. */
function createPagePolicy(pictureStore: { endpoint: string } | undefined): Policy {
  const upload = pictureStore ? [new URL(pictureStore.endpoint).origin] : []
  return createPolicy({
    'img-src': ["'self'", 'data:', 'blob:', 'https:', ...upload],
    'connect-src': ["'self'", ...upload],
  })
}

/** Where SumUp's card form comes from, what it calls and where its pictures are; in test mode nowhere but here. */
export type CardFormOrigins = { script: string[]; api: string[]; pictures: string[] }

/**
 * For the payment page: only our files, the product's pictures and what SumUp's card form needs. Banks show their 3-D
 * Secure challenge in a frame from any address, and the form that opens it is sent there from this page: so frames and
 * forms alone are open, and only over TLS. A frame cannot reach into the page.
 */
export function createPaymentPolicy(
  { script, api, pictures }: CardFormOrigins,
  productPictures: string[],
): Policy {
  return createPolicy({
    'script-src': ["'self'", ...script],
    'img-src': [
      "'self'",
      'data:',
      ...new Set([...script, ...api, ...pictures, ...productPictures]),
    ],
    'connect-src': ["'self'", ...new Set([...script, ...api])],
    'frame-src': ["'self'", 'https:', ...script],
    'form-action': ["'self'", 'https:'],
  })
}

function createPolicy(directives: Record<string, string[]>): Policy {
  const policy = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    ...directives,
  }
  const parts = Object.entries(policy).map(([name, sources]) => `${name} ${sources.join(' ')}; `)
  const text = parts.join('')
  return (nonce) => `${text}style-src 'self' 'nonce-${nonce}'`
}
