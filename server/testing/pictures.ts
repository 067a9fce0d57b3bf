import { createCipheriv, createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { apiRoutes } from '#contract/paths.ts'
import {
  objectUrl,
  sizedPicture,
  type PictureKind,
  type UploadAddress,
} from '#contract/pictures.ts'
import type { UploadLimits } from '#server/uploads/picture-store.ts'
import { startS3 } from './s3-server.ts'
import { openTestShop, type TestShop } from './test-shop.ts'

export type Answer = { status: number; headers: Headers; body: Buffer; message: string | undefined }

/** A shop, and the requests with which a signed-in admin's browser uploads a picture. */
export type PictureClient = {
  shop: TestShop
  admin: { cookie: string }
  start: (kind?: PictureKind) => Promise<UploadAddress>
  /** PUT to an upload URL, which is of the shop or of S3. */
  send: (url: string, bytes: Buffer) => Promise<Answer>
  get: (path: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD') => Promise<Answer>
  /** The MD5 of what was uploaded, as the shop keeps it. */
  readUploaded: (key: string) => Promise<string | undefined>
  /** Starts and sends an upload; answers what the shop says of the picture. */
  upload: (bytes: Buffer, kind?: PictureKind) => Promise<Answer & { key: string }>
}

/** Two shops, one with each store, to run the same tests with. */
export async function openBothStores(uploadLimits: Partial<UploadLimits> = {}) {
  const s3 = await startS3()
  const disk = await openPictureClient(await openTestShop({ uploadLimits }))
  const bucket = await openPictureClient(
    await openTestShop({ uploadLimits, environment: s3.environment }),
  )
  return { s3, clients: { disk, S3: bucket } }
}

export async function openPictureClient(shop: TestShop): Promise<PictureClient> {
  const { app } = shop
  const admin = await shop.signIn()
  const isS3 = shop.shop.config.pictureStore !== undefined

  async function request(
    method: 'GET' | 'HEAD' | 'PUT' | 'POST',
    url: string,
    headers: Record<string, string>,
    payload?: Buffer,
  ): Promise<Answer> {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return toAnswer(answer.statusCode, new Headers(answer.headers as never), answer.rawPayload)
  }
  async function start(kind?: PictureKind): Promise<UploadAddress> {
    const payload = kind && { payload: { kind } }
    const answer = await app.inject({
      method: 'POST',
      url: apiRoutes.upload,
      headers: admin,
      ...payload,
    })
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json()
  }
  async function send(url: string, bytes: Buffer): Promise<Answer> {
    const { host, pathname, search } = new URL(url)
    // Content types are not trusted, so the tests always send a wrong one.
    const headers = { 'content-type': 'application/json' }
    if (host.startsWith('localhost')) return request('PUT', pathname + search, headers, bytes)
    const answer = await fetch(url, {
      method: 'PUT',
      body: bytes as Uint8Array<ArrayBuffer>,
      headers,
    })
    return toAnswer(answer.status, answer.headers, Buffer.from(await answer.arrayBuffer()))
  }
  const get: PictureClient['get'] = (path, headers = {}, method = 'GET') =>
    request(method, path, headers)

  return {
    shop,
    admin,
    start,
    send,
    get,
    async readUploaded(key) {
      const hash = createHash('md5')
      const file = await shop.shop.pictures.store.findFile(key)
      for await (const chunk of file?.bytes ?? []) hash.update(chunk)
      return file && hash.digest('hex')
    },
    async upload(bytes, kind) {
      const { objectPath: key, uploadURL } = await start(kind)
      const sent = await send(uploadURL, bytes)
      const isAcceptedLater = isS3 && sent.status === 200
      return { key, ...(isAcceptedLater ? await get(sizedPicture(objectUrl(key), 'thumb')) : sent) }
    },
  }
}

function toAnswer(status: number, headers: Headers, body: Buffer): Answer {
  const isJson = headers.get('content-type')?.startsWith('application/json')
  const message = isJson ? JSON.parse(body.toString()).message : undefined
  return { status, headers, body, message }
}

/** The same noise every time. It cannot be compressed and contains nothing that looks like markup. */
export function noise(width: number, height: number): Sharp {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16))
  const data = cipher.update(Buffer.alloc(width * height * 3))
  return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
}

/** An animation of black and white frames. */
export function animate(side: number, count: number): Sharp {
  // The frames are one below the other.
  const frames = Array.from({ length: count }, (_, at) => Buffer.alloc(side * side, (at % 2) * 255))
  return sharp(Buffer.concat(frames), {
    raw: { width: side, height: side * count, channels: 1, pageHeight: side },
  })
}

/** An animation of one pixel. */
export function createGif(frames: number): Buffer {
  const header = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  const frame = Buffer.from('21f90400000000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([header, ...Array.from({ length: frames }, () => frame), Buffer.from(';')])
}

export async function createPng(bytes: number): Promise<Buffer> {
  const small = await noise(8, 8).png().toBuffer()
  const end = small.length - 12
  const padding = pngChunk('tEXt', Buffer.alloc(bytes - small.length - 12, 'x'))
  return Buffer.concat([small.subarray(0, end), padding, small.subarray(end)])
}

/** A PNG that is small as a file and huge when decoded. */
export function createPngBomb(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const lines = deflateSync(Buffer.alloc((side / 8 + 1) * side), { level: 1 })
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', lines),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  const check = Buffer.alloc(4)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
