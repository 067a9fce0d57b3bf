import { randomUUID } from 'node:crypto'
import { pages } from '#contract/paths.ts'
import { alertKinds, type AlertKind } from '#contract/shop-settings.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { Log } from '#server/log.ts'
import { repeat, type RepeatedTask } from '#server/repeat.ts'
import { createNotice, type MailSettings } from './compose.ts'
import type { MailDeps } from './outbox.ts'
import type { MailContent } from './render.ts'
import type { MailMessage } from './mime.ts'
import { describeMailError } from './transport.ts'

type AlertDeps = MailDeps & {
  /** Whether SumUp rejects our API key at the moment. */
  isKeyRefused: () => boolean
  /** Trouble with tests is reported in test mode only. */
  isTestMode: () => boolean
}

const pollMs = 60_000

export function startAlerts(readDeps: () => AlertDeps, log: Log): RepeatedTask {
  return repeat(() => sendAlerts(readDeps()), pollMs, log, 'Sending alerts')
}

/** Sends what is new since the last alert of its kind, if that was an hour ago or more. */
export async function sendAlerts(deps: AlertDeps): Promise<void> {
  const { alertEmail, mutedAlerts } = deps.settings
  if (!alertEmail) return
  for (const due of await listDueAlerts(deps.db, deps.isTestMode())) {
    if (mutedAlerts.includes(due.kind)) continue
    const isNew = due.kind === 'key-refused' ? deps.isKeyRefused() : due.count > 0
    if (isNew && (await claimAlert(deps.db, due))) await sendAlert(deps, due, alertEmail)
  }
}

type DueAlert = {
  kind: AlertKind
  /** New since the last alert. */
  count: number
  /** The time of the last alert and of this count, as PostgreSQL writes them: a Date would lose the microseconds. */
  since: string
  until: string
}

/** A row is committed some time after its timestamp. Only rows older than any open transaction are counted. */
const lag = sql`interval '1 minute'`

async function listDueAlerts(db: Db, isTestMode: boolean): Promise<DueAlert[]> {
  const isMeant = isTestMode ? sql`true` : sql`not is_test`
  const isNew = (column: string) =>
    sql`${sql.identifier(column)} > since - ${lag} and ${sql.identifier(column)} <= now() - ${lag}`
  const { rows } = await db.execute<DueAlert>(sql`
    with due as (
      select kind, coalesce(told_at, 'epoch') as since
      from unnest(${sql.param([...alertKinds])}::text[]) as kinds (kind)
      left join owner_alerts using (kind)
      where coalesce(told_at, 'epoch') < now() - interval '1 hour'
    )
    select kind, since::text, now()::text as until, (case kind
      when 'review' then
        (select count(*) from checkouts
          where ${isNew('review_at')} and state = 'review' and handled_at is null and ${isMeant})
        + (select count(*) from stray_payments
          where ${isNew('created_at')} and state = 'open' and reason <> 'no-sale' and ${isMeant})
      when 'no-sale' then
        (select count(*) from stray_payments
          where ${isNew('created_at')} and state = 'open' and reason = 'no-sale' and ${isMeant})
      when 'mails-given-up' then
        (select count(*) from mails join orders on orders.id = mails.order_id
          where ${isNew('given_up_at')} and ${isMeant})
      when 'card-form-changed' then
        (select count(*) from watched_scripts where ${isNew('changed_at')})
      when 'backup-failed' then
        (select count(*) from backups where ${isNew('failed_at')})
      else 0
    end)::int as count
    from due`)
  return rows
}

/** Of many nodes one sends the alert. A node that dies before sending loses this alert, not the next. */
async function claimAlert(db: Db, { kind, since, until }: DueAlert): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into owner_alerts (kind, told_at) values (${kind}, ${until}::timestamptz)
    on conflict (kind) do update set told_at = excluded.told_at
    where owner_alerts.told_at = ${since}::timestamptz`)
  return rowCount === 1
}

/** An alert that could not be sent counts as never claimed. */
async function releaseAlert(db: Db, { kind, since, until }: DueAlert): Promise<void> {
  await db.execute(sql`
    update owner_alerts set told_at = ${since}::timestamptz
    where kind = ${kind} and told_at = ${until}::timestamptz`)
}

async function sendAlert(deps: AlertDeps, due: DueAlert, to: string): Promise<void> {
  const { db, transport, settings, log } = deps
  const { kind, count } = due
  const id = randomUUID()
  try {
    const message = composeAlert(id, due, to, settings)
    await transport.send(message, { id, kind: `alert-${kind}`, createdAt: new Date() })
    log.info({ kind, count }, 'An alert was sent to the owner')
  } catch (error) {
    log.warn(
      { kind, count, reason: describeMailError(error) },
      'An alert could not be sent; it will be tried again',
    )
    await releaseAlert(db, due)
  }
}

type AlertText = Pick<MailContent, 'title' | 'lead' | 'steps'> & { button: string; path: string }

const openOrders = { button: 'Open orders', path: pages.orders }

/** States only what is known: for a payment in review money was taken, or may have been. */
const alertTexts: Record<AlertKind, (count: number) => AlertText> = {
  review: (count) => ({
    title: count === 1 ? 'A payment needs your attention' : `${count} payments need your attention`,
    lead:
      count === 1
        ? 'It was paid, or may have been, and did not become an order by itself.'
        : 'They were paid, or may have been, and did not become orders by themselves.',
    steps: [
      'Above your orders you see what happened, and what is known of the money.',
      'Create the order, refund the payment, or dismiss it with a note.',
    ],
    ...openOrders,
  }),
  'no-sale': (count) => ({
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
  'mails-given-up': (count) => ({
    title: count === 1 ? 'A mail could not be sent' : `${count} mails could not be sent`,
    lead: `${count === 1 ? 'It was' : 'They were'} given up: the address was refused, or the mail server failed for three days.`,
    steps: [
      'The log of the shop names the order of each: search it for “A mail was given up”.',
      'Where the customer left a phone number, call them.',
    ],
    ...openOrders,
  }),
}

function composeAlert(
  mailId: string,
  { kind, count }: DueAlert,
  to: string,
  settings: MailSettings,
): MailMessage {
  const { title, lead, steps, button, path } = alertTexts[kind](count)
  return createNotice(mailId, settings, {
    to,
    subject: title,
    title,
    lead,
    steps,
    button: { label: button, path },
    closing: { text: 'You get at most one such mail an hour' },
  })
}
