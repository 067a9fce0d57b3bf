import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

export type Load = { perSecond: number; statuses: Record<string, number> }

/**
 * As many requests as a server answers, from a few hundred browsers that keep their connection. It writes bytes and
 * counts answers and does nothing else, because it shares the machine with whom it measures. What is counted is what
 * is answered in that time, between the connecting before it and the last answers behind it.
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

/** One after the other, each when the one before was answered, as long as `goesOn`. The answers have no body. */
async function browse(
  socket: Socket,
  nextRequest: () => string,
  goesOn: (status: string) => boolean,
): Promise<void> {
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    if (!received.endsWith('\r\n\r\n')) return
    const status = received.slice(9, 12)
    received = ''
    if (goesOn(status)) socket.write(nextRequest())
    else socket.destroy()
  })
  socket.write(nextRequest())
  await once(socket, 'close')
}

/** Enough that none of them tells more often than an address may. */
const addresses = 20_000

/** A page tells of a visit; every time another visitor. */
export function trackRequests(path: string, productId: string): () => string {
  const body = JSON.stringify({ eventType: 'checkout_view', productId })
  let visitor = 0
  return () => {
    visitor += 1
    const place = visitor % addresses
    const address = `${11 + (place % 180)}.${place >> 8}.${place & 255}.1`
    return [
      `POST ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      'content-type: application/json',
      `content-length: ${body.length}`,
      `x-forwarded-for: ${address}`,
      `user-agent: ${agentOf(visitor)}`,
      `cookie: till_buyer=${String(visitor).padStart(22, '0')}`,
      `referer: https://site-${visitor % 20}.example/page`,
      '',
      body,
    ].join('\r\n')
  }
}

/** Two hundred browsers that differ as browsers do, in their numbers. */
function agentOf(visitor: number): string {
  const version = 100 + (visitor % 100)
  return visitor % 2
    ? `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`
    : `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version}.0 Mobile/15E148 Safari/604.1`
}
