import { formatCents, toCents } from '#contract/money.ts'
import { Refusal } from '#contract/refusals.ts'
import { assertPassword } from '#server/admin/sign-in.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { AdminActor } from '#server/http/audit.ts'

/** What an admin may refund without the password: a stolen session must not empty the account. */

/** Who asks, and what they may refund in an hour without the password, in whole units of the shop's currency. */
export type Refunding = { actor: AdminActor; passwordAbove: number }

/** What is left of it, as a decimal string. */
export async function readFreeAmount(db: Db, { actor, passwordAbove }: Refunding): Promise<string> {
  return formatCents(Math.max(0, passwordAbove * 100 - (await sumOwnRefunds(db, actor))))
}

/** Many small refunds are not cheaper for a stolen session than a large one. */
async function sumOwnRefunds(db: Db, { admin }: AdminActor): Promise<number> {
  const { rows } = await db.execute<{ cents: string }>(sql`
    select (coalesce(sum(amount), 0) * 100)::bigint as cents from refunds
    where asked_by = ${admin.id} and asked_at > now() - interval '1 hour' and state <> 'failed'`)
  return Number(rows[0]?.cents ?? 0)
}

/** The last refund without a password of each admin, while it runs. */
const running = new Map<string, Promise<unknown>>()

/**
 * Runs a refund, with the password where more is refunded in an hour than the shop allows without. Refunds without a password
 * run one after the other for each admin: the next is counted with the one before.
 */
export async function refundAllowed<Result>(
  db: Db,
  { amount, password }: { amount: string; password: string | undefined },
  refunding: Refunding,
  refund: () => Promise<Result>,
): Promise<Result> {
  const { actor } = refunding
  if (password !== undefined) {
    // One that is given must be right: the first of many refunds would be made without it.
    await assertPassword(db, actor, password)
    return refund()
  }
  const before = running.get(actor.admin.id)
  const task = async () => {
    await before?.catch(() => {})
    if (toCents(amount) > toCents(await readFreeAmount(db, refunding)))
      throw new Refusal('refund-password-needed')
    return refund()
  }
  const result = task()
  running.set(actor.admin.id, result)
  try {
    return await result
  } finally {
    if (running.get(actor.admin.id) === result) running.delete(actor.admin.id)
  }
}
