import type { EventType } from '#contract/analytics.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { runPrepared } from '#server/db/prepared.ts'
import type { VisitorFacts } from '#server/db/visitor.ts'
import { addingToDays, figuresOfEvents, type Shard } from './figures.ts'
import { beginVisits } from './visits.ts'

export type NewEvent = {
  eventType: EventType
  productId: string
  /** Of the order it happened to; a view belongs to none. */
  orderId: string | null
  facts: VisitorFacts
}

/** What a page told of itself. */
export type TrackedEvent = NewEvent & {
  /** Who is the same visitor again; a view of nobody known is one of its own. */
  visitor: string | null
  /** What counts nowhere is only listed. */
  counts: boolean
}

/**
 * Keeps many events, and counts those that count, in one statement. A view counts where it begins a visit; a reload
 * may have come along with the view it repeats, so of each visit one is taken.
 */
export async function writeEvents(db: Db, told: TrackedEvent[], shard: Shard): Promise<void> {
  const views = told.filter(isView)
  const ofOrders = told.filter((event) => !isView(event) && event.counts)
  const listed = told.filter((event) => !isView(event) && !event.counts)
  if (listed.length === told.length) {
    await runPrepared(db, addOnce(listed))
    return
  }
  const steps: SQL[] = []
  const counted: SQL[] = []
  if (views.length > 0) {
    steps.push(...addingFirstViews(views))
    counted.push(sql`added_views`)
  }
  if (ofOrders.length > 0) {
    steps.push(sql`added_of_orders as (${addOnce(ofOrders)} ${returned})`)
    counted.push(sql`added_of_orders`)
  }
  if (listed.length > 0) steps.push(sql`listed as (${addOnce(listed)})`)
  await runPrepared(db, addingToDays(steps, figuresOf(counted), shard))
}

function isView({ eventType }: NewEvent): boolean {
  return eventType === 'checkout_view'
}

/** A view that needs no visit, kept where the condition holds. */
export function addingView(event: NewEvent, condition: SQL): SQL {
  return sql`added_views as (${addEvent(event, condition)} ${returned})`
}

/** One event as part of a larger statement, kept where the condition holds. */
export function addEvent(event: NewEvent, condition: SQL): SQL {
  return sql`${addEvents(sql`(${tableOf([{ ...event, visitor: null }])})`)} where ${condition}`
}

function addingFirstViews(views: TrackedEvent[]): SQL[] {
  return [
    sql`views as materialized (${tableOf(views)})`,
    sql`begun as (${beginVisits(sql`views`)})`,
    sql`fresh as (
      (select distinct on (visitor, product_id) ${columns} from views join begun using (visitor, product_id))
      union all select ${columns} from views where visitor is null)`,
    sql`added_views as (${addEvents(sql`fresh`)} ${returned})`,
  ]
}

/** What happens to an order is kept once, in the order of orders: so two nodes never wait for each other in a circle. */
function addOnce(events: TrackedEvent[]): SQL {
  return sql`${addEvents(sql`(${tableOf(events)})`)} order by order_id, event_type
    on conflict (order_id, event_type) where order_id is not null do nothing`
}

const columns = sql`event_type, product_id, order_id,
  visitor_ip, country, city, device_type, browser, os, referrer`
const returned = sql`returning null::date as day, event_type, device_type, country, referrer, 1 as times`

function addEvents(table: SQL): SQL {
  return sql`insert into analytics_events (${columns}) select ${columns} from ${table} as told`
}

/** What those that were added mean for the figures. */
export function figuresOf(added: SQL[]): SQL {
  const all = added.map((table) => sql`select * from ${table}`)
  return figuresOfEvents(sql`(${sql.join(all, sql` union all `)}) as added`)
}

/** One text for all of them: read by the database faster than an array for each column is written here. */
function tableOf(events: Omit<TrackedEvent, 'counts'>[]): SQL {
  const rows = events.map(({ visitor, eventType, productId, orderId, facts }) => ({
    visitor,
    event_type: eventType,
    product_id: productId,
    order_id: orderId,
    visitor_ip: facts.visitorIp,
    country: facts.country,
    city: facts.city,
    device_type: facts.deviceType,
    browser: facts.browser,
    os: facts.os,
    referrer: facts.referrer,
  }))
  return sql`
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as told (visitor text,
      event_type text, product_id uuid, order_id uuid, visitor_ip text, country text, city text,
      device_type text, browser text, os text, referrer text)`
}
