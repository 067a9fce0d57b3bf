import { isSent } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { mails } from '#server/db/schema.ts'
import { archiveMail, keptAsFile } from './archive-mail.ts'

/** Mails that say that an order is on its way or ready for pickup follow its status, also when that is taken back. */

const shippedMail = 'shipped'
const correctionMail = 'unshipped'

export type StatusMove = { id: string; from: string; to: string }

/**
 * Writes to buyers after statuses have changed. Who picks up is told when: there is no tracking that would tell them. A
 * parcel's mail goes out with its tracking, so here only again.
 */
export async function mailStatusMoves(tx: Db, moves: StatusMove[]): Promise<void> {
  const takenBack = moves.filter(
    ({ from, to }) => isSent({ status: from }) && !isSent({ status: to }),
  )
  for (const id of await listTold(tx, takenBack)) {
    await archiveMail(tx, id, shippedMail)
    await archiveMail(tx, id, correctionMail)
    await tx.insert(mails).values({ orderId: id, kind: correctionMail })
  }
  const sent = moves.filter(({ from, to }) => !isSent({ status: from }) && to === 'shipped')
  for (const id of await listUntold(tx, sent)) await mailShipped(tx, id)
}

/** One that has not been tried yet says what is true when it leaves. */
export async function mailShipped(tx: Db, orderId: string): Promise<void> {
  await archiveMail(tx, orderId, shippedMail, { isTried: true })
  await tx.insert(mails).values({ orderId, kind: shippedMail }).onConflictDoNothing()
}

/** Orders whose buyer got the mail, or is about to. */
async function listTold(tx: Db, moves: StatusMove[]): Promise<string[]> {
  return listIds(
    tx,
    moves,
    sql`exists (select from mails where order_id = orders.id and kind = ${shippedMail}
      and attempts > 0 and coalesce(last_error, ${keptAsFile}) = ${keptAsFile})`,
  )
}

/** Orders whose buyer is to be told that they are sent. */
async function listUntold(tx: Db, moves: StatusMove[]): Promise<string[]> {
  return listIds(
    tx,
    moves,
    sql`customer_email is not null and (coalesce(terms ->> 'isPickup' = 'true', false)
      or (shipment is not null and exists (select from mails
        where order_id = orders.id and (kind = ${shippedMail} or starts_with(kind, ${`${shippedMail}-`})))))`,
  )
}

async function listIds(
  tx: Db,
  moves: StatusMove[],
  condition: ReturnType<typeof sql>,
): Promise<string[]> {
  if (moves.length === 0) return []
  const ids = moves.map(({ id }) => id)
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from orders where id = any(${sql.param(ids)}::uuid[]) and ${condition}`)
  return rows.map(({ id }) => id)
}
