import type { OrderStatus } from '#contract/order-statuses.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import type { OrderSearch } from './order-search.ts'
import { isAfter, isInStatus, isUpTo, micros } from './place-conditions.ts'
import type { Place } from './place.ts'
import type { Hit } from './walk.ts'

/** A part of the list: what comes after one place, up to and with another. */
export type Part = { after: Place | undefined; upTo: Place | undefined }

/**
 * All hits in a part of the list, newest first, from an index; nothing, if more than `most` orders there have the words,
 * in whatever status: an index knows of words alone, and each order that it names has to be fetched.
 */
export async function lookUp(
  db: Db,
  { words = '', status }: OrderSearch,
  { after, upTo }: Part,
  conditions: SQL,
  most: number,
): Promise<Hit[] | undefined> {
  const { rows } = await db.execute<{ known: number; id: string | null; micros: string }>(sql`
    with named as materialized (
      select order_id as id, created_at from order_search
      where ${isAfter(after, sql`order_id`)} and ${isUpTo(upTo, sql`order_id`)}
        and ${conditions} and strpos(search_text, ${words}) > 0
      limit ${most + 1}
    ), counted as (select count(*)::int as known from named)
    select known, id, ${micros} as micros
    from counted left join named on known <= ${most} and ${isInStatus(status, sql`named.id`)}
    order by created_at desc, id desc`)
  if (rows.some(({ known }) => known > most)) return undefined
  return rows.flatMap(({ id, micros }) => (id === null ? [] : { id, micros }))
}

/** No order in this status is older: no hit either, so that nothing needs to be looked up beyond. */
export async function maybeOldest(
  db: Db,
  status: OrderStatus | undefined,
): Promise<Place | undefined> {
  if (status === undefined) return undefined
  const { rows } = await db.execute<Place>(
    sql`select id, ${micros} as micros from orders where status = ${status} order by created_at, id limit 1`,
  )
  return rows[0]
}
