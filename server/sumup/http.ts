import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, globalAgent, request as httpsRequest } from 'node:https'
import { observeSumupCall, type SumupOperation, type SumupResult } from '#server/metrics.ts'
import { parseSumupError } from './answers.ts'

/** Consecutive failures that open the circuit, and for how long. */
const failuresToOpen = 5
const openMs = 10_000
/** Further calls fail at once: a hanging provider must not block the shop. */
const maxConcurrentCalls = 64
/** An upper bound for the pause that the provider asks for. */
const maxPauseMs = 60_000

/** The outcome of a call is unknown: it may have taken effect or not. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
  /** Set if the provider works but asks for a pause. */
  readonly retryAfterSeconds: number | undefined
  /** The provider answered 401 or 403. */
  readonly isKeyRefused: boolean
  /** The call was never sent. */
  readonly isHeldBack: boolean

  constructor(
    message: string,
    options: {
      cause?: unknown
      retryAfterSeconds?: number
      isKeyRefused?: boolean
      isHeldBack?: boolean
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds
    this.isKeyRefused = options.isKeyRefused ?? false
    this.isHeldBack = options.isHeldBack ?? false
  }
}

/** After repeated failures, rejects calls immediately for a while, then lets a single trial call through. */
export function createCircuitBreaker(now: () => number = () => performance.now()) {
  let failures = 0
  let openUntil = 0
  let running = 0

  const isOpen = () => now() < openUntil
  /** The next call is the trial; one is enough. */
  const isOnTrial = () => failures >= failuresToOpen

  async function call<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isOpen())
      throw new ProviderUnavailable('SumUp does not answer; the circuit is open', {
        isHeldBack: true,
      })
    if (running >= maxConcurrentCalls)
      throw new ProviderUnavailable('SumUp is slow; too many calls are running', {
        isHeldBack: true,
      })
    // This call is the trial: until it returns, the circuit stays open for others.
    if (failures >= failuresToOpen) openUntil = now() + openMs
    running += 1
    try {
      const result = await work()
      failures = 0
      openUntil = 0
      return result
    } catch (error) {
      recordFailure(error)
      throw error
    } finally {
      running -= 1
    }
  }

  function recordFailure(error: unknown): void {
    const isUnavailable = error instanceof ProviderUnavailable && !error.isKeyRefused
    if (isUnavailable && error.retryAfterSeconds !== undefined) {
      failures = 0
      openUntil = now() + Math.min(error.retryAfterSeconds * 1000, maxPauseMs)
      return
    }
    failures = isUnavailable ? failures + 1 : 0
    openUntil = failures >= failuresToOpen ? now() + openMs : 0
  }

  return { call, isOpen, isOnTrial }
}

/** Larger than any response about one checkout. */
const maxResponseBytes = 64 * 1024

/** A definite error: repeating the call does not help. */
export class SumupRefusal extends Error {
  override readonly name = 'SumupRefusal'
  readonly status: number
  readonly code: string
  /** In SumUp's words. */
  readonly text: string
  /** The field of the request that it is about; empty if SumUp named none. */
  readonly param: string

  constructor(status: number, code: string, text: string, param = '') {
    super(`SumUp answered ${status} ${code}: ${text}`)
    this.status = status
    this.code = code
    this.text = text
    this.param = param
  }
}

export type SumupRequest = {
  operation: SumupOperation
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: unknown
  /** For headers and body together. */
  timeoutMs: number
  maxBytes?: number
}

/** Shared by all clients of one account. */
export type AccountHealth = {
  isKeyRefused: boolean
  /** Why the latest payment form was not created, for the owner. */
  formProblem?: string | undefined
}

export type SumupAccount = { apiUrl: string; apiKey: string; health?: AccountHealth }

/**
 * HTTP calls to SumUp. Everything that leaves the outcome open (no response, half a response, 5xx, 429, a rejected key)
 * throws ProviderUnavailable, a definite error SumupRefusal.
 */
