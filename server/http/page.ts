import { randomBytes } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { ReadyAnswer } from './express-lane.ts'
import { listAllHeaders, type Policy } from './security-headers.ts'

const noncePlaceholder = '__CSP_NONCE__'

/**
 * A page is the same for everybody but for its nonce, which stands at its end: everything before it is compressed once,
 * however often the page is sent.
 */
export type Page = {
  start: Buffer
  /** What follows the nonce. */
  end: string
  /** Of `start`; from the first time on that somebody takes it compressed. */
  compressed?: { bytes: Buffer; checksum: number }
}

export function createPage(html: string): Page {
  // The last one is ours, whatever texts of the owner stand before it.
  const at = html.lastIndexOf(noncePlaceholder)
  return {
    start: Buffer.from(html.slice(0, at)),
    end: html.slice(at + noncePlaceholder.length),
  }
}

export function sendPage(reply: FastifyReply, page: Page, policy: Policy): FastifyReply {
  const { nonce, encoding, body } = writePage(page, reply.request.headers)
  reply.headers({ ...pageHeaders, 'content-security-policy': policy(nonce), ...encoding })
  return reply.send(Buffer.concat(body))
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
  const { nonce, encoding, body } = writePage(page, headers)
  const own = ['content-security-policy', policy(nonce), ...Object.entries(encoding).flat()]
  return { headers: [...allHeaders, ...own], body }
}

function writePage(page: Page, { 'accept-encoding': accepted }: IncomingHttpHeaders) {
  const nonce = createNonce()
  const end = Buffer.from(nonce + page.end)
  return takesGzip(accepted)
    ? { nonce, encoding: { 'content-encoding': 'gzip' }, body: gzip(page, end) }
    : { nonce, encoding: {}, body: [page.start, end] as const }
}

const nonceBytes = 16
let pool = Buffer.alloc(0)

/** Random bytes cost as much for one page as for 256. None is ever used twice. */
function createNonce(): string {
  if (pool.length === 0) pool = randomBytes(256 * nonceBytes)
  const nonce = pool.toString('base64', 0, nonceBytes)
  pool = pool.subarray(nonceBytes)
  return nonce
}

function takesGzip(accepted: string | string[] | undefined): boolean {
  const gzipEntry = /(?:^|[\s,])gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(String(accepted ?? ''))
  return gzipEntry !== null && Number(gzipEntry[1] ?? 1) > 0
}

/** RFC 1952: compressed with deflate, no file name, no time. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/** The compressed start, then the end as it is: in a last block of its own that is stored, not compressed (RFC 1951). */
function gzip(page: Page, end: Buffer): readonly [Buffer, Buffer] {
  page.compressed ??= {
    bytes: Buffer.concat([
      gzipHeader,
      deflateRawSync(page.start, { finishFlush: constants.Z_SYNC_FLUSH }),
    ]),
    checksum: crc32(page.start),
  }
  const { bytes, checksum } = page.compressed
  const block = Buffer.allocUnsafe(5 + end.length + 8)
  let at = block.writeUInt8(1, 0)
  at = block.writeUInt16LE(end.length, at)
  at = block.writeUInt16LE(~end.length & 0xff_ff, at)
  at += end.copy(block, at)
  at = block.writeUInt32LE(crc32(end, checksum), at)
  block.writeUInt32LE(page.start.length + end.length, at)
  return [bytes, block]
}
