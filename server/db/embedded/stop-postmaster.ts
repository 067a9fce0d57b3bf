import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { isPostmasterOf } from './running-postmaster.ts'

/** Together well below the fifteen seconds a shop takes to end; what was not written is replayed at the next start. */
const fastShutdownMs = 4_000
const immediateShutdownMs = 1_500
const nextLookMs = 10

/** Only for the one who holds the database. Works for a child of ours and for an adopted postmaster alike. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  // Fast: open transactions are rolled back, everything committed is written.
  if (await signalAndWait(cluster, pid, 'SIGINT', fastShutdownMs)) return
  cluster.log(
    'PostgreSQL did not shut down in time; stopping it at once. It will recover at the next start.',
  )
  if (await signalAndWait(cluster, pid, 'SIGQUIT', immediateShutdownMs)) return
  cluster.log(`PostgreSQL (pid ${pid}) does not stop; the next start goes on with it.`)
}

async function signalAndWait(
  { path }: Cluster,
  pid: number,
  signal: NodeJS.Signals,
  patienceMs: number,
): Promise<boolean> {
  const giveUpAt = performance.now() + patienceMs
  if (!(await isPostmasterOf(path, pid))) return true
  try {
    process.kill(pid, signal)
  } catch (error) {
    // Gone between the look and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  while (await isPostmasterOf(path, pid)) {
    if (performance.now() > giveUpAt) return false
    await pause(nextLookMs)
  }
  return true
}
