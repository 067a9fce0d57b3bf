import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'

/* What must be true of buyers' withdrawals in the end. */

/** What a buyer sent, once or several times because no answer came. */
export type Statement = {
  name: string
  /** Undefined if the number that the buyer gave is none of theirs. */
  orderId: string | undefined
  sent: number
  isAnswered: boolean
}

export type WithdrawalHistory = {
  withdrawals: Statement[]
  /** Ids of those that the owner wanted to mark as handled, and was told are. */
  handled: { asked: Set<string>; told: Set<string> }
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
  { withdrawals, handled }: WithdrawalHistory,
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
