import type { AdminUser } from '#contract/admin.ts'
import {
  auditActions,
  type AuditAction,
  type AuditDetail,
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
} from '#contract/audit.ts'
import { auditLog } from '#server/db/admin-schema.ts'
import { deleteInBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, getTableColumns, isNull, lt, sql, type SQL } from '#server/db/drizzle.ts'
import { truncateAddress } from './client-address.ts'

/** Who acts, and from where. Every request of a signed-in admin is one. */
export type Actor = { admin: AdminUser | undefined; address: string }

/** An actor who is certainly signed in. */
export type AdminActor = Actor & { admin: AdminUser }

/** For commands on the server itself. */
export const shellActor = { admin: undefined, address: '' } as const satisfies Actor

export type AuditNote = {
  action: AuditAction
  subject?: string
  detail?: AuditDetail
  partOf?: AuditWhole | undefined
}

/** What many entries are parts of, such as a bulk change: lists have it instead of them. */
export type AuditWhole = Pick<AuditNote, 'action' | 'detail'> & { subject: string }

/** Pass the transaction of the change, so that neither is stored without the other. */
export async function recordAudit(db: Db, actor: Actor, entry: AuditNote): Promise<void> {
  await db.insert(auditLog).values(toRow(actor, entry))
}

/** An entry for each row of `entries`, which has a subject and a detail, as a step of a larger statement. */
export function auditEachStep(
  actor: Actor,
  { action, partOf }: Pick<AuditNote, 'action' | 'partOf'>,
  entries: SQL,
): SQL {
  const row = toRow(actor, { action, partOf })
  return sql`audited as (
    insert into audit_log (admin_id, admin_name, action, subject, detail, address, part_of)
    select ${row.adminId}::uuid, ${row.adminName}, ${action}, subject, detail, ${row.address}, ${row.partOf}
    from ${entries})`
}

/** The one line for many entries, which name it as `partOf`. Written with each of them, and there once. */
export async function recordAuditWhole(db: Db, actor: Actor, whole: AuditWhole): Promise<void> {
  await db
    .insert(auditLog)
    .values({ ...toRow(actor, whole), mergeKey: keyOf(whole) })
    .onConflictDoNothing()
}

function keyOf({ action, subject }: AuditWhole): string {
  return `${action} ${subject}`
}

function toRow({ admin, address }: Actor, { action, subject, detail, partOf }: AuditNote) {
  return {
    adminId: admin?.id ?? null,
    adminName: admin?.username.slice(0, maxNameLength) ?? null,
    action,
    subject: subject?.slice(0, maxSubjectLength) ?? null,
    detail: detail ? boundDetail(detail) : null,
    address: truncateAddress(address) ?? null,
    partOf: partOf ? keyOf(partOf) : null,
  }
}

const maxNameLength = 255
const maxSubjectLength = 255
const maxTextLength = 200
const maxDetailLength = 2_000

function boundDetail(detail: AuditDetail): AuditDetail {
  const json = JSON.stringify(detail, (_key, value: unknown) =>
    typeof value === 'string' ? value.slice(0, maxTextLength).toWellFormed() : value,
  )
  return json.length > maxDetailLength ? { isTooLong: true } : JSON.parse(json)
}

/** Addresses with an entry of their own in one hour; failures of further ones share one. */
const maxFailedAddresses = 100

/**
 * One row for each address and hour: strangers must not fill the table. The name is that of the admin, if one was named:
 * what else people type there may be a password.
 */
export async function recordFailedSignIn(
  db: Db,
  address: string,
  failure: { name: string | undefined; reason: 'password' | 'code' | 'disabled' | 'code-missing' },
): Promise<void> {
  const place = truncateAddress(address) ?? ''
  const detail = boundDetail(failure)
  const action: AuditAction =
    failure.reason === 'code-missing' ? 'second-factor-needed' : 'sign-in-failed'
  await db.execute(sql`
    with this_hour as (
      select ${action} || to_char(now() at time zone 'utc', ' YYYY-MM-DD HH24 ') as prefix),
    chosen as (
      select prefix, exists (select from audit_log where merge_key = prefix || ${place}) or (
        select count(*) from (
          select at from audit_log where action = ${action}
          order by id desc limit ${maxFailedAddresses}) as latest
        where at >= date_trunc('hour', now(), 'utc')) < ${maxFailedAddresses} as has_own
      from this_hour)
    insert into audit_log as known (action, detail, address, merge_key)
    select ${action}, ${JSON.stringify(detail)}::jsonb,
      case when has_own then nullif(${place}, '') end,
      prefix || case when has_own then ${place} else 'others' end
    from chosen
    on conflict (merge_key) do update
      set count = known.count + 1, last_at = now(), detail = excluded.detail`)
}

/** One page, newest first: of the log, or of the parts of one entry. */
export async function listAuditLog(db: Db, query: AuditQuery): Promise<AuditPage> {
  const { action, adminId, partOf, cursor, limit } = query
  const key = sql`(select merge_key from audit_log where id = ${partOf}::bigint)`
  const parts = sql<number>`(select count(*)::int from audit_log as part where part.part_of = audit_log.merge_key)`
  const rows = await db
    .select({ ...getTableColumns(auditLog), parts })
    .from(auditLog)
    .where(
      and(
        partOf ? sql`${auditLog.partOf} = ${key}` : isNull(auditLog.partOf),
        action && eq(auditLog.action, action),
        adminId ? eq(auditLog.adminId, adminId) : undefined,
        cursor ? lt(auditLog.id, BigInt(cursor)) : undefined,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    entries: shown.map(showAuditEntry),
    next: rows.length > limit && last ? String(last.id) : null,
  }
}

function showAuditEntry(row: typeof auditLog.$inferSelect & { parts: number }): AuditEntry {
  const { id, at, adminId, adminName, subject, detail, address, count, lastAt, parts } = row
  // A newer Till may have written it, and one entry must not hide all others.
  const action = auditActions.find((known) => known === row.action) ?? 'unknown'
  return {
    id: String(id),
    at: at.toISOString(),
    adminId,
    adminName,
    action,
    subject,
    detail,
    address,
    count: parts || count,
    lastAt: lastAt.toISOString(),
  }
}

export function deleteOldAudit(db: Db, days: number): Promise<number> {
  return deleteInBatches(db, sql`audit_log`, sql`at < now() - make_interval(days => ${days})`)
}
