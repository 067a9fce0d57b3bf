import { createHash, createHmac } from 'node:crypto'
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after } from 'node:test'
import { temporaryFolder } from './temporary-folder.ts'

type Context = { req: IncomingMessage; status: number; type: string; body: unknown }
type S3Object = { bucket: string; key: string; content: Readable | Buffer; metadata: object }
type S3rver = {
  middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
  store: {
    getResourcePath: (bucket: string, key: string | undefined, resource: string) => string
    putMetadata: (bucket: string, key: string, metadata: object, md5: string) => Promise<void>
    putObject: (object: S3Object) => Promise<Written>
    putPart: (bucket: string, uploadId: string, part: string, bytes: Readable) => Promise<Written>
  }
  run: () => Promise<{ port: number }>
  close: () => Promise<void>
}
type Written = { size: number; md5: string }

const bucket = 'pictures'
/** The only access key and secret that s3rver knows. */
const access = 'S3RVER'

type S3Options = { /** The origin whose pages may upload. */ uploadsFrom?: string }

/** An S3 server with a bucket, on its own port, until the tests of the file end. */
export async function startS3(options: S3Options = {}) {
  const server = await openS3Server(temporaryFolder(), options)
  after(server.stop)
  return server
}

export async function openS3Server(directory: string, { uploadsFrom }: S3Options = {}) {
  const Server = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver
  const configs = uploadsFrom ? [allowUploads(uploadsFrom)] : []
  const options = {
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket, configs }],
  }
  let server: S3rver | undefined
  let port = 0
  async function start(): Promise<void> {
    server = new Server({ address: '127.0.0.1', port, directory, ...options })
    const { store, middleware } = server
    const folderOf = (uploadId: string) =>
      join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId)
    middleware.unshift(checkSignatures, (context, next) => handleMultipart(context, next, folderOf))
    writeBeforeAnswering(store, folderOf)
    ;({ port } = await server.run())
  }
  async function stop(): Promise<void> {
    const closing = server
    server = undefined
    await closing?.close()
  }
  await start()
  return {
    stop,
    /** Starts again after a stop, with the same content and address. */
    start,
    /** Names of all objects in the bucket. */
    list: () =>
      readdirSync(join(directory, bucket), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.replace('._S3rver_object', ''))
        .toSorted(),
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: access,
      S3_SECRET_ACCESS_KEY: access,
    },
  }
}

/** The rules that the README asks for. */
function allowUploads(origin: string): string {
  return `<CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><CORSRule><AllowedOrigin>${origin}</AllowedOrigin>
    <AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader></CORSRule></CORSConfiguration>`
}

async function checkSignatures(context: Context, next: () => Promise<void>): Promise<void> {
  // A browser asks unsigned whether it may send.
  if (context.req.method === 'OPTIONS' || isSigned(context.req, access)) return next()
  refuse(context, 403, 'SignatureDoesNotMatch')
}

/** What s3rver lacks for multipart uploads: listing and aborting them, and 404 for unknown ones. */
async function handleMultipart(
  context: Context,
  next: () => Promise<void>,
  folderOf: (uploadId: string) => string,
): Promise<void> {
  const { method, url = '' } = context.req
  const uploadId = new URL(url, 'http://store').searchParams.get('uploadId')
  if (uploadId === null) return next()
  const folder = folderOf(uploadId)
  if (!existsSync(folder)) return refuse(context, 404, 'NoSuchUpload')
  if (method === 'DELETE') {
    rmSync(folder, { recursive: true })
    context.status = 204
  } else if (method === 'GET') {
    const numbers = readdirSync(folder).filter((name) => /^\d+$/.test(name))
    const parts = numbers.map((number) => {
      const [path, md5] = [
        join(folder, number),
        readFileSync(join(folder, `${number}.md5`), 'utf8'),
      ]
      return `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${md5}&quot;</ETag><Size>${statSync(path).size}</Size></Part>`
    })
    context.type = 'application/xml'
    context.body = `<ListPartsResult><IsTruncated>false</IsTruncated>${parts.join('')}</ListPartsResult>`
  } else {
    await next()
  }
}

/** s3rver answers before the file is written, so that a read right after it would see half of the file. */
function writeBeforeAnswering(
  store: S3rver['store'],
  folderOf: (uploadId: string) => string,
): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const written = await write(content, store.getResourcePath(bucket, key, 'object'))
    await store.putMetadata(bucket, key, metadata, written.md5)
    return written
  }
  store.putPart = async (_bucket, uploadId, part, bytes) => {
    const path = join(folderOf(uploadId), part)
    const written = await write(bytes, path)
    await writeFile(`${path}.md5`, written.md5)
    return written
  }
}

async function write(content: Readable | Buffer, path: string): Promise<Written> {
  await mkdir(dirname(path), { recursive: true })
  const hash = createHash('md5')
  const source = Buffer.isBuffer(content) ? Readable.from([content]) : content
  await pipeline(
    source,
    async function* (chunks) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    createWriteStream(path, { highWaterMark: 1024 * 1024 }),
  )
  return { size: statSync(path).size, md5: hash.digest('hex') }
}

function refuse(context: Context, status: number, code: string): void {
  context.status = status
  context.type = 'application/xml'
  context.body = `<Error><Code>${code}</Code></Error>`
}

/**
 * Whether a request is signed with the secret. Implements AWS Signature Version 4 independently of the library that
 * signs, since s3rver accepts any signature.
 */
function isSigned({ method = '', url = '', headers }: IncomingMessage, secret: string) {
  const { pathname, searchParams } = new URL(url, 'http://store')
  const signed = findHeaderSignature(headers.authorization) ?? findQuerySignature(searchParams)
  if (!signed) return false
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
  const date = String(headers['x-amz-date'] ?? searchParams.get('X-Amz-Date'))
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), digest].join('\n')
  const key = scope.reduce<string | Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    `AWS4${secret}`,
  )
  return createHmac('sha256', key).update(text).digest('hex') === signed.signature
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
