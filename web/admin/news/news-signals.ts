import { useEffect, useSyncExternalStore } from 'react'

import type { NewsEvent } from '#contract/news.ts'
import { pages } from '#contract/paths.ts'

import { describeEvents } from './news-text.ts'

export type NewsSignal = 'sound' | 'notification'

const storageKeys: Record<NewsSignal, string> = {
  sound: 'new-order-sound',
  notification: 'new-order-notification',
}

/** Chosen for this browser: the phone at the till rings, the one at home does not. */
export function isSignalOn(signal: NewsSignal): boolean {
  try {
    return localStorage.getItem(storageKeys[signal]) === 'on'
  } catch {
    return false
  }
}

const subscribers = new Set<() => void>()

/** Returns false if the browser keeps nothing. */
export function setSignal(signal: NewsSignal, isOn: boolean): boolean {
  try {
    if (isOn) localStorage.setItem(storageKeys[signal], 'on')
    else localStorage.removeItem(storageKeys[signal])
    return true
  } catch {
    return false
  } finally {
    for (const onChange of subscribers) onChange()
  }
}

export function useSignal(signal: NewsSignal): boolean {
  return useSyncExternalStore(
    (onChange) => {
      subscribers.add(onChange)
      return () => void subscribers.delete(onChange)
    },
    () => isSignalOn(signal),
  )
}

export function isAnySignalOn(): boolean {
  return isSignalOn('sound') || isSignalOn('notification')
}

export async function signalNews(events: readonly NewsEvent[]): Promise<void> {
  if (!isAnySignalOn()) return
  const unsignalled = claimEvents(events)
  if (unsignalled.length === 0) return
  if (isSignalOn('sound')) playSound()
  if (isSignalOn('notification') && !(await isListSeen())) notify(describeEvents(unsignalled))
}

const claimedKey = 'new-orders-signalled'
/** Other tabs are told of an event within a minute. */
const maxClaimed = 200

/** The events that no other tab of this browser has signalled: several tabs ring once. */
function claimEvents(events: readonly NewsEvent[]): readonly NewsEvent[] {
  try {
    const claimed = (localStorage.getItem(claimedKey) ?? '').split(',')
    const own = events.filter(({ key }) => !claimed.includes(key))
    const all = [...claimed, ...own.map(({ key }) => key)]
    localStorage.setItem(claimedKey, all.slice(-maxClaimed).join(','))
    return own
  } catch {
    return events
  }
}

/** Two short tones. A browser that nobody has clicked in yet keeps silent. */
export function playSound(): void {
  if (!('AudioContext' in globalThis)) return
  const audio = new AudioContext()
  const volume = audio.createGain()
  volume.gain.value = 0.1
  volume.connect(audio.destination)
  for (const [index, frequency] of [660, 880].entries()) {
    const tone = audio.createOscillator()
    tone.frequency.value = frequency
    tone.connect(volume)
    tone.start(audio.currentTime + index * 0.15)
    tone.stop(audio.currentTime + index * 0.15 + 0.12)
  }
  setTimeout(() => void audio.close().catch(() => undefined), 1_000)
}

function notify(text: string): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  try {
    const notification = new Notification(text, { tag: 'till-new-order' })
    notification.addEventListener('click', () => {
      focus()
      if (location.pathname !== pages.orders) location.assign(pages.orders)
      notification.close()
    })
  } catch {
    // Android allows them to service workers only.
  }
}

const seenLock = 'till-orders-seen'

async function isListSeen(): Promise<boolean> {
  if (!('locks' in navigator)) return false
  const { held } = await navigator.locks.query()
  return held?.some(({ name }) => name === seenLock) ?? false
}

/** While a visible tab shows the orders, nobody needs a notification: it holds a lock that other tabs can see. */
export function useSeenList(): void {
  useEffect(() => {
    if (!('locks' in navigator)) return
    let stop: AbortController | undefined
    function follow() {
      stop?.abort()
      if (document.visibilityState !== 'visible') return
      const { signal } = (stop = new AbortController())
      const untilHidden = () =>
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      const options = { mode: 'shared', signal } as const
      navigator.locks.request(seenLock, options, untilHidden).catch(() => undefined)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      stop?.abort()
    }
  }, [])
}
