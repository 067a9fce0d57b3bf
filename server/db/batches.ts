import type { Db } from './database.ts'
import { sql, type SQL } from './drizzle.ts'

const batchSize = 2_000
/** Bounds one run; the next one goes on. */
const maxBatches = 100

/** Repeats a change of at most `limit` rows until it changes fewer. Returns how many rows were changed. */
export async function inBatches(
  change: (limit: number) => Promise<number>,
  limit = batchSize,
): Promise<number> {
  let changed = 0
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const rows = await change(limit)
    changed += rows
    if (rows < limit) break
  }
  return changed
}

/** Deletes rows in batches. Skips locked ones: waiting for those that lock in another order could deadlock. */
export function deleteInBatches(db: Db, table: SQL, condition: SQL): Promise<number> {
  return inBatches(async (limit) => {
    const { rowCount } = await db.execute(sql`
      delete from ${table} where ctid = any (array(
        select ctid from ${table} where ${condition} limit ${limit} for update skip locked))`)
    return rowCount ?? 0
  })
}
