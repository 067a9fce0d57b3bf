import { sql, type SQL } from '#server/db/drizzle.ts'
import type { Values } from '#server/db/prepared.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'
import { eventValue, eventValues, insertEventFor } from './events.ts'
import { addSaleFigures, listViewKeys } from './figures.ts'

/*
 * How a sale is counted: CTEs of the statement that writes the sale, so that both happen or neither. `changed` is the
 * CTE that changes the ledger; if it returns no row, nothing is counted. The CTEs are the same for every sale; what
 * differs is in their values.
 */

const { placeholder } = sql
const isCountedAsTest = sql`${placeholder('isCountedAsTest')}::boolean`

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
  const isViewAdded = sql`exists (select from added_visit)`
  const total = {
    kind: 'total',
    views: sql`case when ${isViewAdded} then 1 else 0 end`,
    started: sql`1`,
  } as const
  const views = listViewKeys(eventValue).map((group) => ({ ...group, views: sql`1` }))
  const condition = sql`exists (select from ${changed}) and (kind = 'total' or ${isViewAdded})`
  return [
    ...claimVisitSteps(changed),
    sql`inserted_view as (${insertEventFor(sql`added_visit`)})`,
    sql`counted as (${addSaleFigures([total, ...views], isCountedAsTest, condition)})`,
  ]
}

export function startedValues(checkout: StartedCheckout): Values[] {
  const { id, productId, buyerTokenHash, isTest, visitor } = checkout
  const facts = visitor?.facts ?? {}
  const view = { eventType: 'checkout_view', productId, orderId: null, isTest, facts } as const
  const ofVisit = {
    visitCheckout: id,
    visitor: buyerTokenHash,
    visitedProduct: productId,
    isCountedAsTest: isTest,
  }
  return [ofVisit, eventValues(view)]
}

/**
 * Claims the buyer's visit unless another payment has it, and otherwise adds one. An insert always finds the visit by its
 * key; an update, planned while the table was small, would read all of it until it is planned again.
 */
function claimVisitSteps(changed: SQL): SQL[] {
  const insertVisit = (condition: SQL) => sql`
    insert into analytics_visits as known (visitor, product_id, checkout_id, is_test)
    select ${placeholder('visitor')}, ${placeholder('visitedProduct')}::uuid, ${placeholder('visitCheckout')}::uuid,
      ${isCountedAsTest}
    from ${changed} where ${condition}
    on conflict (visitor, product_id) do update
    set checkout_id = excluded.checkout_id, is_test = excluded.is_test`
  return [
    sql`added_visit as (
      ${insertVisit(sql`true`)} where known.checkout_id is not null or known.is_test <> excluded.is_test
      returning visitor)`,
    sql`claimed_visit as (${insertVisit(sql`not exists (select from added_visit)`)})`,
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
  const sold = { orders: sql`1`, revenue: sql`${placeholder('revenue')}::numeric` }
  const currency = sql`${placeholder('revenueCurrency')}::text`
  const productKey = sql`${placeholder('soldProduct')}::text`
  const figures = [
    { kind: 'total', completed: sql`1` },
    { kind: 'currency', key: currency, ...sold },
    { kind: 'product', key: productKey, ...sold },
  ] as const
  const condition = sql`exists (select from ${changed})`
  return [
    sql`completed as (${insertEventFor(changed)})`,
    sql`counted as (${addSaleFigures([...figures], isCountedAsTest, condition)})`,
  ]
}

export function orderFigureValues(order: NewOrder, visitor: Visitor | null): Values[] {
  const { id, productId, amount, currency, isTest } = order
  const facts = visitor?.facts ?? {}
  const event = { eventType: 'checkout_complete', productId, orderId: id, isTest, facts } as const
  const sold = {
    revenue: amount,
    revenueCurrency: currency,
    soldProduct: `${productId}:${currency}`,
    isCountedAsTest: isTest,
  }
  return [sold, eventValues(event)]
}
