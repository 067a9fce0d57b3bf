/**
 * The one table of expected "no"s: what the shop answers, with which status and in which words.
 * A sentence here is read by people, so it says what is wrong and, where there is one, the way on.
 */
export const refusals = {
  unauthorized: { status: 401, text: 'Unauthorized' },
  'wrong-credentials': { status: 401, text: 'Invalid credentials' },
  'foreign-origin': {
    status: 403,
    text: 'This request came from another site and was not carried out.',
  },
  'page-missing': { status: 404, text: 'Page Not Found' },
  'product-missing': { status: 404, text: 'Product not found' },
  'too-many-products': {
    status: 409,
    text: 'There is no room for more products. Please delete some first.',
  },
  'call-missing': { status: 404, text: 'There is no such call.' },
  'method-unknown': { status: 405, text: 'This method is not supported here.' },
  'body-too-large': { status: 413, text: 'That is more than we can take in one request.' },
  'body-type': { status: 415, text: 'Please send JSON with the content type application/json.' },
  'body-unreadable': {
    status: 400,
    text: 'The request could not be read. Please send valid JSON in UTF-8.',
  },
  'bad-request': { status: 400, text: 'The request is not valid.' },
  'too-many-logins': {
    status: 429,
    text: 'Too many sign-in attempts. Please wait a few minutes and try again.',
  },
  'too-many-requests': {
    status: 429,
    text: 'Too many requests. Please wait a moment and try again.',
  },
  unexpected: { status: 500, text: 'Something went wrong on our side. Please try again.' },
  unavailable: {
    status: 503,
    text: 'The shop is not available right now. Please try again in a moment.',
  },
} as const satisfies Record<string, { status: number; text: string }>

export type RefusalCode = keyof typeof refusals

/** What every refused call carries: the same words twice, because callers read either name. */
export type RefusalBody = { message: string; error: string }

/** An expected "no". Everything else that is thrown is a fault of ours. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  /** Seconds after which trying again makes sense, sent as Retry-After. */
  readonly retryAfter: number | undefined

  constructor(
    code: RefusalCode,
    options: { text?: string; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(options.text ?? refusals[code].text, { cause: options.cause })
    this.name = 'Refusal'
    this.code = code
    this.status = refusals[code].status
    this.retryAfter = options.retryAfter
  }
}
