import type { FastifyInstance } from 'fastify'
import type { OtherMethod } from '#contract/payment-methods.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyReply {
    /** For pages of the back-office and plain pages. */
    pagePolicy: Policy
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- as above
  interface FastifyContextConfig {
    /** For pages of the sandbox, which send a content security policy of their own. */
    bringsOwnPolicy?: true
  }
}

/*
 * The headers of helmet, written down: helmet computes them for each response, which took a third of the time of a
 * small one, and every kind of page here has a policy of its own.
 */

const headers = {
  // What says nothing about caching is not cached: answers to admins, pages, and what does not exist.
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** The default. Pages with HTML set a policy of their own. */
const strictHeaders = {
  ...headers,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-frame-options': 'DENY',
}

export function addSecurityHeaders(
  app: FastifyInstance,
  pictureStore: { endpoint: string } | undefined,
): void {
  app.decorateReply('pagePolicy', createPagePolicy(pictureStore))
  // At the beginning, so that whatever a route sets replaces them.
  app.addHook('onRequest', ({ id, routeOptions }, reply, done) => {
    reply.headers(routeOptions.config.bringsOwnPolicy ? headers : strictHeaders)
    reply.header('x-request-id', id)
    done()
  })
}

/** The content security policy of a page. A nonce is for style tags that scripts add. */
type Policy = (nonce?: string) => string

/** The back-office needs a nonce, for the style tags of its dialogs. Pages upload to the picture store directly. */
function createPagePolicy(pictureStore: { endpoint: string } | undefined): Policy {
  const upload = pictureStore ? [new URL(pictureStore.endpoint).origin] : []
  return createPolicy({
    'img-src': ["'self'", 'data:', 'blob:', 'https:', ...upload],
    'connect-src': ["'self'", ...upload],
    // The preview of a mail, whose styles are inline: it has a policy of its own.
    'frame-src': ["'self'"],
  })
}

/** For a mail that a page of ours shows in a frame: nothing in it runs. */
export const mailFrameHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https:; sandbox allow-same-origin; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  'x-frame-options': 'SAMEORIGIN',
}

/** Where SumUp's card form comes from, what it calls and where its pictures are; in test mode nowhere but here. */
export type CardFormOrigins = { script: string[]; api: string[]; pictures: string[] }

type WalletOrigins = { script: string[]; connect: string[]; pictures: string[] }

/** What wallets load themselves. Ways to pay that leave the page need nothing on it. */
const walletOrigins: Partial<Record<OtherMethod, WalletOrigins>> = {
  apple_pay: {
    script: ['https://applepay.cdn-apple.com'],
    connect: ['https://applepay.cdn-apple.com'],
    pictures: ['https://applepay.cdn-apple.com'],
  },
  google_pay: {
    script: ['https://pay.google.com'],
    // Browsers ask the first two, one after the other, where Google's payment sheet is.
    connect: ['https://google.com', 'https://www.google.com', 'https://pay.google.com'],
    pictures: ['https://*.gstatic.com'],
  },
}

/** Google's payment sheet may be a window of its own, which must be able to answer the page. */
export function googlePayHeaders(methods: OtherMethod[]): Record<string, string> {
  return methods.includes('google_pay')
    ? { 'cross-origin-opener-policy': 'same-origin-allow-popups' }
    : {}
}

/**
 * For the payment page: only our files, the product's pictures and what SumUp's card form needs. Banks show their 3-D
 * Secure challenge in a frame from any address, and the form that opens it is sent there from this page: so frames and
 * forms alone are open, and only over TLS. A frame cannot reach into the page.
 */
export function createPaymentPolicy(
  { script, api, pictures }: CardFormOrigins,
  productPictures: string[],
  methods: OtherMethod[],
): Policy {
  const wallets = methods.flatMap((id) => walletOrigins[id] ?? [])
  const listed = (kind: keyof WalletOrigins) => wallets.flatMap((one) => one[kind])
  const policy = createPolicy({
    'script-src': ["'self'", ...script, ...listed('script')],
    'img-src': [
      "'self'",
      'data:',
      ...new Set([...script, ...api, ...pictures, ...productPictures, ...listed('pictures')]),
    ],
    'connect-src': ["'self'", ...new Set([...script, ...api, ...listed('connect')])],
    'frame-src': ["'self'", 'https:', ...script],
    'form-action': ["'self'", 'https:'],
  })
  // Google's button adds style tags that know no nonce; beside one, browsers would ignore 'unsafe-inline'.
  return methods.includes('google_pay') ? () => `${policy()} 'unsafe-inline'` : policy
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
  return (nonce) => `${text}style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`
}
