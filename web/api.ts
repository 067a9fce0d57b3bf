import type { QueryFunction } from '@tanstack/react-query'

import type { RefusalBody, RefusalCode } from '#contract/refusals.ts'

/** The server answered, and the answer was no. Anything else that is thrown never reached it. */
export class FailedCall extends Error {
  readonly status: number
  readonly body: string
  /** What the shop said. Empty where the answer was not its own, such as a proxy's error page. */
  readonly refusal: Partial<RefusalBody>
  /** After how many seconds the server wants to be asked again, if it said so. */
  readonly retryAfter: number | undefined

  constructor(status: number, statusText: string, body: string, retryAfter?: number) {
    super(`${status}: ${body || statusText}`)
    this.name = 'FailedCall'
    this.status = status
    this.body = body
    this.refusal = readRefusal(body)
    this.retryAfter = retryAfter
  }
}

/** The one way to the server: cookies go along, a body travels as JSON, and any answer but OK throws. */
export async function callServer(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: 'include',
    signal: signal ?? null,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  if (!response.ok) throw await failureOf(response)
  return response
}

async function failureOf(response: Response): Promise<FailedCall> {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  const { status, statusText } = response
  return new FailedCall(
    status,
    statusText,
    await response.text(),
    Number.isNaN(seconds) ? undefined : seconds,
  )
}

/** Reads the path that the query's key parts make. Signed out is an error unless null is asked for. */
export function getQueryFn<Answer>({
  on401,
}: {
  on401: 'throw' | 'returnNull'
}): QueryFunction<Answer> {
  return async ({ queryKey }) => {
    try {
      const response = await callServer('GET', queryKey.join('/'))
      return (await response.json()) as Answer
    } catch (error) {
      if (on401 === 'returnNull' && error instanceof FailedCall && error.status === 401) {
        return null as Answer
      }
      throw error
    }
  }
}

export function isUnauthorized(error: Error): boolean {
  return error.message.startsWith('401: ') && error.message.includes('Unauthorized')
}

/** What the server said in refusing a call; empty where no answer of its own came at all. */
export function refusalOf(error: unknown): Partial<RefusalBody> {
  return error instanceof FailedCall ? error.refusal : {}
}

/** The words the server chose for its no, if it sent any. */
export function refusalText(error: unknown): string | undefined {
  const { message, error: sameWords } = refusalOf(error)
  return message || sameWords || undefined
}

/** Which no it was, for pages that go on from there. */
export function refusalCode(error: unknown): RefusalCode | undefined {
  return refusalOf(error).code
}

function readRefusal(body: string): Partial<RefusalBody> {
  try {
    const refusal: unknown = JSON.parse(body)
    return typeof refusal === 'object' && refusal !== null ? refusal : {}
  } catch {
    return {}
  }
}
