import assert from 'node:assert/strict'
import { test } from 'node:test'

import { decideNextStep } from './retry-decision.ts'
import { noAnswer, refusedWith, timedOut } from './upload-failure.ts'

const online = { retries: 0, isOffline: false }
const offline = { retries: 0, isOffline: true }
const refused = (status: number, retryAfter?: string) => refusedWith(status, '', retryAfter)

test('a fault of the storage is retried after 0, 1, 3 and 5 seconds, then the upload has failed', () => {
  for (const failure of [refused(500), refused(503), noAnswer()]) {
    const steps = [0, 1, 2, 3, 4].map((retries) =>
      decideNextStep(failure, { retries, isOffline: false }),
    )
    assert.deepEqual(
      steps.map((next) => (next.step === 'retry' ? next.afterMs : next.step)),
      [0, 1000, 3000, 5000, 'fail'],
    )
  }
})

test('what the storage refuses is not sent again, except where something else was in the way', () => {
  for (const status of [400, 401, 403, 404, 413, 415, 422]) {
    assert.deepEqual(decideNextStep(refused(status), online), { step: 'fail' }, String(status))
    assert.deepEqual(decideNextStep(refused(status), offline), { step: 'fail' }, String(status))
  }
  const conflict = decideNextStep(refused(409), online)
  assert.deepEqual(conflict, { step: 'retry', afterMs: 0, needsNewAddress: true, slowsDown: false })
})

test('an expired address is replaced, whether S3 or our own server says so, or nobody answered in time', () => {
  const xml = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>'
  const json = '{"message":"Request has expired","error":"Request has expired"}'
  for (const failure of [refusedWith(403, xml, null), refusedWith(403, json, null), timedOut()]) {
    assert.equal(failure.message, 'Request has expired')
    const next = decideNextStep(failure, { retries: 1, isOffline: false })
    assert.deepEqual(next, {
      step: 'retry',
      afterMs: 1000,
      needsNewAddress: true,
      slowsDown: false,
    })
  }
})

test('a storage that is too busy is left alone for as long as it asks', () => {
  const slowDown = { step: 'retry', needsNewAddress: false, slowsDown: true }
  assert.deepEqual(decideNextStep(refused(429, '7'), online), { ...slowDown, afterMs: 7000 })
  assert.deepEqual(decideNextStep(refused(429), online), { ...slowDown, afterMs: 1000 })
  assert.deepEqual(decideNextStep(refused(429), { retries: 2, isOffline: false }), {
    ...slowDown,
    afterMs: 3000,
  })
  assert.deepEqual(decideNextStep(refused(429, '3600'), online), { step: 'fail' })
  const away = decideNextStep(refused(503, '2'), online)
  assert.equal(away.step === 'retry' && away.afterMs, 2000)
})

test('without a network the upload waits for it, however often that happens', () => {
  for (const retries of [0, 4, 40]) {
    assert.deepEqual(decideNextStep(noAnswer(), { retries, isOffline: true }), {
      step: 'wait-for-network',
    })
  }
})

test('the words of our server are kept for people, those of a storage are not', () => {
  assert.equal(refusedWith(422, '{"message":"Too odd","error":"x"}', null).sentence, 'Too odd')
  assert.equal(refusedWith(500, '<Error/>', null).sentence, undefined)
  assert.equal(refusedWith(500, 'null', null).sentence, undefined)
  assert.equal(refusedWith(500, '', 'Wed, 21 Oct 2026 07:28:00 GMT').retryAfterMs, undefined)
})
