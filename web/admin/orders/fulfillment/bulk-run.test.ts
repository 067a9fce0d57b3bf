import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { ApiError } from '#web/api.ts'
import { type Progress, runBulk } from './bulk-run.ts'

const twenty = Array.from({ length: 20 }, (_item, place) => place)
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A run over twenty orders, and everything it told. */
function start(change: (item: number) => Promise<unknown>) {
  const told: Progress[] = []
  const done: number[] = []
  const cancelling = new AbortController()
  const run = runBulk({
    items: twenty,
    change: async (item) => {
      await change(item)
      return item
    },
    signal: cancelling.signal,
    onDone: (item) => done.push(item),
    onProgress: (progress) => told.push(progress),
  })
  return { run, told, done, cancel: () => cancelling.abort() }
}

test('never more than six at once, and each exactly once', async () => {
  let now = 0
  let most = 0
  const changed: number[] = []
  const { run, told } = start(async (item) => {
    now += 1
    most = Math.max(most, now)
    await turn()
    changed.push(item)
    now -= 1
  })
  const { done, failed, left } = await run
  assert.equal(most, 6)
  assert.deepEqual(
    changed.toSorted((a, b) => a - b),
    twenty,
  )
  assert.deepEqual([done.length, failed.length, left.length], [20, 0, 0])
  assert.deepEqual(told.at(0), { total: 20, settled: 0, isWaiting: false })
  assert.deepEqual(told.at(-1), { total: 20, settled: 20, isWaiting: false })
})

test('one that fails does not stop the others', async () => {
  const { run, done } = start(async (item) => {
    if (item % 10 === 3) throw new ApiError(503, '', '')
  })
  const outcome = await run
  assert.deepEqual(outcome.failed, [3, 13])
  assert.equal(done.length, 18)
})

test('a server that is asked too much gets its pause, and nothing is lost', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let refusals = 0
  const { run, told } = start(async (item) => {
    if (item === 8 && refusals++ === 0) throw new ApiError(429, '', '', 7)
  })
  await turn()
  assert.equal(told.at(-1)?.isWaiting, true)
  mock.timers.tick(6999)
  await turn()
  assert.equal(told.at(-1)?.isWaiting, true)
  mock.timers.tick(1)
  assert.equal((await run).done.length, 20)
  mock.timers.reset()
})

test('cancelling lets what has begun end, and begins nothing more', async () => {
  const begun: number[] = []
  const { run, cancel } = start(async (item) => {
    begun.push(item)
    await turn()
  })
  cancel()
  const { done, left } = await run
  assert.deepEqual(done, [0, 1, 2, 3, 4, 5])
  assert.deepEqual(begun, done)
  assert.equal(left.length, 14)
})

test('cancelling ends a pause at once', async () => {
  const { run, cancel } = start(async () => {
    throw new ApiError(429, '', '', 60)
  })
  await turn()
  cancel()
  assert.equal((await run).left.length, 20)
})

test('being signed out ends it all', async () => {
  let asked = 0
  const { run } = start(async () => {
    asked += 1
    throw new ApiError(401, '', '{"message":"Unauthorized"}')
  })
  await assert.rejects(run, /^ApiError: 401: /)
  assert.equal(asked, 6)
})
