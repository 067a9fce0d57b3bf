import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import {
  ApiError,
  invalidAccessToken,
  invalidRequest,
  paymentsNotAllowed,
  problem,
  unauthorized,
  type ApiResponse,
} from './errors.ts'
import { keyFaults, responseFaults, type Endpoint, type Fault } from './faults.ts'
import type { MerchantAccount } from './accounts.ts'
import type { Context } from './context.ts'
import { listNames } from './records.ts'

/** Body parsing, trailing slashes, unknown paths and unexpected errors. */
export function registerErrorHandlers(app: FastifyInstance, { log }: Context): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => parseJson(text),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => Object.fromEntries(new URLSearchParams(text)),
  )

  const notFound = () => problem(404, 'Not Found', 'There is nothing here')
  app.addHook('onRequest', async ({ url }) => {
    const [path = ''] = url.split('?')
    // SumUp refuses these since 2026-01-17; it does not document the status.
    if (path.length > 1 && path.endsWith('/')) throw notFound()
  })
  app.setNotFoundHandler((_request, reply) => sendResponse(reply, notFound().response))
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ApiError) return sendResponse(reply, error.response)
    const status = (error as { statusCode?: number }).statusCode ?? 500
    if (status < 500) return sendResponse(reply, { ...invalidRequest().response, status })
    log('unexpected error', { url: request.routeOptions.url, error: String(error) })
    const detail = 'Unexpected error in the sandbox'
    return sendResponse(reply, problem(500, 'Internal Server Error', detail).response)
  })
}

/** An empty JSON body is allowed: the official client sends one for a full refund. */
function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw invalidRequest()
  }
}

/** A call of a merchant's server, with its secret key. */
export function merchantEndpoint(
  context: Context,
  endpoint: Endpoint,
  handle: (request: FastifyRequest, merchant: MerchantAccount) => ApiResponse,
): RouteHandlerMethod {
  return async (request, reply) => {
    const merchant = getMerchant(context, request)
    return handleCall(context, endpoint, request, reply, () => handle(request, merchant))
  }
}

/** A call of the widget from the payer's browser, usually without a key. */
export function browserEndpoint(
  context: Context,
  endpoint: Endpoint,
  handle: (request: FastifyRequest) => Promise<ApiResponse>,
): RouteHandlerMethod {
  return async (request, reply) => {
    allowBrowser(context, request, reply)
    return handleCall(context, endpoint, request, reply, () => handle(request))
  }
}

/** No key is needed, but a key that is sent must be valid. */
export function allowBrowser(context: Context, request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('access-control-allow-origin', '*')
  if (request.headers.authorization !== undefined) getMerchant(context, request)
}

function getMerchant({ merchants }: Context, request: FastifyRequest): MerchantAccount {
  const key = findKey(request)
  const merchant = key === undefined ? undefined : merchants.findByKey(key)
  if (merchant !== undefined) return merchant
  throw key === undefined || key.startsWith('sup_') ? unauthorized() : invalidAccessToken()
}

export function findKey({ headers }: FastifyRequest): string | undefined {
  const [scheme, key] = (headers.authorization ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' ? key || undefined : undefined
}

export const getId = ({ params }: FastifyRequest): string => (params as { id: string }).id

/**
 * How the asking browser reaches the sandbox. A shop in front forwards the host it was asked for, so that the
 * bank's page works from every machine from which the shop does.
 */
export function getBrowserUrl({ publicUrl }: Context, { headers }: FastifyRequest): string {
  const { 'x-forwarded-host': host, 'x-forwarded-proto': protocol = 'http' } = headers
  const prefix = headers['x-forwarded-prefix'] ?? ''
  return host === undefined ? publicUrl : `${String(protocol)}://${String(host)}${String(prefix)}`
}

/** Runs a call; a fault may replace it or change its response. */
async function handleCall(
  context: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  run: () => ApiResponse | Promise<ApiResponse>,
): Promise<FastifyReply | undefined> {
  const kinds =
    request.headers.authorization === undefined ? responseFaults : [...keyFaults, ...responseFaults]
  const fault = context.faults.trigger(endpoint, kinds, listSubjects(context, request))
  if (fault) context.log('fault triggered', { endpoint, kind: fault.kind })
  if (fault?.kind === 'delay') await delay(fault.ms, undefined, { signal: context.closing })
  if (fault?.kind === 'hang') return void reply.hijack()
  if (fault?.kind === 'reset') return resetConnection(reply)
  const early = fault && createEarlyFailure(endpoint, fault)
  if (early) return sendResponse(reply, early)

  const response = await catchApiError(run)
  context.log('call handled', { endpoint, status: response.status })
  if (fault?.kind === 'lost') return resetConnection(reply)
  if (fault?.kind === 'stall') return stallResponse(reply, response)
  return sendResponse(reply, fault ? corruptResponse(fault.kind, response) : response)
}

async function catchApiError(run: () => ApiResponse | Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ApiError) return error.response
    throw error
  }
}

