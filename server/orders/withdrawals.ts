import { addDays, dayIn } from '#contract/days.ts'
import { randomUUID } from 'node:crypto'
import {
  isWithdrawable,
  readOrderNumber,
  withdrawalDays,
  type Withdrawal,
  type WithdrawalStatement,
} from '#contract/withdrawals.ts'
import type { Language } from '#contract/languages.ts'
import { isIdBeginning, isSent, isShortNumber } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql, type SQL } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { orders, orderTimeline, type OrderRow } from '#server/db/schema.ts'
import { recordAudit, type AdminActor } from '#server/http/audit.ts'
import { consumeLimit, limitOf, type Limit } from '#server/http/rate-limits.ts'
import { changedAt } from './status.ts'
import { nameActor } from './timeline.ts'

/** Statements of buyers who withdraw from a purchase. None is ever refused for what it says: they are saved, and the owner decides. */

/** Far more than an honest buyer sends, also one of many behind the same address. */
const perAddress: Limit = { name: 'withdrawals', max: 30, seconds: 60 * 60 }
/** Anybody can type any address: it gets a few acknowledgements, and no more. */
const acknowledgements: Limit = { name: 'withdrawal mails', max: 3, seconds: 60 * 60 }
/**
 * Nor does the shop write to many addresses that strangers type: 60 an hour, a third of them kept for statements that fit an
 * order. Honest mistakes in the number are far fewer.
 */
const acknowledgementsOfStrangers: Limit = {
  name: 'withdrawal mails without an order',
  max: 40,
  seconds: 60 * 60,
}
const acknowledgementsOfOrders: Limit = {
  name: 'withdrawal mails of orders',
  max: 20,
  seconds: 60 * 60,
}

type Sender = { addressKey: string; isShared: boolean; isTestMode: boolean; timeZone: string }

/**
 * Saves a statement with the mail that acknowledges it. Neither what it returns nor the time it takes tells whether there is
 * such an order: the statements to the database are the same. The first one about an order is always acknowledged; of others
 * an e-mail address and the shop as a whole have a limit, and what is above is saved without.
 */
export async function recordWithdrawal(
  db: Db,
  { language, ...statement }: WithdrawalStatement & { language?: Language | undefined },
  { addressKey, isShared, isTestMode, timeZone }: Sender,
): Promise<{ receivedAt: Date }> {
  const { isAllowed, secondsLeft } = await consumeLimit(
    db,
    limitOf(addressKey, perAddress, { isShared }),
    addressKey,
  )
  if (!isAllowed) throw new Refusal('too-many-requests', { retryAfter: secondsLeft })
  const orderId = await findMeantOrder(db, statement)
  const isWithinLimits = await mayMail(db, statement, orderId !== null)
  return db.transaction(async (tx) => {
    const order = await lockIfThere(tx, orderId)
    const earlier = await listEarlier(tx, order?.id ?? null)
    const isRepeat = earlier.some(({ handledAt }) => handledAt === null)
    const isFirst = order !== undefined && !isRepeat
    const mailId = isWithinLimits || isFirst ? randomUUID() : null
    const [saved] = await tx
      .insert(withdrawals)
      .values({
        ...statement,
        language: language ?? null,
        orderId: order?.id ?? null,
        isLate: await isLate(tx, order, timeZone),
        isRepeat,
        isTest: order?.isTest ?? isTestMode,
        mailId,
        createdAt: changedAt,
      })
      .returning()
    if (!saved) throw new Error('saving a withdrawal returned no row')
    const toldOrderId = isRepeat ? null : saved.orderId
    await tx.execute(sql`
      insert into order_timeline (order_id, actor, event, created_at)
      select ${toldOrderId}::uuid, 'shop', 'withdrawn', ${changedAt} where ${toldOrderId}::uuid is not null`)
    await tx.execute(sql`
      insert into mails (id, order_id, kind, created_at)
      select ${mailId}::uuid, ${saved.orderId}::uuid, ${`withdrawal-${earlier.length + 1}`}, ${changedAt}
      where ${mailId}::uuid is not null`)
    return { receivedAt: saved.createdAt }
  })
}

/** An order of test mode may have been deleted since it was found. */
async function lockIfThere(tx: Db, orderId: string | null): Promise<OrderRow | undefined> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(sql`${orders.id} = ${orderId}`)
    .for('update')
  return order
}

function listEarlier(tx: Db, orderId: string | null): Promise<{ handledAt: Date | null }[]> {
  return tx
    .select({ handledAt: withdrawals.handledAt })
    .from(withdrawals)
    .where(sql`${withdrawals.orderId} = ${orderId}`)
}

/** An inbox may have many addresses: name+1@example.com, na.me@example.com. */
async function mayMail(
  db: Db,
  { email }: WithdrawalStatement,
  fitsOrder: boolean,
): Promise<boolean> {
  const [name = '', domain = ''] = email.toLowerCase().split('@')
  const inbox = `${name.split('+')[0]?.replaceAll('.', '')}@${domain}`
  if (!(await consumeLimit(db, acknowledgements, inbox)).isAllowed) return false
  const ofShop = fitsOrder ? acknowledgementsOfOrders : acknowledgementsOfStrangers
  return (await consumeLimit(db, ofShop, '')).isAllowed
}

