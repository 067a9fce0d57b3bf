import { apiRoutes } from '#contract/paths.ts'
import {
  objectUrl,
  type PictureKind,
  sizedPicture,
  type UploadAddress,
} from '#contract/pictures.ts'
import type { RefusalBody } from '#contract/refusals.ts'
import { callServer } from '#web/api.ts'

type UploadErrorDetails = {
  /** 0 if there was no response. */
  status?: number
  /** A message for users, from our own server. */
  userMessage?: string | undefined
  retryAfterMs?: number | undefined
}

/** A failed attempt to store or check the file. Its `message` is technical. */
export class UploadError extends Error {
  readonly status: number
  readonly userMessage: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(message: string, details: UploadErrorDetails = {}, cause?: unknown) {
    super(message, { cause })
    this.name = 'UploadError'
    this.status = details.status ?? 0
    this.userMessage = details.userMessage
    this.retryAfterMs = details.retryAfterMs
  }
}

const expiredMessage = 'Request has expired'

export function isExpired({ status, message }: Pick<UploadError, 'status' | 'message'>): boolean {
  return status === 403 && message === expiredMessage
}

export function createExpiredError(): UploadError {
  return new UploadError(expiredMessage, { status: 403 })
}

export function createNetworkError(cause?: unknown): UploadError {
  return new UploadError('Unknown error', {}, cause)
}

/** Our own server answers in JSON with a message for users, an S3 storage in XML without one. */
export function parseUploadError(
  status: number,
  body: string,
  retryAfter: string | null | undefined,
): UploadError {
  if (status === 403 && body.includes(expiredMessage)) return createExpiredError()
  return new UploadError('Non 2xx', {
    status,
    userMessage: findUserMessage(body),
    retryAfterMs: /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : undefined,
  })
}

function findUserMessage(body: string): string | undefined {
  try {
    const refusal = JSON.parse(body) as Partial<RefusalBody> | null
    return refusal?.message || refusal?.error || undefined
  } catch {
    return undefined
  }
}

/** Not retried, like every change: only the bytes are (upload-retry.ts). */
export async function requestUploadUrl(
  kind: PictureKind,
  signal: AbortSignal,
): Promise<UploadAddress> {
  const response = await callServer('POST', apiRoutes.upload, { kind }, signal)
  return (await response.json()) as UploadAddress
}

/** A connection without progress for this long counts as dead. */
const maxIdleMs = 60_000

type PutFileOptions = {
  url: string | undefined
  file: Blob
  onProgress: (bytesSent: number) => void
  signal: AbortSignal
}

/** One attempt. XMLHttpRequest, because fetch does not report upload progress. */
export function putFile({ url, file, onProgress, signal }: PutFileOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    if (!url) return reject(new UploadError('Cannot upload to an undefined URL', { status: 400 }))
    if (file.size === 0) return reject(new UploadError('File data is empty', { status: 400 }))

    const request = new XMLHttpRequest()
    const cancel = () => finish(() => reject(signal.reason))
    const expire = () => finish(() => reject(createExpiredError()))
    let idleTimer = setTimeout(expire, maxIdleMs)

    function finish(settle: () => void) {
      clearTimeout(idleTimer)
      signal.removeEventListener('abort', cancel)
      settle()
      request.abort()
    }

    signal.addEventListener('abort', cancel)
    request.upload.addEventListener('progress', ({ loaded }) => {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(expire, maxIdleMs)
      onProgress(loaded)
    })
    request.addEventListener('error', () => finish(() => reject(createNetworkError())))
    request.addEventListener('load', () => {
      const { status, responseText } = request
      const isOk = status >= 200 && status < 300
      const error = parseUploadError(status, responseText, findRetryAfter(request))
      finish(() => (isOk ? resolve() : reject(error)))
    })
    request.open('PUT', url)
    request.send(file)
  })
}

/** Reads all headers: asking for one that another origin hides logs an error to the console. */
function findRetryAfter(request: XMLHttpRequest): string | undefined {
  const name = 'retry-after:'
  const lines = request.getAllResponseHeaders().split('\r\n')
  return lines
    .find((line) => line.toLowerCase().startsWith(name))
    ?.slice(name.length)
    .trim()
}

/** The server inspects a picture in S3 when it is first requested, so request it now and report what it says. */
export async function checkPicture(objectPath: string, signal: AbortSignal): Promise<void> {
  let response: Response
  try {
    response = await fetch(sizedPicture(objectUrl(objectPath), 'thumb'), { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw createNetworkError(error)
  }
  const { ok, status, headers } = response
  if (!ok) throw parseUploadError(status, await response.text(), headers.get('retry-after'))
  await response.arrayBuffer()
}
