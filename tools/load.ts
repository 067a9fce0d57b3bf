import { connect } from 'node:net'
import { once } from 'node:events'

export type Load = { perSecond: number; statuses: Record<string, number> }

/**
 * As many requests as a server answers, from a few hundred browsers that keep their connection. It writes bytes and
 * counts answers and does nothing else, because it shares the machine with whom it measures.
 */
export async function loadServer(
  port: number,
  browsers: number,
  seconds: number,
  nextRequest: () => string,
): Promise<Load> {
  const statuses: Record<string, number> = {}
  const endsAt = performance.now() + seconds * 1000
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: browsers }, () => browse(port, endsAt, nextRequest, statuses)),
  )
  const took = (performance.now() - startedAt) / 1000
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return { perSecond: answers / took, statuses }
}

/** One after the other, each when the one before was answered. The answers have no body. */
async function browse(
  port: number,
  endsAt: number,
  nextRequest: () => string,
  statuses: Record<string, number>,
): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    if (!received.endsWith('\r\n\r\n')) return
    const status = received.slice(9, 12)
    received = ''
    statuses[status] = (statuses[status] ?? 0) + 1
    if (performance.now() < endsAt && status === '204') socket.write(nextRequest())
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
