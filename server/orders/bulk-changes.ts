import type { BulkChange, OrderStatus, UndoneBulkChange } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import { deleteInBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { bulkChanges } from '#server/db/order-schema.ts'
import {
  auditEachStep,
  recordAuditWhole,
  type AdminActor,
  type AuditWhole,
} from '#server/http/audit.ts'
import { mailStatusMoves } from './shipped-mails.ts'
import { parseStatus } from './show-order.ts'

/** Older ones are still in the timelines of their orders. */
const maxListed = 20
/** Orders changed in one transaction: those who change one of them meanwhile wait for it. */
const undoBatchSize = 200

/** In the transaction of its first change; further ones find it. */
export async function ensureBulkChange(
  tx: Db,
  id: string,
  toStatus: OrderStatus,
  { admin }: AdminActor,
): Promise<void> {
  const added = await tx
    .insert(bulkChanges)
    .values({ id, actor: admin.id, toStatus })
    .onConflictDoNothing()
  if (added.rowCount === 1) return
  const [known] = await tx.select().from(bulkChanges).where(eq(bulkChanges.id, id))
  if (known?.actor !== admin.id || known.toStatus !== toStatus)
    throw new Refusal('bad-request', { text: 'This bulk change is a different one.' })
}

/** Its line in the audit log, or that of its undoing. */
export function describeBulkChange(
  action: 'bulk-change' | 'bulk-change-undone',
  id: string,
  toStatus: string,
): AuditWhole {
  return { action, subject: id, detail: { to: toStatus } }
}

/** Its undoing carries the same id, and gives another status. */
const isMade = sql`made.to_status = bulk_changes.to_status`

/** The status that the change gave is still there, and nobody has set another one in between. */
const isUndoable = sql`${isMade} and orders.status = made.to_status and not exists (
  select from order_timeline as later where later.order_id = made.order_id and later.event = 'status'
    and later.created_at > made.created_at)`

/** The latest first. Those that found every order in its new status already changed nothing and are left out. */
export async function listBulkChanges(db: Db): Promise<BulkChange[]> {
  const { rows } = await db.execute<{
    id: string
    who: string | null
    at: Date
    to: string
    orders: number
    undoable: number
    undone_at: Date | null
    undone_by: string | null
  }>(sql`
    select bulk_changes.id, who.email as who, bulk_changes.created_at as at, bulk_changes.to_status as to,
      counted.orders, counted.undoable, bulk_changes.undone_at, undoer.email as undone_by
    from (select * from bulk_changes order by created_at desc limit ${maxListed}) as bulk_changes
    cross join lateral (
      select count(distinct made.order_id)::int as orders, (count(*) filter (where ${isUndoable}))::int as undoable
      from order_timeline as made join orders on orders.id = made.order_id
      where made.bulk_id = bulk_changes.id) as counted
    left join users as who on who.id::text = bulk_changes.actor
    left join users as undoer on undoer.id::text = bulk_changes.undone_by
    where counted.orders > 0
    order by bulk_changes.created_at desc`)
  return rows.map((row) => ({
    id: row.id,
    who: row.who ?? 'A former admin',
    at: new Date(row.at).toISOString(),
    to: parseStatus(row.to),
    orders: row.orders,
    undoable: row.undoable,
    undoneAt: row.undone_at && new Date(row.undone_at).toISOString(),
    undoneBy: row.undone_at && (row.undone_by ?? 'A former admin'),
  }))
}

/**
 * Gives each order back the status that it had before, except those that were changed since. In parts, and what an
 * interrupted run has left can be undone by the next one.
 */
export async function undoBulkChange(
  db: Db,
  id: string,
  actor: AdminActor,
): Promise<UndoneBulkChange> {
  const [known] = await db.select().from(bulkChanges).where(eq(bulkChanges.id, id))
  if (!known) throw new Refusal('bulk-change-missing')
  const changes: UndoneBulkChange['changes'] = []
  for (let isDone = false; !isDone;) {
    const batch = await undoBatch(db, known, actor)
    changes.push(...batch)
    isDone = batch.length < undoBatchSize
  }
  return { changes, leftAlone: await countLeftAlone(db, id) }
}

/** Orders that were changed and never given back, also not by an earlier run. */
async function countLeftAlone(db: Db, id: string): Promise<number> {
  const { rows } = await db.execute<{ orders: number }>(sql`
    select count(distinct made.order_id)::int as orders
    from order_timeline as made join bulk_changes on bulk_changes.id = made.bulk_id
    where made.bulk_id = ${id} and ${isMade} and not exists (
      select from order_timeline as undone where undone.bulk_id = made.bulk_id and undone.order_id = made.order_id
        and undone.from_status = made.to_status and undone.created_at > made.created_at)`)
  return rows[0]?.orders ?? 0
}

/** What is older can no longer be undone; the timelines of the orders stay. */
export function deleteOldBulkChanges(db: Db, days: number): Promise<number> {
  const isOld = sql`created_at < now() - make_interval(days => ${days})`
  return deleteInBatches(db, sql`bulk_changes`, isOld)
}

async function undoBatch(
  db: Db,
  { id, toStatus }: typeof bulkChanges.$inferSelect,
  actor: AdminActor,
): Promise<UndoneBulkChange['changes']> {
  const partOf = describeBulkChange('bulk-change-undone', id, toStatus)
  const entries = sql`(select id::text as subject, jsonb_build_object('from', "from", 'to', "to") as detail
    from changed) as entries`
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string; from: string; to: string }>(sql`
      with made as (
        select made.order_id, made.from_status, made.to_status
        from order_timeline as made join orders on orders.id = made.order_id
          join bulk_changes on bulk_changes.id = made.bulk_id
        where made.bulk_id = ${id} and ${isUndoable}
        order by orders.id limit ${undoBatchSize} for update of orders
      ), changed as (
        update orders set status = made.from_status, updated_at = clock_timestamp()
        from made where orders.id = made.order_id
        returning orders.id, made.to_status as "from", made.from_status as "to"
      ), told as (
        insert into order_timeline (order_id, actor, event, from_status, to_status, bulk_id, created_at)
        select id, ${actor.admin.id}, 'status', "from", "to", ${id}, clock_timestamp() from changed
      ), marked as (
        update bulk_changes set undone_at = now(), undone_by = ${actor.admin.id}
        where id = ${id} and exists (select from changed)
      ), ${auditEachStep(actor, { action: 'order-status', partOf }, entries)}
      select id, "from", "to" from changed`)
    if (rows.length > 0) await recordAuditWhole(tx, actor, partOf)
    await mailStatusMoves(tx, rows)
    return rows.map((row) => ({ id: row.id, from: parseStatus(row.from), to: parseStatus(row.to) }))
  })
}
