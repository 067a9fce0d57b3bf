import { deleteExpiredInvites } from '#server/admin/invites.ts'
import { deleteExpiredSessions } from '#server/admin/sessions.ts'
import { deleteOldEvents, rollUpEvents } from '#server/analytics/days.ts'
import { eraseOldVisitors } from '#server/analytics/events.ts'
import { erasePersonalData } from '#server/checkouts/ledger.ts'
import type { Config } from '#server/config.ts'
import { deleteInBatches, inBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { erasedToken } from '#server/db/schema.ts'
import { claimJob, finishJob } from '#server/db/node-jobs.ts'
import { getZoneName } from '#server/db/time-zones.ts'
import { deleteOldAudit } from '#server/http/audit.ts'
import type { Log } from '#server/log.ts'
import { deleteExpiredLimits } from '#server/http/rate-limits.ts'
import { deleteOldBulkChanges } from '#server/orders/bulk-changes.ts'
import { buyerDays } from '#server/orders/buyer.ts'
import { deleteMailFiles } from '#server/mail/transport.ts'

/**
 * When stored data is deleted, all in one place. Orders are never deleted here, nor anything that a sale still needs: a
 * payment that arrives after its details are gone goes to review as `no-details`.
 */

type Retention = Config['retention']

/** Each returns how many rows it deleted or emptied. Statements are bounded, and rows that others hold are left for later. */
const tasks: Record<string, (db: Db, keep: Retention, timeZone: string) => Promise<number>> = {
  sessions: deleteExpiredSessions,
  invites: deleteExpiredInvites,
  limits: deleteExpiredLimits,
  addresses: deleteAddressKeys,
  unpaidDetails: (db, keep) => deleteUnpaidDetails(db, keep.unpaid),
  soldDetails: (db, keep) => deleteSoldDetails(db, keep.soldDetails),
  reviewDetails: (db, keep) => deleteReviewDetails(db, keep.reviews),
  unusedForms: (db, keep) => deleteUnusedForms(db, keep.unpaid),
  browsers: deleteBrowsers,
  reviewNotes: (db, keep) => deleteReviewNotes(db, keep.reviews),
  withdrawals: (db, keep) => deleteUnmatchedWithdrawals(db, keep.reviews),
  mails: (db, keep) => deleteMailRecords(db, keep.mails),
  visitors: (db, keep) => eraseOldVisitors(db, keep.visitors),
  events: countAndDeleteEvents,
  audit: (db, keep) => deleteOldAudit(db, keep.audit),
  bulkChanges: (db, keep) => deleteOldBulkChanges(db, keep.audit),
}

const jobName = 'retention'
const everyMinutes = 15
/** Longer than a run takes; after a crash another node takes over after this. */
const holdMinutes = 60
const dayMs = 86_400_000

type TidyDeps = { db: Db; log: Log; config: Pick<Config, 'retention' | 'dataDir' | 'timeZone'> }

/** Runs unless a node has done so in the last quarter of an hour, or is doing it. Files belong to each node. */
export async function deleteOldData({ db, log, config }: TidyDeps): Promise<void> {
  const { retention, dataDir, timeZone } = config
  const beforeMs = Date.now() - retention.mails * dayMs
  const mailFiles = await deleteMailFiles(dataDir, { beforeMs })
  const claimed = await claimJob(db, jobName, holdMinutes)
  const deleted: Record<string, number> = { mailFiles }
  if (claimed) {
    for (const [name, run] of Object.entries(tasks)) {
      try {
        deleted[name] = await run(db, retention, timeZone)
      } catch (error) {
        // The others must not wait for it.
        log.warn(
          { err: error, task: name },
          'Old data could not be deleted; it will be tried again',
        )
      }
    }
    await finishJob(db, jobName, { doneUntil: claimed.now, dueInMinutes: everyMinutes })
  }
  const counts = Object.fromEntries(Object.entries(deleted).filter(([, count]) => count > 0))
  if (Object.keys(counts).length > 0) log.info({ deleted: counts }, 'Old data was deleted')
}

function isOlder(time: SQL, days: number): SQL {
  return sql`${time} < now() - make_interval(days => ${days})`
}

/** Limits on addresses last an hour at most. */
function deleteAddressKeys(db: Db): Promise<number> {
  const isOld = sql`address_key is not null and ${isOlder(sql`created_at`, 1)}`
  const by = sql`created_at`
  return inBatches((limit) => erasePersonalData(db, ['address_key'], isOld, { by, limit }))
}

/**
 * With an index of the rows that have anything left. They are asked for by its time: PostgreSQL expects many old ones and
 * would otherwise look for the first it meets, through the whole table once they are done.
 */
const hasPersonalData = sql.raw(`buyer_token_hash <> '${erasedToken}'`)

/** Details of people who did not buy. A closed sale keeps them until nothing is left to check or to decide about it. */
export function deleteUnpaidDetails(db: Db, days: number): Promise<number> {
  const isOld = sql`state = 'closed' and next_check_at is null and ${hasPersonalData}
    and (details is not null or visitor is not null) and ${isOlder(sql`valid_until`, days)}
    and not exists (select from review_entries where sale_id = checkouts.id and review_entries.state = 'open')`
  const by = sql`valid_until`
  return inBatches((limit) => erasePersonalData(db, ['details', 'visitor'], isOld, { by, limit }))
}

/**
 * Payment forms in which nobody began to pay: every visit to a checkout leaves one. SumUp has ended them long ago, and without
 * a browser that may come back nobody asks for them.
 */
function deleteUnusedForms(db: Db, days: number): Promise<number> {
  const isUnused = sql`state = 'closed' and next_check_at is null and ${hasPersonalData}
    and started_at is null and details is null and ${isOlder(sql`valid_until`, Math.max(days, buyerDays))}
    and not exists (select from payments where sale_id = checkouts.id)
    and not exists (select from review_entries where sale_id = checkouts.id)`
  return deleteInBatches(db, sql`checkouts`, isUnused)
}

/** The order has them. */
function deleteSoldDetails(db: Db, days: number): Promise<number> {
  // Looked up row by row: with `exists` PostgreSQL may read all orders first.
  const orderedAt = sql`coalesce(
    (select created_at from orders where orders.sumup_checkout_id = checkouts.sumup_checkout_id),
    (select min(orders.created_at) from payments join orders on orders.sumup_transaction_id = payments.transaction_id
      where payments.sale_id = checkouts.id))`
  const isOld = sql`state = 'paid' and ${hasPersonalData} and (details is not null or visitor is not null)
    and ${isOlder(sql`valid_until`, days)} and ${isOlder(orderedAt, days)}`
  const by = sql`valid_until`
  return inBatches((limit) => erasePersonalData(db, ['details', 'visitor'], isOld, { by, limit }))
}

/** Refunded or dismissed by an admin, or ordered; the sale stays with its amount, and its payments with SumUp's codes. */
function deleteReviewDetails(db: Db, days: number): Promise<number> {
  const isOld = sql`id = any(array(
      select sale_id from review_entries where sale_id is not null and ${isOlder(sql`handled_at`, days)}
      except select sale_id from review_entries where state = 'open'))
    and state not in ('created', 'open', 'submitted', 'review') and num_nonnulls(details, visitor) > 0`
  const by = sql`valid_until`
  return inBatches((limit) => erasePersonalData(db, ['details', 'visitor'], isOld, { by, limit }))
}

/** What admins wrote about a person. The entry stays in the archive, with the payment it is about. */
function deleteReviewNotes(db: Db, days: number): Promise<number> {
  return inBatches(async (limit) => {
    const { rowCount } = await db.execute(sql`
      update review_entries set note = null where id = any(array(
        select id from review_entries
        where note is not null and state <> 'open' and ${isOlder(sql`handled_at`, days)}
        limit ${limit} for update skip locked))`)
    return rowCount ?? 0
  })
}

/** Statements that fit no order, also those that nobody handled. The others stay with their order. */
function deleteUnmatchedWithdrawals(db: Db, days: number): Promise<number> {
  const isOld = sql`order_id is null and ${isOlder(sql`coalesce(handled_at, created_at)`, days)}`
  return deleteInBatches(db, sql`withdrawals`, isOld)
}

/**
 * Whose browser it was, after its details. Not before the 30 days for which the browser may see its order: without the hash, a
 * buyer who comes back to a page that was closed too early would be sold the same again.
 */
async function deleteBrowsers(db: Db, keep: Retention): Promise<number> {
  const days = {
    closed: keep.unpaid,
    paid: keep.soldDetails,
    refunded: keep.reviews,
    dismissed: keep.reviews,
  }
  let changed = 0
  for (const [state, kept] of Object.entries(days)) {
    const isOld = sql`state = ${state} and ${hasPersonalData} and details is null and visitor is null
      and (state <> 'closed' or next_check_at is null)
      and ${isOlder(sql`valid_until`, Math.max(kept, buyerDays))}`
    const by = sql`valid_until`
    changed += await inBatches((limit) =>
      erasePersonalData(db, ['buyer_token_hash'], isOld, { by, limit }),
    )
  }
  return changed
}

/** Finished days are rolled up here: only one node runs this at a time, and no event is deleted before. */
async function countAndDeleteEvents(db: Db, keep: Retention, timeZone: string): Promise<number> {
  const zone = await getZoneName(db, timeZone)
  await rollUpEvents(db, zone)
  return deleteOldEvents(db, keep.events, zone)
}

/** Mails themselves are not stored: they are composed from the order or sale when they are sent. */
function deleteMailRecords(db: Db, days: number): Promise<number> {
  const isOld = sql`next_try_at is null and ${isOlder(sql`coalesce(sent_at, given_up_at)`, days)}`
  return deleteInBatches(db, sql`mails`, isOld)
}
