import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { formatBuyerToken } from '#server/orders/buyer.ts'
import { benchSecret } from '#tools/bench/shop.ts'
import { freePort } from '#tools/running-shop.ts'

export type Load = { perSecond: number; statuses: Record<string, number> }

/**
 * As many requests as a server answers, over kept connections. It does as little as possible, because it shares the
 * machine with the server. Only answers within the given time count, not connecting and not the last ones.
 */
export async function loadServer(
  port: number,
  browsers: number,
  seconds: number,
  nextRequest: () => string,
): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: browsers }, () => open(port)))
  const statuses: Record<string, number> = {}
  const endsAt = performance.now() + seconds * 1000
  let answers = 0
  await Promise.all(
    sockets.map((socket) =>
      browse(socket, nextRequest, (status) => {
        statuses[status] = (statuses[status] ?? 0) + 1
        const isInTime = performance.now() < endsAt
        if (isInTime) answers += 1
        return isInTime && status.startsWith('2')
      }),
    ),
  )
  return { perSecond: answers / seconds, statuses }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** Sends one request after the other while `onAnswer` returns true. */
async function browse(
  socket: Socket,
  nextRequest: () => string,
  onAnswer: (status: string) => boolean,
): Promise<void> {
  let status = ''
  let missing = 0
  socket.on('data', (bytes) => {
    if (missing === 0) {
      const head = bytes.toString('latin1', 0, maxHeadLength)
      const headLength = head.indexOf('\r\n\r\n') + 4
      if (headLength < 4) throw new Error('The head of an answer came in pieces')
      status = head.slice(9, 12)
      missing = headLength + Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0)
    }
    missing -= bytes.length
    if (missing > 0) return
    if (onAnswer(status)) socket.write(nextRequest())
    else socket.destroy()
  })
  socket.write(nextRequest())
  await once(socket, 'close')
}

const maxHeadLength = 4_096

/** So many that none of them exceeds the rate limit. */
const addresses = 20_000

function addressOf(visitor: number): string {
  const index = visitor % addresses
  return `${11 + (index % 180)}.${index >> 8}.${index & 255}.1`
}

/** Requests of visitors who were never here, as browsers send them. */
export function createReadRequests(path: string): () => string {
  let visitor = 0
  return () => {
    visitor += 1
    return [
      `GET ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      `x-forwarded-for: ${addressOf(visitor)}`,
      `user-agent: ${getUserAgent(visitor)}`,
      'accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'accept-language: en-GB,en;q=0.9',
      'accept-encoding: gzip, deflate, br',
      '',
      '',
    ].join('\r\n')
  }
}

export type BareAnswer = { headers: Record<string, string>; body: string }

/** A process with nothing but Fastify. It answers reads with these bytes. */
export async function startBareRoute(answer: BareAnswer = { headers: {}, body: '' }) {
  const port = await freePort()
  const child = fork(join(import.meta.dirname, 'bare-route.ts'))
  child.send({ port, ...answer })
  await once(child, 'message')
  return { port, stop: () => child.disconnect() }
}

/** Requests that report a visit, each of another visitor. */
export function createTrackRequests(path: string, productId: string): () => string {
  const body = JSON.stringify({ eventType: 'checkout_view', productId })
  let visitor = 0
  return () => {
    visitor += 1
    return [
      `POST ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      'content-type: application/json',
      `content-length: ${body.length}`,
      `x-forwarded-for: ${addressOf(visitor)}`,
      `user-agent: ${getUserAgent(visitor)}`,
      `cookie: till_buyer=${formatBuyerToken(String(visitor).padStart(22, '0'), benchSecret)}`,
      `referer: https://site-${visitor % 20}.example/page`,
      '',
      body,
    ].join('\r\n')
  }
}

/** Two hundred different browser versions. */
function getUserAgent(visitor: number): string {
  const version = 100 + (visitor % 100)
  return visitor % 2
    ? `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`
    : `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version}.0 Mobile/15E148 Safari/604.1`
}
