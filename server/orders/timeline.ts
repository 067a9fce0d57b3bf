import type { Correction, MailFate, OrderEvent } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { parseStatus } from './show-order.ts'

type Entry = {
  actor: string
  email: string | null
  at: Date
  /** Null in the only row of an order to which nothing has happened. */
  event: string | null
  from: string | null
  to: string | null
  amount: string | null
  corrections: Correction[] | null
  mail: MailFate | null
}

/** What happened to an order, its mails included, oldest first. A mail stands where it left or was given up. */
export async function listEvents(db: Db, orderId: string): Promise<OrderEvent[]> {
  const { rows } = await db.execute<Entry>(sql`
    with entries as (
      select created_at as at, actor, event, from_status, to_status, amount, corrections, null::jsonb as mail
      from order_timeline where order_id = ${orderId}
      union all
      select coalesce(sent_at, given_up_at, created_at), 'shop', 'mail', null, null, null, null, jsonb_build_object(
        'kind', regexp_replace(kind, '-[0-9]+$', ''),
        'state', case
          when given_up_at is not null then 'given-up'
          when sent_at is not null and last_error is not null then 'skipped'
          when sent_at is not null then 'sent'
          when next_try_at is null then 'withdrawn'
          when last_error is not null then 'retrying'
          else 'waiting' end,
        'attempts', attempts, 'reason', last_error)
      from mails where order_id = ${orderId})
    select entries.actor, users.email, entries.at, entries.event, entries.from_status as "from",
      entries.to_status as "to", entries.amount, entries.corrections, entries.mail
    from orders left join entries on true left join users on users.id::text = entries.actor
    where orders.id = ${orderId} order by entries.at, entries.mail is not null`)
  if (rows.length === 0) throw new Refusal('order-missing')
  return rows.flatMap(({ event, ...entry }) => (event === null ? [] : showEvent(event, entry)))
}

function showEvent(event: string, entry: Omit<Entry, 'event'>): OrderEvent {
  const { actor, email, at, from, to, amount, corrections, mail } = entry
  return {
    who: nameActor(actor, email),
    at: new Date(at).toISOString(),
    event,
    from: from === null ? null : parseStatus(from),
    to: to === null ? null : parseStatus(to),
    amount,
    corrections,
    mail,
  }
}

/** Who did something, by the id that was kept. */
export function nameActor(actor: string, email: string | null): string {
  return email ?? (actor === 'shop' ? 'Shop' : 'A former admin')
}
