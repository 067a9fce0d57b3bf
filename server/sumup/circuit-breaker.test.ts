import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circuitBreaker, ProviderUnavailable } from './circuit-breaker.ts'

const away = async () => Promise.reject(new ProviderUnavailable('no answer'))

test('after five failures in a row the provider is left alone for ten seconds, then tried once', async () => {
  let time = 0
  let asked = 0
  const { call } = circuitBreaker(() => time)
  const failing = () => {
    asked += 1
    return away()
  }
  for (let failure = 0; failure < 5; failure += 1) await assert.rejects(call(failing))
  await assert.rejects(call(failing), ProviderUnavailable)
  assert.equal(asked, 5, 'a provider that is away was asked again')
  time = 10_001
  await assert.rejects(call(failing))
  await assert.rejects(call(failing))
  assert.equal(asked, 6, 'more than one trial was let through')
  time = 20_002
  assert.equal(await call(async () => 'back'), 'back')
  assert.equal(await call(async () => 'still'), 'still')
})

test('a definite no is an answer, not an outage', async () => {
  const { call } = circuitBreaker()
  for (let time = 0; time < 10; time += 1) {
    await assert.rejects(
      call(async () => Promise.reject(new Error('refused'))),
      /refused/,
    )
  }
})

test('a provider that asks for a pause gets it, and is asked again right after', async () => {
  let time = 0
  const { call, isOpen, isOnTrial } = circuitBreaker(() => time)
  const busy = new ProviderUnavailable('too many requests', { retryAfterSeconds: 3 })
  await assert.rejects(
    call(async () => Promise.reject(busy)),
    /too many requests/,
  )
  assert.deepEqual([isOpen(), isOnTrial()], [true, false])
  time = 2_999
  await assert.rejects(
    call(async () => 'too early'),
    ProviderUnavailable,
  )
  time = 3_000
  assert.equal(await call(async () => 'in time'), 'in time')
})

test('a provider that hangs holds up a bounded number of calls', async () => {
  const { call } = circuitBreaker()
  const { promise: never, resolve } = Promise.withResolvers<void>()
  const hanging = Array.from({ length: 64 }, () => call(() => never))
  await assert.rejects(
    call(async () => 'late'),
    /too many calls/,
  )
  resolve()
  await Promise.all(hanging)
})
