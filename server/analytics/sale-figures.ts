import { sql, type SQL } from '#server/db/drizzle.ts'
import type { Values } from '#server/db/prepared.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'
import { eventValues, insertEventFor } from './events.ts'
import { formatCents, toCents } from '#contract/money.ts'
import type { ReturnedMoney } from '#contract/returned-money.ts'
import { addReturned, addSaleFigures } from './figures.ts'

/*
 * How a sale is counted: CTEs of the statement that writes the sale, so that both happen or neither. `changed` is the
 * CTE that changes the ledger; if it returns no row, nothing is counted. The CTEs are the same for every sale; what
 * differs is in their values.
 */

const { placeholder } = sql
const isCountedAsTest = sql`${placeholder('isCountedAsTest')}::boolean`

/** Counts a payment that was started. */
export function countStartedSteps(changed: SQL): SQL[] {
  const total = { kind: 'total', started: sql`1` } as const
  const condition = sql`exists (select from ${changed})`
  return [sql`counted as (${addSaleFigures([total], isCountedAsTest, condition)})`]
}

export function startedValues({ isTest }: { isTest: boolean }): Values[] {
  return [{ isCountedAsTest: isTest }]
}

type NewOrder = ReturnedMoney & {
  id: string
  productId: string
  amount: string
  currency: string
  isTest: boolean
}

/** Counts an order, whether or not the browser reports it. */
export function countOrderSteps(changed: SQL): SQL[] {
  const sold = {
    orders: sql`1`,
    revenue: sql`${placeholder('revenue')}::numeric`,
    returned: sql`${placeholder('revenueReturned')}::numeric`,
  }
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
  const about = { productId, orderId: id, isTest, isNewVisitor: false, facts }
  const event = { eventType: 'checkout_complete', ...about } as const
  const sold = {
    revenue: amount,
    revenueReturned: formatCents(toCents(order.refundedAmount) + toCents(order.chargedBackAmount)),
    revenueCurrency: currency,
    soldProduct: `${productId}:${currency}`,
    isCountedAsTest: isTest,
  }
  return [sold, eventValues(event)]
}

/** Counts what went back of an order since. Less than before, if the order is paid by another payment now. */
export function countReturnedSteps(changed: SQL): SQL[] {
  const order = sql`${placeholder('returnedOf')}::uuid`
  const returned = sql`${placeholder('returnedChange')}::numeric`
  const condition = sql`exists (select from ${changed})`
  return [sql`counted_returned as (${addReturned(order, returned, condition)})`]
}

export function returnedValues(orderId: string, cents: number): Values {
  return { returnedOf: orderId, returnedChange: (cents / 100).toFixed(2) }
}
