import type { Db } from '#server/db/database.ts'
import { and, eq, sql } from '#server/db/drizzle.ts'
import { mails, orders } from '#server/db/schema.ts'
import type { Log } from '#server/http/log.ts'
import type { OrderRow } from '#server/orders/orders.ts'
import { describeFailure } from './describe-failure.ts'
import type { Letterhead } from './letterhead.ts'
import { maybeLetter, type MailRow } from './mails.ts'
import { noteFate, type Fate } from './note-fate.ts'
import { maybePause } from './pauses.ts'
import type { Post } from './post.ts'
import { RefusedForGood } from './refused-for-good.ts'

/** What sending needs. */
export type MailRoom = { db: Db; post: Post; letterhead: Letterhead; log: Log }

type DueMail = MailRow & { orders: OrderRow }

const perRound = 10

/** Longer than any post takes for a round: while it lasts, nobody else sends the same mail. */
const leaseMinutes = 2

/** Sends what is due, a handful at a time. Answers how many it tried: at 0 there is time to rest. */
export async function sendDueMails(room: MailRoom): Promise<number> {
  const due = await claimDue(room.db)
  await Promise.all(due.map((mail) => sendOne(room, mail)))
  return due.length
}

/**
 * Takes due mails and puts them off in one step, before any is sent: of many nodes one has each mail,
 * and a node that dies on the way costs a repeat, not the mail.
 */
async function claimDue(db: Db): Promise<DueMail[]> {
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(sql`${mails.nextTryAt} <= now()`)
    .orderBy(mails.nextTryAt)
    .limit(perRound)
    .for('update', { skipLocked: true })
  return (
    db
      .update(mails)
      .set({
        attempts: sql`${mails.attempts} + 1`,
        nextTryAt: sql`now() + make_interval(mins => ${leaseMinutes})`,
      })
      .from(orders)
      // As an array the choice is made once; as a list PostgreSQL may make it again and take too many.
      .where(and(eq(orders.id, mails.orderId), sql`${mails.id} = any(array(${due}))`))
      .returning()
  )
}

async function sendOne(room: MailRoom, mail: DueMail): Promise<void> {
  const fate = await trySending(room, mail)
  tell(room.log, mail, fate)
  try {
    await noteFate(room.db, mail, fate)
  } catch (error) {
    // The mail comes back when its lease ends. The others of this round go on.
    room.log.error(
      { mail: mail.id, fate: fate.is, reason: describeFailure(error) },
      'What became of a mail could not be noted',
    )
  }
}

async function trySending({ post, letterhead }: MailRoom, mail: DueMail): Promise<Fate> {
  try {
    const letter = maybeLetter(mail, mail.orders, letterhead)
    if (!letter) return { is: 'skipped', why: 'nobody to write to' }
    await post.send(letter, mail)
    return { is: 'sent' }
  } catch (error) {
    const why = describeFailure(error)
    const seconds = error instanceof RefusedForGood ? undefined : maybePause(mail.attempts)
    return seconds === undefined ? { is: 'given-up', why } : { is: 'put-off', why, seconds }
  }
}

/** By its ids alone: logs know no names and no addresses. */
function tell(log: Log, mail: MailRow, fate: Fate): void {
  const { id, orderId: order, kind, attempts } = mail
  const about = { mail: id, order, kind, attempts, ...fate }
  switch (fate.is) {
    case 'sent':
      return log.info(about, 'A mail was sent')
    case 'skipped':
      return log.info(about, 'A mail had nobody to go to')
    case 'put-off':
      return log.warn(about, 'A mail could not be sent; it will be tried again')
    case 'given-up':
      return log.error(about, 'A mail was given up')
  }
}
