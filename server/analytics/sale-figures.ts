import { analyticsEvents } from '#server/db/analytics-schema.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { Visitor } from '#server/db/visitor.ts'
import { addingView, figuresOf } from './events.ts'
import { addingToDays } from './figures.ts'
import { addVisit, claimVisit } from './visits.ts'

type StartedCheckout = {
  id: string
  productId: string
  buyerTokenHash: string
  visitor: Visitor | null
}

/**
 * A buyer sets about paying. Each payment has a visit of its own, so that there are never more payments than visits:
 * who blocks our tracking was here too, and who pays a second time looked a second time.
 */
export async function countStarted(tx: Db, checkout: StartedCheckout): Promise<void> {
  const { id, productId, buyerTokenHash, visitor } = checkout
  const visit = { visitor: buyerTokenHash, productId }
  const hasVisit = await claimVisit(tx, visit, id)
  const started = sql`select null::date, 'total', '', 0, 1, 0, 0, 0, 0`
  if (hasVisit) {
    await tx.execute(addingToDays([], started, 'sales'))
    return
  }
  await addVisit(tx, visit, id)
  const facts = visitor?.facts ?? {}
  const view = addingView({ eventType: 'checkout_view', productId, orderId: null, facts })
  const changes = sql`${figuresOf([sql`added_views`])} union all ${started}`
  await tx.execute(addingToDays([view], changes, 'sales'))
}

type NewOrder = { id: string; productId: string; amount: string; currency: string }

/** Money was taken, whether or not a browser lives to tell. */
export async function countOrder(tx: Db, order: NewOrder, visitor: Visitor | null): Promise<void> {
  const { id, productId, amount, currency } = order
  const facts = visitor?.facts ?? {}
  await tx
    .insert(analyticsEvents)
    .values({ eventType: 'checkout_complete', productId, orderId: id, ...facts })
  const changes = sql`values
    (null::date, 'total', '', 0, 0, 1, 0, 0, 0),
    (null, 'currency', ${currency}, 0, 0, 0, 0, 1, ${amount}::numeric),
    (null, 'product', ${`${productId}:${currency}`}, 0, 0, 0, 0, 1, ${amount}::numeric)`
  await tx.execute(addingToDays([], changes, 'sales'))
}
