import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'

/** Why a mail was not sent that lies in a file instead, as all do without a mail server. */
export const keptAsFile = 'kept as a file'

/** An order has one mail of each kind: this one makes room for the next, as shipped-1, and stays in the history. */
export async function archiveMail(
  tx: Db,
  orderId: string,
  kind: string,
  { isTried = false }: { isTried?: boolean } = {},
): Promise<void> {
  await tx.execute(sql`
    update mails set next_try_at = null, kind = ${kind} || '-' || (
      select coalesce(max(substring(kind from '[0-9]+$')::int), 0) + 1 from mails
      where order_id = ${orderId} and starts_with(kind, ${`${kind}-`}))
    where order_id = ${orderId} and kind = ${kind} and attempts >= ${isTried ? 1 : 0}`)
}
