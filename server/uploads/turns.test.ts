import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurn } from './turns.ts'

test('two pictures are decoded at once, twenty wait, and more are asked to come back', async () => {
  const { promise: go, resolve } = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const decode = () =>
    inTurn(async () => {
      running += 1
      most = Math.max(most, running)
      await go
      running -= 1
    })
  const taken = Array.from({ length: 22 }, decode)
  await assert.rejects(decode(), { code: 'pictures-busy', status: 503, retryAfter: 5 })
  resolve()
  await Promise.all(taken)
  assert.equal(most, 2)
})

test('a picture that fails makes room for the next', async () => {
  const fail = () => inTurn(() => Promise.reject(new Error('damaged')))
  for (let time = 0; time < 30; time += 1) await assert.rejects(fail(), /damaged/)
  assert.equal(await inTurn(async () => 'done'), 'done')
})
