import type { AuditAction } from '#contract/audit.ts'
import type { Mode } from '#contract/mode.ts'
import { newsKinds, type News, type NewsKind } from '#contract/news.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'

/**
 * Rows have the time at which their transaction began and are seen when it ends, so that an older one may appear after a
 * newer one. The database ends statements after 15 s and idle transactions after 5 s.
 */
const lookBack = sql`interval '30 seconds'`

/** A session lasts no longer, so no page has missed more. */
const longestMissed = sql`interval '24 hours'`

/** Of each kind, the newest: beyond it a page need not know how many there are. */
const maxEvents = 500

/** Each reads an index that was there before: what announces a sale must not make it slower. */
const listSources = (since: SQL): Record<NewsKind, SQL> => ({
  order: sql`select 'order' as kind, id::text as key, id::text, is_test, null::text as actor, created_at as at
    from orders where created_at > ${since} order by created_at desc limit ${maxEvents}`,
  'order-changed': fromAudit(
    since,
    'order-changed',
    [
      'order-status',
      'order-shipment',
      'order-shipment-removed',
      'order-corrected',
      'order-refunded',
      'order-note-added',
      'order-note-deleted',
      'confirmation-resent',
    ],
    sql`(select is_test from orders where orders.id = subject::uuid)`,
  ),
  // Written in these words to use order_timeline_returned_idx.
  'money-returned': sql`select 'money-returned', id::text, order_id::text,
      (select is_test from orders where orders.id = order_id), null::text, created_at
    from order_timeline where (event = 'refunded' or event = 'charged-back') and actor = 'shop'
      and created_at > ${since} order by created_at desc limit ${maxEvents}`,
  // The owner is told of an order's first one.
  withdrawal: sql`select 'withdrawal', id::text, id::text, is_test, null::text, created_at
    from withdrawals where handled_at is null and not is_repeat and created_at > ${since}
    order by created_at desc limit ${maxEvents}`,
  'withdrawal-changed': fromAudit(
    since,
    'withdrawal-changed',
    ['withdrawal-handled'],
    sql`coalesce((select is_test from orders where orders.id = subject::uuid),
      (select is_test from withdrawals where withdrawals.id = subject::uuid))`,
  ),
  review: sql`select 'review', id::text, id::text, is_test, null::text, opened_at
    from review_entries where state = 'open' and opened_at > ${since}
    order by opened_at desc limit ${maxEvents}`,
  'review-changed': fromAudit(
    since,
    'review-changed',
    ['review-ordered', 'review-refunded', 'review-dismissed', 'review-restored'],
    sql`(select is_test from review_entries where review_entries.id = subject::uuid)`,
  ),
  'product-changed': fromAudit(
    since,
    'product-changed',
    [
      'product-created',
      'product-changed',
      'product-deleted',
      'product-restored',
      'product-paused',
      'product-resumed',
    ],
    sql`false`,
  ),
})

/** What admins did is in the audit log, written with the change. */
function fromAudit(since: SQL, kind: NewsKind, actions: AuditAction[], isTest: SQL): SQL {
  const listed = sql.join(
    actions.map((action) => sql`${action}`),
    sql`, `,
  )
  return sql`select ${kind}::text, id::text, subject, coalesce(${isTest}, false), admin_id::text, at
    from audit_log where at > ${since} and action in (${listed}) and subject is not null
    order by at desc limit ${maxEvents}`
}

type Row = {
  until: number
  kind: NewsKind | null
  key: string
  id: string
  is_test: boolean
  actor: string | null
  at: number
}

type Reader = {
  /** Changes that this admin made are no news to them. */
  adminId: string
  /** Test orders are told as lists show them: in test mode. */
  mode: Mode | undefined
  /** Milliseconds since 1970 by the database's clock, as `until` and `readAtHeader` have them; otherwise now. */
  since: number | undefined
}

/** What happened since a time, and in the look-back before it: the oldest first, in one statement. */
export async function readNews(db: Db, { adminId, mode, since }: Reader): Promise<News> {
  const from =
    since === undefined
      ? sql`now() - ${lookBack}`
      : sql`greatest(to_timestamp(${since / 1000}::float8) - ${lookBack}, now() - ${longestMissed})`
  const sources = listSources(from)
  const all = sql.join(
    newsKinds.map((kind) => sql`(${sources[kind]})`),
    sql` union all `,
  )
  const { rows } = await db.execute<Row>(sql`
    select floor(extract(epoch from now()) * 1000)::float8 as until, kind, key, id, is_test, actor,
      floor(extract(epoch from seen.at) * 1000)::float8 as at
    from (select) as always left join (${all}) as seen on true order by seen.at`)
  return {
    until: rows[0]?.until ?? 0,
    events: rows.flatMap(({ kind, key, id, is_test: isTest, actor, at }) => {
      const isShown = actor !== adminId && (!isTest || mode === 'test')
      return kind && isShown ? [{ key: `${kind} ${key}`, kind, id, at }] : []
    }),
  }
}
