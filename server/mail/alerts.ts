import { randomUUID } from 'node:crypto'
import type { Mode } from '#contract/mode.ts'
import { pages } from '#contract/paths.ts'
import { alertKinds, type AlertKind } from '#contract/shop-settings.ts'
import { withdrawalDays } from '#contract/withdrawals.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { Log } from '#server/log.ts'
import { isOpenWithdrawal } from '#server/orders/withdrawals.ts'
import { repeat, type RepeatedTask } from '#server/repeat.ts'
import { createNotice, type MailSettings } from './compose.ts'
import type { MailDeps } from './outbox.ts'
import type { MailContent } from './render.ts'
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
/** How many of the payments in review belong to an order. */
type Counts = { count: number; ofOrders: number }
type DueAlert = DueMail<AlertKind> & Counts

/** A row is committed some time after its timestamp. Only rows older than any open transaction are counted. */
const lag = sql`interval '1 minute'`

const isAbout = (mode: Mode | undefined) => (mode === 'test' ? sql`true` : sql`not is_test`)
/** There is an order, and SumUp does not have its payment, or contradicts itself about it. */
const isOfOrder = sql`reason in ('not-at-sumup', 'contradiction') and id = payment_id`
const isFree = sql`(held_until is null or held_until <= now())`

async function listDueAlerts(db: Db, mode: Mode | undefined): Promise<DueAlert[]> {
  const isMeant = isAbout(mode)
  const isNew = (column: string) =>
    sql`${sql.raw(column)} > since - ${lag} and ${sql.raw(column)} <= now() - ${lag}`
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
      when 'returned-elsewhere' then
        (select count(*) from (
          select orders.is_test from order_timeline join orders on orders.id = order_timeline.order_id
            where event in ('refunded', 'charged-back') and actor = 'shop' and ${isNew('order_timeline.created_at')}) as returned
          where ${isMeant})
      when 'withdrawal' then
        (select count(*) from withdrawals where ${isNew('created_at')} and not is_repeat and ${isMeant})
      else 0
    end)::int as count, (case kind
      when 'review' then
        (select count(*) from review_entries
          where ${isNew('opened_at')} and state = 'open' and ${isOfOrder} and ${isMeant})
      else 0
    end)::int as "ofOrders"
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
}: AlertDeps): Promise<DueMail<string> | undefined> {
  if (mutedAlerts.includes('withdrawal')) return undefined
  const { rows } = await db.execute<DueMail<string>>(sql`
    with told as (
      select coalesce(max(told_at), 'epoch') as since, coalesce(bool_and(${isFree}), true) as is_free
      from owner_alerts where kind = ${withdrawalReminderKind}),
    waiting as (
      select count(*)::int as count from withdrawals
      where created_at < now() - make_interval(days => ${withdrawalDays - reminderDays})
        and ${isOpenWithdrawal} and ${isAbout(findMode())})
    select ${withdrawalReminderKind} as kind, count, since::text, now()::text as until
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

type AlertText = Pick<MailContent, 'title' | 'lead' | 'steps'> & {
  button: string
  path: string
  /** How often the owner gets it; without one, at most once an hour. */
  pace?: string
}

const openOrders = { button: 'Open orders', path: pages.orders }

const listReviewSteps = ({ count, ofOrders }: Counts) => [
  'Above your orders you see what happened, and what is known of the money.',
  ...(ofOrders < count ? ['Create the order, refund the payment, or dismiss it with a note.'] : []),
  ...(ofOrders > 0
    ? [
        'Where there is an order, look up its payment in your SumUp account before you ship it. Then dismiss it with a note.',
      ]
    : []),
]

/** States only what is known: without an order, money was taken or may have been. */
function describeReview({ count, ofOrders }: Counts): string {
  const sentences = {
    others:
      count - ofOrders === 1
        ? 'was paid, or may have been, and did not become an order by itself.'
        : 'were paid, or may have been, and did not become orders by themselves.',
    ofOrders:
      ofOrders === 1
        ? 'belongs to an order, and SumUp does not have it or contradicts itself about it.'
        : 'belong to orders, and SumUp does not have them or contradicts itself about them.',
  }
  const subject = count === 1 ? 'It' : 'They'
  if (ofOrders === 0) return `${subject} ${sentences.others}`
  if (ofOrders === count) return `${subject} ${sentences.ofOrders}`
  return `${count - ofOrders} ${sentences.others} ${ofOrders} ${sentences.ofOrders}`
}

const alertTexts: Record<AlertKind, (counts: Counts) => AlertText> = {
  review: (counts) => ({
    title:
      counts.count === 1
        ? 'A payment needs your attention'
        : `${counts.count} payments need your attention`,
    lead: describeReview(counts),
    steps: listReviewSteps(counts),
    ...openOrders,
  }),
  'no-sale': ({ count }) => ({
    title: count === 1 ? 'A payment without a sale' : `${count} payments without a sale`,
    lead:
      count === 1
        ? 'SumUp has a payment of your shop that no sale here belongs to.'
        : `SumUp has ${count} payments of your shop that no sale here belongs to.`,
    steps: [
      'That can happen when the database was restored from a backup.',
      'They are shown above your orders. Create the order, or refund the payment.',
    ],
    ...openOrders,
  }),
  'key-refused': () => ({
    title: 'SumUp refuses your key',
    lead: 'SumUp does not accept the API key of your shop. Until it does, nobody can pay by card.',
    steps: [
      'Check SUMUP_API_KEY and SUMUP_MERCHANT_CODE, or make a new key in your SumUp account, and start the shop again.',
      'Earlier payments are checked as soon as SumUp accepts the key.',
    ],
    button: 'Open the back-office',
    path: pages.products,
  }),
  'card-form-changed': () => ({
    title: 'SumUp’s card form has changed',
    lead: 'The script of SumUp’s card form is not the one of yesterday. This happens with every new release of SumUp and is no reason to worry by itself.',
    steps: [
      'Open the checkout of one of your products and look at the card form: does it look as usual, and does it ask for nothing but the card?',
      'If something looks odd, do not sell until SumUp’s support has explained it.',
      'The back-office shows this until you press “Got it”.',
    ],
    button: 'Open the back-office',
    path: pages.products,
  }),
  'backup-failed': () => ({
    title: 'The backup of your shop failed',
    lead: 'No backup was written. Selling goes on, but what is not backed up is lost when the disk is.',
    steps: [
      'The back-office and the log of the shop say why: search the log for “A backup failed”.',
      'Check that BACKUP_DIR is there and has room. It is tried again every hour.',
    ],
    button: 'Open the back-office',
    path: pages.products,
  }),
  'returned-elsewhere': ({ count }) => ({
    title: count === 1 ? 'Money of an order went back' : `Money of orders went back ${count} times`,
    lead: 'It was refunded in your SumUp account, or the customer’s bank took it back. It was not done in the back-office.',
    steps: [
      'The order says how much went back, and when: open it and look at its timeline.',
      'If all of it went back, do not ship the order unless you have agreed so with the customer.',
      'A customer’s bank takes money back when they dispute the payment. SumUp writes to you about that, and how to answer.',
    ],
    ...openOrders,
  }),
  withdrawal: ({ count }) => ({
    title:
      count === 1
        ? 'A customer withdraws from a purchase'
        : `${count} customers withdraw from purchases`,
    lead: `What was paid has to go back within ${withdrawalDays} days. You may wait until the goods are back, or until the customer has shown that they were sent.`,
    steps: [
      'The back-office shows each withdrawal above your orders, with the order if one fits.',
      'Refund the order, or mark the withdrawal as handled with a note.',
    ],
    ...openOrders,
  }),
  'mails-given-up': ({ count }) => ({
    title: count === 1 ? 'A mail could not be sent' : `${count} mails could not be sent`,
    lead: `${count === 1 ? 'It was' : 'They were'} given up: the address was refused, or the mail server failed for three days.`,
    steps: [
      'The log of the shop names the order or sale of each: search it for “A mail was given up”.',
      'Where the customer left a phone number, call them.',
    ],
    ...openOrders,
  }),
}

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

function writeReminder(due: DueReminder): AlertText {
  const { count, oldest } = due
  const since = `${dateFormat.format(new Date(oldest))} UTC`
  return {
    title:
      count === 1
        ? 'A payment still needs your attention'
        : `${count} payments still need your attention`,
    lead:
      count === 1
        ? `It has been waiting since ${since}.`
        : `The oldest has been waiting since ${since}.`,
    steps: listReviewSteps(due),
    ...openOrders,
    pace: 'You get this mail once a day while a payment waits',
  }
}

function writeWithdrawalReminder({ count }: DueMail<string>): AlertText {
  return {
    title:
      count === 1 ? 'A withdrawal has to be refunded' : `${count} withdrawals have to be refunded`,
    lead: `The ${withdrawalDays} days in which what was paid has to go back end soon, or have ended.`,
    steps: [
      'Refund the order, or mark the withdrawal as handled with a note.',
      'You may wait longer only for goods that are neither back nor shown to be sent.',
    ],
    ...openOrders,
    pace: 'You get this mail once a day while a withdrawal waits',
  }
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
