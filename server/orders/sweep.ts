import type { Db } from '#server/db/database.ts'
import { and, eq, inArray, notInArray, sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import type { CheckoutRow } from '#server/payments/ledger.ts'
import { describeError } from '#server/describe-error.ts'
import { settle, type Settling } from './settle.ts'

/** As many sales as one round takes up, and as many of them as are asked about at once. */
const perRound = 40
const atOnce = 5

/** So long SumUp is asked about a sale that it gives no answer about. */
const daysToAsk = 7
const neverKnown = 'SumUp could not be asked for a week whether this was paid'

/** Looks at every sale that is due, so that none depends on a browser or a webhook. Answers how many it looked at. */
export async function sweep(shop: Settling): Promise<number> {
  const due = await claimDue(shop.db)
  const waiting = [...due]
  const worker = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) await lookAgain(shop, row)
  }
  await Promise.allSettled(Array.from({ length: atOnce }, worker))
  return due.length
}

async function lookAgain(shop: Settling, row: CheckoutRow): Promise<void> {
  try {
    const { is } = await settle(shop, row)
    if (is === 'waiting' || is === 'declined' || is === 'too-many-cards')
      await giveUpWhenOld(shop.db, row)
  } catch (error) {
    shop.log.warn(
      { err: error, checkout: row.id },
      'A sale could not be looked at; it will be again',
    )
    const reason = describeError(error).message.slice(0, 500)
    await shop.db.update(checkouts).set({ lastError: reason }).where(eq(checkouts.id, row.id))
    await askAPersonWhenOld(shop, row)
  }
}

/**
 * Takes due rows and puts off their next look in one step, before looking: a node that dies on the way
 * costs one round, not the sale. 2 s, 5 s, 10 s, then half as long again up to 15 min.
 */
async function claimDue(db: Db): Promise<CheckoutRow[]> {
  const due = db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(
      and(sql`${checkouts.nextCheckAt} <= now()`, notInArray(checkouts.state, ['paid', 'review'])),
    )
    .orderBy(checkouts.nextCheckAt)
    .limit(perRound)
    .for('update', { skipLocked: true })
  const seconds = sql`case ${checkouts.checks} when 0 then 5 when 1 then 10
    else least(900, 10 * power(1.5, least(${checkouts.checks}, 20) - 1)) end`
  return (
    db
      .update(checkouts)
      .set({
        checks: sql`${checkouts.checks} + 1`,
        nextCheckAt: sql`now() + make_interval(secs => ${seconds} * (0.9 + 0.2 * random()))`,
      })
      // As an array the choice is made once; as a list PostgreSQL may make it again and take too many.
      .where(sql`${checkouts.id} = any(array(${due}))`)
      .returning()
  )
}

/**
 * A day after its time nobody pays on it any more. Closed only if it is still put off, as the claim left it: a
 * webhook that came in between has made it due again.
 */
async function giveUpWhenOld(db: Db, row: CheckoutRow): Promise<void> {
  const old = sql`${checkouts.validUntil} + interval '24 hours' < now()`
  const idle = sql`(${checkouts.details} is null and ${checkouts.validUntil} + interval '1 minute' < now())`
  await db
    .update(checkouts)
    .set({ state: 'expired', nextCheckAt: null, updatedAt: sql`now()` })
    .where(
      and(
        eq(checkouts.id, row.id),
        inArray(checkouts.state, ['created', 'open', 'submitted', 'expired']),
        sql`${checkouts.nextCheckAt} > now()`,
        sql`(${old} or ${idle})`,
      ),
    )
}

/**
 * Nobody could say for days whether it was paid: a key that was withdrawn, an account that was closed. It is no
 * longer asked about without end; where somebody may have paid, a person is asked.
 */
async function askAPersonWhenOld({ db, log }: Settling, row: CheckoutRow): Promise<void> {
  const [old] = await db
    .update(checkouts)
    .set({
      state: sql`case when ${checkouts.details} is null then 'expired' else 'review' end`,
      reviewReason: sql`case when ${checkouts.details} is null then null else ${neverKnown} end`,
      nextCheckAt: null,
      updatedAt: sql`now()`,
    })
    .where(
      and(
        eq(checkouts.id, row.id),
        notInArray(checkouts.state, ['paid', 'review']),
        sql`${checkouts.validUntil} + make_interval(days => ${daysToAsk}) < now()`,
      ),
    )
    .returning({ state: checkouts.state })
  if (old?.state === 'review') log.error({ checkout: row.id }, 'A payment needs attention')
}
