import { toCents } from '#contract/money.ts'
import { sql } from '#server/db/drizzle.ts'
import type { Random } from '#tools/random.ts'
import type { Environment } from './environment.ts'
import type { ToldRefund } from './owner.ts'

/* What became of refunds, in SumUp's ledger and in the shop, and where both differ. */

export const refundFaultKinds = [
  'refunded twice',
  'refunded too much',
  'lost refunds',
  'untrue refund states',
  'untrue refund mails',
] as const
export type RefundFaults = Record<(typeof refundFaultKinds)[number], string[]>

/** The refunds of an order, of all payments of its checkout. All amounts in cents. */
export type RefundsOfOrder = {
  orderId: string
  checkoutId: string
  /** At SumUp, by payment. */
  payments: { id: string; cents: number; refunds: number[] }[]
  /** Those that were asked for in the shop. */
  asked: { cents: number; state: string }[]
  /** What the shop knows to have gone back, and what it told the buyer. */
  known: number
  mailed: number
}

export async function readRefunds({
  db,
  sumup,
}: Pick<Environment, 'db' | 'sumup'>): Promise<RefundsOfOrder[]> {
  const { transactions } = await sumup.readLedger()
  const made = Map.groupBy(transactions, ({ checkoutId }) => checkoutId)
  const { rows } = await db.execute<Omit<RefundsOfOrder, 'payments'>>(sql`
    select orders.id as "orderId", sumup_checkout_id as "checkoutId",
      (select coalesce(json_agg(json_build_object('cents', (refunds.amount * 100)::int, 'state', refunds.state)), '[]')
        from refunds join payments on payments.id = refunds.payment_id where payments.sale_id = sale.id) as asked,
      (select coalesce(sum(refunded * 100), 0)::int from payments where sale_id = sale.id) as known,
      (select coalesce(sum(amount * 100), 0)::int from mails
        where order_id = orders.id and kind like 'refunded-%') as mailed
    from orders join checkouts as sale using (sumup_checkout_id) order by orders.id`)
  return rows.map((row) => ({
    ...row,
    payments: (made.get(row.checkoutId) ?? []).map(({ id, amountMinor, refunds }) => ({
      id,
      cents: amountMinor,
      refunds: refunds.map((refund) => refund.amountMinor),
    })),
  }))
}

/**
 * Where SumUp's ledger and the shop differ. A refund may be open as long as SumUp shows none of it. `isInApp`: the order was
 * refunded in SumUp's app only.
 */
export function findRefundFaults(
  orders: RefundsOfOrder[],
  told: ToldRefund[],
  isInApp: (order: RefundsOfOrder) => boolean = () => false,
): RefundFaults {
  const faults = Object.fromEntries(
    refundFaultKinds.map((kind): [string, string[]] => [kind, []]),
  ) as RefundFaults
  for (const order of orders) {
    const { orderId, payments, asked, known, mailed } = order
    const made = payments.flatMap(({ refunds }) => refunds)
    const done = isInApp(order)
      ? made
      : asked.filter(({ state }) => state === 'done').map(({ cents }) => cents)
    const toldDone = told.filter((one) => one.orderId === orderId && one.outcome.state === 'done')
    const listed = asked.map(({ cents, state }) => `${cents} ${state}`).join(', ')
    const about = `${orderId}: at SumUp ${made.join(' + ')}, here ${listed}, known ${known}, mailed ${mailed}, told ${toldDone.length}`
    if (made.length > done.length) faults['refunded twice'].push(about)
    if (payments.some(({ cents, refunds }) => sum(refunds) > cents))
      faults['refunded too much'].push(about)
    if (known !== sum(made)) faults['lost refunds'].push(about)
    const isToldRightly = toldDone.every(({ outcome }) => made.includes(toCents(outcome.amount)))
    if (!isSameList(made, done) || toldDone.length > made.length || !isToldRightly)
      faults['untrue refund states'].push(about)
    if (mailed !== sum(made)) faults['untrue refund mails'].push(about)
  }
  return faults
}

const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0)

function isSameList(one: number[], other: number[]): boolean {
  const sort = (list: number[]) => list.toSorted((a, b) => a - b).join()
  return sort(one) === sort(other)
}

/** Some checkouts are only refunded in SumUp's app, the others only in the shop: afterwards nobody could tell who did it. */
export const isRefundedInApp = ({ checkoutId }: { checkoutId: string }) => /^[0-3]/.test(checkoutId)

/** SumUp ends what it works on, and the shop reads soon what is open. Returns the time of the database, if anything is. */
export async function endRefunds(
  { db, sumup }: Pick<Environment, 'db' | 'sumup'>,
  random: Random,
): Promise<string | undefined> {
  const { transactions } = await sumup.readLedger()
  for (const { id, refundAttempts = [] } of transactions)
    for (const { status } of refundAttempts)
      if (status === 'PENDING')
        await sumup.control('end-refund', {
          payment: id,
          outcome: random.integer(1, 3) === 1 ? 'failed' : 'done',
        })
  const { rows } = await db.execute<{ at: string }>(sql`
    update payments set next_read_at = now() where next_read_at is not null returning now()::text as at`)
  return rows[0]?.at
}
