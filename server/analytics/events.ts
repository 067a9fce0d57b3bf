import type { EventType, ListedEvent } from '#contract/analytics.ts'
import { eventTypes } from '#contract/answers/analytics.ts'
import { analyticsEvents, type VisitorFacts } from '#server/db/analytics-schema.ts'
import { deleteInBatches, inBatches } from '#server/db/batches.ts'
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
  /** Of a test order, or a view in test mode. */
  isTest: boolean
  facts: VisitorFacts
}

/** An event that a page reported. */
export type TrackedEvent = NewEvent & {
  /** Identifies a returning visitor; views without it are never merged into one visit. */
  visitor: string | null
  /** Events that are not counted are only listed. */
  isCounted: boolean
}

/** Views of the same product by the same visitor within this time are one visit. */
export const visitMinutes = 30
/** Long enough for a payment to find the visit it began in. */
const visitKeepHours = 24

/** Events in memory at a time while all are listed. */
const listBatchSize = 2_000

/**
 * Inserts events, and counts those that count, in one statement. A view is inserted if it begins a visit; if a batch has
 * several views of one visit, one of them is.
 */
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
    steps.push(...insertFirstViewsSteps(views))
    counted.push(sql`inserted_views`)
  }
  if (orderEvents.length > 0) {
    steps.push(
      sql`inserted_of_orders as (${insertOnce(orderEvents)} ${returningCounts}, order_id)`,
      // Test orders may have been removed since the event was checked.
      sql`counted_of_orders as (
        select day, is_test, event_type, device_type, country, referrer, times from inserted_of_orders
        where exists (select from orders where orders.id = order_id))`,
    )
    counted.push(sql`counted_of_orders`)
  }
  if (uncounted.length > 0) steps.push(sql`uncounted as (${insertOnce(uncounted)})`)
  await runPrepared(db, addFigures(steps, selectInsertedFigures(counted), shard))
}

function isView({ eventType }: NewEvent): boolean {
  return eventType === 'checkout_view'
}

const eventColumns = {
  event_type: 'text',
  product_id: 'uuid',
  order_id: 'uuid',
  is_test: 'boolean',
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
const returningCounts = sql`returning null::date as day, is_test, event_type, device_type, country, referrer, 1 as times`

/** A column of the event whose values are given as eventValues. */
export const eventValue = (column: EventColumn): SQL =>
  sql`${sql.placeholder(`event ${column}`)}::${sql.raw(eventColumns[column])}`

/** Inserts the event that is given as eventValues, once for each row of the table. */
export function insertEventFor(table: SQL): SQL {
  const values = columnNames.map(eventValue)
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

function insertFirstViewsSteps(views: TrackedEvent[]): SQL[] {
  return [
    sql`views as materialized (${selectValues(views)})`,
    sql`begun as (${beginVisits(sql`views`)})`,
    sql`first_views as (
      (select distinct on (visitor, product_id) ${columns} from views join begun using (visitor, product_id, is_test))
      union all select ${columns} from views where visitor is null)`,
    sql`inserted_views as (${insertFrom(sql`first_views`)} ${returningCounts})`,
  ]
}

/** An event of an order is kept once. Inserted in the order of the key, so that two nodes cannot deadlock. */
function insertOnce(events: TrackedEvent[]): SQL {
  return sql`${insertFrom(sql`(${selectValues(events)})`)} order by order_id, event_type
    on conflict (order_id, event_type) where order_id is not null do nothing`
}

function insertFrom(table: SQL): SQL {
  return sql`insert into analytics_events (${columns}) select ${columns} from ${table} as new_events`
}

/** One JSON parameter, which is faster than an array for each column. */
function selectValues(events: TrackedEvent[]): SQL {
  const rows = events.map((event) => ({ visitor: event.visitor, ...toRow(event) }))
  return sql`
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as new_events (visitor text, ${typedColumns})`
}

function toRow({ eventType, productId, orderId, isTest, facts }: NewEvent) {
  return {
    event_type: eventType,
    product_id: productId,
    order_id: orderId,
    is_test: isTest,
    visitor_ip: facts.visitorIp,
    country: facts.country,
    city: facts.city,
    device_type: facts.deviceType,
    browser: facts.browser,
    os: facts.os,
    referrer: facts.referrer,
  } satisfies Record<EventColumn, unknown>
}

/** Records the visits of a table of views and returns those that began now. A test visit does not go on in a live shop. */
function beginVisits(views: SQL): SQL {
  // Rows are locked in the order of the key, so that two nodes cannot deadlock.
  return sql`
    insert into analytics_visits as known (visitor, product_id, is_test)
    select distinct on (visitor, product_id) visitor, product_id, is_test from ${views} where visitor is not null
      order by visitor, product_id
    on conflict (visitor, product_id) do update set seen_at = now(), checkout_id = null, is_test = excluded.is_test
      where known.seen_at < now() - make_interval(mins => ${visitMinutes}) or known.is_test <> excluded.is_test
    returning visitor, product_id, is_test`
}

export function deleteOldVisits(db: Db): Promise<number> {
  const isOld = sql`seen_at < now() - make_interval(hours => ${visitKeepHours})`
  return deleteInBatches(db, sql`analytics_visits`, isOld)
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
