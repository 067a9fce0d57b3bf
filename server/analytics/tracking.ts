import { Refusal } from '#contract/refusals.ts'
import { isDatabaseUnavailable, type Db } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { writeEvents, type TrackedEvent } from './events.ts'
import { writerShard, type Shard } from './figures.ts'

export type Tracking = ReturnType<typeof openTracking>

type QueuedEvent = {
  event: TrackedEvent
  resolve: () => void
  reject: (error: unknown) => void
}

const maxBatchSize = 500
/** Beyond this the database is too slow, and events are refused instead of kept in memory. */
const maxQueued = 5_000
const retryAfterSeconds = 2
/** A second batch is written beside the first only if it has this many; fewer are cheaper in the next batch. */
const minSecondBatch = 100

/**
 * Writes events in batches: those that arrive during one commit are in the next. Each is answered after its own commit,
 * so what was answered is stored.
 */
export function openTracking(
  db: Db,
  log: Log,
  nodeShard = 0,
  write: (db: Db, events: TrackedEvent[], shard: Shard) => Promise<void> = writeEvents,
) {
  const writers = [writerShard(nodeShard, 0), writerShard(nodeShard, 1)]
  const queue: QueuedEvent[] = []
  const writing = new Map<Shard, Promise<void>>()

  /** Called when an event is queued and when a writer becomes free. */
  function writeNext(): void {
    const shard = writers.find((writer) => !writing.has(writer))
    const minBatch = writing.size === 0 ? 1 : minSecondBatch
    if (shard === undefined || queue.length < minBatch) return
    const commit = writeBatch(queue.splice(0, maxBatchSize), shard).finally(() => {
      writing.delete(shard)
      writeNext()
    })
    writing.set(shard, commit)
  }

  async function writeBatch(batch: QueuedEvent[], shard: Shard): Promise<void> {
    try {
      await write(
        db,
        batch.map(({ event }) => event),
        shard,
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
    track(event: TrackedEvent): Promise<void> {
      if (queue.length >= maxQueued)
        return Promise.reject(new Refusal('unavailable', { retryAfter: retryAfterSeconds }))
      return new Promise((resolve, reject) => {
        queue.push({ event, resolve, reject })
        writeNext()
      })
    },
    /** Waits until everything queued is written. */
    async close(): Promise<void> {
      while (writing.size > 0) await Promise.all(writing.values())
    },
  }
}
