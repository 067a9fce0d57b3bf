import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { and, eq, sql } from '#server/db/drizzle.ts'
import { mails, orderTimeline } from '#server/db/schema.ts'
import { recordAudit, type AdminActor } from '#server/http/audit.ts'
import { archiveMail } from './archive-mail.ts'
import { changedAt, lockOrder } from './status.ts'

/** How often a confirmation may be sent again in 24 hours: enough for a mistyped address, too few to bother anybody. */
const maxResends = 5

/**
 * Sends the confirmation once more, to the address that the order has when the mail leaves, and with what is true then. A
 * mail of its own, so that the history keeps what became of those before.
 */
export async function resendConfirmation(
  db: Db,
  id: string,
  { hasMailServer, actor }: { hasMailServer: boolean; actor: AdminActor },
): Promise<void> {
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (order.erasedAt) throw new Refusal('order-erased')
    if (!order.customerEmail) throw new Refusal('order-without-email')
    if (!hasMailServer) throw new Refusal('mails-off')
    const isConfirmation = and(eq(mails.orderId, id), eq(mails.kind, 'confirmation'))
    const [latest] = await tx.select().from(mails).where(isConfirmation)
    if (latest?.nextTryAt) throw new Refusal('confirmation-waiting')
    const isRecent = sql`${orderTimeline.createdAt} > now() - interval '1 day'`
    const isResend = and(eq(orderTimeline.orderId, id), eq(orderTimeline.event, resentEvent))
    if ((await tx.$count(orderTimeline, and(isResend, isRecent))) >= maxResends)
      throw new Refusal('too-many-confirmations')
    await archiveMail(tx, id, 'confirmation')
    await tx.insert(mails).values({ orderId: id, kind: 'confirmation' })
    await tx
      .insert(orderTimeline)
      .values({ orderId: id, actor: actor.admin.id, event: resentEvent, createdAt: changedAt })
    await recordAudit(tx, actor, { action: resentEvent, subject: id })
  })
}

const resentEvent = 'confirmation-resent'
