import { useEffect, useSyncExternalStore } from 'react'

import type { LiveEvent, LiveKind } from '#contract/live.ts'
import { findOldestRead } from '#web/api.ts'

import type { Listen } from './event-stream.ts'
import { signalNews } from './live-signals.ts'

/*
 * One stream for each browser: HTTP/1.1 allows six connections to a host. The tab that holds the lock listens and passes
 * on what it hears; when it closes, the next one in the queue goes on from there.
 */

const lockName = 'till-live'
const channelName = 'till-live'

type Message =
  | { type: 'events'; events: readonly LiveEvent[]; id: string }
  /** A tab has loaded the newest orders: they are new in no other. */
  | ({ type: 'seen' } & SeenOrders)
  /** A tab was opened or signed in, and asks for what the others were told and have seen. */
  | { type: 'hello' }
  /** The answer while no tab listens: what happened since, this one was not told. */
  | { type: 'told'; until: number }
  | { type: 'logged-out' }

type SeenOrders = { ids: ReadonlySet<string>; readAt: number }

/** What this browser was told, for all pages. */
let told: readonly LiveEvent[] = []
const knownKeys = new Set<string>()
/** Beyond this nobody counts, and the oldest goes. */
const maxTold = 1_000

/** What lists of orders in any tab of this browser began with, and when the newest of these lists was read. */
let seen: SeenOrders = { ids: new Set(), readAt: 0 }
/** Told after their list was read, so only the last ones matter. */
const maxSeen = 1_000

/** How much the list of this tab lacks; undefined where there is none. */
let lacking: number | undefined

/** To the other tabs, while this one takes part. */
let send: (message: Message) => void = () => undefined

const subscribers = new Set<() => void>()

function subscribe(onChange: () => void) {
  subscribers.add(onChange)
  return () => void subscribers.delete(onChange)
}

function notifyPages(): void {
  for (const onChange of subscribers) onChange()
}

/** Returns what was not known. */
function receive(events: readonly LiveEvent[]): readonly LiveEvent[] {
  const unknown = events.filter(({ key }) => !knownKeys.has(key))
  for (const { key } of unknown) knownKeys.add(key)
  if (unknown.length === 0) return unknown
  told = [...told, ...unknown].slice(-maxTold)
  notifyPages()
  return unknown
}

function addSeen({ ids, readAt }: SeenOrders): void {
  const all = new Set([...seen.ids, ...ids])
  seen = { ids: new Set([...all].slice(-maxSeen)), readAt: Math.max(seen.readAt, readAt) }
  notifyPages()
}

/** Orders that a list begins with. `readAt`: when it was read, if it has all that are new. */
export function noteSeenOrders(ids: readonly string[], readAt = 0): void {
  const added = { ids: new Set(ids), readAt }
  addSeen(added)
  send({ type: 'seen', ...added })
}

/** Somebody has looked at everything that was told, also if the list is filtered. */
export function noteAllSeen(): void {
  noteSeenOrders([], Math.max(0, ...told.map(({ seenAt }) => seenAt)))
}

/** When what a page shows was read (readAtHeader), by the kind of event that could change it. */
export type ShownSince = Partial<Record<LiveKind, number | undefined>>

/** What a page does not show: of these kinds, and seen after its data was read. */
export function useLiveEvents(shownSince: ShownSince): LiveEvent[] {
  const events = useSyncExternalStore(subscribe, () => told)
  return events.filter(({ kind, seenAt }) => seenAt > (shownSince[kind] ?? Infinity))
}

/** What comes from buyers. The rest are changes of what is there already. */
export function isNews({ kind }: Pick<LiveEvent, 'kind'>): boolean {
  return kind === 'order' || kind === 'withdrawal'
}

const isUnseen = ({ id, seenAt }: LiveEvent) => seenAt > seen.readAt && !seen.ids.has(id)

/** How many orders and withdrawals are new: as the list of this page says, or to all tabs of this browser. */
export function useNewsCount(): number {
  return useSyncExternalStore(
    subscribe,
    () => lacking ?? told.filter((event) => isNews(event) && isUnseen(event)).length,
  )
}

