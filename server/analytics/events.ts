import type { EventType, ListedEvent } from '#contract/analytics.ts'
import { eventTypes } from '#contract/answers/analytics.ts'
import { analyticsEvents, type VisitorFacts } from '#server/db/analytics-schema.ts'
import { inBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, sql, type SQL } from '#server/db/drizzle.ts'
import { runPrepared, type Values } from '#server/db/prepared.ts'
import { streamJson } from '#server/http/send-stream.ts'
import { addFigures, selectEventFigures, unionAll, type Shard } from './figures.ts'

export type NewEvent = {
  eventType: EventType
  productId: string
  /** A view has none. */
  orderId: string | null
  /** The event is of a test order, or a view in test mode. */
  isTest: boolean
  /** The event is the first view of this browser today. */
  isNewVisitor: boolean
  facts: VisitorFacts
}

/** An event that a page reported. */
export type TrackedEvent = NewEvent & {
  /** Events that are not counted are only listed. */
  isCounted: boolean
}

/** Events in memory at a time while all are listed. */
const listBatchSize = 2_000

/** Inserts events, and counts those that count, in one statement. */
export async function writeEvents(db: Db, events: TrackedEvent[], shard: Shard): Promise<void> {
  const views = events.filter(isView)
  const orderEvents = events.filter((event) => !isView(event) && event.isCounted)
  const uncounted = events.filter((event) => !isView(event) && !event.isCounted)
  if (uncounted.length === events.length) {
    await runPrepared(db, insertOnce(uncounted))
    return
  }
  const steps: SQL[] = []
  const counted: SQL[] = []
  if (views.length > 0) {
    steps.push(sql`inserted_views as (${insertFrom(selectValues(views))} ${returningCounts})`)
    counted.push(sql`inserted_views`)
  }
  if (orderEvents.length > 0) {
    steps.push(
      sql`inserted_of_orders as (${insertOnce(orderEvents)} ${returningCounts}, order_id)`,
      // Test orders may have been removed since the event was checked.
      sql`counted_of_orders as (
        select day, is_test, event_type, device_type, country, referrer, times, visitors from inserted_of_orders
        where ${isCountedEvent(sql`inserted_of_orders`)})`,
    )
    counted.push(sql`counted_of_orders`)
  }
  if (uncounted.length > 0) steps.push(sql`uncounted as (${insertOnce(uncounted)})`)
  await runPrepared(db, addFigures(steps, selectInsertedFigures(counted), shard))
}

/** Whether an event about an order counts: its order exists, or it is a completion that was reported in test mode. */
export function isCountedEvent(events: SQL): SQL {
  return sql`((${events}.is_test and ${events}.event_type = 'checkout_complete')
    or exists (select from orders where orders.id = ${events}.order_id))`
}

function isView({ eventType }: NewEvent): boolean {
  return eventType === 'checkout_view'
}

const eventColumns = {
  event_type: 'text',
  product_id: 'uuid',
  order_id: 'uuid',
  is_test: 'boolean',
  is_new_visitor: 'boolean',
  visitor_ip: 'text',
  country: 'text',
  city: 'text',
  device_type: 'text',
  browser: 'text',
  os: 'text',
  referrer: 'text',
} as const
type EventColumn = keyof typeof eventColumns
const columnNames = Object.keys(eventColumns) as EventColumn[]
const columns = sql.raw(columnNames.join(', '))
const typedColumns = sql.raw(columnNames.map((name) => `${name} ${eventColumns[name]}`).join(', '))
/** What selectEventFigures reads; the day is always today. */
const returningCounts = sql`returning null::date as day, is_test, event_type, device_type, country, referrer,
  1 as times, is_new_visitor::int as visitors`

/** Inserts the event that is given as eventValues, once for each row of the table. */
export function insertEventFor(table: SQL): SQL {
  const values = columnNames.map(
    (name) => sql`${sql.placeholder(`event ${name}`)}::${sql.raw(eventColumns[name])}`,
  )
  return sql`insert into analytics_events (${columns}) select ${sql.join(values, sql`, `)} from ${table}`
}

export function eventValues(event: NewEvent): Values {
  const row = toRow(event)
  return Object.fromEntries(columnNames.map((name) => [`event ${name}`, row[name] ?? null]))
}

/** The figures of inserted events, by the names of the CTEs that inserted them. */
function selectInsertedFigures(inserted: SQL[]): SQL {
  const all = unionAll(inserted.map((table) => sql`select * from ${table}`))
  return selectEventFigures(sql`(${all}) as inserted`)
}

