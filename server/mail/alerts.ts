import { randomUUID } from 'node:crypto'
import type { Mode } from '#contract/mode.ts'
import { alertKinds, type AlertKind } from '#contract/shop-settings.ts'
import { withdrawalDays } from '#contract/withdrawals.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import type { Log } from '#server/log.ts'
import { isOpenWithdrawal } from '#server/orders/withdrawals.ts'
import { repeat, type RepeatedTask } from '#server/repeat.ts'
import { noTrace } from '#contract/refunds.ts'
import {
  alertTexts,
  writeReminder,
  writeWithdrawalReminder,
  type AlertText,
  type Counts,
} from './alert-texts.ts'
import { createNotice, type MailSettings } from './compose.ts'
import type { MailDeps } from './outbox.ts'
import { describeMailError, type MailMessage } from './transport.ts'

type AlertDeps = MailDeps & {
  /** Whether SumUp rejects our API key at the moment. */
  isKeyRefused: () => boolean
  /** Trouble with tests is reported in test mode only. */
  findMode: () => Mode | undefined
}

const pollMs = 60_000

export function startAlerts(readDeps: () => AlertDeps, log: Log): RepeatedTask {
  return repeat(() => sendAlerts(readDeps()), pollMs, log, 'Sending alerts')
}

/** Sends what is new since the last alert of its kind, if that was an hour ago or more, and reminds of what still waits. */
export async function sendAlerts(deps: AlertDeps): Promise<void> {
  const { alertEmail, mutedAlerts } = deps.settings
  if (!alertEmail) return
  for (const due of await listDueAlerts(deps.db, deps.findMode())) {
    if (mutedAlerts.includes(due.kind)) continue
    const isNew = due.kind === 'key-refused' ? deps.isKeyRefused() : due.count > 0
    if (isNew) await sendOnce(deps, due, alertTexts[due.kind](due), alertEmail)
  }
  // After the alerts: who was told of a payment just now is not reminded of it.
  const reminder = await findDueReminder(deps)
  if (reminder) await sendOnce(deps, reminder, writeReminder(reminder), alertEmail)
  const withdrawals = await findWithdrawalReminder(deps)
  if (withdrawals)
    await sendOnce(deps, withdrawals, writeWithdrawalReminder(withdrawals), alertEmail)
}

type DueMail<Kind extends string> = {
  kind: Kind
  /** New since the last alert, or still waiting. */
  count: number
  /** The time of the last alert and of this count, as PostgreSQL writes them: a Date would lose the microseconds. */
  since: string
  until: string
}
type DueAlert = DueMail<AlertKind> & Counts

/** A row is committed some time after its timestamp. Only rows older than any open transaction are counted. */
const lag = sql`interval '1 minute'`

const isAbout = (mode: Mode | undefined) => (mode === 'test' ? sql`true` : sql`not is_test`)
/** There is an order, and SumUp does not have its payment, or contradicts itself about it. */
const isOfOrder = sql`reason in ('not-at-sumup', 'contradiction') and id = payment_id`
const isFree = sql`(held_until is null or held_until <= now())`

/** Such as "#1043, #1042". */
const orderNumbers = sql`array_to_string((array_agg(distinct '#' || orders.number))[1:20], ', ')`

/** What has pieces of its own: products, and values of their choices. */
const stocks = sql`
  select id, name, low_stock_at, sold_out_at from products where deleted_at is null
  union all select products.id, products.name || ' · ' || value.name, value."lowStockAt", value."soldOutAt"
  from products cross join jsonb_to_recordset(products.choice -> 'values')
    as value (name text, "lowStockAt" timestamptz, "soldOutAt" timestamptz)
  where deleted_at is null`

