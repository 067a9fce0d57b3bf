import { sql, type SQL } from '#server/db/drizzle.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'
import { eventValues, insertEvent, selectInsertedFigures } from './events.ts'
import { addFiguresSteps, selectFigures, unionAll } from './figures.ts'

/*
 * How a sale is counted: CTEs of the statement that writes the sale, so that both happen or neither. `changed` is the
 * CTE that changes the ledger; if it returns no row, nothing is counted. The CTEs are the same for every sale; what
 * differs is in their values.
 */

const { placeholder } = sql

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
export function countStartedSteps(changed: SQL): SQL[] {
  const isWithoutVisit = sql`exists (select from ${changed}) and not exists (select from claimed)`
  return [
    ...claimVisitSteps(changed),
    sql`inserted_views as (${insertEvent(isWithoutVisit)})`,
    ...addFiguresSteps(
      unionAll([
        selectInsertedFigures([sql`inserted_views`]),
        selectFigures({ kind: 'total', started: sql`1` }, today(changed)),
      ]),
      'sales',
    ),
  ]
}

export function startedValues(checkout: StartedCheckout) {
  const { id, productId, buyerTokenHash, isTest, visitor } = checkout
  const facts = visitor?.facts ?? {}
  const view = { eventType: 'checkout_view', productId, orderId: null, isTest, facts } as const
  return {
    visitCheckout: id,
    visitor: buyerTokenHash,
    visitedProduct: productId,
    isCountedAsTest: isTest,
    ...eventValues(view),
  }
}

/** Claims the buyer's visit unless another payment has it, and otherwise adds one. */
function claimVisitSteps(changed: SQL): SQL[] {
  const id = placeholder('visitCheckout')
  const productId = placeholder('visitedProduct')
  const visitor = placeholder('visitor')
  const isTest = placeholder('isCountedAsTest')
  return [
    sql`claimed as (
      update analytics_visits set checkout_id = ${id}
      where exists (select from ${changed}) and visitor = ${visitor}
        and product_id = ${productId} and checkout_id is null and is_test = ${isTest}
      returning visitor)`,
    sql`added_visit as (
      insert into analytics_visits (visitor, product_id, checkout_id, is_test)
      select ${visitor}, ${productId}::uuid, ${id}::uuid, ${isTest}::boolean
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
export function countOrderSteps(changed: SQL): SQL[] {
  const from = today(changed)
  const sold = { orders: sql`1`, revenue: sql`${placeholder('revenue')}::numeric` }
  const currency = sql`${placeholder('revenueCurrency')}::text`
  const productKey = sql`${placeholder('soldProduct')}::text`
  return [
    sql`completed as (${insertEvent(sql`exists (select from ${changed})`)})`,
    ...addFiguresSteps(
      unionAll([
        selectFigures({ kind: 'total', completed: sql`1` }, from),
        selectFigures({ kind: 'currency', key: currency, ...sold }, from),
        selectFigures({ kind: 'product', key: productKey, ...sold }, from),
      ]),
      'sales',
    ),
  ]
}

export function orderFigureValues(order: NewOrder, visitor: Visitor | null) {
  const { id, productId, amount, currency, isTest } = order
  const facts = visitor?.facts ?? {}
  const event = { eventType: 'checkout_complete', productId, orderId: id, isTest, facts } as const
  return {
    revenue: amount,
    revenueCurrency: currency,
    soldProduct: `${productId}:${currency}`,
    isCountedAsTest: isTest,
    ...eventValues(event),
  }
}

/** addFigures counts for today in each zone, so there is no day to give. */
function today(changed: SQL): SQL {
  return sql`(select null::date as day, ${placeholder('isCountedAsTest')}::boolean as is_test from ${changed}) as changed_today`
}