/** A page with a list says how much it lacks. The title counts the same then. */
export function useLackingNews(count: number): void {
  useEffect(() => {
    lacking = count
    notifyPages()
    return () => {
      lacking = undefined
      notifyPages()
    }
  }, [count])
}

/** Listens while somebody is signed in. Without locks (old browsers, plain HTTP) nothing is live, and nothing else is missing. */
export function useLive(adminId: string | undefined): void {
  useEffect(() => {
    if (!adminId || !('locks' in navigator) || !('BroadcastChannel' in globalThis)) return
    const stop = new AbortController()
    takePart(stop.signal)
    return () => {
      stop.abort()
      // The next admin is told anew.
      told = []
      knownKeys.clear()
      notifyPages()
    }
  }, [adminId])
}

/** After what the page itself asks for, and after the answers of other tabs. */
const joinDelayMs = 500

function takePart(signal: AbortSignal): void {
  const channel = new BroadcastChannel(channelName)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  const sendToTabs = (message: Message) => channel.postMessage(message)
  send = sendToTabs
  let lastId: string | undefined
  let isListening = false
  /** Until when the tab was told that knows least. */
  let toldUntil = Infinity
  /** The place in the queue for the lock. */
  let place: AbortController | undefined
  /** A tab said hello since this one has joined the queue: it may have been logged out before, and noticed after. */
  let isGreeted = false

  function joinQueue(): void {
    if (place || signal.aborted) return
    const own = (place = new AbortController())
    isGreeted = false
    const leave = AbortSignal.any([signal, own.signal])
    // Not needed to show a page. Loaded by all tabs at once: a later version of the shop does not have this file.
    const loading = import('./event-stream.ts')
    // Who leaves the queue before their turn does not miss it.
    loading.catch(() => undefined)
    const turn = navigator.locks.request(lockName, { signal: leave }, async () =>
      listenForAll((await loading).listen, leave),
    )
    // Leaving the queue rejects.
    turn
      .catch(() => undefined)
      .finally(() => {
        if (place !== own) return
        place = undefined
        if (isGreeted) setTimeout(joinQueue, joinDelayMs)
      })
  }

  async function listenForAll(listen: Listen, leave: AbortSignal): Promise<void> {
    isListening = true
    const ownUntil = Number(lastId ?? findOldestRead() ?? Infinity)
    const until = Math.min(ownUntil, toldUntil)
    toldUntil = Infinity
    await listen(until < ownUntil ? String(until) : lastId, {
      signal: leave,
      findShownSince: findOldestRead,
      onEvents: (events, id) => {
        lastId = id
        const unknown = receive(events)
        if (unknown.length > 0) sendToTabs({ type: 'events', events: unknown, id })
        void signalNews(unknown.filter((event) => isNews(event) && isUnseen(event)))
      },
    })
    isListening = false
    // The session is over, in all tabs, unless one of them has begun another: that is tried first.
    if (!leave.aborted && !isGreeted) sendToTabs({ type: 'logged-out' })
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.type === 'events') {
      lastId = data.id
      receive(data.events)
    } else if (data.type === 'seen') addSeen(data)
    else if (data.type === 'told') toldUntil = Math.min(toldUntil, data.until)
    else if (data.type === 'logged-out') {
      place?.abort()
      place = undefined
    } else {
      // Who was logged out may be logged in again, by that tab.
      isGreeted = true
      setTimeout(joinQueue, joinDelayMs)
      if (isListening && lastId) {
        sendToTabs({ type: 'events', events: told, id: lastId })
        sendToTabs({ type: 'seen', ...seen })
      } else sendToTabs({ type: 'told', until: Number(lastId ?? findOldestRead() ?? Infinity) })
    }
  })
  signal.addEventListener('abort', () => {
    if (send === sendToTabs) send = () => undefined
    channel.close()
  })
  sendToTabs({ type: 'hello' })
  setTimeout(joinQueue, joinDelayMs)
}
