import type { z } from 'zod'
import { isSameAddress } from '#contract/addresses.ts'
import type { correctionSchema } from '#contract/order-schemas.ts'
import { addressParts, nameOf, type AdminOrder, type Correction } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders, orderTimeline, type OrderRow } from '#server/db/schema.ts'
import { recordAudit, type AdminActor } from '#server/http/audit.ts'
import { getAdminOrder } from './orders.ts'
import { changedAt, lockOrder } from './status.ts'

type Given = z.output<typeof correctionSchema>
type SeenCustomer = Given['before'] & { customerName: string | null }
type Customer = Pick<
  OrderRow,
  'customerEmail' | 'customerName' | 'customerPhone' | 'shippingAddress'
>

/**
 * Corrects e-mail, name, phone and delivery address, and keeps what was there before in the timeline. Only if the order still
 * says what was on the screen.
 */
export async function correctCustomer(
  db: Db,
  id: string,
  { before, customerEmail, customerPhone, shippingAddress }: Given,
  actor: AdminActor,
): Promise<AdminOrder> {
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (order.erasedAt) throw new Refusal('order-erased')
    // The name is that of the address, or was never shown.
    const seen = { ...before, customerName: order.customerName }
    if (compare(order, seen).length > 0) throw new Refusal('order-changed')
    const isSameName = nameOf(order.shippingAddress) === nameOf(shippingAddress)
    const after: Customer = {
      customerEmail: customerEmail ?? null,
      // As the checkout takes it from the address, if that has another name now.
      customerName: isSameName ? order.customerName : nameOf(shippingAddress),
      customerPhone: customerPhone ?? null,
      shippingAddress,
    }
    const corrections = compare(order, after)
    if (corrections.length === 0) return
    await writeCustomer(tx, order, after)
    const event = 'corrected'
    await tx
      .insert(orderTimeline)
      .values({ orderId: id, actor: actor.admin.id, event, corrections, createdAt: changedAt })
    // Without the values, which are erased with the customer: the audit log is not.
    const detail = { fields: corrections.map(({ field }) => field) }
    await recordAudit(tx, actor, { action: 'order-corrected', subject: id, detail })
  })
  return getAdminOrder(db, id)
}

async function writeCustomer(tx: Db, order: OrderRow, after: Customer): Promise<void> {
  const { billingAddress, shippingAddress } = order
  const isBilledThere = billingAddress !== null && isSameAddress(billingAddress, shippingAddress)
  const isOtherEmail = toKey(order.customerEmail) !== toKey(after.customerEmail)
  await tx
    .update(orders)
    .set({
      ...after,
      ...(isBilledThere && { billingAddress: after.shippingAddress }),
      ...(isOtherEmail && { linkVersion: order.linkVersion + 1 }),
      updatedAt: changedAt,
    })
    .where(eq(orders.id, order.id))
}

function toKey(email: string | null): string {
  return email?.toLowerCase() ?? ''
}

/** The fields that differ. An empty one is like one that is missing. */
function compare(one: SeenCustomer, other: SeenCustomer): Correction[] {
  const [from, to] = [listFields(one), listFields(other)]
  return Object.keys(from).flatMap((field) => {
    const values = { from: from[field] || null, to: to[field] || null }
    return values.from === values.to ? [] : [{ field, ...values }]
  })
}

type Fields = Record<string, string | null | undefined>

function listFields({ shippingAddress, ...contact }: SeenCustomer): Fields {
  const { customerEmail, customerName, customerPhone } = contact
  const parts = addressParts.map((part) => [part, shippingAddress[part]] as const)
  return { customerEmail, customerName, customerPhone, ...Object.fromEntries(parts) }
}
