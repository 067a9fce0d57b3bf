import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { OrderSearch } from './order-search.ts'
import { isAfter, isInStatus, micros } from './place-conditions.ts'
import type { Place } from './place.ts'

/** Orders old and new, newest first, and what a search would say to each. */
export type Sample = (Place & { text: string; isHit: boolean; isAhead: boolean })[]

/** At a million orders, so many tell a newest hit to some thousands. */
const size = 300

/** Ids are random, so the first of them are a fair sample of all orders. */
export async function takeSample(
  db: Db,
  { words = '', status }: OrderSearch,
  after: Place | undefined,
): Promise<Sample> {
  const { rows } = await db.execute<Sample[number]>(sql`
    select id, ${micros} as micros, search_text as text, ${isAfter(after, sql`id`)} as "isAhead",
      strpos(search_text, ${words}) > 0 and ${isInStatus(status, sql`picked.id`)} as "isHit"
    from (
      select order_id as id, created_at, search_text from order_search order by order_id limit ${size}
    ) as picked
    order by created_at desc, id desc`)
  return rows
}

/** What the sample says of the orders ahead: the share of hits in all orders, and the newest hit that it knows. */
export function readSample(sample: Sample) {
  const ahead = sample.filter(({ isAhead }) => isAhead)
  const hits = ahead.filter(({ isHit }) => isHit)
  const [newest] = hits
  const share = hits.length / sample.length
  const isNear = newest !== undefined && ahead.indexOf(newest) < hits.length
  return { share, newest, isNear }
}
