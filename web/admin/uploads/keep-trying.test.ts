import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { keepTrying } from './keep-trying.ts'
import { refusedWith } from './upload-failure.ts'

// Node does not know whether it is online; a browser does.
Object.defineProperty(navigator, 'onLine', { value: true })

/** Everything that happened, in order. */
function watch() {
  const events: string[] = []
  const controller = new AbortController()
  return {
    events,
    controller,
    options: {
      signal: controller.signal,
      onPause: (pause: string) => events.push(pause),
      onSlowDown: (ms: number) => events.push(`slow down ${ms}`),
      getNewAddress: async () => void events.push('new address'),
    },
  }
}

function failing(...failures: Error[]) {
  return mock.fn(async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'done'
  })
}

test('an upload goes on until it is done, and says why it stands still', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { events, options } = watch()
  const expired = refusedWith(403, 'Request has expired', null)
  const attempt = failing(refusedWith(503, '', null), refusedWith(429, '', '9'), expired)
  const result = keepTrying(attempt, options)
  for (const ms of [0, 9000, 3000]) {
    await turn()
    mock.timers.tick(ms)
  }
  assert.equal(await result, 'done')
  assert.equal(attempt.mock.callCount(), 4)
  assert.deepEqual(
    events.join(', '),
    'again, none, busy, slow down 9000, none, again, new address, none',
  )
  mock.timers.reset()
})

test('a refused upload ends with the words of the server', async () => {
  const attempt = failing(refusedWith(413, '{"message":"Too large"}', null))
  await assert.rejects(keepTrying(attempt, watch().options), { sentence: 'Too large' })
  assert.equal(attempt.mock.callCount(), 1)
})

test('cancelling ends the wait at once', async () => {
  const { controller, options } = watch()
  const result = keepTrying(failing(refusedWith(429, '', '30')), options)
  await turn()
  controller.abort('enough')
  await assert.rejects(result, (reason) => reason === 'enough')
})

/** Lets everything that is ready run. */
function turn() {
  return new Promise((resolve) => setImmediate(resolve))
}
