import { useSyncExternalStore } from 'react'

import { ApiError } from '#web/api.ts'

/*
 * Whether the shop can be reached. Its answers say so, and their absence: a browser that calls itself online may only
 * have a network that leads nowhere.
 */

let isLost = false
const listeners = new Set<() => void>()

function setLost(isLostNow: boolean): void {
  if (isLost === isLostNow) return
  isLost = isLostNow
  for (const listener of listeners) listener()
}

/** Any answer proves a connection, also a refusal. */
export async function watchConnection<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await call()
    setLost(false)
    return answer
  } catch (error) {
    setLost(isUnanswered(error))
    throw error
  }
}

/** Whether the call may have arrived or not: no network, or no answer in time. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof ApiError)
}

/** Asking again changes nothing. 408 and 429 are temporary, and say nothing about the payment. */
export function isFinalRefusal(error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 0
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** A browser that says that it is offline is. */
export function followBrowser(): () => void {
  const onOffline = () => setLost(true)
  const onOnline = () => setLost(false)
  addEventListener('offline', onOffline)
  addEventListener('online', onOnline)
  return () => {
    removeEventListener('offline', onOffline)
    removeEventListener('online', onOnline)
  }
}

export function useIsConnectionLost(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isLost,
    () => false,
  )
}
