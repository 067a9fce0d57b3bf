import { randomUUID } from 'node:crypto'
import { pages } from '#contract/paths.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { repeat, type Repeating } from '#server/repeat.ts'
import { describeFailure } from './describe-failure.ts'
import type { Content } from './letter-content.ts'
import { headOf, type Letterhead } from './letterhead.ts'
import type { Letter } from './letter.ts'
import { recipient } from './mailbox.ts'
import { oneLine } from './one-line.ts'
import type { MailRoom } from './outbox.ts'
import { writeHtml } from './write-html.ts'
import { writeText } from './write-text.ts'

/** What the owner is told of by mail, each at most once an hour. */
const alertKinds = ['review', 'no-sale', 'key-refused', 'mails-given-up'] as const
type AlertKind = (typeof alertKinds)[number]

type AlertRoom = MailRoom & {
  /** Whether SumUp refuses our key right now. */
  isKeyRefused: () => boolean
}

const lookEveryMs = 60_000

/** Tells the owner of trouble, from now on. */
export function startAlerts(room: AlertRoom): Repeating {
  return repeat(() => sendAlerts(room), lookEveryMs, room.log, 'Telling the owner of trouble')
}

/** One round: whatever is new since the owner was last told of its kind, and that was an hour ago or more. */
export async function sendAlerts(room: AlertRoom): Promise<void> {
  const { letterhead, isKeyRefused } = room
  if (!letterhead.shopEmail) return
  for (const due of await listDue(room.db)) {
    const isNews = due.kind === 'key-refused' ? isKeyRefused() : due.count > 0
    if (isNews && (await claim(room.db, due))) await sendOne(room, due)
  }
}

type DueAlert = {
  kind: AlertKind
  /** New since the last alert. */
  count: number
  /** When the owner was last told, and the moment of counting, both as PostgreSQL writes them: a Date would cut them short. */
  since: string
  until: string
}

/** A row is committed some moments after the time that it carries. What is counted is older than any transaction. */
const lag = sql`interval '1 minute'`

async function listDue(db: Db): Promise<DueAlert[]> {
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
          where ${isNew('review_at')} and state = 'review' and handled_at is null)
        + (select count(*) from stray_payments
          where ${isNew('created_at')} and state = 'open' and reason <> 'no-sale')
      when 'no-sale' then
        (select count(*) from stray_payments
          where ${isNew('created_at')} and state = 'open' and reason = 'no-sale')
      when 'mails-given-up' then
        (select count(*) from mails where ${isNew('given_up_at')})
      else 0
    end)::int as count
    from due`)
  return rows
}

/** Of many nodes that counted the same one sends it. A node that dies before it has sent costs this alert, not the next. */
async function claim(db: Db, { kind, since, until }: DueAlert): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into owner_alerts (kind, told_at) values (${kind}, ${until}::timestamptz)
    on conflict (kind) do update set told_at = excluded.told_at
    where owner_alerts.told_at = ${since}::timestamptz`)
  return rowCount === 1
}

/** A letter that could not be sent was never claimed: the next round counts it again. */
async function release(db: Db, { kind, since, until }: DueAlert): Promise<void> {
  await db.execute(sql`
    update owner_alerts set told_at = ${since}::timestamptz
    where kind = ${kind} and told_at = ${until}::timestamptz`)
}

async function sendOne({ db, post, letterhead, log }: AlertRoom, due: DueAlert): Promise<void> {
  const { kind, count } = due
  const id = randomUUID()
  try {
    const letter = composeAlert(id, due, letterhead)
    await post.send(letter, { id, kind: `alert-${kind}`, createdAt: new Date() })
    log.info({ kind, count }, 'The owner was told of trouble')
  } catch (error) {
    log.warn(
      { kind, count, reason: describeFailure(error) },
      'The owner could not be told of trouble; it will be tried again',
    )
    await release(db, due)
  }
}

type AlertWords = Pick<Content, 'title' | 'lead' | 'steps'> & { button: string; path: string }

const openOrders = { button: 'Open orders', path: pages.orders }

/** What is said of each kind, and no more than is known: in review money was taken, or may have been. */
const words: Record<AlertKind, (count: number) => AlertWords> = {
  review: (count) => ({
    title: count === 1 ? 'A payment needs your attention' : `${count} payments need your attention`,
    lead:
      count === 1
        ? 'It was paid, or may have been, and did not become an order by itself.'
        : 'They were paid, or may have been, and did not become orders by themselves.',
    steps: [
      'Above your orders you see what happened, and what is known of the money.',
      'Make the order, refund the payment, or dismiss it with a note.',
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
      'They are shown above your orders. Make the order, or refund the payment.',
    ],
    ...openOrders,
  }),
  'key-refused': () => ({
    title: 'SumUp refuses your key',
    lead: 'SumUp does not accept the API key of your shop. Until it does, nobody can pay by card.',
    steps: [
      'Check SUMUP_API_KEY and SUMUP_MERCHANT_CODE, or make a new key in your SumUp account, and start the shop again.',
      'Payments that were made before are looked at as soon as SumUp accepts the key.',
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

export function composeAlert(
  mailId: string,
  { kind, count }: Pick<DueAlert, 'kind' | 'count'>,
  letterhead: Letterhead,
): Letter {
  const { title, lead, steps, button, path } = words[kind](count)
  const shopName = oneLine(letterhead.shopName ?? 'Till')
  const content: Content = {
    shopName,
    logo: undefined,
    preview: lead,
    title,
    lead,
    order: undefined,
    sections: [],
    steps,
    button: { label: button, url: `${letterhead.origin}${path}` },
    closing: { text: 'You are told of the same at most once an hour' },
  }
  return {
    ...headOf(mailId, letterhead),
    to: recipient(letterhead.shopEmail ?? '', shopName),
    replyTo: undefined,
    subject: title,
    text: writeText(content),
    html: writeHtml(content),
  }
}
