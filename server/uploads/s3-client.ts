import { AwsClient } from 'aws4fetch'
import { Refusal } from '#contract/refusals.ts'

export type S3Settings = {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

type Call = { method: string; body?: Blob | Buffer | string; headers?: Record<string, string> }

export type S3Client = {
  /** An answer of success, or one that says there is no such thing (404). */
  call: (path: string, call: Call) => Promise<Response>
  /** An address with which anyone can do this one thing for so many seconds. */
  presign: (path: string, method: string, seconds: number) => Promise<string>
}

/** A store that has not begun to answer by then is away; bodies of ours take longer to send. */
const answerMs = 10_000
const answerToBodyMs = 120_000
/** Over all, body included: nothing hangs on a store for longer than this. */
const wholeMs = 180_000
const longestComplaint = 500

/** Path-style addresses, which every S3-compatible store understands. */
export function openS3Client({ endpoint, bucket, ...access }: S3Settings): S3Client {
  const signer = new AwsClient({ ...access, service: 's3' })
  const base = `${endpoint.replace(/\/+$/, '')}/${bucket}`

  async function call(path: string, { method, body, headers = {} }: Call): Promise<Response> {
    // The body itself is not signed, so that it can be sent as it is read.
    const request = await signer.sign(base + path, {
      method,
      headers,
      ...(body && { body: body as Blob | string }),
    })
    const slow = new AbortController()
    const timer = setTimeout(
      () => slow.abort(new Error('the store took too long to answer')),
      body ? answerToBodyMs : answerMs,
    )
    const signal = AbortSignal.any([slow.signal, AbortSignal.timeout(wholeMs)])
    try {
      const response = await fetch(request, { signal, redirect: 'error' })
      if (response.ok) return response
      const complaint = (await readText(response)).slice(0, longestComplaint)
      if (response.status === 404 && !complaint.includes('NoSuchBucket')) return response
      throw new Error(`the store answered ${method} with ${response.status}: ${complaint}`)
    } catch (cause) {
      throw new Refusal('pictures-away', { cause, retryAfter: 5 })
    } finally {
      clearTimeout(timer)
    }
  }

  async function presign(path: string, method: string, seconds: number): Promise<string> {
    const url = new URL(base + path)
    url.searchParams.set('X-Amz-Expires', String(seconds))
    return (await signer.sign(url, { method, aws: { signQuery: true } })).url
  }

  return { call, presign }
}

/** More than any answer of a store that we read as text; pictures are streamed. */
const longestText = 4 * 1024 * 1024

export async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > longestText) throw new Error('the store answered more than can be read')
      chunks.push(chunk)
    }
  } catch (cause) {
    throw new Refusal('pictures-away', { cause, retryAfter: 5 })
  }
  return Buffer.concat(chunks).toString('utf8')
}
