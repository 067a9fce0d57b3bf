import { sql, type SQL } from '#server/db/drizzle.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'
import { addEvent, addingView, figuresOf } from './events.ts'
import { countingSteps } from './figures.ts'
import { claimingVisit } from './visits.ts'

/*
 * What a sale means for the figures, as steps of the one statement that writes the sale: either both happen or neither.
 * `changed` is the step that changes the ledger; where it changes nothing, nothing is counted.
 */

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
export function countingStarted(checkout: StartedCheckout, changed: SQL): SQL[] {
  const { id, productId, buyerTokenHash, visitor } = checkout
  const facts = visitor?.facts ?? {}
  const view = { eventType: 'checkout_view', productId, orderId: null, facts } as const
  const isUntold = sql`exists (select from ${changed}) and not exists (select from claimed)`
  const started = sql`select null::date, 'total', '', 0, 1, 0, 0, 0, 0 from ${changed}`
  return [
    ...claimingVisit({ visitor: buyerTokenHash, productId, checkoutId: id }, changed),
    addingView(view, isUntold),
    ...countingSteps(sql`${figuresOf([sql`added_views`])} union all ${started}`, 'sales'),
  ]
}

type NewOrder = { id: string; productId: string; amount: string; currency: string }

/** Money was taken, whether or not a browser lives to tell. */
export function countingOrder(order: NewOrder, visitor: Visitor | null, changed: SQL): SQL[] {
  const { id, productId, amount, currency } = order
  const facts = visitor?.facts ?? {}
  const event = { eventType: 'checkout_complete', productId, orderId: id, facts } as const
  const changes = sql`select kinds.* from ${changed} cross join (values
    (null::date, 'total', '', 0, 0, 1, 0, 0, 0::numeric),
    (null, 'currency', ${currency}, 0, 0, 0, 0, 1, ${amount}::numeric),
    (null, 'product', ${`${productId}:${currency}`}, 0, 0, 0, 0, 1, ${amount}::numeric)) as kinds`
  return [
    sql`completed as (${addEvent(event, sql`exists (select from ${changed})`)})`,
    ...countingSteps(changes, 'sales'),
  ]
}
