import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { soldProduct } from '#contract/orders.ts'
import { isDatabaseUnavailable, type Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { payments } from '#server/db/payment-schema.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { checkouts, mails, orders, shownProducts } from '#server/db/schema.ts'
import { consumeLimit, type Limit } from '#server/http/rate-limits.ts'
import type { Log } from '#server/log.ts'
import { keptAsFile } from '#server/orders/archive-mail.ts'
import { isPaymentOfOrder, paymentColumns, type PaidOrder } from '#server/orders/paid-order.ts'
import type { MailRow, MailSettings } from './compose.ts'
import { composeMail } from './messages.ts'
import { composeSaleMail, type EndedSale } from './sale-messages.ts'
import {
  describeMailError,
  PermanentMailError,
  type MailMessage,
  type MailTransport,
} from './transport.ts'
import { composeAcknowledgement, type WithdrawalRow } from './withdrawal-messages.ts'

export type MailDeps = {
  db: Db
  transport: MailTransport
  settings: MailSettings
  log: Log
  /** The pauses before a delivery is recorded again. */
  recordDelaysMs?: number[]
  /** Once this is aborted, nothing is tried again. */
  stopping?: AbortSignal
}

/** A mail with what it is about: a withdrawal, an order, or a sale that ended without one. None is there once it was deleted. */
type DueMail = MailRow & {
  order: PaidOrder | undefined
  refundedMethods: string[]
  sale: EndedSale | undefined
  withdrawal: WithdrawalRow | null
}

const batchSize = 10

/** Longer than a transport takes for a batch: until it ends, no other node sends the same mail. */
const leaseMinutes = 2

/** Sends one batch of due mails. Returns how many it tried: 0 means that none is due. */
export async function sendDueMails(deps: MailDeps): Promise<number> {
  const due = (await claimDueMails(deps.db, {})).map(toDueMail)
  const record = createRecorder(deps)
  await Promise.all(due.map((mail) => sendMail(deps, mail, record)))
  return due.length
}

/**
 * Claims due mails and postpones them in one statement, before any is sent: each mail belongs to one node,
 * and a node that dies before it is sent delays the mail instead of losing it.
 */
const claimDueMails = prepareQuery('claim_due_mails', (db) => {
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(sql`${mails.nextTryAt} <= now()`)
    .orderBy(mails.nextTryAt)
    .limit(batchSize)
    .for('update', { skipLocked: true })
  const claimed = db.$with('claimed').as(
    db
      .update(mails)
      .set({
        attempts: sql`${mails.attempts} + 1`,
        nextTryAt: sql`now() + make_interval(mins => ${leaseMinutes})`,
      })
      // As an array the subquery runs once; with `in` PostgreSQL may run it again and claim too many.
      .where(sql`${mails.id} = any(array(${due}))`)
      .returning(),
  )
  // Payments of the mail's sale that money went back of: a few at most, and none for a mail about an order.
  const ofSale = sql`from payments as returned where returned.sale_id = ${claimed.saleId}
    and returned.refunded + returned.charged_back > 0`
  const ofOrder = sql`from payments as returned where returned.sale_id = ${payments.saleId}
    and returned.refunded > 0`
  return db
    .with(claimed)
    .select({
      mail: claimed._.selectedFields,
      order: orders,
      ...paymentColumns,
      refundedMethods: sql<string[]>`array(select distinct coalesce(method, 'card') ${ofOrder})`,
      sale: checkouts,
      saleProduct: shownProducts.product,
      withdrawal: withdrawals,
      saleRefunded: sql<string>`(select coalesce(sum(refunded), 0.00) ${ofSale})`,
      saleChargedBack: sql<string>`(select coalesce(sum(charged_back), 0.00) ${ofSale})`,
      returnedCurrency: sql<string | null>`(select min(returned.currency) ${ofSale})`,
      // Where no payment is known and the buyer may have left for another method, no card is claimed.
      saleMethod: sql<string | null>`(select case
          when count(*) = 0 and ${checkouts.hasReturnUrl} then 'sumup' else min(method) end
        from payments as tried where tried.sale_id = ${claimed.saleId})`,
    })
    .from(claimed)
    .leftJoin(orders, eq(orders.id, claimed.orderId))
    .leftJoin(payments, isPaymentOfOrder)
    .leftJoin(checkouts, eq(checkouts.id, claimed.saleId))
    .leftJoin(shownProducts, eq(shownProducts.version, checkouts.shownVersion))
    .leftJoin(withdrawals, eq(withdrawals.mailId, claimed.id))
})

type Claimed = Awaited<ReturnType<typeof claimDueMails>>[number]

function toDueMail(claimed: Claimed): DueMail {
  const { mail, order, refundedMethods, sale, saleProduct: product, withdrawal } = claimed
  const { refundedAmount, chargedBackAmount, isPaid } = claimed
  const { saleRefunded, saleChargedBack, returnedCurrency, saleMethod } = claimed
  const ofSale = { refundedAmount: saleRefunded, chargedBackAmount: saleChargedBack }
  return {
    ...mail,
    order: order ? { ...order, refundedAmount, chargedBackAmount, isPaid } : undefined,
    refundedMethods,
    sale:
      sale && product
        ? {
            ...sale,
            product: soldProduct({ ...sale, product }),
            ...ofSale,
            returnedCurrency,
            paymentMethod: saleMethod,
          }
        : undefined,
    withdrawal,
  }
}

type Delivery =
  | { status: 'sent' }
  | { status: 'skipped'; reason: string }
  | { status: 'postponed'; reason: string; seconds: number }
  | { status: 'given-up'; reason: string }

async function sendMail(deps: MailDeps, mail: DueMail, record: Recorder): Promise<void> {
  const delivery = await tryDelivery(deps, mail)
  logDelivery(deps.log, mail, delivery)
  await record({ mail, delivery })
}

/** Anybody can buy in test mode, and the owner gets two mails of each order. Further ones become files. */
const testMails: Limit = { name: 'test mails', max: 40, seconds: 60 * 60 }

async function tryDelivery(deps: MailDeps, mail: DueMail): Promise<Delivery> {
  const { db, transport, settings } = deps
  try {
    const message = compose(mail, settings)
    if (!message) return { status: 'skipped', reason: 'no recipient' }
    const isTest = (mail.withdrawal ?? mail.order ?? mail.sale)?.isTest
    let isSent = settings.hasMailServer && !message.isFileOnly
    if (isSent && isTest) isSent = (await consumeLimit(db, testMails, '')).isAllowed
    await transport.send({ ...message, isFileOnly: !isSent }, { ...mail, isTest })
    return isSent ? { status: 'sent' } : { status: 'skipped', reason: keptAsFile }
  } catch (error) {
    const reason = describeMailError(error)
    const seconds = error instanceof PermanentMailError ? undefined : findRetryDelay(mail.attempts)
    return seconds === undefined
      ? { status: 'given-up', reason }
      : { status: 'postponed', reason, seconds }
  }
}

function compose(mail: DueMail, settings: MailSettings): MailMessage | undefined {
  if (mail.withdrawal)
    return composeAcknowledgement(mail, mail.withdrawal, settings, mail.order?.language ?? null)
  if (mail.order) return composeMail(mail, mail.order, settings)
  return mail.sale && composeSaleMail(mail, mail.sale, settings)
}

/** With ids only: logs contain no names and no addresses. */
function logDelivery(log: Log, mail: MailRow, delivery: Delivery): void {
  const { id, orderId, saleId, kind, attempts } = mail
  const about = orderId ? { order: orderId } : { sale: saleId }
  const fields = { mail: id, ...about, kind, attempts, ...delivery }
  switch (delivery.status) {
    case 'sent':
      return log.info(fields, 'A mail was sent')
    case 'skipped':
      return log.info(fields, 'A mail was not sent')
    case 'postponed':
      return log.warn(fields, 'A mail could not be sent; it will be tried again')
    case 'given-up':
      return log.error(fields, 'A mail was given up')
  }
}

const minute = 60
const hour = 60 * minute

/** Seconds after the first failed attempt, the second and so on; then hourly. */
const firstRetryDelays = [10, 30, minute, 5 * minute, 15 * minute, 30 * minute]

/** Three days. Counted in attempts, so that days in which the shop itself was off do not count. */
const hourlyAttempts = 3 * 24

/** In seconds; undefined when it is time to give up. */
function findRetryDelay(attempts: number): number | undefined {
  if (attempts > firstRetryDelays.length + hourlyAttempts) return undefined
  return firstRetryDelays[attempts - 1] ?? hour
}

/** The last one is repeated for as long as the database is down. */
const defaultRecordDelaysMs = [100, 500, 1_000]

type Ended = { mail: MailRow; delivery: Delivery }
type Recorder = (ended: Ended) => Promise<void>

/** Records deliveries. Those that end while others are being recorded are recorded together. */
function createRecorder(deps: MailDeps): Recorder {
  let waiting: Ended[] = []
  let recording: Promise<void> | undefined

  async function recordWaiting(): Promise<void> {
    await nextTurn()
    while (waiting.length > 0) {
      const ended = waiting
      waiting = []
      await Promise.all(groupAlike(ended).map((group) => recordGroup(deps, group)))
    }
    recording = undefined
  }

  return (ended) => {
    waiting.push(ended)
    return (recording ??= recordWaiting())
  }
}

type Group = [Ended, ...Ended[]]

/** What is recorded in one statement: what was sent, what was not for one reason, and every failure by itself. */
function groupAlike(all: Ended[]): Group[] {
  const groups = Map.groupBy(all, ({ mail, delivery }) => {
    if (delivery.status === 'sent') return 'sent'
    return delivery.status === 'skipped' ? delivery.reason : mail.id
  })
  return [...groups.values()] as Group[]
}

/**
 * A sent mail that is not recorded is sent again when its lease ends. While the database is down nobody can claim it, so
 * it is enough to be quick when the database is back.
 */
async function recordGroup(deps: MailDeps, group: Group): Promise<void> {
  const { db, log, recordDelaysMs = defaultRecordDelaysMs, stopping } = deps
  const [{ delivery }] = group
  const ids = group.map(({ mail }) => mail.id)
  const attempts = group.map(({ mail }) => mail.attempts)
  for (let attempt = 0; ; attempt += 1) {
    try {
      await recordDelivery(db, delivery, { ids, attempts })
      return
    } catch (error) {
      const isOver = attempt >= recordDelaysMs.length && !isDatabaseUnavailable(error)
      if (isOver || stopping?.aborted) {
        // They are due again when their lease ends. The others of this batch go on.
        const reason = describeMailError(error)
        const fields = { mails: ids, status: delivery.status, reason }
        log.error(fields, 'A mail delivery could not be recorded')
        return
      }
    }
    const delayMs = recordDelaysMs[attempt] ?? recordDelaysMs.at(-1)
    await sleep(delayMs, undefined, stopping && { signal: stopping }).catch(() => {})
  }
}

async function recordDelivery(
  db: Db,
  delivery: Delivery,
  { ids, attempts }: { ids: string[]; attempts: number[] },
): Promise<void> {
  const isMeant = sql`${mails.id} = any(${sql.param(ids)}::uuid[])`
  // If another node took the mail over meanwhile, only "sent" is still true.
  const isOurs = sql`${mails.sentAt} is null and (${mails.id}, ${mails.attempts}) in (
    select * from unnest(${sql.param(ids)}::uuid[], ${sql.param(attempts)}::int[]))`
  await db
    .update(mails)
    .set(describeRecord(delivery))
    .where(delivery.status === 'sent' ? isMeant : isOurs)
}

/** How mails are after a delivery. */
function describeRecord(delivery: Delivery) {
  switch (delivery.status) {
    case 'sent':
      return { sentAt: sql`now()`, nextTryAt: null, lastError: null }
    case 'skipped':
      return { sentAt: sql`now()`, nextTryAt: null, lastError: delivery.reason }
    case 'postponed': {
      const nextTryAt = sql`now() + make_interval(secs => ${delivery.seconds})`
      return { nextTryAt, lastError: delivery.reason }
    }
    case 'given-up':
      return { nextTryAt: null, givenUpAt: sql`now()`, lastError: delivery.reason }
  }
}
