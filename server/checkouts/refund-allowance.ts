import { setTimeout as delay } from 'node:timers/promises'
import { formatCents, toCents } from '#contract/money.ts'
import { Refusal } from '#contract/refusals.ts'
import { assertPassword } from '#server/admin/sign-in.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { AdminActor } from '#server/http/audit.ts'
import type { Refund } from '#server/payments/case.ts'

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

/** Stores a refund, if it may be. */
export type StoreRefund = <Result>(refund: Refund, store: () => Promise<Result>) => Promise<Result>

const lockPauseMs = 50

/**
 * Without a password the refunds of an admin are stored one after the other, on whichever node: each counts those before. Who
 * waits holds no connection, because the one before needs another one to store its refund.
 */
export async function allowRefund(
  db: Db,
  password: string | undefined,
  refunding: Refunding,
): Promise<StoreRefund> {
  const { actor } = refunding
  if (password !== undefined) {
    // One that is given must be right: the first of many refunds would be made without it.
    await assertPassword(db, actor, password)
    return (_refund, store) => store()
  }
  return async ({ amount, currency }, store) => {
    const storeLocked = () =>
      db.transaction(async (tx) => {
        if (!(await tryLock(tx, actor))) return undefined
        if (toCents(amount) > toCents(await readFreeAmount(tx, refunding, currency)))
          throw new Refusal('refund-password-needed')
        return { result: await store() }
      })
    for (;;) {
      const stored = await storeLocked()
      if (stored) return stored.result
      await delay(lockPauseMs)
    }
  }
}

async function tryLock(tx: Db, { admin }: AdminActor): Promise<boolean> {
  const key = `refunds of ${admin.id}`
  const { rows } = await tx.execute<{ isLocked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as "isLocked"`,
  )
  return rows[0]?.isLocked === true
}
