import type { OrderSort, OrderStatus } from '#contract/orders.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { orderWeeks, secondsPerWeek } from '#server/db/order-schema.ts'

/* What is searched for, positions in its list, and both as conditions on a row of orders or order_search. */

export type OrderSearch = {
  /** Each is in some field of an order. */
  words: string[]
  status?: OrderStatus | undefined
  productId?: string | undefined
  /** Both days count in; either may be missing. `tz` is a time zone that PostgreSQL knows. */
  days?: { from?: string | undefined; to?: string | undefined; tz: string } | undefined
  /** Whether test orders are among them. */
  includesTest: boolean
  sort: OrderSort
}

/** A position in the list: right after the order with this id, created at this microsecond. */
export type Cursor = {
  micros: string
  id: string
  /** The order's amount, only where the list is sorted by it. */
  sortAmount: string | null
}

export const micros = sql`(extract(epoch from created_at) * 1000000)::bigint::text`

export const reversed = {
  newest: 'oldest',
  oldest: 'newest',
  highest: 'lowest',
  lowest: 'highest',
} as const satisfies Record<OrderSort, OrderSort>

export function isByAmount(sort: OrderSort): boolean {
  return sort === 'highest' || sort === 'lowest'
}

export function isDescending(sort: OrderSort): boolean {
  return sort === 'newest' || sort === 'highest'
}

/** Not called amount: `order by amount` would then sort these texts. */
export function sortAmount(sort: OrderSort): SQL {
  return isByAmount(sort) ? sql`amount::text` : sql`null`
}

export function listOrder(sort: OrderSort, id = sql`id`): SQL {
  const direction = isDescending(sort) ? sql`desc` : sql`asc`
  const byAge = sql`created_at ${direction}, ${id} ${direction}`
  return isByAmount(sort) ? sql`amount ${direction}, ${byAge}` : byAge
}

export function isAfter(cursor: Cursor | undefined, sort: OrderSort, id: SQL): SQL {
  if (!cursor) return sql`true`
  return comparePosition(cursor, isDescending(sort) ? sql`<` : sql`>`, id)
}

/** Not `not isAfter`, for which no index by age is used. */
export function isUpTo(cursor: Cursor, sort: OrderSort, id: SQL): SQL {
  return comparePosition(cursor, isDescending(sort) ? sql`>=` : sql`<=`, id)
}

function comparePosition({ micros, id: of, sortAmount }: Cursor, comparison: SQL, id: SQL): SQL {
  const at = toTime(micros)
  return sortAmount === null
    ? sql`(created_at, ${id}) ${comparison} (${at}, ${of}::uuid)`
    : sql`(amount, created_at, ${id}) ${comparison} (${sortAmount}::numeric, ${at}, ${of}::uuid)`
}

export function toTime(micros: string): SQL {
  return sql`timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond'`
}

export function hasWords(words: string[]): SQL {
  if (words.length === 0) return sql`true`
  return sql.join(
    words.map((word) => sql`strpos(search_text, ${word}) > 0`),
    sql` and `,
  )
}

/** Whether order_search alone cannot tell which orders are listed, or where. */
export function needsOrders({ status, productId, sort }: OrderSearch): boolean {
  return status !== undefined || productId !== undefined || isByAmount(sort)
}

/** Of a row of orders. */
export function isFiltered({ status, productId }: OrderSearch): SQL {
  const hasStatus = status === undefined ? sql`true` : sql`status = ${status}`
  const hasProduct = productId === undefined ? sql`true` : sql`product_id = ${productId}`
  return sql`${hasStatus} and ${hasProduct}`
}

/** Of a row of orders or order_search. */
export function isListed(search: OrderSearch): SQL {
  return sql`${search.includesTest ? sql`true` : sql`not is_test`} and ${isInDays(search)}`
}

function isInDays({ days }: OrderSearch): SQL {
  const { from, to, tz } = days ?? { tz: 'UTC' }
  const isFrom = from ? sql`created_at >= ${from}::timestamp at time zone ${tz}::text` : sql`true`
  const isTo = to
    ? sql`created_at < (${to}::timestamp + interval '1 day') at time zone ${tz}::text`
    : sql`true`
  return sql`${isFrom} and ${isTo}`
}

/** Beyond ten years an index compares all its entries of a word faster than those of so many weeks. */
const maxWeeks = 520

/** Indexes know the week of an order besides its words, so that they name none outside of a part of the list. */
export function isInWeeks(
  after: Cursor | undefined,
  upTo: Cursor | undefined,
  sort: OrderSort,
): SQL {
  if (!after || !upTo) return sql`true`
  // Elsewhere in a list by amount there are orders of any age.
  if (isByAmount(sort) && Number(after.sortAmount) !== Number(upTo.sortAmount)) return sql`true`
  const [first, last] = [weekOf(after), weekOf(upTo)].toSorted((a, b) => a - b)
  if (first === undefined || last === undefined || last - first >= maxWeeks) return sql`true`
  const weeks = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return sql`${orderWeeks} && ${sql.param(weeks)}::int[]`
}

function weekOf({ micros }: Cursor): number {
  return Math.floor(Number(micros) / 1e6 / secondsPerWeek)
}

/**
 * Where the week of a position begins in the list; undefined within the first week. That none of the weeks before it has a
 * word takes an index a millisecond, whereas each order that it names is compared with all the weeks that were asked for.
 */
export function findWeekEdge(
  upTo: Cursor,
  after: Cursor | undefined,
  sort: OrderSort,
): Cursor | undefined {
  const week = weekOf(upTo)
  if (isByAmount(sort) || !after || weekOf(after) === week) return undefined
  const toMicros = (start: number) => start * secondsPerWeek * 1e6
  return isDescending(sort)
    ? { micros: String(toMicros(week + 1)), id: firstId, sortAmount: null }
    : { micros: String(toMicros(week) - 1), id: lastId, sortAmount: null }
}

const firstId = '00000000-0000-0000-0000-000000000000'
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