/** An event of an order is kept once. Inserted in the order of the key, so that two nodes cannot deadlock. */
function insertOnce(events: TrackedEvent[]): SQL {
  return sql`${insertFrom(selectValues(events))} order by order_id, event_type
    on conflict (order_id, event_type) where order_id is not null do nothing`
}

function insertFrom(events: SQL): SQL {
  return sql`insert into analytics_events (${columns}) select ${columns} from (${events}) as new_events`
}

/** One JSON parameter, which is faster than an array for each column. */
function selectValues(events: TrackedEvent[]): SQL {
  const rows = JSON.stringify(events.map(toRow))
  return sql`select * from json_to_recordset(${rows}::json) as new_events (${typedColumns})`
}

function toRow({ eventType, productId, orderId, isTest, isNewVisitor, facts }: NewEvent) {
  return {
    event_type: eventType,
    product_id: productId,
    order_id: orderId,
    is_test: isTest,
    is_new_visitor: isNewVisitor,
    visitor_ip: facts.visitorIp,
    country: facts.country,
    city: facts.city,
    device_type: facts.deviceType,
    browser: facts.browser,
    os: facts.os,
    referrer: facts.referrer,
  } satisfies Record<EventColumn, unknown>
}

const erasureJob = 'visitor-erasure'

/**
 * Deletes what events tell about single visitors. Their type, country, device and referrer stay, which the figures are counted
 * from. The job remembers how far it came, so that it reads no event twice.
 */
export function eraseOldVisitors(db: Db, days: number): Promise<number> {
  return inBatches(async (limit) => {
    const { rowCount } = await db.execute(sql`
      with old as (
        select id, created_at from analytics_events
        where created_at >= coalesce((select done_until from node_jobs where name = ${erasureJob}), '-infinity')
          and created_at < now() - make_interval(days => ${days})
          and num_nonnulls(visitor_ip, city, browser, os) > 0
        order by created_at limit ${limit}),
      remembered as (
        insert into node_jobs (name, done_until)
        select ${erasureJob}, max(created_at) from old having count(*) > 0
        on conflict (name) do update set done_until = excluded.done_until)
      update analytics_events set visitor_ip = null, city = null, browser = null, os = null
      from old where analytics_events.id = old.id`)
    return rowCount ?? 0
  })
}

/** Deletes up to `limit` events of test mode. */
export async function deleteTestEvents(tx: Db, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from analytics_events where is_test and id = any(array(
      select id from analytics_events where is_test limit ${limit}))`)
  return rowCount ?? 0
}

/** All events as a JSON array, newest first, in batches. Those of test mode only where they count. */
export function listEvents(db: Db, includesTest: boolean): AsyncGenerator<string> {
  return streamJson(listBatches(db, includesTest))
}

async function* listBatches(db: Db, includesTest: boolean): AsyncGenerator<ListedEvent[]> {
  let last: { at: string; id: string } | undefined
  do {
    const rows = await db
      .select({
        id: analyticsEvents.id,
        // As text: a Date has no microseconds.
        at: sql<string>`${analyticsEvents.createdAt}::text`,
        eventType: analyticsEvents.eventType,
        productId: analyticsEvents.productId,
        orderId: analyticsEvents.orderId,
        deviceType: analyticsEvents.deviceType,
        country: analyticsEvents.country,
      })
      .from(analyticsEvents)
      .where(and(includesTest ? undefined : sql`not is_test`, last && isOlder(last)))
      .orderBy(desc(analyticsEvents.createdAt), desc(analyticsEvents.id))
      .limit(listBatchSize)
    yield rows.map(showEvent)
    last = rows.at(-1)
  } while (last)
}

function isOlder({ at, id }: { at: string; id: string }): SQL {
  return sql`(${analyticsEvents.createdAt}, ${analyticsEvents.id}) < (${at}::timestamptz, ${id}::uuid)`
}

type EventRow = Pick<typeof analyticsEvents.$inferSelect, keyof ListedEvent>

function showEvent(row: EventRow): ListedEvent {
  const { productId, orderId, deviceType, country } = row
  const eventType = eventTypes.find((type) => type === row.eventType)
  if (!eventType) throw new Error(`unknown event type ${row.eventType}`)
  return { eventType, productId, orderId, deviceType, country }
}
