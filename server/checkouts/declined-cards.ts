import type { Db } from '#server/db/database.ts'
import { desc, sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { consumeLimit, readLimit, type Limit } from '#server/http/rate-limits.ts'
import type { CheckoutRow } from './decision.ts'

/** An address from which as many cards as this are declined, over whatever sales, tries out stolen ones. */
const perAddress: Limit = { name: 'declined cards address', max: 10, seconds: 3_600 }

/** Over this many attempts, more than half declined is not what buyers are like. */
const attemptsToJudge = 20

/** Counts cards that were declined since the last look. Answers whether they are too many from this address. */
export async function countDeclines(
  db: Db,
  row: CheckoutRow,
  newFailures: number,
): Promise<boolean> {
  let used = 0
  for (let failure = 0; failure < newFailures; failure += 1)
    used = (await consumeLimit(db, perAddress, row.addressHash ?? row.id)).used
  return used >= perAddress.max
}

/** Cards of an address that were declined within the hour, and whether they are so many that it gets no payment form. */
export async function readDeclines(
  db: Db,
  addressHash: string,
): Promise<{ used: number; secondsLeft: number; isOver: boolean }> {
  const usage = await readLimit(db, perAddress, addressHash)
  return { ...usage, isOver: usage.used >= perAddress.max }
}

/** Whether somebody is trying out cards here: of the last attempts more than half were declined. */
export async function isCardTestingAttack(db: Db): Promise<boolean> {
  const sales = await db
    .select({ failed: sql<number>`cardinality(failed_ids)`, state: checkouts.state })
    .from(checkouts)
    .where(
      sql`(failed_ids <> '{}' or state = 'paid') and ${checkouts.updatedAt} > now() - interval '1 day'`,
    )
    .orderBy(desc(checkouts.updatedAt))
    .limit(attemptsToJudge)
  const attempts = sales.flatMap(({ failed, state }) => [
    ...(state === 'paid' ? ['paid'] : []),
    ...Array.from({ length: failed }, () => 'declined'),
  ])
  const latest = attempts.slice(0, attemptsToJudge)
  const declined = latest.filter((attempt) => attempt === 'declined').length
  return latest.length === attemptsToJudge && declined > attemptsToJudge / 2
}
