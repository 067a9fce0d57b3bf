import { sql, type SQL } from '#server/db/drizzle.ts'
import type { Values } from '#server/db/prepared.ts'
import type { Visitor } from '#server/db/analytics-schema.ts'

/* Steps (CTEs) of the statement that writes a sale: only the completion of an order is told, since all else is counted later. */

const { placeholder } = sql

export const countStartedSteps = (_changed: SQL): SQL[] => []
export const startedValues = (_sale: { isTest: boolean }): Values[] => []
export const countReturnedSteps = (_changed: SQL): SQL[] => []
export const returnedValues = (_orderId: string, _cents: number): Values => ({})

/** Inserts the event of an order, whether or not the browser reports it. */
export function countOrderSteps(inserted: SQL): SQL[] {
  return [
    sql`inserted_completion as (
      insert into analytics_events (event_type, order_id, product_id, is_test, is_new_visitor, visitor_ip, country, city,
        device_type, browser, os, referrer)
      select 'checkout_complete', id, ${placeholder('productId')}::uuid, ${placeholder('isTest')}::boolean, false,
        facts ->> 'visitorIp', facts ->> 'country', facts ->> 'city', facts ->> 'deviceType', facts ->> 'browser',
        facts ->> 'os', facts ->> 'referrer'
      from ${inserted} cross join (select ${placeholder('visitorFacts')}::jsonb as facts) as visitor)`,
  ]
}

export function orderFigureValues(_order: object, visitor: Visitor | null): Values[] {
  return [{ visitorFacts: JSON.stringify(visitor?.facts ?? {}) }]
}
