import type { QueryFunction } from '@tanstack/react-query'

import { readAtHeader } from '#contract/news.ts'
import type { RefusalBody, RefusalCode } from '#contract/refusals.ts'

/** The server answered with an error status. Any other error means that no answer came. */
export class ApiError extends Error {
  readonly status: number
  readonly body: string
  /** Empty where the answer is not the shop's own, such as a proxy's error page. */
  readonly refusal: Partial<RefusalBody>
  /** In seconds, if the server sent it. */
  readonly retryAfter: number | undefined

  constructor(status: number, statusText: string, body: string, retryAfter?: number) {
    super(`${status}: ${body || statusText}`)
    this.name = 'ApiError'
    this.status = status
    this.body = body
    this.refusal = parseRefusal(body)
    this.retryAfter = retryAfter
  }
}

/** Sends cookies and a JSON body; throws an ApiError unless the status is 2xx. */
export async function callServer(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  extraHeaders: Record<string, string> = {},
): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: 'include',
    signal: signal ?? null,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...extraHeaders },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (response.ok) {
    noteRead(method, path, response)
    return response
  }
  const { status, statusText, headers } = response
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  const retryAfter = Number.isNaN(seconds) ? undefined : seconds
  throw new ApiError(status, statusText, await response.text(), retryAfter)
}

/** When the server began to read the last answer of each path (readAtHeader). Only admins are told. */
const readTimes = new Map<string, number>()

function noteRead(method: string, path: string, { headers }: Response): void {
  const readAt = Number(headers.get(readAtHeader))
  if (method === 'GET' && readAt) readTimes.set(path, readAt)
}

export function findReadAt(path: string): number | undefined {
  return readTimes.get(path)
}

/** Nothing that is shown was read before. */
export function findOldestRead(): number | undefined {
  return readTimes.size > 0 ? Math.min(...readTimes.values()) : undefined
}

/** With the answers themselves. */
export function forgetReads(): void {
  readTimes.clear()
}

/** Leaves out empty values. Starts with the question mark; empty when all values are. */
export function formatQuery(values: Record<string, string | undefined>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) params.set(name, value)
  return params.size > 0 ? `?${params}` : ''
}

type QueryOptions = {
  on401: 'throw' | 'returnNull'
  /** Throws if the answer is not what pages can show. */
  check?: (path: string, answer: unknown) => void
}

/** Fetches the path made of the query key's parts. */
export function getQueryFn<Answer>({ on401, check }: QueryOptions): QueryFunction<Answer> {
  return async ({ queryKey }) => {
    try {
      const path = queryKey.join('/')
      const answer: unknown = await (await callServer('GET', path)).json()
      check?.(path, answer)
      return answer as Answer
    } catch (error) {
      if (on401 === 'returnNull' && error instanceof ApiError && error.status === 401) {
        return null as Answer
      }
      throw error
    }
  }
}

export function isUnauthorized(error: Error): boolean {
  return error.message.startsWith('401: ') && error.message.includes('Unauthorized')
}

/** The refusal that the server sent; empty for any other error. */
export function refusalOf(error: unknown): Partial<RefusalBody> {
  return error instanceof ApiError ? error.refusal : {}
}

export function refusalText(error: unknown): string | undefined {
  const { message, error: sameText } = refusalOf(error)
  return message || sameText || undefined
}

export function refusalCode(error: unknown): RefusalCode | undefined {
  return refusalOf(error).code
}

function parseRefusal(body: string): Partial<RefusalBody> {
  try {
    const refusal: unknown = JSON.parse(body)
    return typeof refusal === 'object' && refusal !== null ? refusal : {}
  } catch {
    return {}
  }
}

/** For what several calls belong to. A random UUID; crypto.randomUUID exists on HTTPS only. */
export function createRandomId(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