export function createSumupHttp(account: SumupAccount) {
  const { call, isOpen, isOnTrial } = createCircuitBreaker()
  return {
    request: (request: SumupRequest): Promise<unknown> =>
      measure(request.operation, () => call(() => send(account, request))),
    isOpen,
    isOnTrial,
  }
}

async function measure<Result>(
  operation: SumupOperation,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now()
  const observe = (result: SumupResult) =>
    observeSumupCall(operation, result, (performance.now() - startedAt) / 1000)
  try {
    const result = await work()
    observe('ok')
    return result
  } catch (error) {
    observe(describeResult(error))
    throw error
  }
}

function describeResult(error: unknown): SumupResult {
  if (!(error instanceof ProviderUnavailable)) return 'refused'
  if (error.isHeldBack) return 'not-sent'
  if (error.isKeyRefused) return 'key-refused'
  return error.retryAfterSeconds === undefined ? 'unavailable' : 'paused'
}

async function send(account: SumupAccount, request: SumupRequest): Promise<unknown> {
  try {
    const { status, retryAfter, text } = await exchange(account, request)
    if (status >= 500 || status === 408) throw new ProviderUnavailable(`SumUp answered ${status}`)
    if (status === 429) {
      const retryAfterSeconds = parseRetryAfter(retryAfter)
      throw new ProviderUnavailable('SumUp answered 429', { retryAfterSeconds })
    }
    // Not followed: our key goes nowhere else, and no other answer is believed.
    if (status >= 300 && status < 400) throw new ProviderUnavailable(`SumUp answered ${status}`)
    const isKeyRefused = status === 401 || status === 403
    if (account.health) account.health.isKeyRefused = isKeyRefused
    if (status < 300) return text === '' ? undefined : JSON.parse(text)
    const { code, text: reason, param } = parseSumupError(tryParse(text))
    const refusal = new SumupRefusal(status, code, reason, param)
    if (isKeyRefused)
      throw new ProviderUnavailable(refusal.message, { cause: refusal, isKeyRefused })
    throw refusal
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof SumupRefusal) throw error
    throw new ProviderUnavailable(`SumUp could not be reached: ${describe(error)}`, {
      cause: error,
    })
  }
}

type Answer = { status: number; retryAfter: string | undefined; text: string }

/**
 * Idle connections are closed before SumUp may close them, at which moment a request would be lost. Where Node is told to use
 * a proxy (NODE_USE_ENV_PROXY), its own agents do, and so do these.
 */
const { proxyEnv } = globalAgent.options
const agentOptions = { keepAlive: true, timeout: 4_000, ...(proxyEnv && { proxyEnv }) }
const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) }

/** One request and its whole answer. Node's client takes half the time of `fetch`, and every sale calls twice. */
function exchange(account: SumupAccount, call: SumupRequest): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { method, path, timeoutMs, maxBytes = maxResponseBytes } = call
  const body = call.body === undefined ? undefined : JSON.stringify(call.body)
  const url = new URL(`${account.apiUrl}${path}`)
  const isEncrypted = url.protocol === 'https:'
  const request = (isEncrypted ? httpsRequest : httpRequest)(url, {
    method,
    agent: agents[isEncrypted ? 'https:' : 'http:'],
    headers: {
      authorization: `Bearer ${account.apiKey}`,
      accept: 'application/problem+json, application/json',
      'user-agent': 'till',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    },
  })
  const giveUp = (error: Error) => {
    reject(error)
    request.destroy()
  }
  const deadline = setTimeout(() => giveUp(new Error('no answer in time')), timeoutMs)
  request.on('error', reject)
  request.on('response', (response) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > maxBytes)
        giveUp(new ProviderUnavailable('SumUp sent a response that is too large'))
    })
    response.on('error', reject)
    response.on('end', () => {
      const { statusCode: status = 0, headers } = response
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status, retryAfter: headers['retry-after'], text })
    })
  })
  request.end(body)
  return promise.finally(() => clearTimeout(deadline))
}

/** Seconds or a date; without the header one second. */
function parseRetryAfter(header = ''): number {
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 1
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** For the log, so without URLs or bodies. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name
}
