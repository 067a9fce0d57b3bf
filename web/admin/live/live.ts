import { useEffect, useSyncExternalStore } from 'react'

import type { LiveEvent, LiveKind } from '#contract/live.ts'

import { listen } from './event-stream.ts'
import { signalNewOrders } from './live-signals.ts'

/*
 * One stream for each browser: HTTP/1.1 allows six connections to a host. The tab that holds the lock listens and passes
 * on what it hears; when it closes, the next one in the queue goes on from there.
 */

const lockName = 'till-live'
const channelName = 'till-live'

/** An event and when the browser was told, in milliseconds since 1970. */
export type ToldEvent = LiveEvent & { at: number }

type Message =
  | { type: 'events'; events: ToldEvent[]; id: string }
  /** A tab that was opened just now asks for what was told while it loaded. */
  | { type: 'hello' }
  | { type: 'logged-out' }

/** For how long a new tab can ask for what was told: longer than a page takes to load. */
const recentMs = 60_000

/** What this tab was told and has not loaded, for all pages. */
let told: readonly ToldEvent[] = []
const knownKeys = new Set<string>()
/** Beyond this nobody counts, and the oldest goes. */
const maxTold = 1_000

/** Orders that a list of this tab has shown, and when the last of these lists was asked for, or the tab was opened. */
const knownOrders = new Set<string>()
let ordersLoadedAt = performance.timeOrigin

const subscribers = new Set<() => void>()

function subscribe(onChange: () => void) {
  subscribers.add(onChange)
  return () => void subscribers.delete(onChange)
}

function change(next: readonly ToldEvent[]): void {
  told = next
  for (const onChange of subscribers) onChange()
}

function receive(events: ToldEvent[]): ToldEvent[] {
  const unknown = events.filter(({ key }) => !knownKeys.has(key))
  for (const { key } of unknown) knownKeys.add(key)
  if (unknown.length > 0) change([...told, ...unknown].slice(-maxTold))
  return unknown
}

/** A list has these orders. `requestedAt`: when its beginning was asked for, where new ones are. */
export function noteLoadedOrders(ids: readonly string[], requestedAt = 0): void {
  for (const id of ids) knownOrders.add(id)
  ordersLoadedAt = Math.max(ordersLoadedAt, requestedAt)
  if (told.length > 0) change([...told])
}

/** When what a page shows was asked for, in milliseconds since 1970, by the kind of event that could change it. */
export type ShownSince = Partial<Record<LiveKind, number | undefined>>

/** What a page does not show: of these kinds, and told after it asked. */
export function useLiveEvents(shownSince: ShownSince): ToldEvent[] {
  const events = useSyncExternalStore(subscribe, () => told)
  return events.filter(({ kind, at }) => at > (shownSince[kind] ?? Infinity))
}

/** How many orders came since a list of orders was last loaded. */
export function useNewOrders(): number {
  const events = useSyncExternalStore(subscribe, () => told)
  return events.filter(
    ({ kind, id, at }) => kind === 'order' && at > ordersLoadedAt && !knownOrders.has(id),
  ).length
}

/** Listens while somebody is signed in. Without locks (old browsers, plain HTTP) nothing is live, and nothing else is missing. */
export function useLive(adminId: string | undefined): void {
  useEffect(() => {
    if (!adminId || !('locks' in navigator) || !('BroadcastChannel' in globalThis)) return
    const stop = new AbortController()
    // After what the page itself asks for.
    const timer = setTimeout(() => takePart(stop), 500)
    return () => {
      clearTimeout(timer)
      stop.abort()
      // The next admin is told anew.
      change([])
    }
  }, [adminId])
}

function takePart(stop: AbortController): void {
  const { signal } = stop
  const channel = new BroadcastChannel(channelName)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  const send = (message: Message) => channel.postMessage(message)
  let lastId: string | undefined
  let isListening = false
  let recent: ToldEvent[] = []
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.type === 'logged-out') stop.abort()
    else if (data.type === 'events') {
      lastId = data.id
      receive(data.events)
    } else if (isListening && lastId) send({ type: 'events', events: recent, id: lastId })
  })
  send({ type: 'hello' })

  const work = navigator.locks.request(lockName, { signal }, async () => {
    isListening = true
    await listen(lastId, {
      signal,
      onEvents: (events, id) => {
        const at = Date.now()
        lastId = id
        const unknown = receive(events.map((event) => ({ ...event, at })))
        recent = [...recent.filter((event) => event.at > at - recentMs), ...unknown]
        if (unknown.length > 0) send({ type: 'events', events: unknown, id })
        void signalNewOrders(unknown)
      },
    })
    // The session is over, in all tabs.
    if (!signal.aborted) send({ type: 'logged-out' })
  })
  // Leaving the queue rejects.
  work.catch(() => undefined).finally(() => channel.close())
}
