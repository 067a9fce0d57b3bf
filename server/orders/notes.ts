import type { OrderNote } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import { users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { and, asc, eq, sql } from '#server/db/drizzle.ts'
import { orderNotes } from '#server/db/order-schema.ts'
import { recordAudit, type AdminActor } from '#server/http/audit.ts'
import { isUuid } from '#server/http/uuid.ts'
import { findOrder } from './orders.ts'
import { changedAt, lockOrder } from './status.ts'
import { nameActor } from './timeline.ts'

/** What admins write about an order for themselves. Buyers never see it, but a customer's export has it. */

/** The oldest first. */
export async function listNotes(db: Db, orderId: string): Promise<OrderNote[]> {
  if (!(await findOrder(db, orderId))) throw new Refusal('order-missing')
  const rows = await db
    .select({ note: orderNotes, email: users.email })
    .from(orderNotes)
    .leftJoin(users, sql`${users.id}::text = ${orderNotes.author}`)
    .where(eq(orderNotes.orderId, orderId))
    .orderBy(asc(orderNotes.createdAt))
  return rows.map(({ note: { id, author, text, createdAt }, email }) => ({
    id,
    who: nameActor(author, email),
    at: createdAt.toISOString(),
    text,
  }))
}

export async function addNote(
  db: Db,
  orderId: string,
  { text }: { text: string },
  actor: AdminActor,
): Promise<OrderNote[]> {
  await db.transaction(async (tx) => {
    // Nobody would find it any more to erase it.
    if ((await lockOrder(tx, orderId)).erasedAt) throw new Refusal('order-erased')
    await tx
      .insert(orderNotes)
      .values({ orderId, author: actor.admin.id, text, createdAt: changedAt })
    await recordAudit(tx, actor, { action: 'order-note-added', subject: orderId })
  })
  return listNotes(db, orderId)
}

export async function deleteNote(
  db: Db,
  { id: orderId, noteId }: { id: string; noteId: string },
  actor: AdminActor,
): Promise<OrderNote[]> {
  if (!isUuid(noteId)) throw new Refusal('note-missing')
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .delete(orderNotes)
      .where(and(eq(orderNotes.orderId, orderId), eq(orderNotes.id, noteId)))
    if (!rowCount) throw new Refusal('note-missing')
    await recordAudit(tx, actor, { action: 'order-note-deleted', subject: orderId })
  })
  return listNotes(db, orderId)
}
