import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { Refusal } from '#contract/refusals.ts'
import { registerErrorHandler } from './errors.ts'
import { sendStream } from './send-stream.ts'

/** A server that streams these pieces, and how a browser asks it. */
async function openStreamer(pieces: () => AsyncGenerator<string>) {
  const app = fastify()
  registerErrorHandler(app)
  app.get('/', (_request, reply) => sendStream(reply, { 'content-type': 'text/csv' }, pieces()))
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return { app, url: `http://127.0.0.1:${port}/` }
}

test('a client that disconnects stops the stream, and one that reads slowly slows it down', async () => {
  const { promise: stopped, resolve } = Promise.withResolvers<number>()
  let made = 0
  async function* endless() {
    try {
      for (;;) {
        made += 1
        yield 'x'.repeat(100_000)
      }
    } finally {
      resolve(made)
    }
  }
  const { url } = await openStreamer(endless)
  const [answer] = (await once(get(url), 'response')) as [IncomingMessage]
  await once(answer, 'readable')
  answer.destroy()
  // Nobody read further, so no more was made than fits between two ends of a connection.
  assert.ok((await stopped) < 1_000)
})

test('an error before the first piece is a response; after it the connection breaks', async () => {
  async function* refused() {
    yield await Promise.reject<string>(new Refusal('unavailable'))
  }
  const early = await openStreamer(refused)
  const answer = await fetch(early.url)
  assert.equal(answer.status, 503)
  assert.match(answer.headers.get('content-type') ?? '', /json/)
  async function* broken() {
    yield '[1'
    throw new Error('the database went away')
  }
  const late = await openStreamer(broken)
  await assert.rejects(async () => (await fetch(late.url)).text())
})
