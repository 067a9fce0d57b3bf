import type { Db } from '#server/db/database.ts'
import { desc, eq, sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { readTurns, takeTurn, type Limit } from '#server/http/shared-limits.ts'
import type { CheckoutRow } from './ledger.ts'

/** Somebody who tries as many cards as this on one sale is trying stolen ones. */
const mostOnOneSale = 5
/** And so is an address, whatever sales they are spread over. */
const perAddress: Limit = { name: 'declined cards address', most: 10, seconds: 3_600 }

/** Over this many attempts, more than half declined is not what buyers are like. */
const attemptsToJudge = 20

/** Keeps how many cards failed on a sale. Answers whether that is one too many, here or from the same address. */
export async function noteDeclines(db: Db, row: CheckoutRow, failures: number): Promise<boolean> {
  if (failures <= row.failedCards) return row.hasTooManyCards
  const isOver = await countDeclines(db, row, failures)
  const tooMany = isOver || failures >= mostOnOneSale || row.hasTooManyCards
  await db
    .update(checkouts)
    .set({
      failedCards: failures,
      ...(tooMany && { state: 'expired', hasTooManyCards: true }),
      // Due until SumUp itself says that it is over: until then a card could still be paid on it.
      ...(tooMany && { nextCheckAt: sql`now() + interval '5 seconds'` }),
      updatedAt: sql`now()`,
    })
    .where(eq(checkouts.id, row.id))
  return tooMany
}

/** Counts what is new since the last look. Answers whether the address is over its limit. */
async function countDeclines(db: Db, row: CheckoutRow, failures: number): Promise<boolean> {
  let isOver = false
  for (let failure = row.failedCards; failure < failures; failure += 1) {
    const { taken } = await takeTurn(db, perAddress, row.addressHash ?? row.id)
    isOver = taken >= perAddress.most
  }
  return isOver
}

/** Cards of an address that were declined within the hour, and whether they are so many that it gets no payment form. */
export async function readDeclines(
  db: Db,
  addressHash: string,
): Promise<{ taken: number; secondsLeft: number; isOver: boolean }> {
  const turns = await readTurns(db, perAddress, addressHash)
  return { ...turns, isOver: turns.taken >= perAddress.most }
}

/** Whether somebody is trying out cards here: of the last attempts more than half were declined. */
export async function areCardsTried(db: Db): Promise<boolean> {
  const sales = await db
    .select({ failed: checkouts.failedCards, state: checkouts.state })
    .from(checkouts)
    .where(
      sql`(failed_cards > 0 or state = 'paid') and ${checkouts.updatedAt} > now() - interval '1 day'`,
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
