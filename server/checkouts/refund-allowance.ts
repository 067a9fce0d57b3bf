import { formatCents, toCents } from '#contract/money.ts'
import { Refusal } from '#contract/refusals.ts'
import { assertPassword } from '#server/admin/sign-in.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { AdminActor } from '#server/http/audit.ts'
import type { Refund } from '#server/payments/record.ts'

/** What an admin may refund without the password: a stolen session must not empty the account. */

/** Who asks, and what they may refund in an hour without the password, in whole units of each currency. */
export type Refunding = { actor: AdminActor; passwordAbove: number }

/** What is left of it, as a decimal string. Many small refunds are not cheaper for a stolen session than a large one. */
export async function readFreeAmount(
  db: Db,
  { actor, passwordAbove }: Refunding,
  currency: string,
): Promise<string> {
  const { rows } = await db.execute<{ cents: string }>(sql`
    select (coalesce(sum(amount), 0) * 100)::bigint as cents from refunds
    where asked_by = ${actor.admin.id} and currency = ${currency}
      and asked_at > now() - interval '1 hour' and state <> 'failed'`)
  return formatCents(Math.max(0, passwordAbove * 100 - Number(rows[0]?.cents ?? 0)))
}

/** A refund that is about to be stored, and counts towards what its admin may refund. */
export type LimitedRefund = { refund: Refund; refunding: Refunding }

/** Whose refunds are limited: nobody's, once the password was given. */
export async function findRefundLimit(
  db: Db,
  password: string | undefined,
  refunding: Refunding,
): Promise<Refunding | undefined> {
  if (password === undefined) return refunding
  // One that is given must be right: the first of many refunds would be made without it.
  await assertPassword(db, refunding.actor, password)
  return undefined
}

/**
 * Refuses a refund beyond the limit. Until the transaction ends, other refunds of this admin wait, on whichever node: each
 * counts those before.
 */
export async function assertMayRefund(
  tx: Db,
  { refund: { amount, currency }, refunding }: LimitedRefund,
): Promise<void> {
  const key = `refunds of ${refunding.actor.admin.id}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  if (toCents(amount) > toCents(await readFreeAmount(tx, refunding, currency)))
    throw new Refusal('refund-password-needed')
}
