import { maxReviewEntries, type ReviewEntry } from '#contract/checkouts.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { showEntry } from '#server/payments/question.ts'
import { findCases } from './case-rows.ts'
import { contextOf, type CheckoutDeps } from './settle.ts'

/** Payments that an admin decides about, and those that were decided about. */

/** Resolved entries (`isArchive`) or open ones; with those of test mode or without. */
type ReviewFilter = { isArchive: boolean; includesTest: boolean }

type Listed = { id: string; caseId: string; handledByEmail: string | null }

export async function listReview(
  { db, sumup }: Pick<CheckoutDeps, 'db' | 'sumup'>,
  filter: ReviewFilter,
): Promise<ReviewEntry[]> {
  const listed = await listEntries(db, filter)
  const cases = await findCases(
    db,
    listed.map(({ caseId }) => caseId),
  )
  return listed.flatMap(({ id, caseId, handledByEmail }) => {
    const loaded = cases.get(caseId)
    const entry = loaded?.kase.entries.find((one) => one.id === id)
    if (!loaded || !entry) return []
    return showEntry(contextOf({ sumup }), loaded.kase, entry, loaded.now, handledByEmail)
  })
}

async function listEntries(db: Db, { isArchive, includesTest }: ReviewFilter): Promise<Listed[]> {
  const condition: SQL = isArchive
    ? sql`handled_at is not null and state in ('ordered', 'refunded', 'dismissed')`
    : sql`state = 'open'`
  const { rows } = await db.execute<Listed>(sql`
    select entry.id, coalesce(entry.sale_id, entry.payment_id) as "caseId", users.email as "handledByEmail"
    from review_entries as entry left join users on users.id::text = entry.handled_by
    where ${condition} ${includesTest ? sql`` : sql`and not is_test`}
    order by ${isArchive ? sql`handled_at` : sql`opened_at`} desc limit ${maxReviewEntries + 1}`)
  return rows
}
