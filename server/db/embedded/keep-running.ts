import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { holdDatabase, type Hold } from './hold-database.ts'
import { maybePostmaster } from './running-postmaster.ts'
import { stopPostmaster } from './stop-postmaster.ts'

const firstPauseMs = 100
const longestPauseMs = 2_000
/** A database that lived this long did not die of its start, so the next one need not wait. */
const healthyMs = 10_000

/**
 * Brings the database back whenever the owner's connection ends: killed postmasters, ours or adopted, and crashes
 * from which PostgreSQL restarts by itself all show themselves that way.
 */
export function keepRunning(
  cluster: Cluster,
  first: Hold,
): { pid(): number; stop(): Promise<void> } {
  let hold: Hold | undefined
  let pid = first.pid
  let pauseMs = 0
  let comingBack: Promise<void> | undefined
  let stopping: Promise<void> | undefined
  void watch(first)

  return {
    pid: () => pid,
    stop: () => (stopping ??= stop()),
  }

  async function watch(current: Hold): Promise<void> {
    const heldAt = performance.now()
    hold = current
    pid = current.pid
    await current.lost
    hold = undefined
    if (performance.now() - heldAt > healthyMs) pauseMs = 0
    if (stopping === undefined) comingBack = comeBack()
  }

  async function comeBack(): Promise<void> {
    cluster.log('The database went away; bringing it back.')
    for (;;) {
      await pause(pauseMs)
      if (stopping !== undefined) return
      pauseMs = Math.min(Math.max(pauseMs * 2, firstPauseMs), longestPauseMs)
      try {
        void watch(await holdDatabase(cluster))
        cluster.log(`The database is back (pid ${pid}).`)
        return
      } catch (error) {
        cluster.log(`The database is not back yet: ${String(error)}`)
      }
    }
  }

  async function stop(): Promise<void> {
    await comingBack
    const held = hold ?? (await maybeHoldAgain())
    if (held === undefined) return
    await stopPostmaster(cluster, held.pid)
    await held.client.end()
  }

  /** Stopping in the middle of a crash: only who holds the database may stop it. */
  async function maybeHoldAgain(): Promise<Hold | undefined> {
    if ((await maybePostmaster(cluster.path)) === undefined) return undefined
    return holdDatabase(cluster).catch(() => undefined)
  }
}