/** The only order with this number, or the beginning of its id, and this e-mail address. */
async function findMeantOrder(
  db: Db,
  { orderNumber, email }: WithdrawalStatement,
): Promise<string | null> {
  const asked = readOrderNumber(orderNumber)
  const begin = isIdBeginning(asked) ? asked.replaceAll('-', '').slice(0, 32) : undefined
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from orders
    where (number = ${isShortNumber(asked) ? Number(asked) : null}::int
        or id between ${begin?.padEnd(32, '0') ?? null}::uuid and ${begin?.padEnd(32, 'f') ?? null}::uuid)
      and lower(customer_email) = lower(${email})
    limit 2`)
  return rows.length === 1 ? (rows[0]?.id ?? null) : null
}

/**
 * The period begins when the goods arrive, which the shop does not know: it counts from when the order last got the status
 * that it has, shipped or completed, and ends with the last of its days.
 */
async function isLate(db: Db, order: OrderRow | undefined, timeZone: string): Promise<boolean> {
  const { rows } = await db.execute<{ sentAt: Date | null }>(sql`
    select max(created_at) as "sentAt" from order_timeline
    where order_id = ${order?.id ?? null}::uuid and to_status = ${order?.status ?? null}::text`)
  const sentAt = rows[0]?.sentAt
  return order && isSent(order) && sentAt ? endOfPeriod(new Date(sentAt), timeZone).isOver : false
}

/** Periods of the law are whole days: the first is the day after, the last ends at midnight where the shop is. */
export function endOfPeriod(
  since: Date,
  timeZone: string,
  now = new Date(),
): { lastDay: string; isOver: boolean } {
  const lastDay = addDays(dayIn(timeZone, since), withdrawalDays)
  return { lastDay, isOver: lastDay < dayIn(timeZone, now) }
}

async function addToTimeline(tx: Db, orderId: string, event: string, actor: string): Promise<void> {
  await tx.insert(orderTimeline).values({ orderId, actor, event, createdAt: changedAt })
}

/** Of a row of the table: the owner has something to do. What went back in full is done by that. */
export const isOpenWithdrawal = sql`withdrawals.handled_at is null and not withdrawals.is_repeat and not exists (
  select from orders as refunded_order
  join payments on payments.transaction_id = refunded_order.sumup_transaction_id
  where refunded_order.id = withdrawals.order_id
    and payments.refunded + payments.charged_back >= refunded_order.amount)`

type Listed = WithdrawalStatement & {
  id: string
  createdAt: Date
  orderId: string | null
  number: number | null
  product: OrderRow['product'] | null
  shippingAddress: OrderRow['shippingAddress'] | null
  isLate: boolean
  isRepeat: boolean
  isTest: boolean
  acknowledgement: Withdrawal['acknowledgement']
  isOpen: boolean
  handledAt: Date | null
  handledBy: string | null
  handledByEmail: string | null
  note: string | null
}

/** All statements about an order, oldest first. */
export async function listWithdrawalsOf(
  db: Db,
  orderId: string,
  config: ShownConfig,
): Promise<Withdrawal[]> {
  const rows = await selectWithdrawals(
    db,
    sql`withdrawals.order_id = ${orderId} order by withdrawals.created_at`,
  )
  return rows.map((row) => showWithdrawal(row, config))
}

type Waiting = { includesTest: boolean; isMatched: boolean }

function isMeant({ includesTest, isMatched }: Waiting): SQL {
  return sql`${isOpenWithdrawal} and (withdrawals.order_id is not null) = ${isMatched}
    and (${includesTest} or not withdrawals.is_test)`
}

/**
 * A page of the statements that wait for the owner. Those that fit an order come oldest first, as they are due; anybody can
 * make up the others, of which an honest one is among the newest.
 */
export async function listWaiting(
  db: Db,
  { after, limit, ...waiting }: Waiting & { after: string | undefined; limit: number },
  config: ShownConfig,
): Promise<{ withdrawals: Withdrawal[]; count: number; next: string | undefined }> {
  const place = sql`(withdrawals.created_at, withdrawals.id)`
  const [later, direction] = waiting.isMatched ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const isAfter = after
    ? sql`${place} ${later} (select created_at, id from withdrawals where id = ${after})`
    : sql`true`
  const rows = await selectWithdrawals(
    db,
    sql`${isMeant(waiting)} and ${isAfter}
      order by withdrawals.created_at ${direction}, withdrawals.id ${direction} limit ${limit + 1}`,
  )
  const counted = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from withdrawals where ${isMeant(waiting)}`,
  )
  const shown = rows.slice(0, limit).map((row) => showWithdrawal(row, config))
  return {
    withdrawals: shown,
    count: counted.rows[0]?.count ?? 0,
    next: rows.length > limit ? shown.at(-1)?.id : undefined,
  }
}

