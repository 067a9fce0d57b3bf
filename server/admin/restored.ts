import { restoredBackups } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { and, isNull, sql } from '#server/db/drizzle.ts'
import { findRestored, type RestoredBackup } from '#server/db/restored.ts'
import { recordAudit, type Actor } from '#server/http/audit.ts'

/** What the shop knows after a restore, and what the owner says to it. */

export type RestoredShop = Pick<
  RestoredBackup,
  'backupAt' | 'restoredAt' | 'comparedAt' | 'foundOrders' | 'foundInReview'
> & {
  /** Whether products whose pieces are counted wait for the comparison. Without such products nothing waits. */
  isHeld: boolean
}

/** Undefined where the shop was never restored, or the owner has looked through it since. */
export async function findUnreadRestore(db: Db): Promise<RestoredShop | undefined> {
  const restored = await findRestored(db)
  if (!restored || restored.readAt) return undefined
  const isHeld = !restored.comparedAt && !restored.countedSoldAt && (await hasCountedProducts(db))
  return { ...restored, isHeld }
}

async function hasCountedProducts(db: Db): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select from products where deleted_at is null
      and (stock is not null or choice @? '$.values[*].stock ? (@ != null)') limit 1`)
  return rowCount === 1
}

/** The owner has looked. Of a later restore they know nothing. */
export async function dismissRestored(db: Db, restoredAt: string, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    const [read] = await tx
      .update(restoredBackups)
      .set({ readAt: sql`now()` })
      .where(
        and(
          isNull(restoredBackups.readAt),
          // As precise as it was shown.
          sql`date_trunc('milliseconds', ${restoredBackups.restoredAt}) = ${restoredAt}::timestamptz`,
        ),
      )
      .returning()
    const detail = { backupAt: read?.backupAt.toISOString() }
    const entry = { action: 'notice-dismissed', subject: 'restored', detail } as const
    if (read) await recordAudit(tx, actor, entry)
  })
}

/** The owner knows better what is left, or does not want to wait. */
export async function sellCounted(db: Db, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    const { comparedAt, countedSoldAt } = restoredBackups
    const { rowCount } = await tx
      .update(restoredBackups)
      .set({ countedSoldAt: sql`now()` })
      .where(and(isNull(comparedAt), isNull(countedSoldAt)))
    if (rowCount === 1) await recordAudit(tx, actor, { action: 'counted-sold-again' })
  })
}
