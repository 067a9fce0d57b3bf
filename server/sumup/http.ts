import { readSumupError } from './answers.ts'
import { ProviderUnavailable, circuitBreaker } from './circuit-breaker.ts'

/** Larger than any answer about one sale, small enough not to hurt. */
const largestAnswerBytes = 64 * 1024

/** A no from SumUp that will stay a no. */
export class SumupRefusal extends Error {
  override readonly name = 'SumupRefusal'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, text: string) {
    super(`SumUp answered ${status} ${code}: ${text}`)
    this.status = status
    this.code = code
  }
}

export type SumupRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: unknown
  /** One deadline over headers and body. */
  withinMs: number
  /** For answers that tell of many payments at once. */
  maxBytes?: number
}

/** What the lines to one account learn about it together. */
export type AccountHealth = { isKeyRefused: boolean }

export type SumupAccount = { apiUrl: string; apiKey: string; health?: AccountHealth }

/**
 * HTTP as SumUp speaks it. Whatever leaves the outcome open (no answer, half an answer, a fault of theirs, too many
 * requests, a key that is not accepted) is ProviderUnavailable; a definite no is SumupRefusal.
 */
export function sumupHttp(account: SumupAccount) {
  const { call, isOpen, isOnTrial } = circuitBreaker()
  return {
    request: (request: SumupRequest): Promise<unknown> => call(() => ask(account, request)),
    isOpen,
    isOnTrial,
  }
}

async function ask(account: SumupAccount, request: SumupRequest): Promise<unknown> {
  const { method, path, body, withinMs } = request
  try {
    const response = await fetch(`${account.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${account.apiKey}`,
        accept: 'application/problem+json, application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(withinMs),
    })
    const text = await readBounded(response, request.maxBytes ?? largestAnswerBytes)
    const { status } = response
    if (status >= 500 || status === 408) throw new ProviderUnavailable(`SumUp answered ${status}`)
    if (status === 429) {
      const retryAfterSeconds = readRetryAfter(response)
      throw new ProviderUnavailable('SumUp answered 429', { retryAfterSeconds })
    }
    const isKeyRefused = status === 401 || status === 403
    if (account.health) account.health.isKeyRefused = isKeyRefused
    if (response.ok) return text === '' ? undefined : JSON.parse(text)
    const { code, text: reason } = readSumupError(parseOrNothing(text))
    const refusal = new SumupRefusal(status, code, reason)
    if (isKeyRefused)
      throw new ProviderUnavailable(refusal.message, { cause: refusal, isKeyRefused })
    throw refusal
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof SumupRefusal) throw error
    throw new ProviderUnavailable(`SumUp could not be asked: ${describe(error)}`, { cause: error })
  }
}

/** In seconds, or until a date. A provider that says nothing gets a second. */
function readRetryAfter(response: Response): number {
  const told = response.headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(told) ? Number(told) : (Date.parse(told) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 1
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > maxBytes) throw new ProviderUnavailable('SumUp answered with far too much')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without addresses or bodies: this goes into the log. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code =
    error.cause instanceof Error && 'code' in error.cause ? ` ${String(error.cause.code)}` : ''
  return `${error.name}${code}`
}
