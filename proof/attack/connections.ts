import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { createApp } from '#server/app.ts'
import { limitConnections } from '#server/http/connections.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { openSaleShop } from '#server/testing/sale.ts'
import { patienceMs } from '#server/testing/wait-for.ts'
import { createFaults, type Findings } from './findings.ts'

/*
 * One address holds as many connections as it can, while buyers come from another: idle and half sent ones, readers that do not read,
 * and refused uploads that go on. Once on a server where its address is limited, once as the shop itself listens, where this machine is a
 * proxy and only the limit of all counts.
 */

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

/** A pipeline of the largest file, so that it cannot all wait in the kernel. */
const filesPerReader = 200
const slowClients = 5
const cutWithinMs = patienceMs

export async function attackWithConnections(count: number, buyers: number): Promise<Findings> {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const faults = createFaults('buyers who were not served', 'connections that were not cut')
  const { connections } = shop.shop.config
  const limits = { ...connections, max: count / 2, maxPerAddress: count / 10 }
  await shop.app.ready()
  const server = createServer((incoming, response) => shop.app.routing(incoming, response))
  limitConnections(server, limits, () => false)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const held = await holdConnections(server, shop.mug)

  const config = { ...shop.shop.config, connections: { ...limits, lateBodyMs: 500 } }
  const app = await createApp({ ...shop.shop, config })
  // The shop's own minute, shortened.
  app.server.setTimeout(500)
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const slow = await sendSlowly(app.server)
  const heldByAll = await holdConnections(app.server, shop.mug)
  const uncut = await slow.listOpen()
  faults['connections that were not cut'].push(...uncut)

  return {
    figures: [
      `${held.opened} idle and slow connections of one address, ${held.open} still open, and ${heldByAll.opened} of a proxy, ${heldByAll.open} still open; ${4 * buyers} requests of another address meanwhile`,
      `${2 * slowClients} clients that do not read, or send on after a refusal, ${2 * slowClients - uncut.length} of them cut off`,
    ],
    faults,
  }

  async function holdConnections(target: Server, product: string) {
    const { port } = target.address() as AddressInfo
    const sockets: Socket[] = []
    after(() => sockets.forEach((socket) => socket.destroy()))

    async function open(at: number): Promise<void> {
      const socket = connectTo(port)
      sockets.push(socket)
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
    for (let at = 0; at < buyers; at += 1)
      await Promise.all([open(at), ask(checkoutPath(product)), ask(apiRoutes.healthReady)])
    const { promise, resolve } = Promise.withResolvers<number>()
    target.getConnections((_error, open) => resolve(open))
    return { opened: sockets.length, open: await promise }
  }
}

function connectTo(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: attacker })
  socket.on('error', () => {})
  return socket
}

/** Clients that ask for much and read nothing, and clients whose upload is refused and that keep sending. */
async function sendSlowly(server: Server) {
  const { port } = server.address() as AddressInfo
  const file = await findLargestAsset()
  const accepted: { kind: string; socket: Socket }[] = []

  async function open(kind: string): Promise<Socket> {
    const arrival = once(server, 'connection') as Promise<[Socket]>
    const socket = connectTo(port)
    const [[own]] = await Promise.all([arrival, once(socket, 'connect')])
    // The server's end: a client that does not read does not see that its connection was cut.
    accepted.push({ kind, socket: own })
    after(() => socket.destroy())
    return socket
  }

  for (let client = 0; client < slowClients; client += 1) {
    const reader = await open('a client that does not read')
    reader.pause()
    reader.write(`GET ${file} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(filesPerReader))
    const sender = await open('a refused upload that goes on')
    sender.resume()
    sender.write(`PUT /api/nothing HTTP/1.1\r\nhost: x\r\ncontent-length: 9000000\r\n\r\n`)
    const trickle = setInterval(() => sender.write('x'), 20)
    sender.once('close', () => clearInterval(trickle))
    after(() => clearInterval(trickle))
  }

  return {
    /** Those that are still there after much longer than the limits. */
    async listOpen(): Promise<string[]> {
      const isOpen = () => accepted.filter(({ socket }) => !socket.closed)
      const until = performance.now() + cutWithinMs
      while (isOpen().length > 0 && performance.now() < until) await pause(20)
      return isOpen().map(({ kind }) => kind)
    },
  }
}

async function findLargestAsset(): Promise<string> {
  const { assetsFolder } = await readWebFiles()
  const names = (await readdir(assetsFolder)).filter((name) => name.endsWith('.js'))
  const sizes = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(assetsFolder, name))).size })),
  )
  return `/assets/${sizes.toSorted((a, b) => b.size - a.size)[0]?.name}`
}
