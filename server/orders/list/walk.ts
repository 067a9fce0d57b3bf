import type { OrderStatus } from '#contract/order-statuses.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import type { OrderSearch } from './order-search.ts'
import type { Place } from './place.ts'

/** An order that was found: its id, and the place to go on after it. */
export type Hit = Place

/** Words as they stand in the search text. PostgreSQL has its own mind about letters beyond ASCII, so it is asked. */
export async function foldWords(db: Db, words: string): Promise<string> {
  if (/^[ -~]*$/.test(words)) return words.toLowerCase()
  const { rows } = await db.execute<{ folded: string }>(sql`select order_fold(${words}) as folded`)
  return rows[0]?.folded ?? words
}

/** Goes through the orders after a place, newest first, up to `most` hits or to the end of the stretch. */
export async function walk(
  db: Db,
  { words, status }: OrderSearch,
  after: Place | undefined,
  most: number,
  stretch?: number,
): Promise<Hit[]> {
  const isHit = words === undefined ? sql`true` : sql`strpos(search_text, ${words}) > 0`
  const { rows } = await db.execute<Hit>(sql`
    select id, ${micros} as micros from (
      ${words !== undefined && status === undefined ? searchTexts(after) : ordersIn(status, after)}
      order by created_at desc, id desc ${stretch === undefined ? sql`` : sql`limit ${stretch}`}
    ) as walked
    where ${isHit} order by created_at desc, id desc limit ${most}`)
  return rows
}

/** Hits that an index knows of, as long as there are no more than `most`; then they are any of them. */
export async function lookUp(
  db: Db,
  { words = '', status }: OrderSearch,
  after: Place | undefined,
  conditions: SQL,
  most: number,
): Promise<Hit[]> {
  const inStatus =
    status === undefined
      ? sql`true`
      : sql`(select status from orders where orders.id = order_search.order_id) = ${status}`
  const { rows } = await db.execute<Hit>(sql`
    select id, ${micros} as micros from (
      ${searchTexts(after)} and ${conditions} and strpos(search_text, ${words}) > 0 and ${inStatus}
      limit ${most}
    ) as found
    order by created_at desc, id desc`)
  return rows
}

const micros = sql`(extract(epoch from created_at) * 1000000)::bigint::text`

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

function isAfter(place: Place | undefined, id: SQL): SQL {
  if (!place) return sql`true`
  return sql`(created_at, ${id}) <
    (timestamptz 'epoch' + ${place.micros}::float8 * interval '1 microsecond', ${place.id}::uuid)`
}
