import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CannotStart } from '#server/cannot-start.ts'
import { backups } from '#server/db/admin-schema.ts'
import { isDatabaseUnavailable, type Db } from '#server/db/database.ts'
import { desc, sql } from '#server/db/drizzle.ts'
import { describeProblem } from '#server/db/embedded/cluster.ts'
import { claimJob, finishJob, postponeJob } from '#server/db/node-jobs.ts'
import { describeError } from '#server/describe-error.ts'
import type { Log } from '#server/log.ts'
import { repeat } from '#server/repeat.ts'
import { fingerprintOf } from '#server/secret.ts'
import { createBackup, describeMissing, type Backup, type BackupSource } from './create-backup.ts'
import { partialSuffix } from './backup-file.ts'

type ScheduleDeps = BackupSource & {
  db: Db
  log: Log
  folder: string
  passphrase: string | undefined
  /** The pause while the database is away. */
  storeRetryMs?: number
}

const jobName = 'backup'
/** A little less than a day, so that the time of day does not move on. */
const everyMinutes = 24 * 60 - 5
/** How soon a backup that failed is tried again. */
const retryMinutes = 60
/** Longer than any backup takes; after a crash it is started again after this. */
const holdMinutes = 6 * 60
const pollMs = 5 * 60 * 1000
/** Not while the shop starts. */
const firstPollMs = 2 * 60 * 1000

/** Writes a backup every day, until it is stopped. Of many nodes one does. */
export function startBackups(deps: ScheduleDeps): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const task = () => backUpIfDue(deps, signal)
  const polling = repeat(task, pollMs, deps.log, 'The daily backup', firstPollMs)
  return {
    async stop() {
      stopping.abort()
      await polling.stop()
    },
  }
}

/** Returns the file if one was written. */
export async function backUpIfDue(
  deps: ScheduleDeps,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { db, log, folder, passphrase } = deps
  const claimed = await claimJob(db, jobName, holdMinutes)
  if (!claimed) return undefined
  const store = (work: () => Promise<void>) => storeWhenPossible(work, deps, signal)
  const prefix = namePrefix(deps.secret.value)
  const file = join(folder, formatName(prefix, claimed.now))
  let backup: Backup
  try {
    await prepareFolder(folder)
    backup = await createBackup(deps, file, { passphrase, ...(signal && { signal }) })
  } catch (error) {
    // The shop is being stopped: that is no failure, and the next start goes on.
    if (signal?.aborted) {
      await postponeJob(db, jobName, 0)
      return undefined
    }
    log.error({ err: error, file }, 'A backup failed; it will be tried again')
    await store(async () => {
      await recordBackup(db, { file, error: explain(error) })
      await postponeJob(db, jobName, retryMinutes)
    })
    return undefined
  }
  const { bytes, end } = backup
  if (end.missing > 0) log.warn({ missing: end.missing }, 'Pictures are missing in the backup')
  log.info({ file, bytes }, 'A backup was written')
  await store(async () => {
    await recordBackup(db, { file, bytes, problem: describeMissing(end) })
    await finishJob(db, jobName, { doneUntil: claimed.now, dueInMinutes: everyMinutes })
  })
  await deleteOld(folder, prefix)
  return file
}

/** The database may be what failed. While it is away, nobody could be told. */
async function storeWhenPossible(
  work: () => Promise<void>,
  { log, storeRetryMs = 5_000 }: ScheduleDeps,
  signal: AbortSignal | undefined,
): Promise<void> {
  const giveUpAt = performance.now() + holdMinutes * 60_000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isOver = signal?.aborted || performance.now() > giveUpAt
      if (isOver || !isDatabaseUnavailable(error)) throw error
      log.warn(
        { err: error },
        'The outcome of a backup could not be stored; it will be tried again',
      )
    }
    // Stopping ends the pause; the last attempt follows.
    await delay(storeRetryMs, undefined, { ...(signal && { signal }) }).catch(() => {})
  }
}

