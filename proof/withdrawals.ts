import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { Visit } from './buy.ts'
import type { History } from './history.ts'
import { getDetails, type WithdrawalKind } from './visitors.ts'

/* Buyers who withdraw, and what must be true of their statements in the end. */

/** What a buyer sent, once or several times because no answer came. */
export type Statement = {
  name: string
  /** Undefined if the number that the buyer gave is none of theirs. */
  orderId: string | undefined
  sent: number
  isAnswered: boolean
}

/** As long as each is acknowledged: an address that nobody bought with gets no more mails in an hour. */
const maxTries = 3
const unknownNumber = '#99999999'

/** States that the visitor withdraws from what they have bought, if they know that they have. */
export async function withdraw({ context, visitor, browser, random }: Visit): Promise<void> {
  const { history } = context
  const bought = history.confirmedOrders.findLast((one) => one.visitor === visitor.number)
  if (!bought || !visitor.withdraws) return
  const number = await context.findOrderNumber?.(bought.orderId)
  const orderNumbers: Record<WithdrawalKind, string> = {
    'with the link': bought.orderId,
    // Without a mail yet: the beginning of the id, as the page shows it.
    'by number': number ? `Order no. ${number}` : bought.orderId.slice(0, 8),
    'with a wrong number': unknownNumber,
  }
  const { customerEmail: email, customerName: name } = getDetails(visitor)
  const orderId = visitor.withdraws === 'with a wrong number' ? undefined : bought.orderId
  const statement: Statement = { name, orderId, sent: 0, isAnswered: false }
  history.withdrawals.push(statement)
  while (!statement.isAnswered && statement.sent < maxTries) {
    statement.sent += 1
    const orderNumber = orderNumbers[visitor.withdraws]
    const answer = await browser.withdraw({ name, email, orderNumber })
    statement.isAnswered = answer?.status === 202
    if (!statement.isAnswered) await delay(random.between(200, 900))
  }
}

/** A statement in the shop, with the mail that acknowledges it. Either may be missing. */
export type SavedWithdrawal = {
  id: string | null
  name: string | null
  orderId: string | null
  isHandled: boolean
  /** `known`: sent, given up, or it will be tried. */
  mail: 'known' | 'forgotten' | null
}

export async function readWithdrawals(db: Db): Promise<SavedWithdrawal[]> {
  const { rows } = await db.execute<SavedWithdrawal>(sql`
    select withdrawals.id, name, withdrawals.order_id as "orderId", handled_at is not null as "isHandled",
      case when mail.id is not null then
        case when coalesce(sent_at, given_up_at, next_try_at) is null then 'forgotten' else 'known' end
      end as mail
    from withdrawals full join (select * from mails where kind like 'withdrawal-%') as mail
      on mail.id = withdrawals.mail_id`)
  return rows
}

export const withdrawalFaultKinds = [
  'lost withdrawals',
  'unacknowledged withdrawals',
  'untrue withdrawals',
] as const
export type WithdrawalFaults = Record<(typeof withdrawalFaultKinds)[number], string[]>

export function findWithdrawalFaults(
  { withdrawals, handled }: Pick<History, 'withdrawals' | 'handled'>,
  saved: SavedWithdrawal[],
): WithdrawalFaults {
  const savedBy = Map.groupBy(saved, ({ name }) => name ?? '')
  const isUntrue = ({ id, name, orderId, isHandled }: SavedWithdrawal) => {
    const stated = withdrawals.find((one) => one.name === name)
    const wasAsked = handled.asked.has(id ?? '')
    return (
      stated?.orderId !== (orderId ?? undefined) ||
      stated === undefined ||
      (isHandled && !wasAsked) ||
      (!isHandled && handled.told.has(id ?? ''))
    )
  }
  return {
    'lost withdrawals': withdrawals
      .filter(({ name, isAnswered }) => isAnswered && !savedBy.has(name))
      .map(({ name }) => name),
    // Also a mail without a statement.
    'unacknowledged withdrawals': saved
      .filter(({ id, mail }) => id === null || mail !== 'known')
      .map(({ id, name, mail }) => `${id} of ${name}: ${mail}`),
    'untrue withdrawals': [
      ...saved.filter(isUntrue).map(({ id, name }) => `${id} of ${name}`),
      ...withdrawals
        .filter(({ name, sent }) => (savedBy.get(name)?.length ?? 0) > sent)
        .map(({ name }) => `${name}: more than were sent`),
    ],
  }
}
