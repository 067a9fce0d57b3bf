import type { FastifyInstance } from 'fastify'
import type { AdminUser } from '#contract/admin.ts'
import { mostReviewed } from '#contract/order-list.ts'
import { calls } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, isNull, sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { CheckoutRow } from '#server/payments/ledger.ts'
import { showReviewed } from './show-order.ts'

/** Payments that need attention, until an admin is done with them. */
export function mountReview(app: FastifyInstance, db: Db): void {
  app.get(calls.paymentReview, { config: { access: 'admin' } }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send((await listReviewed(db)).map(showReviewed)),
  )

  app.post<{ Params: { id: string } }>(
    calls.paymentHandled,
    { config: { access: 'admin' } },
    async (request, reply) => {
      await markHandled(db, request.params.id, signedInAdmin(request))
      return reply.code(204).send()
    },
  )
}

async function listReviewed(db: Db): Promise<CheckoutRow[]> {
  return db
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.state, 'review'), isNull(checkouts.handledAt)))
    .orderBy(desc(checkouts.createdAt))
    .limit(mostReviewed + 1)
}

/** It stays in review, so that no later word of SumUp's makes it an order; who was done with it first stays noted. */
async function markHandled(db: Db, id: string, admin: AdminUser): Promise<void> {
  if (!isUuid(id)) throw new Refusal('payment-missing')
  const { rowCount } = await db
    .update(checkouts)
    .set({
      handledAt: sql`coalesce(${checkouts.handledAt}, now())`,
      handledBy: sql`coalesce(${checkouts.handledBy}, ${admin.id})`,
    })
    .where(and(eq(checkouts.id, id), eq(checkouts.state, 'review')))
  if (rowCount === 0) throw new Refusal('payment-missing')
}