async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await deleteCrashed(folder)
  } catch (error) {
    throw new CannotStart(`${folder} cannot be used: ${describeProblem(error)}.`)
  }
}

/** One sentence. */
function explain(error: unknown): string {
  if (error instanceof CannotStart) return error.message
  const { message, code, cause } = describeError(error)
  return `${[code, message, cause?.message].filter(Boolean).join(': ')}.`
}

/** Old entries say nothing any more. */
const keptEntries = 500

/** For the owner's alerts and for whoever asks how old the last backup is. */
export async function recordBackup(
  db: Db,
  outcome: { file: string } & ({ bytes: number; problem?: string | undefined } | { error: string }),
): Promise<void> {
  const { file } = outcome
  await db
    .insert(backups)
    .values(
      'bytes' in outcome
        ? { file, bytes: outcome.bytes, error: outcome.problem ?? null }
        : { file, error: outcome.error, failedAt: sql`now()` },
    )
  await db.execute(
    sql`delete from backups where id <= (select max(id) from backups) - ${keptEntries}`,
  )
}

/** The last backup that was written, by schedule or by hand. */
export async function findLastBackup(
  db: Db,
): Promise<{ at: Date; file: string; bytes: number } | undefined> {
  const [row] = await db
    .select({
      at: backups.createdAt,
      file: backups.file,
      bytes: sql<number>`${backups.bytes}::float8`,
    })
    .from(backups)
    .where(sql`failed_at is null`)
    .orderBy(desc(backups.id))
    .limit(1)
  return row
}

/** Why the last scheduled backup failed or, if it is written, what is missing in it. */
export type BackupProblem = { at: Date; error: string; isWritten: boolean }

export async function findBackupProblem(db: Db): Promise<BackupProblem | undefined> {
  const [row] = await db.select().from(backups).orderBy(desc(backups.id)).limit(1)
  if (!row?.failedAt && !row?.error) return undefined
  const at = row.failedAt ?? row.createdAt
  return { at, error: row.error ?? '', isWritten: row.failedAt === null }
}

/**
 * till-Ab3_x-9Z-2026-11-16T03-00-00.backup, in UTC. Only files with such a name are ever deleted, and only by the shop
 * whose secret it names: two may share a folder.
 */
const namePattern = /^till-[\w-]{8}-(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)\.backup$/

function namePrefix(secret: string): string {
  return `till-${fingerprintOf(secret).slice(0, 8)}-`
}

function formatName(prefix: string, at: Date): string {
  return `${prefix}${at.toISOString().slice(0, 19).replaceAll(':', '-')}.backup`
}

const [keptDays, keptWeeks, keptMonths] = [7, 4, 12]

async function deleteOld(folder: string, prefix: string): Promise<void> {
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith(prefix) && namePattern.test(name),
  )
  const kept = chooseKept(names)
  for (const name of names) if (!kept.has(name)) await rm(join(folder, name), { force: true })
}

/** The newest of each of the last 7 days, 4 weeks and 12 months that have one. */
export function chooseKept(names: string[]): Set<string> {
  const newestFirst = names.toSorted().toReversed()
  const periods: [count: number, of: (day: string) => string][] = [
    [keptDays, (day) => day],
    [keptWeeks, mondayOf],
    [keptMonths, (day) => day.slice(0, 7)],
  ]
  const kept = periods.flatMap(([count, periodOf]) => {
    const newest = new Map<string, string>()
    for (const name of newestFirst) {
      const period = periodOf(namePattern.exec(name)?.[1] ?? '')
      if (!newest.has(period)) newest.set(period, name)
    }
    return [...newest.values()].slice(0, count)
  })
  return new Set(kept)
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

const crashedAfterMs = 24 * 60 * 60 * 1000

/** What a killed run left behind. A younger one may be written right now by npm run backup. */
async function deleteCrashed(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(partialSuffix)) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > crashedAfterMs) await rm(path, { force: true })
  }
}
