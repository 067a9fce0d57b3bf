import { restoredBackups } from './admin-schema.ts'
import type { Db } from './database.ts'
import { sql } from './drizzle.ts'
import { prepareQuery } from './prepared.ts'

/*
 * That this database was restored from a backup, and what is not known since: payments after the backup, until they were
 * compared with SumUp, and what the owner did after it, until they say that they have looked.
 */

export type RestoredBackup = typeof restoredBackups.$inferSelect

/**
 * In the transaction that restores. Jobs are due at once: whoever held them is not running. If the backup is itself of a
 * restored shop that was not compared yet, payments are missing since that earlier backup.
 */
export const markRestored = {
  text: `
    with due as (update node_jobs set held_until = now()),
      earlier as (delete from restored_backups returning backup_at, compared_at)
    insert into restored_backups (backup_at)
      select least($1::timestamptz, min(backup_at) filter (where compared_at is null)) from earlier`,
  values: (backupAt: string) => [backupAt],
}

export async function findRestored(db: Db): Promise<RestoredBackup | undefined> {
  const [restored] = await db.select().from(restoredBackups)
  return restored
}

/** Adds what a comparison since the backup found. `isWhole`: nothing was left for the next one. */
export async function recordComparison(
  db: Db,
  found: { settled: number; withoutSale: number },
  isWhole: boolean,
): Promise<void> {
  const { foundOrders, foundInReview } = restoredBackups
  await db.update(restoredBackups).set({
    foundOrders: sql`${foundOrders} + ${found.settled}`,
    foundInReview: sql`${foundInReview} + ${found.withoutSale}`,
    ...(isWhole && { comparedAt: sql`now()` }),
  })
}

/**
 * Since when products whose pieces are counted are not sold: after a restore the last piece may be gone, until payments were
 * compared or the owner gives the word.
 */
export async function findCountedHold(db: Db): Promise<Date | undefined> {
  const [held] = await findHold(db, {})
  return held?.since
}

const findHold = prepareQuery('counted_hold', (db) =>
  db
    .select({ since: restoredBackups.restoredAt })
    .from(restoredBackups)
    .where(sql`compared_at is null and counted_sold_at is null`),
)
