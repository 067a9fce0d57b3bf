import { Refusal } from '#contract/refusals.ts'
import { isDatabaseUnavailable, type Db } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { insertEvents, type NewEvent } from './events.ts'

export type Tracking = ReturnType<typeof openTracking>

type QueuedEvent = {
  event: NewEvent
  resolve: () => void
  reject: (error: unknown) => void
}

const maxBatchSize = 500
/** Beyond this the database is too slow, and events are refused instead of kept in memory. */
const maxQueued = 5_000
const retryAfterSeconds = 2

/**
 * Writes events in batches over one connection, so that buyers have the others: events that arrive during one commit are in the
 * next. Each is answered after its own commit, so what was answered is stored.
 */
export function openTracking(
  db: Db,
  log: Log,
  write: (db: Db, events: NewEvent[]) => Promise<void> = insertEvents,
) {
  const queue: QueuedEvent[] = []
  let writing: Promise<void> | undefined

  async function writeQueue(): Promise<void> {
    while (queue.length > 0) await writeBatch(queue.splice(0, maxBatchSize))
    writing = undefined
  }

  async function writeBatch(batch: QueuedEvent[]): Promise<void> {
    try {
      await write(
        db,
        batch.map(({ event }) => event),
      )
      for (const { resolve } of batch) resolve()
    } catch (error) {
      // Logged once here, not for each request.
      log.error({ err: error, events: batch.length }, 'Events could not be written')
      const code = isDatabaseUnavailable(error) ? 'unavailable' : 'unexpected'
      for (const { reject } of batch) reject(new Refusal(code, { retryAfter: retryAfterSeconds }))
    }
  }

  return {
    /** Resolves when the event is stored. */
    track(event: NewEvent): Promise<void> {
      if (queue.length >= maxQueued)
        return Promise.reject(new Refusal('unavailable', { retryAfter: retryAfterSeconds }))
      return new Promise((resolve, reject) => {
        queue.push({ event, resolve, reject })
        writing ??= writeQueue()
      })
    },
    /** Waits until everything queued is written. */
    async close(): Promise<void> {
      await writing
    },
  }
}
