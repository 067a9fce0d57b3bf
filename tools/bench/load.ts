import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { formatBuyerToken } from '#server/orders/buyer.ts'
import { benchSecret } from '#tools/bench/shop.ts'

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
        return isInTime && status === '204'
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

/** Sends one request after the other while `onAnswer` returns true. The answers have no body. */
async function browse(
  socket: Socket,
  nextRequest: () => string,
  onAnswer: (status: string) => boolean,
): Promise<void> {
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    if (!received.endsWith('\r\n\r\n')) return
    const status = received.slice(9, 12)
    received = ''
    if (onAnswer(status)) socket.write(nextRequest())
    else socket.destroy()
  })
  socket.write(nextRequest())
  await once(socket, 'close')
}

/** So many that none of them exceeds the rate limit. */
const addresses = 20_000

/** Requests that report a visit, each of another visitor. */
export function createTrackRequests(path: string, productId: string): () => string {
  const body = JSON.stringify({ eventType: 'checkout_view', productId })
  let visitor = 0
  return () => {
    visitor += 1
    const index = visitor % addresses
    const address = `${11 + (index % 180)}.${index >> 8}.${index & 255}.1`
    return [
      `POST ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      'content-type: application/json',
      `content-length: ${body.length}`,
      `x-forwarded-for: ${address}`,
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
