import type { EventType } from '#contract/analytics.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import type { VisitorFacts } from '#server/db/visitor.ts'
import { addToDays, figuresOfEvents } from './figures.ts'
import { beginVisits } from './visits.ts'

export type NewEvent = {
  eventType: EventType
  productId: string
  /** Of the order it happened to; a view belongs to none. */
  orderId: string | null
  facts: VisitorFacts
}

/** What a page told of itself. */
export type TrackedEvent = NewEvent & { visitor: string }

/**
 * Keeps what counts of many events, and counts it, in one transaction. A view counts where it begins a visit; a reload
 * may have come along with the view it repeats, so of each visit one is taken.
 */
export async function writeEvents(db: Db, tracked: TrackedEvent[]): Promise<void> {
  const { views, ofOrders } = tablesOf(tracked)
  const steps = [
    sql`views as materialized (${views})`,
    sql`begun as (${beginVisits(sql`views`)})`,
    sql`fresh as (
      select distinct on (visitor, product_id) * from views join begun using (visitor, product_id))`,
    addedEvents(sql`select * from fresh`, ofOrders),
  ]
  await db.transaction((tx) => addToDays(tx, steps, figuresOfAdded, 'views'))
}

/** The step by which an event that needs no visit is added. */
export function addingEvent(event: NewEvent): SQL {
  const { views, ofOrders } = tablesOf([{ ...event, visitor: '' }])
  return addedEvents(views, ofOrders)
}

/** What those that were added mean for the figures. */
export const figuresOfAdded = figuresOfEvents(sql`added_events`)

const columns = sql`event_type, product_id, order_id,
  visitor_ip, country, city, device_type, browser, os, referrer`

/** What happens to an order is kept once, in the order of orders: so two nodes never wait for each other in a circle. */
function addedEvents(views: SQL, ofOrders: SQL): SQL {
  const counted = sql`event_type, device_type, country, referrer`
  return sql`
    added_views as (
      insert into analytics_events (${columns})
      select ${columns} from (${views}) as told returning ${counted}),
    added_of_orders as (
      insert into analytics_events (${columns})
      select ${columns} from (${ofOrders}) as told order by order_id, event_type
      on conflict (order_id, event_type) where order_id is not null do nothing returning ${counted}),
    added_events as (
      select null::date as day, ${counted}, 1 as times from added_views
      union all select null::date, ${counted}, 1 from added_of_orders)`
}

function tablesOf(events: TrackedEvent[]): { views: SQL; ofOrders: SQL } {
  const isView = ({ eventType }: TrackedEvent) => eventType === 'checkout_view'
  return {
    views: tableOf(events.filter(isView)),
    ofOrders: tableOf(events.filter((event) => !isView(event))),
  }
}

function tableOf(events: TrackedEvent[]): SQL {
  const column = (of: (event: TrackedEvent) => string | null | undefined) =>
    sql.param(events.map((event) => of(event) ?? null))
  return sql`
    select * from unnest(
      ${column(({ visitor }) => visitor)}::text[], ${column(({ eventType }) => eventType)}::text[],
      ${column(({ productId }) => productId)}::uuid[], ${column(({ orderId }) => orderId)}::uuid[],
      ${column(({ facts }) => facts.visitorIp)}::text[], ${column(({ facts }) => facts.country)}::text[],
      ${column(({ facts }) => facts.city)}::text[], ${column(({ facts }) => facts.deviceType)}::text[],
      ${column(({ facts }) => facts.browser)}::text[], ${column(({ facts }) => facts.os)}::text[],
      ${column(({ facts }) => facts.referrer)}::text[]) as told (visitor, ${columns})`
}
