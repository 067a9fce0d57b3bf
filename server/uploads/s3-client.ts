import { AwsClient } from 'aws4fetch'
import { Refusal } from '#contract/refusals.ts'

export type S3Settings = {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

type S3Request = { method: string; body?: Blob | Buffer | string; headers?: Record<string, string> }

export type S3Client = {
  /** A successful response, or a 404. Anything else is refused as pictures-away. */
  send: (path: string, request: S3Request) => Promise<Response>
  presign: (path: string, method: string, seconds: number) => Promise<string>
}

/** Until the response begins; longer where we send a body. */
const responseTimeoutMs = 10_000
const bodyTimeoutMs = 120_000
/** For the whole exchange, including the response body. */
const totalTimeoutMs = 180_000
const maxErrorLength = 500
/** For responses read as text; pictures are streamed. */
const maxTextBytes = 4 * 1024 * 1024

/** Uses path-style URLs, which every S3-compatible store understands. */
export function openS3Client({ endpoint, bucket, ...access }: S3Settings): S3Client {
  const signer = new AwsClient({ ...access, service: 's3' })
  const base = `${endpoint.replace(/\/$/, '')}/${bucket}`

  async function send(path: string, { method, body, headers = {} }: S3Request): Promise<Response> {
    // The body itself is not signed, so that it can be streamed.
    const request = await signer.sign(base + path, {
      method,
      headers,
      ...(body && { body: body as Blob | string }),
    })
    const waiting = new AbortController()
    const timer = setTimeout(
      () => waiting.abort(new Error('the store took too long to answer')),
      body ? bodyTimeoutMs : responseTimeoutMs,
    )
    const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(totalTimeoutMs)])
    try {
      const response = await fetch(request, { signal, redirect: 'error' })
      if (response.ok) return response
      const message = (await readText(response)).slice(0, maxErrorLength)
      if (response.status === 404 && !message.includes('NoSuchBucket')) return response
      throw new Error(`the store answered ${method} with ${response.status}: ${message}`)
    } catch (cause) {
      throw storeUnavailable(cause)
    } finally {
      clearTimeout(timer)
    }
  }

  async function presign(path: string, method: string, seconds: number): Promise<string> {
    const url = new URL(base + path)
    url.searchParams.set('X-Amz-Expires', String(seconds))
    return (await signer.sign(url, { method, aws: { signQuery: true } })).url
  }

  return { send, presign }
}

export async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxTextBytes) throw new Error('the store answered more than can be read')
      chunks.push(chunk)
    }
  } catch (cause) {
    throw storeUnavailable(cause)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function storeUnavailable(cause: unknown): Refusal {
  return new Refusal('pictures-away', { cause, retryAfter: 5 })
}

/** The content of every element with this name. S3's answers are flat enough to need no XML parser. */
export function findElements(xml: string, name: string): string[] {
  const end = `</${name}>`
  const afterEachStart = xml.split(`<${name}>`).slice(1)
  return afterEachStart
    .filter((text) => text.includes(end))
    .map((text) => decodeXml(text.slice(0, text.indexOf(end))))
}

export function findElement(xml: string, name: string): string | undefined {
  return findElements(xml, name)[0]
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function decodeXml(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole
    return String.fromCodePoint(Number.parseInt(decimal ?? hex, decimal ? 10 : 16))
  })
}

export function encodeXml(text: string): string {
  return text.replaceAll(/[<>"'&]/g, (character) => `&#${character.codePointAt(0)};`)
}
