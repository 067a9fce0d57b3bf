import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { createExpiredError, createNetworkError, parseUploadError } from './upload-request.ts'
import { decideNextStep, retryUpload } from './upload-retry.ts'

const online = { retries: 0, isOffline: false }
const offline = { retries: 0, isOffline: true }
const refused = (status: number, retryAfter?: string) => parseUploadError(status, '', retryAfter)

test('a storage error is retried after 0, 1, 3 and 5 seconds, then the upload has failed', () => {
  for (const error of [refused(500), refused(503), createNetworkError()]) {
    const steps = [0, 1, 2, 3, 4].map((retries) =>
      decideNextStep(error, { retries, isOffline: false }),
    )
    assert.deepEqual(
      steps.map((next) => (next.step === 'retry' ? next.delayMs : next.step)),
      [0, 1000, 3000, 5000, 'fail'],
    )
  }
})

test('a refused upload is not retried, except after a conflict', () => {
  for (const status of [400, 401, 403, 404, 413, 415, 422]) {
    assert.deepEqual(decideNextStep(refused(status), online), { step: 'fail' }, String(status))
    assert.deepEqual(decideNextStep(refused(status), offline), { step: 'fail' }, String(status))
  }
  const conflict = decideNextStep(refused(409), online)
  assert.deepEqual(conflict, { step: 'retry', delayMs: 0, needsNewUrl: true, isBusy: false })
})

test('an expired URL is renewed, whether S3 or our own server says so, or the connection was idle', () => {
  const xml = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>'
  const json = '{"message":"Request has expired","error":"Request has expired"}'
  for (const error of [
    parseUploadError(403, xml, null),
    parseUploadError(403, json, null),
    createExpiredError(),
  ]) {
    assert.equal(error.message, 'Request has expired')
    const next = decideNextStep(error, { retries: 1, isOffline: false })
    assert.deepEqual(next, {
      step: 'retry',
      delayMs: 1000,
      needsNewUrl: true,
      isBusy: false,
    })
  }
})

test('a busy storage is retried after as long as it asks for', () => {
  const busy = { step: 'retry', needsNewUrl: false, isBusy: true }
  assert.deepEqual(decideNextStep(refused(429, '7'), online), { ...busy, delayMs: 7000 })
  assert.deepEqual(decideNextStep(refused(429), online), { ...busy, delayMs: 1000 })
  assert.deepEqual(decideNextStep(refused(429), { retries: 2, isOffline: false }), {
    ...busy,
    delayMs: 3000,
  })
  assert.deepEqual(decideNextStep(refused(429, '3600'), online), { step: 'fail' })
  const away = decideNextStep(refused(503, '2'), online)
  assert.equal(away.step === 'retry' && away.delayMs, 2000)
})

test('an offline upload waits for the network, however often that happens', () => {
  for (const retries of [0, 4, 40]) {
    assert.deepEqual(decideNextStep(createNetworkError(), { retries, isOffline: true }), {
      step: 'wait-for-network',
    })
  }
})

test('the message of our server is shown to users, that of a storage is not', () => {
  assert.equal(
    parseUploadError(422, '{"message":"Too odd","error":"x"}', null).userMessage,
    'Too odd',
  )
  assert.equal(parseUploadError(500, '<Error/>', null).userMessage, undefined)
  assert.equal(parseUploadError(500, 'null', null).userMessage, undefined)
  assert.equal(parseUploadError(500, '', 'Wed, 21 Oct 2026 07:28:00 GMT').retryAfterMs, undefined)
})

// Node does not define navigator.onLine.
Object.defineProperty(navigator, 'onLine', { value: true })

function createRetryOptions() {
  const events: string[] = []
  const controller = new AbortController()
  return {
    events,
    controller,
    options: {
      signal: controller.signal,
      onPause: (pause: string) => events.push(pause),
      renewUrl: async () => void events.push('new url'),
    },
  }
}

/** Fails with each of these errors in turn, then succeeds. */
function createAttempt(...errors: Error[]) {
  return mock.fn(async () => {
    const error = errors.shift()
    if (error) throw error
  })
}

test('an upload is retried until it succeeds, and reports why it pauses', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
  const { events, options } = createRetryOptions()
  const expired = parseUploadError(403, 'Request has expired', null)
  const attempt = createAttempt(refused(503), refused(429, '9'), expired)
  const result = retryUpload(attempt, options)
  for (const ms of [0, 9000, 3000]) {
    await runPending()
    context.mock.timers.tick(ms)
  }
  await result
  assert.equal(attempt.mock.callCount(), 4)
  assert.equal(events.join(', '), 'again, none, busy, none, again, new url, none')
})

test('while the storage is busy, other uploads wait too', async (context) => {
  // Later than the busy time that the test before has left behind.
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
  const first = retryUpload(createAttempt(refused(429, '9')), createRetryOptions().options)
  await runPending()
  const { events, options } = createRetryOptions()
  const attempt = createAttempt()
  const second = retryUpload(attempt, options)
  await runPending()
  context.mock.timers.tick(8999)
  await runPending()
  assert.equal(attempt.mock.callCount(), 0)
  context.mock.timers.tick(1)
  await Promise.all([first, second])
  assert.equal(attempt.mock.callCount(), 1)
  assert.deepEqual(events, ['busy', 'none'])
})

test('a refused upload ends with the message of the server', async () => {
  const attempt = createAttempt(parseUploadError(413, '{"message":"Too large"}', null))
  const { options } = createRetryOptions()
  await assert.rejects(retryUpload(attempt, options), { userMessage: 'Too large' })
  assert.equal(attempt.mock.callCount(), 1)
})

test('cancelling ends the wait at once', async () => {
  const { controller, options } = createRetryOptions()
  const attempt = createAttempt(refused(429, '30'))
  const result = retryUpload(attempt, options)
  await runPending()
  controller.abort('cancelled')
  await assert.rejects(result, (reason) => reason === 'cancelled')
  assert.equal(attempt.mock.callCount(), 1)
})

function runPending() {
  return new Promise((resolve) => setImmediate(resolve))
}
