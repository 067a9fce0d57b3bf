import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { consumeLimit, limitOf, readLimit, type Limit } from '#server/http/rate-limits.ts'
import type { Sale } from '#server/payments/record.ts'

/** More declined cards from one address, over all its sales, suggest card testing. */
export const declinesPerAddress: Limit = { name: 'declined cards address', max: 10, seconds: 3_600 }

/** More than half declined of this many attempts suggests card testing. */
const attemptsToJudge = 20

/** Counts new declined cards. Returns whether the address has reached its limit. */
export async function countDeclines(db: Db, row: Sale, newFailures: number): Promise<boolean> {
  let used = 0
  for (let failure = 0; failure < newFailures; failure += 1)
    used = (await consumeLimit(db, declinesPerAddress, row.addressKey ?? row.id)).used
  return used >= limitOf(row.addressKey, declinesPerAddress).max
}

/** Declined cards of an address within the hour, and whether it gets no payment form any more. */
export async function readDeclines(
  db: Db,
  addressKey: string,
): Promise<{ used: number; secondsLeft: number; isOver: boolean }> {
  const usage = await readLimit(db, declinesPerAddress, addressKey)
  return { ...usage, isOver: usage.used >= limitOf(addressKey, declinesPerAddress).max }
}

/** Whether more than half of the latest attempts were declined, in test mode or otherwise. */
export async function isCardTestingAttack(db: Db, isTest: boolean): Promise<boolean> {
  const { rows: latest } = await db.execute<{ isDeclined: boolean }>(sql`
    select status = 'failed' as "isDeclined" from payments
    where status <> 'pending' and is_test = ${isTest} and found_at > now() - interval '1 day'
    order by found_at desc limit ${attemptsToJudge}`)
  const declined = latest.filter(({ isDeclined }) => isDeclined).length
  return latest.length === attemptsToJudge && declined > attemptsToJudge / 2
}
