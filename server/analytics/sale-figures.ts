import { sql, type SQL } from '#server/db/drizzle.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'
import { insertEvent, selectInsertedFigures } from './events.ts'
import { addFiguresSteps, selectFigures, unionAll } from './figures.ts'

/*
 * How a sale is counted: CTEs of the statement that writes the sale, so that both happen or neither. `changed` is the
 * CTE that changes the ledger; if it returns no row, nothing is counted.
 */

type StartedCheckout = {
  id: string
  productId: string
  buyerTokenHash: string
  isTest: boolean
  visitor: Visitor | null
}

/**
 * Counts a payment that was started. Each payment has a visit of its own, so that there are never more payments than
 * visits: a buyer who blocks tracking, or pays a second time in one visit, adds a view.
 */
export function countStartedSteps(checkout: StartedCheckout, changed: SQL): SQL[] {
  const { productId, isTest, visitor } = checkout
  const facts = visitor?.facts ?? {}
  const view = { eventType: 'checkout_view', productId, orderId: null, isTest, facts } as const
  const isWithoutVisit = sql`exists (select from ${changed}) and not exists (select from claimed)`
  return [
    ...claimVisitSteps(checkout, changed),
    sql`inserted_views as (${insertEvent(view, isWithoutVisit)})`,
    ...addFiguresSteps(
      unionAll([
        selectInsertedFigures([sql`inserted_views`]),
        selectFigures({ kind: 'total', started: sql`1` }, today(changed, isTest)),
      ]),
      'sales',
    ),
  ]
}

/** Claims the buyer's visit unless another payment has it, and otherwise adds one. */
function claimVisitSteps(checkout: StartedCheckout, changed: SQL): SQL[] {
  const { id, productId, buyerTokenHash, isTest } = checkout
  return [
    sql`claimed as (
      update analytics_visits set checkout_id = ${id}
      where exists (select from ${changed}) and visitor = ${buyerTokenHash}
        and product_id = ${productId} and checkout_id is null and is_test = ${isTest}
      returning visitor)`,
    sql`added_visit as (
      insert into analytics_visits (visitor, product_id, checkout_id, is_test)
      select ${buyerTokenHash}, ${productId}::uuid, ${id}::uuid, ${isTest}::boolean
      where exists (select from ${changed}) and not exists (select from claimed)
      on conflict (visitor, product_id) do update set checkout_id = excluded.checkout_id, is_test = excluded.is_test)`,
  ]
}

type NewOrder = {
  id: string
  productId: string
  amount: string
  currency: string
  isTest: boolean
}

/** Counts an order, whether or not the browser reports it. */
export function countOrderSteps(order: NewOrder, visitor: Visitor | null, changed: SQL): SQL[] {
  const { id, productId, amount, currency, isTest } = order
  const facts = visitor?.facts ?? {}
  const event = { eventType: 'checkout_complete', productId, orderId: id, isTest, facts } as const
  const from = today(changed, isTest)
  const sold = { orders: sql`1`, revenue: sql`${amount}::numeric` }
  const productKey = sql`${`${productId}:${currency}`}::text`
  return [
    sql`completed as (${insertEvent(event, sql`exists (select from ${changed})`)})`,
    ...addFiguresSteps(
      unionAll([
        selectFigures({ kind: 'total', completed: sql`1` }, from),
        selectFigures({ kind: 'currency', key: sql`${currency}::text`, ...sold }, from),
        selectFigures({ kind: 'product', key: productKey, ...sold }, from),
      ]),
      'sales',
    ),
  ]
}

/** addFigures counts for today in each zone, so there is no day to give. */
function today(changed: SQL, isTest: boolean): SQL {
  return sql`(select null::date as day, ${isTest}::boolean as is_test from ${changed}) as changed_today`
}
