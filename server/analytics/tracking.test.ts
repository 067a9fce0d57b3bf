import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import type { NewEvent } from './events.ts'
import { openTracking } from './tracking.ts'

const event: NewEvent = {
  eventType: 'checkout_view',
  productId: '00000000-0000-4000-8000-000000000000',
  orderId: null,
  isTest: false,
  isNewVisitor: true,
  isCounted: true,
  facts: {},
}
const log = pino({ level: 'silent' })
const noDatabase = {} as Db

/** Tracking whose commits are ended by the test. */
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

test('events that arrive during one commit are in the next, and answered after it', async () => {
  const { tracking, commits, settled } = openSlowTracking()
  const answered: number[] = []
  const tracked = Array.from({ length: 5 }, (_none, number) =>
    tracking.track(event).then(() => answered.push(number)),
  )
  await settled()
  assert.deepEqual(answered, [])
  commits[0]?.end()
  await settled()
  assert.deepEqual(answered, [0])
  commits[1]?.end()
  await Promise.all(tracked)
  assert.deepEqual(
    commits.map(({ size }) => size),
    [1, 4],
  )
})

test('events are refused while too many are queued', async () => {
  const { tracking, commits, settled } = openSlowTracking()
  const tracked = Array.from({ length: 1 + 5_000 }, () => tracking.track(event))
  await assert.rejects(tracking.track(event), (error) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.status, 503)
    assert.ok(error.retryAfter)
    return true
  })
  for (const { end } of commits) {
    end()
    await settled()
  }
  await Promise.all(tracked)
  assert.ok(commits.every(({ size }) => size <= 500))
})

test('a failed commit rejects its events, and the next one works', async () => {
  const { tracking, commits, settled } = openSlowTracking()
  const first = assert.rejects(tracking.track(event), { status: 500 })
  const second = tracking.track(event)
  await settled()
  commits[0]?.fail(new Error('no'))
  await settled()
  commits[1]?.end()
  await Promise.all([first, second])
})

test('closing waits until all events are written', async () => {
  const { tracking, commits, settled } = openSlowTracking()
  const tracked = [tracking.track(event), tracking.track(event)]
  let isClosed = false
  const closing = tracking.close().then(() => (isClosed = true))
  await settled()
  commits[0]?.end()
  await settled()
  assert.equal(isClosed, false)
  commits[1]?.end()
  await Promise.all([...tracked, closing])
})
