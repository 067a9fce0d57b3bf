import { randomBytes } from 'node:crypto'
import { Refused } from './answers.ts'

/** SumUp's error bodies. Three dialects live side by side there, and so they do here. */

export type FieldError = { message: string; error_code: 'MISSING' | 'INVALID'; param: string }

/** One wrong field is an object, several are an array. */
export function invalidFields(errors: FieldError[]): Refused {
  return new Refused({ status: 400, body: errors.length === 1 ? errors[0] : errors })
}

export const invalidRequest = (): Refused =>
  new Refused({ status: 400, body: { message: 'Validation error', error_code: 'INVALID' } })

export function invalidCheckoutId(id: string): Refused {
  const failed = [{ reference: 'checkoutId', message: `Invalid checkout ID: '${id}'` }]
  return sessionProblem(400, 'validation-failed', 'Bad Request', 'Validation failed', {
    failed_constraints: failed,
  })
}

export const unauthorized = (): Refused =>
  new Refused({
    status: 401,
    body: {
      type: 'https://developer.sumup.com/problem/unauthorized',
      title: 'Unauthorized',
      status: 401,
      detail: 'Unauthorized.',
      trace_id: randomBytes(16).toString('hex'),
    },
  })

/** The older dialect: what is no key at all is taken for an OAuth token. */
export const invalidAccessToken = (): Refused =>
  new Refused({
    status: 401,
    body: { error_message: 'invalid access token', error_code: 'NOT_AUTHORIZED' },
  })

export const paymentsNotAllowed = (): Refused =>
  new Refused({
    status: 403,
    body: {
      error_message: 'checkout_payments_not_allowed',
      error_code: 'FORBIDDEN',
      status_code: '403',
    },
  })

export function checkoutNotFound(id: string): Refused {
  const detail = `A checkout session with the id ${id} does not exist`
  return sessionProblem(404, 'checkout-not-found', 'Not Found', detail, {
    error_code: 'NOT_FOUND',
    message: 'Resource not found',
  })
}

export const resourceNotFound = (): Refused =>
  new Refused({ status: 404, body: { error_code: 'NOT_FOUND', message: 'Resource not found' } })

export const duplicatedCheckout = (): Refused =>
  new Refused({
    status: 409,
    body: {
      error_code: 'DUPLICATED_CHECKOUT',
      message: 'Checkout with this checkout reference and pay to email already exists',
    },
  })

const processed = { error_code: 'CHECKOUT_PROCESSED', message: 'Checkout is already processed' }

export const checkoutProcessed = (): Refused => new Refused({ status: 409, body: processed })

export function sessionProcessed(id: string): Refused {
  const detail = `The checkout session ${id} is already processed`
  return sessionProblem(409, 'session-already-processed', 'Conflict', detail, processed)
}

export function sessionExpired(id: string): Refused {
  const detail = `The checkout session ${id} is expired`
  return sessionProblem(409, 'session-expired', 'Conflict', detail, {
    error_code: 'CHECKOUT_SESSION_IS_EXPIRED',
    message: 'Checkout is expired',
  })
}

export function cannotDeactivate(detail: string): Refused {
  return sessionProblem(409, 'session-cant-be-deactivated', 'Conflict', detail, {
    error_code: 'CHECKOUT_CANT_BE_DEACTIVATED',
    message: detail,
  })
}

/** The newer dialect, without more: RFC 9457. */
export function problem(
  status: number,
  slug: string,
  title: string,
  detail: string,
  extra: Record<string, unknown> = {},
): Refused {
  const type = `https://developer.sumup.com/problem/${slug}`
  return new Refused({
    status,
    type: 'application/problem+json',
    body: { type, title, status, detail, ...extra },
  })
}

/** The checkout calls answer problems with an older address (mind its slash) and an instance. */
function sessionProblem(
  status: number,
  slug: string,
  title: string,
  detail: string,
  extra: Record<string, unknown>,
): Refused {
  const type = `https://developer.sumup.com/docs/problem/${slug}/`
  const instance = randomBytes(6).toString('hex')
  return new Refused({ status, body: { type, title, status, detail, instance, ...extra } })
}
