import type { OrderStatus } from '#contract/order-statuses.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import type { OrderSearch } from './order-search.ts'
import { isAfter, micros } from './place-conditions.ts'
import type { Place } from './place.ts'

/** An order that was found: its id, and the place to go on after it. */
export type Hit = Place

/** Words as they stand in the search text. PostgreSQL has its own mind about letters beyond ASCII, so it is asked. */
export async function foldWords(db: Db, words: string): Promise<string> {
  if (/^[ -~]*$/.test(words)) return words.toLowerCase()
  const { rows } = await db.execute<{ folded: string }>(sql`select order_fold(${words}) as folded`)
  return rows[0]?.folded ?? words
}

/**
 * Goes through the orders after a place, newest first, up to `most` hits or to the end of the stretch. Answers how far
 * it came, too: nowhere, if no orders are left to go through.
 */
export async function walk(
  db: Db,
  { words, status }: OrderSearch,
  after: Place | undefined,
  most: number,
  stretch?: number,
): Promise<{ hits: Hit[]; reached: Place | undefined }> {
  const isHit = words === undefined ? sql`true` : sql`strpos(search_text, ${words}) > 0`
  // Numbered in the order of the list, or PostgreSQL would sort the whole stretch before the first hit.
  const isLast =
    stretch === undefined
      ? sql`false`
      : sql`row_number() over (order by created_at desc, id desc) = ${stretch}`
  const { rows } = await db.execute<Hit & { isHit: boolean; isLast: boolean }>(sql`
    select id, ${micros} as micros, is_hit as "isHit", is_last as "isLast" from (
      select id, created_at, ${isHit} as is_hit, ${isLast} as is_last from (
        ${words !== undefined && status === undefined ? searchTexts(after) : ordersIn(status, after)}
        order by created_at desc, id desc ${stretch === undefined ? sql`` : sql`limit ${stretch}`}
      ) as ahead
    ) as walked
    where is_hit or is_last order by created_at desc, id desc limit ${most}`)
  const last = rows.at(-1)
  const mayGoOn = rows.length === most || last?.isLast
  return { hits: rows.filter((row) => row.isHit), reached: mayGoOn ? last : undefined }
}

function searchTexts(after: Place | undefined): SQL {
  return sql`select order_id as id, created_at, search_text from order_search
    where ${isAfter(after, sql`order_id`)}`
}

/** The text of each order is looked up one by one: PostgreSQL would rather read all of them at once, and need seconds. */
function ordersIn(status: OrderStatus | undefined, after: Place | undefined): SQL {
  return sql`select id, created_at,
      (select search_text from order_search where order_id = orders.id) as search_text
    from orders
    where ${isAfter(after, sql`id`)} and ${status === undefined ? sql`true` : sql`status = ${status}`}`
}
