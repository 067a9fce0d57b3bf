import { createCipheriv } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import type { PictureKind, UploadAddress } from '#contract/pictures.ts'
import { apiRoutes } from '#contract/paths.ts'
import { objectUrl, sizedPicture } from '#contract/pictures.ts'
import { openTestShop, type TestShop } from '#server/testing/test-shop.ts'
import type { UploadLimits } from './limits.ts'
import { startS3 } from './test-s3-server.ts'

export type Answer = { status: number; headers: Headers; body: Buffer; message: string | undefined }

/** A shop, and what a signed-in admin's browser does to bring a picture into it. */
export type PictureDesk = {
  shop: TestShop
  admin: { cookie: string }
  start: (kind?: PictureKind) => Promise<UploadAddress>
  /** PUT to an address the shop gave, be it of the shop or of S3. */
  send: (url: string, bytes: Buffer) => Promise<Answer>
  get: (path: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD') => Promise<Answer>
  /** All of it, with the shop's last word on the picture. */
  upload: (bytes: Buffer, kind?: PictureKind) => Promise<Answer & { key: string }>
}

/** The shop on both stores, to do the same with. */
export async function openBothStores(uploadLimits: Partial<UploadLimits> = {}) {
  const s3 = await startS3()
  const disk = await openDesk(await openTestShop({ uploadLimits }))
  const bucket = await openDesk(await openTestShop({ uploadLimits, environment: s3.environment }))
  return { s3, desks: { disk, S3: bucket } }
}

export async function openDesk(shop: TestShop): Promise<PictureDesk> {
  const { app } = shop
  const admin = await shop.signIn()
  const isS3 = shop.shop.config.pictureStore !== undefined

  async function ask(
    method: 'GET' | 'HEAD' | 'PUT' | 'POST',
    url: string,
    headers: Record<string, string>,
    payload?: Buffer,
  ): Promise<Answer> {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return read(answer.statusCode, new Headers(answer.headers as never), answer.rawPayload)
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
    // Content types are not believed, so the tests lie about all of them.
    const headers = { 'content-type': 'application/json' }
    if (host.startsWith('localhost')) return ask('PUT', pathname + search, headers, bytes)
    const answer = await fetch(url, {
      method: 'PUT',
      body: bytes as Uint8Array<ArrayBuffer>,
      headers,
    })
    return read(answer.status, answer.headers, Buffer.from(await answer.arrayBuffer()))
  }
  const get: PictureDesk['get'] = (path, headers = {}, method = 'GET') => ask(method, path, headers)

  return {
    shop,
    admin,
    start,
    send,
    get,
    async upload(bytes, kind) {
      const { objectPath: key, uploadURL } = await start(kind)
      const sent = await send(uploadURL, bytes)
      const isToldLater = isS3 && sent.status === 200
      return { key, ...(isToldLater ? await get(sizedPicture(objectUrl(key), 'thumb')) : sent) }
    },
  }
}

function read(status: number, headers: Headers, body: Buffer): Answer {
  const isJson = headers.get('content-type')?.startsWith('application/json')
  const message = isJson ? JSON.parse(body.toString()).message : undefined
  return { status, headers, body, message }
}

/** The same noise every time: what cannot be compressed, and never happens to look like markup. */
export function noise(width: number, height: number): Sharp {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16))
  const data = cipher.update(Buffer.alloc(width * height * 3))
  return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
}

export async function pngOf(bytes: number): Promise<Buffer> {
  const small = await noise(8, 8).png().toBuffer()
  const end = small.length - 12
  const padding = pngChunk('tEXt', Buffer.alloc(bytes - small.length - 12, 'x'))
  return Buffer.concat([small.subarray(0, end), padding, small.subarray(end)])
}

/** A PNG that is small on the wire and huge when it is unpacked. */
export function bombPng(side: number): Buffer {
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
