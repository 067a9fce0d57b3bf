import type { RefusalBody } from '#contract/refusals.ts'

/** Why a picture did not arrive. The message is the uploader's; the sentence, if any, is for people. */
export class UploadFailure extends Error {
  /** 0 where no answer came at all. */
  readonly status: number
  readonly sentence: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    options: {
      status?: number
      sentence?: string | undefined
      retryAfterMs?: number | undefined
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'UploadFailure'
    this.status = options.status ?? 0
    this.sentence = options.sentence
    this.retryAfterMs = options.retryAfterMs
  }
}

export const hasExpired = 'Request has expired'

export function noAnswer(cause?: unknown): UploadFailure {
  return new UploadFailure('Unknown error', { cause })
}

/** Nothing moved for so long that the address counts as used up. */
export function timedOut(): UploadFailure {
  return new UploadFailure(hasExpired, { status: 403 })
}

/** Reads a refusal: our own server answers in JSON, an S3 storage in XML that is not for people. */
export function refusedWith(
  status: number,
  body: string,
  retryAfter: string | null | undefined,
): UploadFailure {
  if (status === 403 && body.includes(hasExpired)) return timedOut()
  return new UploadFailure('Non 2xx', {
    status,
    sentence: sentenceIn(body),
    retryAfterMs: secondsIn(retryAfter),
  })
}

function sentenceIn(body: string): string | undefined {
  try {
    const told = JSON.parse(body) as Partial<RefusalBody> | null
    return told?.message || told?.error || undefined
  } catch {
    return undefined
  }
}

function secondsIn(retryAfter: string | null | undefined): number | undefined {
  return /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : undefined
}
