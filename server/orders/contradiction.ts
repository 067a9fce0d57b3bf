import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import type { CheckoutRow } from '#server/payments/ledger.ts'

/** So long SumUp may contradict itself about a sale before a person is asked. */
const patienceMinutes = 10

/** Notes that SumUp contradicts itself about a sale. Answers whether it has done so for too long. */
export async function isContradictedLong(db: Db, row: CheckoutRow): Promise<boolean> {
  const [noted] = await db
    .update(checkouts)
    .set({ contradictedSince: sql`coalesce(${checkouts.contradictedSince}, now())` })
    .where(eq(checkouts.id, row.id))
    .returning({
      isLong: sql<boolean>`${checkouts.contradictedSince} < now() - make_interval(mins => ${patienceMinutes})`,
    })
  return noted?.isLong ?? false
}

export async function forgetContradiction(db: Db, row: CheckoutRow): Promise<void> {
  if (row.contradictedSince === null) return
  await db.update(checkouts).set({ contradictedSince: null }).where(eq(checkouts.id, row.id))
}
