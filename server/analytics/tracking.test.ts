import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import type { TrackedEvent } from './events.ts'
import { openTracking } from './tracking.ts'

const event: TrackedEvent = {
  eventType: 'checkout_view',
  productId: '00000000-0000-4000-8000-000000000000',
  orderId: null,
  visitor: 'a',
  facts: {},
}
const log = pino({ level: 'silent' })
const noDatabase = {} as Db

/** Tracking whose commits end when the test says so. */
function openSlowTracking() {
  const commits: { size: number; end: () => void; fail: (error: Error) => void }[] = []
  const tracking = openTracking(noDatabase, log, (_db, events) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    commits.push({ size: events.length, end: resolve, fail: reject })
    return promise
  })
  /** Every step that does not wait for a commit is done. */
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { tracking, commits, settled }
}

test('what is told during one commit is in the next, and answered after it', async () => {
  const { tracking, commits, settled } = openSlowTracking()
  const answered: number[] = []
  const telling = Array.from({ length: 5 }, (_none, number) =>
    tracking.track(event).then(() => answered.push(number)),
  )
  await settled()
  assert.deepEqual(answered, [])
  commits[0]?.end()
  await settled()
  assert.deepEqual(answered, [0])
  commits[1]?.end()
  await Promise.all(telling)
  assert.deepEqual(
    commits.map(({ size }) => size),
    [1, 4],
  )
})

test('a database that falls behind is not helped by memory: who comes then is asked to come again', async () => {
  const { tracking, commits, settled } = openSlowTracking()
  const telling = Array.from({ length: 5_001 }, () => tracking.track(event))
  await assert.rejects(tracking.track(event), (error) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.status, 503)
    assert.ok(error.retryAfter)
    return true
  })
  for (let commit = 0; commit < 11; commit += 1) {
    commits[commit]?.end()
    await settled()
  }
  await Promise.all(telling)
  assert.ok(commits.every(({ size }) => size <= 500))
})

test('a commit that fails fails those in it, and the next goes on', async () => {
  const { tracking, commits, settled } = openSlowTracking()
  const first = assert.rejects(tracking.track(event), { status: 500 })
  const second = tracking.track(event)
  await settled()
  commits[0]?.fail(new Error('no'))
  await settled()
  commits[1]?.end()
  await Promise.all([first, second])
})

test('closing waits until everything that was told is written', async () => {
  const { tracking, commits, settled } = openSlowTracking()
  const telling = [tracking.track(event), tracking.track(event)]
  let isClosed = false
  const closing = tracking.close().then(() => (isClosed = true))
  await settled()
  commits[0]?.end()
  await settled()
  assert.equal(isClosed, false)
  commits[1]?.end()
  await Promise.all([...telling, closing])
})