/** What a call names, so that a fault can target one checkout or payment. */
function listSubjects({ ledger }: Context, { params, query, body }: FastifyRequest): string[] {
  const values = [params, query, body].flatMap((part) =>
    typeof part === 'object' && part !== null ? Object.values(part) : [],
  )
  const texts = values.filter((value): value is string => typeof value === 'string')
  const names = texts.flatMap((text) => {
    const payment = ledger.findTransaction(text)
    const checkouts = [ledger.findCheckout(text) ?? [], ledger.listByReference(text)].flat()
    return [
      ...(payment ? listNames(payment.checkout, payment.transaction) : []),
      ...checkouts.flatMap((checkout) => listNames(checkout)),
    ]
  })
  return [...texts, ...names]
}

type CallFault = Fault<(typeof responseFaults | typeof keyFaults)[number]>

/** The response of a fault that prevents the call, if it is one. */
function createEarlyFailure(endpoint: Endpoint, fault: CallFault): ApiResponse | undefined {
  const responses: { [Kind in CallFault['kind']]?: ApiResponse } = {
    unauthorized: unauthorized().response,
    // The refund call is newer than the others and answers with a problem.
    forbidden: (endpoint === 'refund'
      ? problem(403, 'Forbidden', 'users is not allowed to make a refund')
      : paymentsNotAllowed()
    ).response,
    'error-500': problem(500, 'Internal Server Error', 'Try again later').response,
    'error-503': problem(503, 'Service Unavailable', 'Try again later').response,
    'html-502': { status: 502, type: 'text/html', body: renderPage('502 Bad Gateway') },
    'too-many-requests': {
      ...problem(429, 'Too Many Requests', 'Slow down').response,
      headers: { 'retry-after': String(fault.retryAfterSeconds) },
    },
  }
  return responses[fault.kind]
}

const hugeBytes = 10 * 1024 * 1024

/** The call was executed, but its response is useless. */
function corruptResponse(kind: CallFault['kind'], response: ApiResponse): ApiResponse {
  if (kind === 'html')
    return { status: response.status, type: 'text/html', body: renderPage('Welcome') }
  if (kind === 'truncated') return { ...response, body: firstHalf(response).toString() }
  // Padded with spaces it stays valid JSON: only a reader with a size limit rejects it.
  if (kind === 'huge') return { ...response, body: serializeBody(response).padEnd(hugeBytes) }
  return response
}

/** Sends the headers and half the body, then nothing more. */
function stallResponse(reply: FastifyReply, response: ApiResponse): undefined {
  reply.hijack()
  reply.raw.writeHead(response.status, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': getContentType(response),
    'content-length': Buffer.byteLength(serializeBody(response)),
    ...response.headers,
  })
  reply.raw.write(firstHalf(response))
}

function resetConnection(reply: FastifyReply): undefined {
  reply.hijack()
  reply.raw.socket?.resetAndDestroy()
}

export function sendResponse(reply: FastifyReply, response: ApiResponse): FastifyReply {
  void reply.code(response.status).headers(response.headers ?? {})
  return response.body === undefined
    ? reply.send()
    : reply.type(getContentType(response)).send(serializeBody(response))
}

const serializeBody = ({ body }: ApiResponse): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)

const getContentType = ({ type = 'application/json' }: ApiResponse): string =>
  `${type}; charset=utf-8`

function firstHalf(response: ApiResponse): Buffer {
  const bytes = Buffer.from(serializeBody(response))
  return bytes.subarray(0, Math.ceil(bytes.length / 2))
}

const renderPage = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`
