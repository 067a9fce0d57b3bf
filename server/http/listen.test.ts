import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { limitConnections } from './connections.ts'
import { listen } from './listen.ts'

async function open(host?: string, max = 100) {
  const logged: string[] = []
  const app = fastify({ forceCloseConnections: 'idle' })
  limitConnections(app.server, { max, maxPerAddress: 100, lateBodyMs: 1_000 }, () => false)
  const arrived = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  app.get('/', async () => 'served')
  app.get('/slow', () => {
    arrived.resolve()
    return answer.promise
  })
  const log = pino({}, { write: (line: string) => logged.push(line) })
  const config = readConfig(host === undefined ? {} : { HOST: host })
  const close = await listen(app, { ...config, port: 0 }, log)
  let closing: Promise<void> | undefined
  const stop = () => (closing ??= close())
  after(() => {
    app.server.closeAllConnections()
    return stop()
  })
  const { port } = app.server.address() as AddressInfo
  return { app, port, stop, logged, arrived: arrived.promise, answer }
}

const names = ['localhost', '127.0.0.1', '[::1]']

/** Which of these names of this machine answer. */
async function listAnswering(port: number, asked = names): Promise<string[]> {
  const answers = asked.map((name) =>
    fetch(`http://${name}:${port}/`, { headers: { connection: 'close' } }).then(
      (response) => response.ok,
      () => false,
    ),
  )
  const isOk = await Promise.all(answers)
  return asked.filter((_name, index) => isOk[index])
}

async function connectTo(host: string, port: number): Promise<Socket> {
  const socket = connect({ port, host })
  socket.on('error', () => {})
  after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

test('by default the shop answers at localhost, 127.0.0.1 and ::1, and nowhere else', async () => {
  const { port } = await open()
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
  assert.deepEqual(await listAnswering(port, [...names, ...others]), names)
})

test('with an address of its own the shop listens only there', async () => {
  const { port } = await open('::1')
  assert.deepEqual(
    (await listAnswering(port)).filter((name) => name !== 'localhost'),
    ['[::1]'],
  )
  const { port: other } = await open('127.0.0.1')
  assert.deepEqual(await listAnswering(other), ['localhost', '127.0.0.1'])
})

test('where ::1 is taken the shop logs it and goes on', async () => {
  const free = createServer().listen(0, '::1')
  await once(free, 'listening')
  after(() => free.close())
  const { port } = free.address() as AddressInfo
  const logged: string[] = []
  const app = fastify()
  app.get('/', async () => 'served')
  const log = pino({}, { write: (line: string) => logged.push(line) })
  const close = await listen(app, { host: 'localhost', port }, log)
  after(close)
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200)
  assert.match(logged.join(''), /EADDRINUSE.*Not listening at ::1/)
})

test('the limit of connections counts both addresses together', async () => {
  const { app, port } = await open(undefined, 2)
  for (const host of ['127.0.0.1', '::1']) {
    const socket = await connectTo(host, port)
    socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(app.server, 'request')
  }
  const refused = await connectTo('::1', port)
  await once(refused, 'close')
})

test('a shop that stops answers what arrived at ::1, and accepts no more there', async () => {
  const { port, stop, arrived, answer } = await open()
  const idle = await connectTo('::1', port)
  idle.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(idle, 'data')
  const idleClosed = once(idle, 'close')
  const asked = fetch(`http://[::1]:${port}/slow`, { headers: { connection: 'close' } })
  await arrived
  let isStopped = false
  const stopped = stop().then(() => (isStopped = true))
  await idleClosed
  assert.deepEqual(await listAnswering(port), [])
  assert.equal(isStopped, false)
  answer.resolve('served')
  assert.equal(await (await asked).text(), 'served')
  await stopped
})
