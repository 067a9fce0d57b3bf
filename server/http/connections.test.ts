import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { createApp } from '#server/app.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { limitConnections, type ConnectionLimits } from './connections.ts'

const keepAliveTimeout = 3_600_000

async function openServer(
  limits: Partial<ConnectionLimits>,
  listener: RequestListener = (_request, response) => void response.end('served'),
  isProxy: (peer?: string) => boolean = () => false,
) {
  const server = createServer({ keepAliveTimeout }, listener)
  limitConnections(
    server,
    { max: 10_000, maxPerAddress: 10_000, lateBodyMs: 15_000, ...limits },
    isProxy,
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  after(() => {
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

test('when most places are taken, the connection that is idle for longest makes room, of proxies too', async () => {
  const { port } = await openServer({ max: 8 }, undefined, () => true)
  const [longest, ...others] = await Promise.all(Array.from({ length: 6 }, () => open(port)))
  assert.ok(longest)
  for (const socket of [longest, ...others]) assert.equal(await ask(socket), served)
  const next = await open(port, '127.0.0.2')
  await waitForClose(longest)
  for (const socket of [next, ...others]) assert.equal(await ask(socket), served)
})

test('no more connections are accepted than there are places', async () => {
  const { server, port } = await openServer({ max: 2 }, () => {})
  for (let connection = 0; connection < 2; connection += 1) {
    const socket = await open(port)
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(server, 'request')
  }
  await waitForClose(await open(port))
})

test('the rest of a body that was answered before it had arrived is read for a while, then cut', async () => {
  const { port } = await openServer({ lateBodyMs: 20 }, (_request, response) => {
    response.writeHead(403).end()
  })
  const socket = await open(port)
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9000000\r\n\r\n')
  const closed = waitForClose(socket)
  const trickle = setInterval(() => socket.write('x'), 5)
  assert.match(await readStart(socket, 12), /^HTTP\/1.1 403/)
  await closed
  clearInterval(trickle)
})

const large = Buffer.alloc(40_000_000, 'x')

test('a client that reads nothing is cut by the timeout of the shop, one that reads slowly is not', async () => {
  const { shop } = await openTestShop()
  const app = await createApp(shop)
  after(() => app.close())
  app.get('/large', { config: { access: 'public' }, compress: false }, async () => large)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { server } = app
  const { port } = server.address() as AddressInfo
  // Shortened. The reader's 3 MB a second free enough of the kernel's buffer to be noticed only every 400 ms or so, longer on
  // a busy machine.
  server.timeout = 4_000
  const slow = get({ port, host: '127.0.0.1', agent: false, path: '/large' })
  const [answer] = (await once(slow, 'response')) as [IncomingMessage]
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const silent = await open(port)
  silent.pause()
  silent.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
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

test('a client that never ends its headers is cut', async () => {
  const { app } = await openTestShop()
  app.server.headersTimeout = 1
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = await open((app.server.address() as AddressInfo).port)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nx-slow: ')
  assert.match(await readStart(socket, 12), /^HTTP\/1.1 408/)
  await waitForClose(socket)
})
