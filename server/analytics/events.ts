import type { EventType, ListedEvent } from '#contract/analytics.ts'
import { eventTypes } from '#contract/answers/analytics.ts'
import { analyticsEvents, type Visitor, type VisitorFacts } from '#server/db/analytics-schema.ts'
import { inBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, sql, type SQL } from '#server/db/drizzle.ts'
import { placeholdersFor, prepareQuery } from '#server/db/prepared.ts'
import { streamJson } from '#server/http/send-stream.ts'

export type NewEvent = {
  eventType: EventType
  productId: string
  /** A view has none. */
  orderId: string | null
  /** The event is of a test order, or a view in test mode. */
  isTest: boolean
  /** The event is the first view of this browser today. */
  isNewVisitor: boolean
  /** Events that are not counted are only listed. */
  isCounted: boolean
  facts: VisitorFacts
}

/** Events in memory at a time while all are listed. */
const listBatchSize = 2_000

/** Inserts events; one that an order has already is left out. */
export async function insertEvents(db: Db, events: NewEvent[]): Promise<void> {
  const rows = events.map(({ facts, ...event }) => ({ ...event, ...facts }))
  // In the order of the unique key, so that two nodes cannot deadlock.
  const sorted = rows.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
  await db.insert(analyticsEvents).values(sorted).onConflictDoNothing()
}

const keyOf = ({ orderId, eventType }: Pick<NewEvent, 'orderId' | 'eventType'>) =>
  `${orderId} ${eventType}`

const factNames = [
  'visitorIp',
  'deviceType',
  'browser',
  'os',
  'country',
  'city',
  'referrer',
] as const satisfies (keyof VisitorFacts)[]

const insertCompletion = prepareQuery('insert_completion', (db) =>
  db.insert(analyticsEvents).values({
    ...placeholdersFor(['productId', 'orderId', 'isTest', ...factNames]),
    eventType: 'checkout_complete',
    isNewVisitor: false,
  }),
)

/** The completion of an order, in the transaction that makes it. */
export async function recordCompletion(
  tx: Db,
  { id: orderId, productId, isTest }: { id: string; productId: string; isTest: boolean },
  visitor: Visitor | null,
): Promise<void> {
  const known: VisitorFacts = { ...visitor?.facts }
  const facts = Object.fromEntries(factNames.map((name) => [name, known[name] ?? null]))
  await insertCompletion(tx, { orderId, productId, isTest, ...facts })
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
