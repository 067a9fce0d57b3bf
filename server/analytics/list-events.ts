import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'

/** So many events are in memory at once, however many there are. */
const eventsAtOnce = 2_000

type Batch = { json: string | null; last: { at: string; id: string } | null }

/**
 * All events as a JSON array, newest first, a batch at a time. The database writes the JSON: a million rows would be
 * ten million strings here, for no other purpose than to be thrown away.
 */
export async function* listEvents(db: Db): AsyncGenerator<string> {
  let last: Batch['last'] = null
  let before = '['
  do {
    const batch: Batch = await readBatch(db, last)
    if (batch.json) yield before + batch.json
    if (batch.json) before = ','
    last = batch.last
  } while (last)
  yield before === '[' ? '[]' : ']'
}

async function readBatch(db: Db, last: Batch['last']): Promise<Batch> {
  const older = last ? sql`where (created_at, id) < (${last.at}::timestamptz, ${last.id})` : sql``
  const { rows } = await db.execute<Batch>(sql`
    with batch as materialized (
      select created_at, id, event_type, product_id, order_id, device_type, country
      from analytics_events ${older} order by created_at desc, id desc limit ${eventsAtOnce})
    select string_agg(json_build_object('eventType', event_type, 'productId', product_id,
        'orderId', order_id, 'deviceType', device_type, 'country', country)::text, ','
        order by created_at desc, id desc) as json,
      (select json_build_object('at', created_at, 'id', id)
        from batch order by created_at, id limit 1) as last
    from batch`)
  return rows[0] ?? { json: null, last: null }
}
