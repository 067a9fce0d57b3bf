import type { AuditAction } from '#contract/audit.ts'
import { liveKinds, type LiveEvent, type LiveKind } from '#contract/live.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { runStatement, writeStatement } from '#server/db/prepared.ts'

/**
 * Rows have the time at which their transaction began and are seen when it ends, so that an older one may appear after a
 * newer one. The database ends statements after 15 s and idle transactions after 5 s.
 */
export const lookBackMs = 30_000

/** Of each kind, the newest: beyond it a page need not know how many there are. */
const maxEvents = 500

export type SeenEvent = Omit<LiveEvent, 'seenAt'> & {
  at: Date
  isTest: boolean
  /** The admin who did it. */
  actor: string | null
}

/** What the owner's tables say since a time, by the database's clock. */
export type Reading = { now: Date; events: SeenEvent[] }

const since = sql`coalesce(to_timestamp(${sql.placeholder('fromSeconds')}::float8), now())
  - make_interval(secs => ${sql.placeholder('backSeconds')}::float8)`

/** Each reads an index that was there before: what announces a sale must not make it slower. */
const sources: Record<LiveKind, SQL> = {
  order: sql`select 'order' as kind, id::text as key, id::text, is_test, null::text as actor, created_at as at
    from orders where created_at > ${since} order by created_at desc limit ${maxEvents}`,
  'order-changed': fromAudit(
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
    'withdrawal-changed',
    ['withdrawal-handled'],
    sql`coalesce((select is_test from orders where orders.id = subject::uuid),
      (select is_test from withdrawals where withdrawals.id = subject::uuid))`,
  ),
  review: sql`select 'review', id::text, id::text, is_test, null::text, opened_at
    from review_entries where state = 'open' and opened_at > ${since}
    order by opened_at desc limit ${maxEvents}`,
  'review-changed': fromAudit(
    'review-changed',
    ['review-ordered', 'review-refunded', 'review-dismissed', 'review-restored'],
    sql`(select is_test from review_entries where review_entries.id = subject::uuid)`,
  ),
  'product-changed': fromAudit(
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
}

/** What admins did is in the audit log, written with the change. */
function fromAudit(kind: LiveKind, actions: AuditAction[], isTest: SQL): SQL {
  const listed = sql.join(
    actions.map((action) => sql`${action}`),
    sql`, `,
  )
  return sql`select ${kind}::text, id::text, subject, coalesce(${isTest}, false), admin_id::text, at
    from audit_log where at > ${since} and action in (${listed}) and subject is not null
    order by at desc limit ${maxEvents}`
}

const statement = writeStatement(sql`
  select now() as now, seen.* from (select) as always left join (${sql.join(
    liveKinds.map((kind) => sql`(${sources[kind]})`),
    sql` union all `,
  )}) as seen on true order by seen.at`)

type Row = {
  now: Date
  kind: LiveKind | null
  key: string
  id: string
  is_test: boolean
  actor: string | null
  at: Date
}

/** What was seen since a time, or since now, and `backMs` before that: oldest first, in one statement. */
export async function readEvents(db: Db, from: Date | undefined, backMs: number): Promise<Reading> {
  const rows = await runStatement<Row>(db, statement, {
    fromSeconds: from ? from.getTime() / 1000 : null,
    backSeconds: backMs / 1000,
  })
  return {
    now: rows[0]?.now ?? new Date(),
    events: rows.flatMap(({ kind, key, id, is_test: isTest, actor, at }) =>
      kind ? [{ key: `${kind} ${key}`, kind, id, isTest, actor, at }] : [],
    ),
  }
}
