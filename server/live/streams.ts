import { Readable } from 'node:stream'
import { heartbeatMs, type LiveEvent, type StreamEnd } from '#contract/live.ts'
import type { Mode } from '#contract/mode.ts'
import { listOpenSessions } from '#server/admin/sessions.ts'
import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { repeat, type RepeatedTask } from '#server/repeat.ts'
import { lookBackMs, readEvents, type Reading, type SeenEvent } from './events.ts'

export type LiveDeps = { db: Db; log: Log; findMode: () => Mode | undefined }

/** Who listens, and from when on. */
export type Listener = {
  adminId: string
  /** Of the session, as listOpenSessions knows it. */
  sessionId: string
  /** The time of the last event that the listener was told, if it listened before. */
  lastEventAt: Date | undefined
  /** Otherwise when the server began to read what its page shows; undefined if it shows nothing. */
  shownSince: Date | undefined
}

export type LiveStreams = ReturnType<typeof openLiveStreams>

type Stream = Listener & {
  output: Readable
  /** What it was told, for as long as it may be read again. */
  told: Map<string, Date>
}

/**
 * How long an event that nobody watched may have been invisible after its time: longer than the transactions of a shop take.
 */
const maxUnseenMs = 2_000

/** One browser needs one, and a second while the first is being closed. */
const maxPerSession = 5
/** Who reads so slowly is better off with a new stream. */
const maxUnreadBytes = 1_000_000

/** The streams of this node. The database is asked only while there are any: once for all of them. */
export function openLiveStreams(
  { db, log, findMode }: LiveDeps,
  { pollMs = 2_000, beatMs = heartbeatMs } = {},
) {
  /** The oldest first. */
  const streams = new Set<Stream>()
  let watch: { polling: RepeatedTask; beating: RepeatedTask } | undefined
  let readAt: Date | undefined
  let isClosed = false

  /** Rejects if the database does not answer: then nobody listens. */
  async function open(listener: Listener): Promise<Readable> {
    const { lastEventAt, shownSince } = listener
    const reading = await readEvents(db, lastEventAt ?? shownSince, lookBackMs)
    const output = new Readable({ read() {} })
    const stream: Stream = { ...listener, output, told: new Map() }
    if (!lastEventAt) {
      const shown = shownSince ? shownSince.getTime() - maxUnseenMs : reading.now.getTime()
      // Committed before the page was read: it has them.
      for (const { key, at } of reading.events) if (at.getTime() < shown) stream.told.set(key, at)
    }
    output.once('close', () => leave(stream))
    if (isClosed) {
      end(stream, 'closing')
      return output
    }
    streams.add(stream)
    tell(stream, reading, true)
    const ofSession = [...streams].filter(({ sessionId }) => sessionId === listener.sessionId)
    for (const oldest of ofSession.slice(0, -maxPerSession)) end(oldest, 'replaced')
    watch ??= startWatching()
    return output
  }

  function startWatching() {
    readAt = undefined
    return {
      polling: repeat(poll, pollMs, log, 'Reading what is new'),
      beating: repeat(beat, beatMs, log, 'Checking who listens'),
    }
  }

  function leave(stream: Stream): void {
    streams.delete(stream)
    if (streams.size > 0 || !watch) return
    const { polling, beating } = watch
    watch = undefined
    void polling.stop()
    void beating.stop()
  }

  async function poll(): Promise<void> {
    // Since the last answer, however long ago: the database may have been away.
    const reading = await readEvents(db, readAt, lookBackMs)
    const from = (readAt ?? reading.now).getTime() - lookBackMs
    readAt = reading.now
    for (const stream of streams) {
      tell(stream, reading)
      for (const [key, at] of stream.told) if (at.getTime() < from) stream.told.delete(key)
    }
  }

  /** Sends what the listener has not been told, if anything, or if it `isFirst`: that names the time to go on from. */
  function tell(stream: Stream, { now, events }: Reading, isFirst = false): void {
    const untold = events.filter(({ key }) => !stream.told.has(key))
    for (const { key, at } of untold) stream.told.set(key, at)
    const shown = untold.filter((event) => isFor(stream, event))
    if (shown.length === 0 && !isFirst) return
    const data: LiveEvent[] = shown.map(({ key, kind, id, at }) => ({
      key,
      kind,
      id,
      seenAt: isFirst ? Math.min(now.getTime(), at.getTime() + maxUnseenMs) : now.getTime(),
    }))
    send(stream, `id: ${now.getTime()}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** Changes of others. Test orders as in the lists: in test mode. */
  function isFor({ adminId }: Stream, { actor, isTest }: SeenEvent): boolean {
    return actor !== adminId && (!isTest || findMode() === 'test')
  }

  async function beat(): Promise<void> {
    // With an id, so that who comes back after a quiet hour does not begin an hour ago. It is no event.
    const id = readAt ? `id: ${readAt.getTime()}\n` : ''
    for (const stream of streams) send(stream, `: still here\n${id}\n`)
    await checkSessions()
  }

  /** Ends the streams of sessions that are over, one statement for all. It does not count as using a session. */
  async function checkSessions(): Promise<void> {
    if (streams.size === 0) return
    const checked = [...streams]
    const opened = await listOpenSessions(db, [
      ...new Set(checked.map(({ sessionId }) => sessionId)),
    ])
    for (const stream of checked) if (!opened.has(stream.sessionId)) end(stream, 'logged-out')
  }

  function send({ output }: Stream, text: string): void {
    if (output.readableLength > maxUnreadBytes) output.destroy()
    else output.push(text)
  }

  function end(stream: Stream, reason: StreamEnd): void {
    // At once: whoever does not read would hold up the end of the node.
    leave(stream)
    stream.output.push(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`)
    stream.output.push(null)
  }

  return {
    open,
    checkSessions,
    count: () => streams.size,
    /** Listeners go to another node. */
    close(): void {
      isClosed = true
      for (const stream of streams) end(stream, 'closing')
    },
  }
}
