import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { readAtHeader } from '#contract/live.ts'
import { apiRoutes } from '#contract/paths.ts'
import { openLog } from '#server/log.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

const lines: string[] = []
const output = new Writable({
  write(bytes, _encoding, done) {
    lines.push(String(bytes))
    done()
  },
})
const log = openLog('info', Object.assign(output, { isTTY: false }))
const shop = await openTestShop({ log })
const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })

async function listen(headers: Record<string, string> = {}, query = '') {
  const leaving = new AbortController()
  after(() => leaving.abort())
  const answer = await fetch(`${address}${apiRoutes.liveEvents}${query}`, {
    headers: { 'accept-encoding': 'gzip, br', ...headers },
    signal: leaving.signal,
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  return {
    answer,
    leave: () => leaving.abort(),
    /** Reads until this text came. */
    async until(text: string): Promise<void> {
      let read = ''
      while (!read.includes(text)) {
        const { value, done } = (await reader?.read()) ?? {}
        if (done) throw new Error(`ended after ${read}`)
        read += value
      }
    },
    rest: async () => {
      let read = ''
      for (;;) {
        const { value, done } = (await reader?.read()) ?? { done: true }
        if (done) return read
        read += value
      }
    },
  }
}

const countStreams = async () => {
  const { body } = await shop.app.inject(apiRoutes.metrics)
  return Number(/^till_live_streams (\d+)$/m.exec(body)?.[1])
}

const loggedStreams = () => lines.filter((line) => line.includes(apiRoutes.liveEvents))

test('only admins listen, and nothing on the way holds events back', async () => {
  assert.equal((await listen()).answer.status, 401)
  lines.length = 0
  const stream = await listen(await shop.signIn())
  const { headers } = stream.answer
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(headers.get('x-accel-buffering'), 'no')
  assert.equal(headers.get('content-encoding'), null)
  assert.match(headers.get('cache-control') ?? '', /no-transform/)
  const [order] = await addOrders(shop.db, [{ customerName: 'Zanzibar' }])
  await stream.until(`[{"key":"order ${order?.id}","kind":"order","id":"${order?.id}","seenAt":`)
  assert.equal(await countStreams(), 1)
  assert.deepEqual(loggedStreams(), [])
  stream.leave()
  await waitFor('the line of the stream', async () => loggedStreams()[0])
  const [line, ...others] = loggedStreams().map((text) => JSON.parse(text))
  assert.deepEqual([line.status, line.level, others], [200, 'info', []])
  assert.equal(await countStreams(), 0)
  // It would be the slowest request of the day.
  const { body } = await shop.app.inject(apiRoutes.metrics)
  assert.ok(!body.includes(`route="${apiRoutes.liveEvents}",status="2xx"`))
})

test('logging out ends the stream at once, and other sessions go on', async () => {
  const [session, other] = [await shop.signIn(), await shop.signIn()]
  const [stream, kept] = [await listen(session), await listen(other)]
  await shop.app.inject({ method: 'POST', url: apiRoutes.adminLogout, headers: session })
  assert.match(await stream.rest(), /event: end\ndata: {"reason":"logged-out"}\n\n$/)
  const revoked = await shop.signIn()
  await shop.app.inject({ method: 'DELETE', url: apiRoutes.adminSessions, headers: revoked })
  assert.match(await kept.rest(), /"logged-out"/)
})

test('what an admin reads says when, and a stream goes on from there', async () => {
  const headers = await shop.signIn()
  const readAt = async () => {
    const answer = await shop.app.inject({ url: `${apiRoutes.orders}?limit=5`, headers })
    return { at: Number(answer.headers[readAtHeader]), ids: answer.json<{ id: string }[]>() }
  }
  const before = await readAt()
  const [order] = await addOrders(shop.db, [{}])
  const stream = await listen(headers, `?shownSince=${before.at}`)
  await stream.until(`"kind":"order","id":"${order?.id}"`)
  stream.leave()
  const later = await readAt()
  assert.ok(later.at > before.at)
  assert.deepEqual(
    [before, later].map(({ ids }) => ids.some(({ id }) => id === order?.id)),
    [false, true],
  )
})

test('a node that stops does not wait for listeners, and sends them to another', async () => {
  const stream = await listen(await shop.signIn())
  await shop.app.close()
  assert.match(await stream.rest(), /event: end\ndata: {"reason":"closing"}\n\n$/)
})
