import { setTimeout as pause } from 'node:timers/promises'
import { CannotStart } from '#server/cannot-start.ts'
import type { Cluster } from './cluster.ts'
import { launchPostmaster, longestRecoveryMs } from './launch-postmaster.ts'
import { connectAsOwner, type OwnerConnection } from './owner-connection.ts'
import { maybePostmaster } from './running-postmaster.ts'

/** The database is ours: nobody else starts, stops or restarts it while the connection lives. */
export type Hold = OwnerConnection & {
  pid: number
  /** It ran already when we came. */
  adopted: boolean
}

/** For another server's shutdown, orphaned backends and locks to be gone. */
const patienceMs = 15_000
const nextLookMs = 20
const nextLaunchMs = 50

/**
 * Goes on with the postmaster that runs, be it one that a killed server left behind; starts one when none does.
 * Starts at the same moment may all launch and all connect: PostgreSQL lets one postmaster and one owner be.
 */
export async function holdDatabase(cluster: Cluster): Promise<Hold> {
  const startedAt = performance.now()
  let lastWords: string | undefined
  let adopted = true
  for (;;) {
    const attempt = await connectAsOwner(cluster)
    const pid = await maybePostmaster(cluster.path)
    if ('client' in attempt) return { ...attempt, pid: pid ?? 0, adopted }

    const { notYet } = attempt
    if (performance.now() - startedAt > (isRecovering(notYet) ? longestRecoveryMs : patienceMs)) {
      throw pid === undefined
        ? notStarting(cluster, lastWords ?? notYet)
        : notAnswering(cluster, pid, notYet)
    }
    if (pid !== undefined) {
      await pause(nextLookMs)
      continue
    }
    ;({ lastWords } = await launchPostmaster(cluster))
    adopted = lastWords !== undefined
    if (lastWords === undefined) continue
    if (!isPassing(lastWords)) throw notStarting(cluster, lastWords)
    await pause(nextLaunchMs)
  }
}

function isRecovering(notYet: string): boolean {
  return /starting up|not yet accepting connections|in recovery mode/.test(notYet)
}

/** Another start holds the files at this moment, or killed backends still do. */
function isPassing(lastWords: string): boolean {
  return /lock file ".*" (already exists|is empty)|shared memory block .* is still in use/.test(
    lastWords,
  )
}

function notStarting({ path }: Cluster, lastWords: string): CannotStart {
  if (/No space left on device/.test(lastWords)) {
    return new CannotStart(`The database in ${path} cannot start: the disk is full.`)
  }
  return new CannotStart(
    `The database in ${path} does not start. PostgreSQL's last words:\n${lastWords}`,
  )
}

function notAnswering({ path }: Cluster, pid: number, notYet: string): CannotStart {
  return new CannotStart(
    `The database in ${path} runs (pid ${pid}) but does not answer: ${notYet}. ` +
      'End that process, then start Till again.',
  )
}
