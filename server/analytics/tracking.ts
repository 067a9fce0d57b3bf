import { Refusal } from '#contract/refusals.ts'
import { isDatabaseUnavailable, type Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import type { Shard } from './figures.ts'
import { writeEvents, type TrackedEvent } from './events.ts'

export type Tracking = ReturnType<typeof openTracking>

type Waiting = { event: TrackedEvent; done: () => void; fail: (error: unknown) => void }

const mostAtOnce = 500
/** Beyond this the database is far behind: who comes now is told so, instead of being kept in memory. */
const mostWaiting = 5_000
const retryAfterSeconds = 2
/** So many are worth a second commit beside the one under way; few are cheaper in the next. */
const worthASecond = 100
const writers = ['firstWriter', 'secondWriter'] as const

/**
 * Writes what pages tell, many at a time: whatever arrives during one commit is in the next. Each is answered after
 * its own commit, so what was answered is kept.
 */
export function openTracking(
  db: Db,
  log: Log,
  write: (db: Db, events: TrackedEvent[], shard: Shard) => Promise<void> = writeEvents,
) {
  const waiting: Waiting[] = []
  const writing = new Map<Shard, Promise<void>>()

  /** Called whenever something waits or a writer is free. */
  function writeNext(): void {
    const shard = writers.find((writer) => !writing.has(writer))
    const fewest = writing.size === 0 ? 1 : worthASecond
    if (!shard || waiting.length < fewest) return
    const commit = writeSome(waiting.splice(0, mostAtOnce), shard).finally(() => {
      writing.delete(shard)
      writeNext()
    })
    writing.set(shard, commit)
  }

  async function writeSome(batch: Waiting[], shard: Shard): Promise<void> {
    try {
      await write(
        db,
        batch.map(({ event }) => event),
        shard,
      )
      for (const { done } of batch) done()
    } catch (error) {
      // Told once, not by each of them.
      log.error({ err: error, events: batch.length }, 'Events could not be written')
      const code = isDatabaseUnavailable(error) ? 'unavailable' : 'unexpected'
      for (const { fail } of batch) fail(new Refusal(code, { retryAfter: retryAfterSeconds }))
    }
  }

  return {
    /** Resolves when it is kept. */
    track(event: TrackedEvent): Promise<void> {
      if (waiting.length >= mostWaiting) {
        return Promise.reject(new Refusal('unavailable', { retryAfter: retryAfterSeconds }))
      }
      return new Promise((done, fail) => {
        waiting.push({ event, done, fail })
        writeNext()
      })
    },
    /** Everything that was told is written. */
    async close(): Promise<void> {
      while (writing.size > 0) await Promise.all(writing.values())
    },
  }
}
