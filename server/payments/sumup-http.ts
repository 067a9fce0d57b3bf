import { ProviderAway, circuitBreaker } from './circuit-breaker.ts'
import { readSumupError } from './sumup-answers.ts'

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
  mostBytes?: number
}

/**
 * HTTP as SumUp speaks it. Whatever leaves the outcome open (no answer, half an answer, a fault of
 * theirs, too many requests) is ProviderAway; a definite no is SumupRefusal.
 */
export function sumupHttp(account: { apiUrl: string; apiKey: string }) {
  const guarded = circuitBreaker()

  return (request: SumupRequest): Promise<unknown> => guarded(() => ask(account, request))
}

async function ask(
  account: { apiUrl: string; apiKey: string },
  request: SumupRequest,
): Promise<unknown> {
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
    const text = await readBounded(response, request.mostBytes ?? largestAnswerBytes)
    const isBusy = response.status === 429
    if (response.status >= 500 || isBusy || response.status === 408) {
      throw new ProviderAway(`SumUp answered ${response.status}`, { isBusy })
    }
    if (response.ok) return text === '' ? undefined : JSON.parse(text)
    const { code, text: reason } = readSumupError(parseOrNothing(text))
    throw new SumupRefusal(response.status, code, reason)
  } catch (error) {
    if (error instanceof ProviderAway || error instanceof SumupRefusal) throw error
    throw new ProviderAway(`SumUp could not be asked: ${describe(error)}`, { cause: error })
  }
}

async function readBounded(response: Response, mostBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > mostBytes) throw new ProviderAway('SumUp answered with far too much')
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
