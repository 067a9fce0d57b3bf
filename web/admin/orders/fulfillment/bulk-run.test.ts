import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { ApiError } from '#web/api.ts'
import { type Progress, runBulk } from './bulk-run.ts'

const items = Array.from({ length: 20 }, (_item, index) => index)
const nextTick = () => new Promise((resolve) => setImmediate(resolve))

function startRun(update: (item: number) => Promise<unknown>) {
  const reports: Progress[] = []
  const confirmed: number[] = []
  const cancelling = new AbortController()
  const run = runBulk({
    items,
    update: async (item) => {
      await update(item)
      return item
    },
    signal: cancelling.signal,
    onDone: (item) => confirmed.push(item),
    onProgress: (progress) => reports.push(progress),
  })
  return { run, reports, confirmed, cancel: () => cancelling.abort() }
}

test('at most six run at once, and each item exactly once', async () => {
  let running = 0
  let maxRunning = 0
  const updated: number[] = []
  const { run, reports } = startRun(async (item) => {
    running += 1
    maxRunning = Math.max(maxRunning, running)
    await nextTick()
    updated.push(item)
    running -= 1
  })
  const { done, failed, skipped } = await run
  assert.equal(maxRunning, 6)
  assert.deepEqual(
    updated.toSorted((a, b) => a - b),
    items,
  )
  assert.deepEqual([done.length, failed.length, skipped.length], [20, 0, 0])
  assert.deepEqual(reports.at(0), { total: 20, settled: 0, isPaused: false })
  assert.deepEqual(reports.at(-1), { total: 20, settled: 20, isPaused: false })
})

test('a failure does not stop the others', async () => {
  const { run, confirmed } = startRun(async (item) => {
    if (item % 10 === 3) throw new ApiError(503, '', '')
  })
  const outcome = await run
  assert.deepEqual(outcome.failed, [3, 13])
  assert.equal(confirmed.length, 18)
})

test('on a 429 the run pauses for as long as the server asks, and loses nothing', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  let refusals = 0
  const { run, reports } = startRun(async (item) => {
    if (item === 8 && refusals++ === 0) throw new ApiError(429, '', '', 7)
  })
  await nextTick()
  assert.equal(reports.at(-1)?.isPaused, true)
  mock.timers.tick(6999)
  await nextTick()
  assert.equal(reports.at(-1)?.isPaused, true)
  mock.timers.tick(1)
  const { done } = await run
  assert.deepEqual(
    done.toSorted((a, b) => a - b),
    items,
  )
})

test('cancelling finishes what is running, and starts nothing more', async () => {
  const started: number[] = []
  const { run, cancel } = startRun(async (item) => {
    started.push(item)
    await nextTick()
  })
  cancel()
  const { done, skipped } = await run
  assert.deepEqual(done, [0, 1, 2, 3, 4, 5])
  assert.deepEqual(started, done)
  assert.equal(skipped.length, 14)
})

test('cancelling ends a pause at once', async () => {
  const { run, cancel } = startRun(async () => {
    throw new ApiError(429, '', '', 60)
  })
  await nextTick()
  cancel()
  assert.equal((await run).skipped.length, 20)
})

test('the end of the session ends the run', async () => {
  let requests = 0
  const { run } = startRun(async () => {
    requests += 1
    throw new ApiError(401, '', '{"message":"Unauthorized"}')
  })
  await assert.rejects(run, /^ApiError: 401: /)
  assert.equal(requests, 6)
})
