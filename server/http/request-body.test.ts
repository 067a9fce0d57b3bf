import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { limitBodyTime } from './request-body.ts'

const app = fastify()
limitBodyTime(app, 20)
app.post('/', async ({ body }) => body)
app.post('/slow', { config: { slowBody: true } }, async ({ body }) => body)
await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())

function post(path: string) {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`
  socket.write(`${head}connection: close\r\ncontent-length: 4\r\n\r\ntr`)
  return socket
}

test('a body that does not arrive ends the connection', async () => {
  const socket = post('/')
  await once(socket, 'close')
  assert.equal(socket.bytesRead, 0)
})

test('a body that may be slow is waited for', async () => {
  const slow = post('/slow')
  await once(post('/'), 'close')
  slow.write('ue')
  const [answer] = await once(slow, 'data')
  assert.match(String(answer), /^HTTP\/1.1 200/)
})
