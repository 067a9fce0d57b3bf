import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { createTrackingUrl, type Shipment } from '#contract/carriers.ts'
import type { shipmentSchema } from '#contract/order-schemas.ts'
import { isSent, type AdminOrder } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { and, eq } from '#server/db/drizzle.ts'
import { mails, orders, orderTimeline, type OrderRow } from '#server/db/schema.ts'
import { recordAudit, recordAuditWhole, type AdminActor } from '#server/http/audit.ts'
import { describeBulkChange, ensureBulkChange } from './bulk-changes.ts'
import { archiveMail } from './archive-mail.ts'
import { getAdminOrder } from './orders.ts'
import { mailShipped } from './shipped-mails.ts'
import { changedAt, lockOrder, writeStatus } from './status.ts'

const shippedMail = 'shipped'
const isUntried = eq(mails.attempts, 0)

/**
 * Sets carrier and tracking. An order that was not sent yet is marked as shipped with it. The buyer gets a mail with the
 * first tracking of an order that has not arrived, and when it is sent once more; corrections are seen on the page that the
 * mail leads to.
 */
export async function saveShipment(
  db: Db,
  id: string,
  { tellsCustomer, bulkId, ...given }: z.output<typeof shipmentSchema>,
  actor: AdminActor,
): Promise<AdminOrder> {
  await db.transaction(async (tx) => {
    // Before the order, as in a change of status.
    if (bulkId) await ensureBulkChange(tx, bulkId, 'shipped', actor)
    const order = await lockOrder(tx, id)
    // Its number would stay for good: nobody finds the order by an address any more.
    if (order.erasedAt) throw new Refusal('order-erased')
    if (order.terms?.isPickup) throw new Refusal('order-picked-up')
    const shipment = resolveShipment(given, order)
    const isMoved = !isSent(order)
    if (isMoved) await writeStatus(tx, order, { status: 'shipped', bulkId }, actor)
    const isNew = !isDeepStrictEqual(order.shipment, shipment)
    if (isNew) await writeShipment(tx, order, shipment, actor)
    if (isNew || isMoved) {
      const partOf =
        bulkId && isMoved ? describeBulkChange('bulk-change', bulkId, 'shipped') : undefined
      if (partOf) await recordAuditWhole(tx, actor, partOf)
      const moved = isMoved ? { from: order.status, to: 'shipped' } : {}
      const detail = { carrier: shipment.carrier, ...moved }
      await recordAudit(tx, actor, { action: 'order-shipment', subject: id, detail, partOf })
    }
    const isAwaited = isMoved || (!order.shipment && order.status !== 'completed')
    if (tellsCustomer && isAwaited && order.customerEmail) await mailShipped(tx, id)
  })
  return getAdminOrder(db, id)
}

/** For what was entered for the wrong order. A mail that has not left yet is taken back; after one that has, another may follow. */
export async function deleteShipment(db: Db, id: string, actor: AdminActor): Promise<AdminOrder> {
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!order.shipment) return
    await writeShipment(tx, order, null, actor)
    const isAboutIt = and(eq(mails.orderId, id), eq(mails.kind, shippedMail))
    await tx.delete(mails).where(and(isAboutIt, isUntried))
    await archiveMail(tx, id, shippedMail)
    await recordAudit(tx, actor, { action: 'order-shipment-removed', subject: id })
  })
  return getAdminOrder(db, id)
}

/** A link that was given wins over the carrier's own. */
function resolveShipment(
  { carrier, trackingNumber, trackingUrl }: Shipment,
  { shippingAddress }: OrderRow,
): Shipment {
  const ownUrl = trackingNumber && createTrackingUrl(carrier, trackingNumber, shippingAddress)
  return { carrier, trackingNumber, trackingUrl: trackingUrl ?? ownUrl }
}

async function writeShipment(
  tx: Db,
  { id, shipment: before }: OrderRow,
  shipment: Shipment | null,
  actor: AdminActor,
): Promise<void> {
  await tx.update(orders).set({ shipment, updatedAt: changedAt }).where(eq(orders.id, id))
  const event = !before ? 'tracking-added' : shipment ? 'tracking-changed' : 'tracking-removed'
  await tx
    .insert(orderTimeline)
    .values({ orderId: id, actor: actor.admin.id, event, createdAt: changedAt })
}
