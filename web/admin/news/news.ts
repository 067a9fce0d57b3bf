import { useEffect, useSyncExternalStore } from 'react'

import { type News, type NewsEvent, newsEveryMs, type NewsKind } from '#contract/news.ts'
import { apiRoutes } from '#contract/paths.ts'
import { parsePart, shapes } from '#web/admin/answers.ts'
import { callServer, findOldestRead, formatQuery } from '#web/api.ts'

import { isAnySignalOn, signalNews } from './news-signals.ts'

/**
 * How long an event may have been invisible after its time: longer than the transactions of a shop take. An answer that was
 * read later has the event.
 */
const maxUnseenMs = 2_000

/** `seenAt`: what was read since then has it. In milliseconds since 1970, by the database's clock. */
type SeenEvent = NewsEvent & { seenAt: number }

/** What this tab was told, for all its pages. */
let told: readonly SeenEvent[] = []
/** Beyond this nobody counts, and the oldest goes. */
const maxTold = 1_000

/** The `until` of the last answer, and the keys of its events: the next one may have them again. */
let last: { until: number; keys: ReadonlySet<string> } | undefined

/** What lists of orders in this tab began with, and when the newest of these lists was read. */
let seen: { ids: ReadonlySet<string>; readAt: number } = { ids: new Set(), readAt: 0 }
/** Told after their list was read, so only the last ones matter. */
const maxSeen = 1_000

/** How much the list of this tab lacks; undefined where there is none. */
let lacking: number | undefined

const subscribers = new Set<() => void>()

function subscribe(onChange: () => void) {
  subscribers.add(onChange)
  return () => void subscribers.delete(onChange)
}

function notifyPages(): void {
  for (const onChange of subscribers) onChange()
}

/** Asks what is new while somebody is signed in, and the page is visible or has been told to call its owner. */
export function useNews(adminId: string | undefined): void {
  useEffect(() => {
    if (!adminId) return
    const leaving = new AbortController()
    const timer = setInterval(() => {
      const isWanted = document.visibilityState === 'visible' || isAnySignalOn()
      // Whatever went wrong, the next question covers the same time.
      if (isWanted) askForNews(leaving.signal).catch(() => undefined)
    }, newsEveryMs)
    return () => {
      clearInterval(timer)
      leaving.abort()
      // The next admin is told anew.
      told = []
      last = undefined
      notifyPages()
    }
  }, [adminId])
}

async function askForNews(signal: AbortSignal): Promise<void> {
  const since = last?.until ?? findOldestRead()
  const answer = await callServer(
    'GET',
    `${apiRoutes.news}${formatQuery({ since: since?.toString() })}`,
    undefined,
    // So that no two questions are under way.
    AbortSignal.any([signal, AbortSignal.timeout(newsEveryMs - 1_000)]),
  )
  const news = parsePart(shapes.news, await answer.json()) as News
  const unknown = findUnknown(news, since)
  last = { until: news.until, keys: new Set(news.events.map(({ key }) => key)) }
  if (unknown.length === 0) return
  told = [...told, ...unknown].slice(-maxTold)
  notifyPages()
  void signalNews(unknown.filter((event) => isNews(event) && isUnseen(event)))
}

/**
 * The events that were not told before. One from before `since` became visible only now, except in the first answer: what
 * had happened before the page was read, the page has.
 */
function findUnknown({ until, events }: News, since = until): SeenEvent[] {
  return events.flatMap((event) => {
    const isLate = event.at <= since
    if (last?.keys.has(event.key)) return []
    if (!last && event.at < since - maxUnseenMs) return []
    const seenAt = last && isLate ? until : Math.min(until, event.at + maxUnseenMs)
    return [{ ...event, seenAt }]
  })
}

/** Orders that a list begins with. `readAt`: when it was read, if it has all that are new. */
export function noteSeenOrders(ids: readonly string[], readAt = 0): void {
  const all = [...new Set([...seen.ids, ...ids])]
  seen = { ids: new Set(all.slice(-maxSeen)), readAt: Math.max(seen.readAt, readAt) }
  notifyPages()
}

/** Somebody has looked at everything that was told, also if the list is filtered. */
export function noteAllSeen(): void {
  noteSeenOrders([], Math.max(0, ...told.map(({ seenAt }) => seenAt)))
}

/** When what a page shows was read (readAtHeader), by the kind of event that could change it. */
export type ShownSince = Partial<Record<NewsKind, number | undefined>>

/** What a page does not show: of these kinds, and seen after its data was read. */
export function useNewsEvents(shownSince: ShownSince): NewsEvent[] {
  const events = useSyncExternalStore(subscribe, () => told)
  return events.filter(({ kind, seenAt }) => seenAt > (shownSince[kind] ?? Infinity))
}

/** What comes from buyers. The rest are changes of what is there already. */
export function isNews({ kind }: Pick<NewsEvent, 'kind'>): boolean {
  return kind === 'order' || kind === 'withdrawal'
}

const isUnseen = ({ id, seenAt }: SeenEvent) => seenAt > seen.readAt && !seen.ids.has(id)

/** How many orders and withdrawals are new: as the list of this page says, or to this tab. */
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