async function selectWithdrawals(db: Db, condition: SQL): Promise<Listed[]> {
  const { rows } = await db.execute<Listed>(sql`
    select withdrawals.id, withdrawals.created_at as "createdAt", withdrawals.name,
      withdrawals.order_number as "orderNumber", withdrawals.email, withdrawals.order_id as "orderId",
      orders.number, orders.product, orders.shipping_address as "shippingAddress", is_late as "isLate", is_repeat as "isRepeat", withdrawals.is_test as "isTest",
      case when withdrawals.mail_id is null then 'not-sent' when mails.id is null then 'unknown'
        when mails.next_try_at is not null then 'waiting'
        when mails.sent_at is not null and mails.last_error is null then 'sent'
        else 'not-sent' end as acknowledgement, (${isOpenWithdrawal}) as "isOpen",
      withdrawals.handled_at as "handledAt", withdrawals.handled_by as "handledBy",
      users.email as "handledByEmail", withdrawals.note
    from withdrawals left join orders on orders.id = withdrawals.order_id
      left join mails on mails.id = withdrawals.mail_id
      left join users on users.id::text = withdrawals.handled_by
    where ${condition}`)
  return rows
}

type ShownConfig = Pick<Config, 'timeZone' | 'policies'>

function showWithdrawal(row: Listed, { timeZone, policies }: ShownConfig): Withdrawal {
  const { id, name, orderNumber, email, isLate, isRepeat, isTest, isOpen, note } = row
  const { product, shippingAddress } = row
  // Only who had the right is owed the money by a certain day.
  const hasRight =
    product &&
    shippingAddress &&
    isWithdrawable({ product, shippingAddress }, policies.withdrawalFor)
  const createdAt = new Date(row.createdAt)
  const due = hasRight ? endOfPeriod(createdAt, timeZone) : undefined
  return {
    id,
    name,
    orderNumber,
    email,
    createdAt: createdAt.toISOString(),
    refundDueOn: due?.lastDay ?? null,
    isOverdue: due?.isOver ?? false,
    order: row.orderId
      ? { id: row.orderId, number: row.number, product: product?.name ?? '' }
      : null,
    isLate,
    isRepeat,
    exemption: product?.withdrawalExemption ?? null,
    isTest,
    acknowledgement: row.acknowledgement,
    isOpen,
    handledAt: row.handledAt && new Date(row.handledAt).toISOString(),
    handledBy: row.handledBy && nameActor(row.handledBy, row.handledByEmail),
    note,
  }
}

/** For what was settled otherwise than by a refund in full. */
export async function markHandled(
  db: Db,
  id: string,
  { note }: { note: string },
  actor: AdminActor,
): Promise<void> {
  await db.transaction(async (tx) => {
    const statement = tx.select().from(withdrawals).where(eq(withdrawals.id, id))
    // The order first, as erasing a customer locks them: otherwise each could wait for the other.
    const [{ orderId } = { orderId: null }] = await statement
    if (orderId) await lockIfThere(tx, orderId)
    const [found] = await statement.for('update')
    if (!found) throw new Refusal('withdrawal-missing')
    if (found.handledAt) throw new Refusal('withdrawal-handled')
    await tx
      .update(withdrawals)
      .set({ handledAt: changedAt, handledBy: actor.admin.id, note })
      .where(eq(withdrawals.id, id))
    if (found.orderId) await addToTimeline(tx, found.orderId, 'withdrawal-handled', actor.admin.id)
    const subject = found.orderId ?? id
    await recordAudit(tx, actor, { action: 'withdrawal-handled', subject })
  })
}

/** Marks all statements that fit no order as handled, up to the newest one that the admin has seen. */
export async function dismissUnmatched(
  db: Db,
  { newest, includesTest }: { newest: string; includesTest: boolean },
  actor: AdminActor,
): Promise<number> {
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(sql`
      update withdrawals set handled_at = ${changedAt}, handled_by = ${actor.admin.id}
      where ${isMeant({ includesTest, isMatched: false })}
        and created_at <= (select seen.created_at from withdrawals as seen where seen.id = ${newest})`)
    const count = rowCount ?? 0
    if (count > 0)
      await recordAudit(tx, actor, { action: 'withdrawals-dismissed', detail: { count } })
    return count
  })
}

/** Deletes up to `limit` statements of test mode that fit no order, with their mails. */
export async function deleteTestWithdrawals(
  tx: Db,
  limit: number,
  deleteMailFiles: (mailIds: string[]) => Promise<unknown>,
): Promise<number> {
  const { rows } = await tx.execute<{ mailId: string | null }>(sql`
    delete from withdrawals where id = any(array(
      select id from withdrawals where is_test and order_id is null limit ${limit}))
    returning mail_id as "mailId"`)
  const mailIds = rows.flatMap(({ mailId }) => mailId ?? [])
  await tx.execute(sql`delete from mails where id = any(${sql.param(mailIds)}::uuid[])`)
  if (mailIds.length > 0) await deleteMailFiles(mailIds)
  return rows.length
}
