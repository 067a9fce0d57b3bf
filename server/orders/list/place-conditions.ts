import type { OrderStatus } from '#contract/order-statuses.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import type { Place } from './place.ts'

/** The microsecond of a place, as `Place` has it. */
export const micros = sql`(extract(epoch from created_at) * 1000000)::bigint::text`

export function isAfter(place: Place | undefined, id: SQL): SQL {
  return place ? sql`(created_at, ${id}) < ${momentAndId(place)}` : sql`true`
}

export function isUpTo(place: Place | undefined, id: SQL): SQL {
  return place ? sql`(created_at, ${id}) >= ${momentAndId(place)}` : sql`true`
}

/** For where the status is not at hand. */
export function isInStatus(status: OrderStatus | undefined, id: SQL): SQL {
  if (status === undefined) return sql`true`
  return sql`(select status from orders where orders.id = ${id}) = ${status}`
}

function momentAndId({ micros, id }: Place): SQL {
  return sql`(timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond', ${id}::uuid)`
}
