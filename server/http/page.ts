import { randomBytes } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { memoize } from '#server/memoize.ts'
import { toBuffer, toBytes, type ReadyAnswer } from './express-lane.ts'
import { listAllHeaders, type Policy } from './security-headers.ts'

const noncePlaceholder = '__CSP_NONCE__'

/**
 * A page is the same for everybody but for its nonce, which stands at its end: everything before it is compressed once,
 * however often the page is sent. Both are kept as `toBytes` makes them.
 */
export type Page = {
  start: string
  /** What follows the nonce. */
  end: string
  /** From the first time on that somebody takes it compressed. */
  compressed?: CompressedPage
}

/** As Page; every nonce is as long as the other, so the lengths in it are always the same. */
type CompressedPage = {
  start: string
  /** The checksum of the start, from which that of the whole page is computed. */
  checksum: number
  /** How long the whole page is, at the very end. */
  length: string
}

export function createPage(html: string): Page {
  // The last one is ours, whatever texts of the owner stand before it.
  const at = html.lastIndexOf(noncePlaceholder)
  return {
    start: toBytes(Buffer.from(html.slice(0, at))),
    end: toBytes(Buffer.from(html.slice(at + noncePlaceholder.length))),
  }
}

export function sendPage(reply: FastifyReply, page: Page, policy: Policy): FastifyReply {
  const { nonce, isCompressed, body } = writePage(page, reply.request.headers)
  reply.headers({ ...pageHeaders, 'content-security-policy': policy(nonce) })
  if (isCompressed) reply.header('content-encoding', 'gzip')
  return reply.send(toBuffer(body))
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  vary: 'accept-encoding',
}

/** Of every page; the policy is that of one nonce. */
const allHeaders = listAllHeaders(pageHeaders, ['content-security-policy'])

/** A page without Fastify. */
export function createReadyPage(
  page: Page,
  policy: Policy,
  headers: IncomingHttpHeaders,
): ReadyAnswer {
  const { nonce, isCompressed, body } = writePage(page, headers)
  const own = [...allHeaders, 'content-security-policy', policy(nonce)]
  if (isCompressed) own.push('content-encoding', 'gzip')
  return { headers: own, body }
}

function writePage(page: Page, { 'accept-encoding': accepted }: IncomingHttpHeaders) {
  const nonce = createNonce()
  const isCompressed = takesGzip(accepted ?? '')
  const body = isCompressed ? gzip(page, nonce) : `${page.start}${nonce}${page.end}`
  return { nonce, isCompressed, body }
}

/** 18 bytes: Base64 without padding. */
const nonceBytes = 18
const nonceLength = 24
let nonces = ''

/** Random bytes cost as much for one page as for 256. None is ever used twice. */
function createNonce(): string {
  if (nonces === '') nonces = randomBytes(256 * nonceBytes).toString('base64')
  const nonce = nonces.slice(0, nonceLength)
  nonces = nonces.slice(nonceLength)
  return nonce
}

/** Browsers say the same all the time. */
const takesGzip = memoize(100, (accepted): boolean =>
  accepted.split(',').some((entry) => {
    const [coding, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    return coding === 'gzip' && Number(weight) > 0
  }),
)

/** RFC 1952: compressed with deflate, no file name, no time. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/** The compressed start, then the end as it is: in a last block of its own that is stored, not compressed (RFC 1951). */
function gzip(page: Page, nonce: string): string {
  const { start, checksum, length } = (page.compressed ??= compress(page))
  const end = nonce + page.end
  checksumBytes.writeUInt32LE(crc32(toBuffer(end), checksum))
  return start + end + toBytes(checksumBytes) + length
}

const checksumBytes = Buffer.alloc(4)

function compress(page: Page): CompressedPage {
  const start = toBuffer(page.start)
  const endLength = nonceLength + page.end.length
  const lastBlock = Buffer.alloc(5)
  lastBlock.writeUInt8(1)
  lastBlock.writeUInt16LE(endLength, 1)
  lastBlock.writeUInt16LE(~endLength & 0xff_ff, 3)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(start.length + endLength)
  const compressed = deflateRawSync(start, { finishFlush: constants.Z_SYNC_FLUSH })
  return {
    start: toBytes(Buffer.concat([gzipHeader, compressed, lastBlock])),
    checksum: crc32(start),
    length: toBytes(length),
  }
}