async function listDueAlerts(db: Db, mode: Mode | undefined): Promise<DueAlert[]> {
  const isMeant = isAbout(mode)
  const isNew = (column: string) =>
    sql`${sql.raw(column)} > since - ${lag} and ${sql.raw(column)} <= now() - ${lag}`
  const isMeantOrder = mode === 'test' ? sql`true` : sql`not orders.is_test`
  const returnedElsewhere = sql`from order_timeline join orders on orders.id = order_timeline.order_id
    where (event = 'refunded' or event = 'charged-back') and actor = 'shop'
      and ${isNew('order_timeline.created_at')} and ${isMeantOrder}`
  // What failed while the admin waited was told there. What is open is told of once it is an hour old.
  const unsettledRefunds = sql`from refunds join payments on payments.id = refunds.payment_id
    join orders on orders.sumup_transaction_id = payments.transaction_id
    where ${isMeantOrder} and refunds.asked_at > since - interval '30 days' and (
      (refunds.state = 'failed' and refunds.ended_at > refunds.asked_at + interval '1 minute'
        and refunds.problem is distinct from ${noTrace} and ${isNew('refunds.ended_at')})
      or (refunds.ended_at is null and ${isNew("refunds.asked_at + interval '1 hour'")}))`
  const flaggedOrders = (flag: SQL) => sql`from orders
    where ${flag} and ${isNew('orders.created_at')} and ${isMeantOrder}`
  const newWithdrawals = sql`from withdrawals
    where ${isNew('created_at')} and not is_repeat and ${isMeant}`
  const lowProducts = sql`from (${stocks}) as stocks
    where (${isNew('low_stock_at')}) or (${isNew('sold_out_at')})`
  const { rows } = await db.execute<DueAlert>(sql`
    with due as (
      select kind, coalesce(told_at, 'epoch') as since
      from unnest(${sql.param([...alertKinds])}::text[]) as kinds (kind)
      left join owner_alerts using (kind)
      where coalesce(told_at, 'epoch') < now() - interval '1 hour' and ${isFree}
    )
    select kind, since::text, now()::text as until, (case kind
      when 'review' then
        (select count(*) from review_entries
          where ${isNew('opened_at')} and state = 'open' and reason <> 'no-sale' and ${isMeant})
      when 'no-sale' then
        (select count(*) from review_entries
          where ${isNew('opened_at')} and state = 'open' and reason = 'no-sale' and ${isMeant})
      when 'mails-given-up' then
        (select count(*) from (
          select coalesce(orders.is_test, checkouts.is_test, false) as is_test from mails
            left join orders on orders.id = mails.order_id left join checkouts on checkouts.id = mails.sale_id
            where ${isNew('given_up_at')}) as given_up
          where ${isMeant})
      when 'card-form-changed' then
        (select count(*) from watched_scripts where ${isNew('changed_at')})
      when 'backup-failed' then
        (select count(*) from backups where ${isNew('failed_at')})
      when 'returned-elsewhere' then (select count(*) ${returnedElsewhere})
      when 'refund-unsettled' then (select count(*) ${unsettledRefunds})
      when 'withdrawal' then (select count(*) ${newWithdrawals})
      when 'low-stock' then (select count(distinct id) ${lowProducts})
      when 'oversold' then (select count(*) ${flaggedOrders(sql`is_oversold`)})
      when 'code-overused' then (select count(*) ${flaggedOrders(sql`is_code_overused`)})
      when 'choice-missing' then (select count(*) ${flaggedOrders(sql`is_choice_missing`)})
      else 0
    end)::int as count, (case kind
      when 'review' then
        (select count(*) from review_entries
          where ${isNew('opened_at')} and state = 'open' and ${isOfOrder} and ${isMeant})
      when 'withdrawal' then (select count(*) ${newWithdrawals} and order_id is not null)
      else 0
    end)::int as "ofOrders", (case kind
      when 'returned-elsewhere' then (select ${orderNumbers} ${returnedElsewhere})
      when 'refund-unsettled' then (select ${orderNumbers} ${unsettledRefunds})
      when 'oversold' then (select ${orderNumbers} ${flaggedOrders(sql`is_oversold`)})
      when 'code-overused' then (select ${orderNumbers} ${flaggedOrders(sql`is_code_overused`)})
      when 'choice-missing' then (select ${orderNumbers} ${flaggedOrders(sql`is_choice_missing`)})
    end) as orders, (case kind
      when 'low-stock' then (select array_to_string((array_agg(
        name || case when sold_out_at is null then '' else ' (sold out)' end order by name))[1:20], ', ') ${lowProducts})
    end) as products
    from due`)
  return rows
}

const reminderKind = 'review-reminder'
type DueReminder = DueMail<typeof reminderKind> & Counts & { oldest: string }

/**
 * Once a day: payments that have been in review for a day or longer. Alerts that are muted have no reminder.
 */
async function findDueReminder({
  db,
  settings: { mutedAlerts },
  findMode,
}: AlertDeps): Promise<DueReminder | undefined> {
  const { rows } = await db.execute<DueReminder>(sql`
    with told as (
      select coalesce(max(told_at), 'epoch') as since, coalesce(bool_and(${isFree}), true) as is_free
      from owner_alerts where kind = ${reminderKind}),
    waiting as (
      select count(*)::int as count, count(*) filter (where ${isOfOrder})::int as of_orders, min(opened_at) as oldest
      from review_entries
      where state = 'open' and opened_at < now() - interval '1 day' and ${isAbout(findMode())}
        and not (case reason when 'no-sale' then 'no-sale' else 'review' end) = any(${sql.param(mutedAlerts)}::text[]))
    select ${reminderKind} as kind, count, of_orders as "ofOrders", oldest::text, since::text, now()::text as until
    from told, waiting
    where since < now() - interval '1 day' and count > 0 and is_free`)
  return rows[0]
}

const withdrawalReminderKind = 'withdrawal-reminder'

/** The owner is reminded from so many days before the money has to be back. */
const reminderDays = 3

/** Once a day: withdrawals that must be refunded soon, or should have been. */
async function findWithdrawalReminder({
  db,
  settings: { mutedAlerts },
  findMode,
}: AlertDeps): Promise<(DueMail<string> & Counts) | undefined> {
  if (mutedAlerts.includes('withdrawal')) return undefined
  const { rows } = await db.execute<DueMail<string> & Counts>(sql`
    with told as (
      select coalesce(max(told_at), 'epoch') as since, coalesce(bool_and(${isFree}), true) as is_free
      from owner_alerts where kind = ${withdrawalReminderKind}),
    waiting as (
      select count(*)::int as count, count(order_id)::int as of_orders from withdrawals
      where created_at < now() - make_interval(days => ${withdrawalDays - reminderDays})
        and ${isOpenWithdrawal} and ${isAbout(findMode())})
    select ${withdrawalReminderKind} as kind, count, of_orders as "ofOrders", since::text, now()::text as until
    from told, waiting
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
