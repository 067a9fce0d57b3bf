import { randomUUID } from 'node:crypto'
import type { Mode } from '#contract/mode.ts'
import { alertKinds, type AlertKind } from '#contract/shop-settings.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { createNotice, type MailSettings } from '#server/mail/compose.ts'
import type { MailDeps } from '#server/mail/outbox.ts'
import { describeMailError, type MailMessage } from '#server/mail/transport.ts'
import { alerts, reminders, type AlertText, type Asked, type Counts } from './alert-list.ts'

type AlertDeps = MailDeps & {
  /** Whether SumUp rejects our API key at the moment. */
  isKeyRefused: () => boolean
  /** Trouble with tests is reported in test mode only. */
  findMode: () => Mode | undefined
}

/** Sends what is new since the last alert of its kind, if that was an hour ago or more, and reminds of what still waits. */
export async function sendAlerts(deps: AlertDeps): Promise<void> {
  const { db, settings } = deps
  const { alertEmail, mutedAlerts } = settings
  if (!alertEmail) return
  const asked = ask(deps)
  for (const due of await listDueAlerts(db, asked))
    if (due.count > 0 && !mutedAlerts.includes(due.kind))
      await sendOnce(deps, due, alerts[due.kind].text(due), alertEmail)
  // After the alerts: who was told of a payment just now is not reminded of it.
  for (const { kind, find, text } of reminders) {
    const due = await findDueReminder(db, kind, find(asked))
    if (due) await sendOnce(deps, due, text(due), alertEmail)
  }
}

type DueMail<Kind extends string> = Counts & {
  kind: Kind
  /** The time of the last alert and of this count, as PostgreSQL writes them: a Date would lose the microseconds. */
  since: string
  until: string
}

/** A row is committed some time after its timestamp. Only rows older than any open transaction are counted. */
const lag = sql`interval '1 minute'`

function ask({ isKeyRefused, findMode, settings: { mutedAlerts } }: AlertDeps): Asked {
  const isTestMode = findMode() === 'test'
  return {
    isKeyRefused: isKeyRefused(),
    isNew: (column) =>
      sql`${sql.raw(column)} > since - ${lag} and ${sql.raw(column)} <= now() - ${lag}`,
    isMeant: isTestMode ? sql`true` : sql`not is_test`,
    isMeantOrder: isTestMode ? sql`true` : sql`not orders.is_test`,
    isMuted: (kind) => sql`${kind} = any(${sql.param(mutedAlerts)}::text[])`,
  }
}

const isFree = sql`(held_until is null or held_until <= now())`

/** One statement, which looks for nothing of a kind that was mailed within the hour. */
async function listDueAlerts(db: Db, asked: Asked): Promise<DueMail<AlertKind>[]> {
  const queries = alertKinds.map((kind) => {
    const { count, ofOrders, names, day } = alerts[kind].find(asked)
    return sql`select kind, since::text, now()::text as until, (${count})::int as count,
      (${ofOrders ?? sql`0`})::int as "ofOrders", (${names ?? sql`null`})::text as names, (${day ?? sql`null`})::text as day
      from due where kind = ${kind}`
  })
  const { rows } = await db.execute<DueMail<AlertKind>>(sql`
    with due as (
      select kind, coalesce(told_at, 'epoch') as since
      from unnest(${sql.param([...alertKinds])}::text[]) as kinds (kind)
      left join owner_alerts using (kind)
      where coalesce(told_at, 'epoch') < now() - interval '1 hour' and ${isFree}
    ) ${sql.join(queries, sql` union all `)}`)
  return rows
}

/** Once a day, while something waits. */
async function findDueReminder(db: Db, kind: string, waiting: SQL) {
  const { rows } = await db.execute<DueMail<string> & { oldest: string }>(sql`
    with told as (
      select coalesce(max(told_at), 'epoch') as since, coalesce(bool_and(${isFree}), true) as is_free
      from owner_alerts where kind = ${kind})
    select ${kind} as kind, count::int, of_orders::int as "ofOrders", oldest::text, since::text, now()::text as until
    from told, (${waiting}) as waiting
    where since < now() - interval '1 day' and count > 0 and is_free`)
  return rows[0]
}

/** Longer than a transport takes for a mail. */
const holdMinutes = 5

/**
 * Holds the alert, so that one of many nodes sends it. It counts as told once it was sent: if the node dies before,
 * another one sends it when the hold ends.
 */
async function holdAlert(db: Db, { kind, since }: DueMail<string>): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into owner_alerts (kind, told_at, held_until)
    values (${kind}, ${since}::timestamptz, now() + make_interval(mins => ${holdMinutes}))
    on conflict (kind) do update set held_until = excluded.held_until
    where owner_alerts.told_at = ${since}::timestamptz
      and (owner_alerts.held_until is null or owner_alerts.held_until <= now())`)
  return rowCount === 1
}

async function releaseAlert(db: Db, { kind, since }: DueMail<string>, toldAt: string) {
  await db.execute(sql`
    update owner_alerts set told_at = ${toldAt}::timestamptz, held_until = null
    where kind = ${kind} and told_at = ${since}::timestamptz`)
}

async function sendOnce(
  deps: AlertDeps,
  due: DueMail<string>,
  text: AlertText,
  to: string,
): Promise<void> {
  const { db, transport, settings, log } = deps
  if (!(await holdAlert(db, due))) return
  const { kind, count } = due
  const id = randomUUID()
  try {
    const message = composeAlert(id, text, to, settings)
    await transport.send(message, { id, kind: `alert-${kind}`, createdAt: new Date() })
  } catch (error) {
    log.warn(
      { kind, count, reason: describeMailError(error) },
      'An alert could not be sent; it will be tried again',
    )
    return releaseAlert(db, due, due.since)
  }
  log.info({ kind, count }, 'An alert was sent to the owner')
  await releaseAlert(db, due, due.until)
}

function composeAlert(
  mailId: string,
  { title, lead, steps, button, path, pace = 'You get at most one such mail an hour' }: AlertText,
  to: string,
  settings: MailSettings,
): MailMessage {
  return createNotice(mailId, settings, {
    to,
    subject: title,
    title,
    lead,
    steps,
    button: { label: button, path },
    closing: { text: pace },
  })
}
