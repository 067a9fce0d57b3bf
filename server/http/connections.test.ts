import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { createApp } from '#server/app.ts'
import { noise } from '#server/testing/pictures.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { limitConnections, type ConnectionLimits } from './connections.ts'

const never = 3_600_000
const unlimited: ConnectionLimits = {
  max: 10_000,
  maxPerAddress: 10_000,
  busyKeepAliveMs: never,
  drainMs: never,
}

async function openServer(
  limits: Partial<ConnectionLimits>,
  listener: RequestListener = (_request, response) => void response.end('served'),
  isProxy: (peer?: string) => boolean = () => false,
) {
  const server = createServer({ keepAliveTimeout: never }, listener)
  const { stop } = limitConnections(server, { ...unlimited, ...limits }, isProxy)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  after(() => {
    stop()
    server.closeAllConnections()
    server.close()
  })
  return { server, port }
}

const served = 'HTTP/1.1 200 OK'

/** An open connection from one of this machine's addresses. */
async function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Until it is ended or cut. A connection cut with data unread reports an error first, at which `once` would reject. */
function waitForClose(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.once('close', () => resolve())
  return promise
}

/** What came first on the connection: the start of a response, or its end. */
async function readStart(socket: Socket, length: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.once('data', (data) => resolve(data.toString().slice(0, length)))
  socket.once('close', () => resolve('closed'))
  return promise
}

/** Whether the connection gets a response, or was closed. */
async function ask(socket: Socket): Promise<string> {
  if (socket.closed) return 'closed'
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  return readStart(socket, served.length)
}

test('a thousand idle connections of one address do not keep another address out', async () => {
  const { server, port } = await openServer({ max: 1_000, maxPerAddress: 100 })
  await Promise.all(Array.from({ length: 1_000 }, async () => ask(await open(port))))
  assert.equal(await ask(await open(port, '127.0.0.2')), served)
  const { promise, resolve } = Promise.withResolvers<number>()
  server.getConnections((_error, count) => resolve(count))
  assert.equal(await promise, 101)
  assert.equal(await ask(await open(port)), served, 'the address itself is served as well')
})

test('of an address with all its connections at work no further one is accepted', async () => {
  const { server, port } = await openServer({ maxPerAddress: 2 }, () => {})
  for (let connection = 0; connection < 2; connection += 1) {
    const socket = await open(port)
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(server, 'request')
  }
  const third = await open(port)
  await waitForClose(third)
})

test('a proxy of the shop may hold as many connections as there are', async () => {
  const isProxy = (peer = '') => peer === '127.0.0.3'
  const { port } = await openServer({ max: 10, maxPerAddress: 2 }, undefined, isProxy)
  const sockets = await Promise.all(Array.from({ length: 8 }, () => open(port, '127.0.0.3')))
  for (const socket of sockets) assert.equal(await ask(socket), served)
})

test('when all places are taken, idle connections make room: those of proxies last', async () => {
  const isProxy = (peer = '') => peer === '127.0.0.3'
  const { port } = await openServer({ max: 4 }, undefined, isProxy)
  const proxied = await Promise.all(Array.from({ length: 3 }, () => open(port, '127.0.0.3')))
  const direct = await open(port, '127.0.0.4')
  for (const socket of [...proxied, direct]) assert.equal(await ask(socket), served)
  const closed = waitForClose(direct)
  proxied.push(await open(port, '127.0.0.3'))
  await closed
  for (const socket of proxied) assert.equal(await ask(socket), served)
  // From several addresses, and through the proxy itself.
  for (const address of [
    '127.0.0.5',
    '127.0.0.6',
    '127.0.0.3',
    '127.0.0.7',
    '127.0.0.8',
    '127.0.0.3',
  ])
    assert.equal(await ask(await open(port, address)), served, address)
})

test('while many connections are open, idle ones are closed soon, of proxies too', async () => {
  const { port } = await openServer({ max: 4, busyKeepAliveMs: 20 }, undefined, () => true)
  const quiet = await open(port)
  assert.equal(await ask(quiet), served)
  const closed = waitForClose(quiet)
  await Promise.all([open(port, '127.0.0.2'), open(port, '127.0.0.4')])
  await closed
})

const large = Buffer.alloc(40_000_000, 'x')

test('a client that reads nothing is dropped, one that reads slowly is not', async () => {
  const { server, port } = await openServer({}, (_request, response) => response.end(large))
  // As the shop sets it, for longer. The reader's 3 MB a second free enough of the kernel's buffer to be noticed only every
  // 400 ms or so, longer on a busy machine.
  server.timeout = 4_000
  const slow = get({ port, host: '127.0.0.1', agent: false })
  const [answer] = (await once(slow, 'response')) as [IncomingMessage]
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const silent = await open(port)
  silent.pause()
  silent.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  let received = 0
  const [dropped] = await accepted
  // A piece at a time, for as long as the other client is given: this paces the reader, nothing waits for it.
  for await (const piece of answer) {
    received += piece.length
    if (!dropped.closed) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.equal(received, large.length)
  assert.ok(dropped.closed)
})

test('a connection is kept for as long as the shop works on an answer', async () => {
  const { server, port } = await openServer({}, ({ socket }, response) => {
    socket.once('timeout', () => response.end('served'))
  })
  server.timeout = 20
  const socket = await open(port)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  assert.equal(await readStart(socket, served.length), served)
})

test('a refused upload that keeps trickling is cut after its response', async () => {
  const { shop, signIn } = await openTestShop()
  // Long enough to read the response: what arrived is lost when a connection is cut.
  const config = { ...shop.config, connections: { ...shop.config.connections, drainMs: 1_000 } }
  const app = await createApp({ ...shop, config })
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const payload = { kind: 'image' }
  const headers = await signIn()
  const issued = await app.inject({ method: 'POST', url: apiRoutes.upload, headers, payload })
  const { pathname, search } = new URL(issued.json().uploadURL)
  const upload = async (url: string, body: Buffer) => {
    const socket = await open(port)
    const head = `PUT ${url} HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\n`
    socket.write(`${head}content-length: 9000000\r\n\r\n`)
    socket.write(body)
    const trickle = setInterval(() => socket.write('x'), 5)
    try {
      const [answer] = await Promise.all([readStart(socket, 12), waitForClose(socket)])
      return answer
    } finally {
      clearInterval(trickle)
    }
  }
  assert.equal(await upload(`${pathname}?expires=1&signature=x`, Buffer.from('x')), 'HTTP/1.1 403')
  assert.equal(await upload('/api/nothing', Buffer.from('x')), 'HTTP/1.1 404')
  const whole = await noise(60, 40).png().toBuffer()
  const stored = await app.inject({ method: 'PUT', url: `${pathname}${search}`, payload: whole })
  assert.equal(stored.statusCode, 200, 'an upload that is not refused is not affected')
})
