import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'
import { freePort } from './running-shop.ts'

const bucket = 'pictures'
const secret = 'a secret of the store'

type S3Options = { /** The origin whose pages may upload. */ uploadsFrom?: string }
type Stored = { bytes: Buffer; type: string; modifiedAt: Date }
type Upload = { key: string; parts: Map<number, Buffer> }
type Answer = { status: number; headers?: Record<string, string>; body?: Buffer | string }

/** An S3 server with a bucket, on its own port, until the tests of the file end. */
export async function startS3(options: S3Options = {}) {
  const server = await openS3Server(options)
  after(server.stop)
  return server
}

/** What the shop uses of S3, in memory. */
export async function openS3Server({ uploadsFrom }: S3Options = {}) {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, Upload>()
  let server: Server | undefined
  // One that no outgoing connection is given while the server is down.
  const port = await freePort()

  async function start(): Promise<void> {
    server = createServer((request, response) => {
      answer(request).then(
        ({ status, headers, body = '' }) =>
          response.writeHead(status, { ...headers, 'content-length': body.length }).end(body),
        // The client went away while it was sending.
        () => response.destroy(),
      )
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  async function stop(): Promise<void> {
    const closing = server
    server = undefined
    if (!closing) return
    closing.close()
    closing.closeAllConnections()
    await once(closing, 'close')
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { method, url = '', headers } = request
    // A browser asks unsigned whether it may send.
    if (method === 'OPTIONS') return answerPreflight(headers.origin, uploadsFrom)
    if (!isSigned(request)) return refuse(403, 'SignatureDoesNotMatch')
    const { pathname, searchParams: query } = new URL(url, 'http://store')
    const [, name, ...path] = pathname.split('/')
    if (name !== bucket) return refuse(404, 'NoSuchBucket')
    const key = decodeURIComponent(path.join('/'))
    if (key === '')
      return method === 'GET' ? listObjects(query.get('prefix') ?? '') : { status: 200 }
    if (query.has('uploads')) {
      const uploadId = randomUUID()
      uploads.set(uploadId, { key, parts: new Map() })
      return xml(`<UploadId>${uploadId}</UploadId>`)
    }
    const uploadId = query.get('uploadId')
    if (uploadId !== null)
      return answerUpload(request, key, uploadId, Number(query.get('partNumber')))
    return answerObject(request, key)
  }

  async function answerObject(request: IncomingMessage, key: string): Promise<Answer> {
    if (request.method === 'PUT') {
      const bytes = await buffer(request)
      const type = request.headers['content-type'] ?? 'binary/octet-stream'
      objects.set(key, { bytes, type, modifiedAt: new Date() })
      return { status: 200, headers: { etag: etagOf(bytes) } }
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return { status: 204 }
    }
    const found = objects.get(key)
    if (!found) return refuse(404, 'NoSuchKey')
    const { bytes, type } = found
    return { status: 200, headers: { 'content-type': type, etag: etagOf(bytes) }, body: bytes }
  }

  async function answerUpload(
    request: IncomingMessage,
    key: string,
    uploadId: string,
    number: number,
  ): Promise<Answer> {
    const upload = uploads.get(uploadId)
    if (upload?.key !== key) return refuse(404, 'NoSuchUpload')
    const { parts } = upload
    const { method = '' } = request
    switch (method) {
      case 'PUT': {
        const bytes = await buffer(request)
        parts.set(number, bytes)
        return { status: 200, headers: { etag: etagOf(bytes) } }
      }
      case 'GET':
        return xml(
          [...parts]
            .toSorted(([a], [b]) => a - b)
            .map(showPart)
            .join(''),
        )
      case 'DELETE':
        uploads.delete(uploadId)
        return { status: 204 }
      default: {
        const named = (await buffer(request)).toString().matchAll(/<PartNumber>(\d+)</g)
        const chosen = [...named].map(([, part]) => parts.get(Number(part)))
        if (chosen.includes(undefined)) return refuse(400, 'InvalidPart')
        const bytes = Buffer.concat(chosen.filter((part) => part !== undefined))
        objects.set(key, { bytes, type: 'binary/octet-stream', modifiedAt: new Date() })
        uploads.delete(uploadId)
        return xml(`<Key>${key}</Key>`)
      }
    }
  }

  function listObjects(prefix: string): Answer {
    const found = [...objects].filter(([key]) => key.startsWith(prefix))
    return xml(
      found
        .map(
          ([key, { modifiedAt }]) =>
            `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified></Contents>`,
        )
        .join(''),
    )
  }

  await start()
  return {
    stop,
    /** Starts again after a stop, with the same content and address. */
    start,
    /** Names of all objects in the bucket. */
    list: () => [...objects.keys()].toSorted(),
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: 'tester',
      S3_SECRET_ACCESS_KEY: secret,
    },
  }
}

/** By the rules that the README asks for. */
function answerPreflight(origin: string | undefined, allowed: string | undefined): Answer {
  if (!origin || origin !== allowed) return refuse(403, 'AccessForbidden')
  const headers = {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'PUT',
    'access-control-allow-headers': '*',
  }
  return { status: 200, headers }
}

function showPart([number, bytes]: [number, Buffer]): string {
  return `<Part><PartNumber>${number}</PartNumber><ETag>${etagOf(bytes).replaceAll('"', '&quot;')}</ETag><Size>${bytes.length}</Size></Part>`
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

function xml(content: string): Answer {
  const headers = { 'content-type': 'application/xml' }
  return {
    status: 200,
    headers,
    body: `<Result><IsTruncated>false</IsTruncated>${content}</Result>`,
  }
}

function refuse(status: number, code: string): Answer {
  const headers = { 'content-type': 'application/xml' }
  return { status, headers, body: `<Error><Code>${code}</Code></Error>` }
}

/** Whether a request is signed with the secret and still valid: AWS Signature Version 4, apart from the library that signs. */
function isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
  const { pathname, searchParams } = new URL(url, 'http://store')
  const signed = findHeaderSignature(headers.authorization) ?? findQuerySignature(searchParams)
  const date = String(headers['x-amz-date'] ?? searchParams.get('X-Amz-Date'))
  const validSeconds = Number(searchParams.get('X-Amz-Expires') ?? 15 * 60)
  if (!signed || Date.now() > parseDate(date) + validSeconds * 1000) return false
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map((pair) => pair.map(encode).join('='))
    .toSorted()
    .join('&')
  const names = signed.headers.split(';')
  const canonical = [
    method,
    pathname,
    query,
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed.headers,
    headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
  ].join('\n')
  const [, ...scope] = signed.credential.split('/')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), digest].join('\n')
  const key = scope.reduce<string | Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    `AWS4${secret}`,
  )
  return createHmac('sha256', key).update(text).digest('hex') === signed.signature
}

/** 20261117T120000Z */
function parseDate(date: string): number {
  return Date.parse(date.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'))
}

function findHeaderSignature(authorization = '') {
  const [, credential, headers, signature] =
    /^AWS4-HMAC-SHA256 Credential=(.+), SignedHeaders=(.+), Signature=(\w+)$/.exec(authorization) ??
    []
  return credential && headers && signature ? { credential, headers, signature } : undefined
}

function findQuerySignature(query: URLSearchParams) {
  const [credential, headers, signature] = ['Credential', 'SignedHeaders', 'Signature'].map(
    (name) => query.get(`X-Amz-${name}`),
  )
  return credential && headers && signature ? { credential, headers, signature } : undefined
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
