import { isSent } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { and, eq, inArray, sql, type SQL } from '#server/db/drizzle.ts'
import { mails } from '#server/db/schema.ts'
import { archiveMail, keptAsFile } from './archive-mail.ts'

/** Mails that say that an order is on its way or ready for pickup follow its status, so that the last one stays true. */

const shippedMail = 'shipped'
const correctionMail = 'unshipped'

export type StatusMove = { id: string; from: string; to: string }

/**
 * Writes to buyers after statuses have changed. Who picks up is told when: there is no tracking that would tell them. A
 * parcel's mail goes out with its tracking, so here only again. An order that is taken back from completed has arrived, and
 * nobody is told otherwise.
 */
export async function mailStatusMoves(tx: Db, moves: StatusMove[]): Promise<void> {
  const takenBack = moves.filter(({ from, to }) => from === 'shipped' && !isSent({ status: to }))
  for (const id of await listIds(tx, takenBack, sql`${lastTold} = ${shippedMail}`)) {
    await archiveMail(tx, id, correctionMail)
    await tx.insert(mails).values({ orderId: id, kind: correctionMail })
  }
  const sent = moves.filter(({ from, to }) => !isSent({ status: from }) && isSent({ status: to }))
  await withdrawCorrections(tx, sent)
  for (const id of await listIds(tx, sent, isUntold)) await mailShipped(tx, id)
}

/** One that has not been tried yet says what is true when it leaves. */
export async function mailShipped(tx: Db, orderId: string): Promise<void> {
  await archiveMail(tx, orderId, shippedMail, { isTried: true })
  await tx.insert(mails).values({ orderId, kind: shippedMail }).onConflictDoNothing()
}

/** Where the status was taken back by mistake, and set again before the correction was tried. */
async function withdrawCorrections(tx: Db, moves: StatusMove[]): Promise<void> {
  const ids = moves.map(({ id }) => id)
  const isUntried = and(eq(mails.kind, correctionMail), eq(mails.attempts, 0))
  await tx.delete(mails).where(and(inArray(mails.orderId, ids), isUntried))
}

/** The kind of the last mail that the buyer of an order got, or is about to get; null if there is none. */
const lastTold = sql`(select split_part(kind, '-', 1) from mails
  where order_id = orders.id and split_part(kind, '-', 1) in (${shippedMail}, ${correctionMail})
    and attempts > 0 and coalesce(last_error, ${keptAsFile}) = ${keptAsFile}
  order by created_at desc limit 1)`

/** There was one that has not left: the status was taken back before. */
const hasShippedMail = sql`exists (select from mails
  where order_id = orders.id and split_part(kind, '-', 1) = ${shippedMail})`

/** Whether the buyer of an order that is sent now has to be told so. The mail about a parcel has its tracking. */
const isUntold = sql`customer_email is not null and ${lastTold} is distinct from ${shippedMail} and (
  (coalesce(terms ->> 'isPickup' = 'true', false) and status = 'shipped')
  or (shipment is not null and (${lastTold} = ${correctionMail} or (status = 'shipped' and ${hasShippedMail}))))`

async function listIds(tx: Db, moves: StatusMove[], condition: SQL): Promise<string[]> {
  if (moves.length === 0) return []
  const ids = moves.map(({ id }) => id)
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from orders where id = any(${sql.param(ids)}::uuid[]) and ${condition}`)
  return rows.map(({ id }) => id)
}
