import { randomBytes } from 'node:crypto'
import type { z } from 'zod'

/** What a call answers, before a fault changes it. */
export type ApiResponse = {
  status: number
  body?: unknown
  type?: 'application/json' | 'application/problem+json' | 'text/html'
  headers?: Record<string, string>
}

/** An error of SumUp's API with its complete response. */
export class ApiError extends Error {
  readonly response: ApiResponse
  constructor(response: ApiResponse) {
    super(`${response.status}: ${JSON.stringify(response.body)}`)
    this.response = response
  }
}

/* SumUp has three formats of error bodies side by side: plain codes, problems, and session problems. */

const error = (status: number, body: object): ApiError => new ApiError({ status, body })

type FieldError = { message: string; error_code: 'MISSING' | 'INVALID'; param: string }

/** One invalid field is an object, several are an array. */
const invalidFields = (errors: FieldError[]): ApiError =>
  error(400, errors.length === 1 && errors[0] ? errors[0] : errors)

/** By its value: an absent one is MISSING. */
export function invalidValue(param: string, value: unknown): ApiError {
  return invalidFields([fieldError(param, value)])
}

export const invalidField = (param: string, message: string): ApiError =>
  invalidFields([{ message, error_code: 'INVALID', param }])

function fieldError(param: string, value: unknown): FieldError {
  const isMissing = value === undefined || value === null || value === ''
  return { message: 'Validation error', error_code: isMissing ? 'MISSING' : 'INVALID', param }
}

/** The parsed body, or an error that lists the invalid fields. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidRequest()
  const result = schema.safeParse(body, { reportInput: true })
  if (result.success) return result.data
  const inputs = new Map(result.error.issues.map(({ path, input }) => [path.join('.'), input]))
  throw invalidFields([...inputs].map(([param, input]) => fieldError(param, input)))
}

export const invalidRequest = (): ApiError =>
  error(400, { message: 'Validation error', error_code: 'INVALID' })

export const unauthorized = (): ApiError =>
  error(401, {
    type: 'https://developer.sumup.com/problem/unauthorized',
    title: 'Unauthorized',
    status: 401,
    detail: 'Unauthorized.',
    trace_id: randomBytes(16).toString('hex'),
  })

/** For anything that does not look like an API key: SumUp takes it for an OAuth token. */
export const invalidAccessToken = (): ApiError =>
  error(401, { error_message: 'invalid access token', error_code: 'NOT_AUTHORIZED' })

export const paymentsNotAllowed = (): ApiError =>
  error(403, {
    error_message: 'checkout_payments_not_allowed',
    error_code: 'FORBIDDEN',
    status_code: '403',
  })

export const resourceNotFound = (): ApiError =>
  error(404, { error_code: 'NOT_FOUND', message: 'Resource not found' })

export const duplicatedCheckout = (): ApiError =>
  error(409, {
    error_code: 'DUPLICATED_CHECKOUT',
    message: 'Checkout with this checkout reference and pay to email already exists',
  })

const processed = { error_code: 'CHECKOUT_PROCESSED', message: 'Checkout is already processed' }

export const checkoutProcessed = (): ApiError => error(409, processed)

/** RFC 9457, as the newer calls answer. */
export function problem(
  status: number,
  title: string,
  detail: string,
  extra: Record<string, unknown> = {},
): ApiError {
  const slug = title.toLowerCase().replaceAll(' ', '-')
  const type = `https://developer.sumup.com/problem/${slug}`
  const body = { type, title, status, detail, ...extra }
  return new ApiError({ status, type: 'application/problem+json', body })
}

/** Problems of the checkout calls: an older type URL (with a trailing slash) and an instance. */
function sessionProblem(
  status: number,
  slug: string,
  title: string,
  detail: string,
  extra: Record<string, unknown>,
): ApiError {
  const type = `https://developer.sumup.com/docs/problem/${slug}/`
  const instance = randomBytes(6).toString('hex')
  return error(status, { type, title, status, detail, instance, ...extra })
}

export const invalidCheckoutId = (id: string): ApiError =>
  sessionProblem(400, 'validation-failed', 'Bad Request', 'Validation failed', {
    failed_constraints: [{ reference: 'checkoutId', message: `Invalid checkout ID: '${id}'` }],
  })

export const checkoutNotFound = (id: string): ApiError =>
  sessionProblem(
    404,
    'checkout-not-found',
    'Not Found',
    `A checkout session with the id ${id} does not exist`,
    { error_code: 'NOT_FOUND', message: 'Resource not found' },
  )

const sessionConflict = (slug: string, detail: string, extra: Record<string, unknown>): ApiError =>
  sessionProblem(409, slug, 'Conflict', detail, extra)

export const sessionProcessed = (id: string): ApiError =>
  sessionConflict(
    'session-already-processed',
    `The checkout session ${id} is already processed`,
    processed,
  )

export const sessionExpired = (id: string): ApiError =>
  sessionConflict('session-expired', `The checkout session ${id} is expired`, {
    error_code: 'CHECKOUT_SESSION_IS_EXPIRED',
    message: 'Checkout is expired',
  })

export const cannotDeactivate = (detail: string): ApiError =>
  sessionConflict('session-cant-be-deactivated', detail, {
    error_code: 'CHECKOUT_CANT_BE_DEACTIVATED',
    message: detail,
  })
