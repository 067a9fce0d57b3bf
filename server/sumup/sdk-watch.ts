import { createHash } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { and, eq, isNull, sql } from '#server/db/drizzle.ts'
import { claimJob, finishJob } from '#server/db/node-jobs.ts'
import { watchedScripts } from '#server/db/admin-schema.ts'
import { recordAudit, type Actor } from '#server/http/audit.ts'
import type { Log } from '#server/log.ts'

/*
 * SumUp's card form is a script without a fixed content: SumUp changes it with new releases, and a browser cannot be
 * told what to expect. So one node fetches it once a day and tells the owner when it has changed.
 */

export type WatchedSdk = {
  /** As pages load it; in test mode a path on the shop. */
  url: string
  /** Where the server fetches it from. */
  source: string
}

type WatchDeps = { db: Db; log: Log; sdk: WatchedSdk }

/** For each script, since a shop that goes live has another one. */
const jobNameOf = (url: string) =>
  `card form script ${createHash('sha256').update(url).digest('hex').slice(0, 16)}`
const everyMinutes = 24 * 60
/** After an hour a script that could not be fetched is tried again. */
const retryMinutes = 60
const holdMinutes = 10
const timeoutMs = 20_000
/** Many times what the script has today. */
const maxBytes = 8 * 1024 * 1024

/** Looks at the script, unless a node has done so today. */
export async function watchSdkIfDue(deps: WatchDeps): Promise<void> {
  const jobName = jobNameOf(deps.sdk.url)
  const claimed = await claimJob(deps.db, jobName, holdMinutes)
  if (!claimed) return
  const hash = await fetchHash(deps)
  if (hash !== undefined) await recordHash(deps, hash)
  const dueInMinutes = hash === undefined ? retryMinutes : everyMinutes
  await finishJob(deps.db, jobName, { doneUntil: claimed.now, dueInMinutes })
}

/** Undefined where there is no script to be had, which says nothing about it. */
async function fetchHash({ sdk, log }: WatchDeps): Promise<string | undefined> {
  try {
    const response = await fetch(sdk.source, { signal: AbortSignal.timeout(timeoutMs) })
    const isScript = /javascript|ecmascript/i.test(response.headers.get('content-type') ?? '')
    if (!response.ok || !isScript) {
      await response.body?.cancel()
      throw new Error(`the response is ${response.status}, and a script: ${isScript}`)
    }
    return await hashBody(response)
  } catch (error) {
    log.info({ err: error }, 'The script of the card form could not be fetched to compare it')
    return undefined
  }
}

async function hashBody(response: Response): Promise<string> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`the script has more than ${maxBytes} bytes`)
    hash.update(chunk)
  }
  if (size === 0) throw new Error('the script is empty')
  return hash.digest('hex')
}

async function recordHash({ db, log, sdk }: WatchDeps, hash: string): Promise<void> {
  const { rowCount } = await db.execute(sql`
    insert into watched_scripts as known (url, hash) values (${sdk.url}, ${hash})
    on conflict (url) do update set hash = excluded.hash, changed_at = now(), read_at = null
      where known.hash <> excluded.hash`)
  const [row] = await db.select().from(watchedScripts).where(eq(watchedScripts.url, sdk.url))
  if (rowCount === 1 && row?.changedAt)
    log.warn({ url: sdk.url, sha256: hash }, 'The script of the card form has changed')
}

/** When the script changed, if the owner has not read of it. */
export async function findSdkChange(db: Db, url: string): Promise<Date | undefined> {
  const [row] = await db.select().from(watchedScripts).where(eq(watchedScripts.url, url))
  return row?.changedAt && !row.readAt ? row.changedAt : undefined
}

/** The owner has read of this change, and of no later one. */
export async function dismissSdkChange(
  db: Db,
  url: string,
  changedAt: string,
  actor: Actor,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(watchedScripts)
      .set({ readAt: sql`now()` })
      .where(
        and(
          eq(watchedScripts.url, url),
          isNull(watchedScripts.readAt),
          // As precise as it was shown.
          sql`date_trunc('milliseconds', ${watchedScripts.changedAt}) = ${changedAt}::timestamptz`,
        ),
      )
    const entry = {
      action: 'notice-dismissed',
      subject: 'card-form',
      detail: { changedAt },
    } as const
    if (rowCount === 1) await recordAudit(tx, actor, entry)
  })
}
