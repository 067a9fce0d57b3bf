import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after } from 'node:test'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { limitConnections } from '#server/http/connections.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { createFaults, type Findings } from './findings.ts'

/* One address holds as many connections as it can, idle and half sent, while buyers come from another. */

const attacker = '127.0.0.1'
const buyer = '127.0.0.2'
const head =
  'POST /api/sumup/create-checkout HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
/** What each connection sends before it waits for ever. */
const beginnings = [
  '',
  'G',
  'GET / HTTP/1.1\r\nhost: x\r\nx-slow: ',
  `${head}content-length: 1000\r\n\r\n{`,
  `${head}transfer-encoding: chunked\r\n\r\n5\r\n{`,
  'GET /api/health/live HTTP/1.1\r\nhost: x\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
]

export async function attackWithConnections(count: number, buyers: number): Promise<Findings> {
  const shop = await openSaleShop({ web: await readWebFiles() })
  await shop.app.ready()
  // On a server of its own, because a real shop takes this machine for its proxy and does not count its connections.
  const server = createServer((incoming, response) => shop.app.routing(incoming, response))
  const limits = { ...shop.shop.config.connections, max: count / 2, maxPerAddress: count / 10 }
  const { stop } = limitConnections(server, limits, () => false)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  after(() => {
    for (const socket of sockets) socket.destroy()
    stop()
    server.closeAllConnections()
    server.close()
  })
  const faults = createFaults('buyers who were not served')

  async function open(at: number): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: attacker })
    sockets.push(socket)
    socket.on('error', () => {})
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    socket.write(beginnings[at % beginnings.length] ?? '')
  }

  async function ask(path: string): Promise<void> {
    try {
      const sent = request({ port, host: '127.0.0.1', localAddress: buyer, path, agent: false })
      sent.end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`)
    } catch (error) {
      faults['buyers who were not served'].push(`${path}: ${String(error)}`)
    }
  }

  await Promise.all(Array.from({ length: count }, (_none, at) => open(at)))
  for (let at = 0; at < buyers; at += 1) {
    await Promise.all([open(at), ask(checkoutPath(shop.mug)), ask(apiRoutes.healthReady)])
  }
  const held = sockets.filter((socket) => !socket.closed).length
  return {
    figures: [
      `${sockets.length} idle and slow connections of one address, ${held} still open; ${2 * buyers} requests of another address meanwhile`,
    ],
    faults,
  }
}
