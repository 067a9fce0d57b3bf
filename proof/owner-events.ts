import { toCents } from '#contract/money.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { Withdrawal } from '#contract/withdrawals.ts'
import { sql } from '#server/db/drizzle.ts'
import { repeat, type RangeMs, type Rhythm } from './disturbances.ts'
import type { Environment } from './environment.ts'
import type { History } from './history.ts'
import { callAsOwner, refundAsOwner, type Owner } from './owner.ts'
import { isRefundedInApp } from './refund-faults.ts'

/* What the owner does in the back-office while people buy. */

const ownerEventKinds = ['refund in full', 'refund in part', 'handle a withdrawal'] as const

const ownerEventsMs: RangeMs = [200, 800]
const visitorsPerOwnerEvent = 0.1

export function startOwnerEvents(
  { db }: Environment,
  owner: Owner,
  history: History,
  rhythm: Rhythm,
) {
  const { random } = owner

  async function refund(share: number): Promise<void> {
    const { rows } = await db.execute<{ id: string; checkoutId: string }>(
      sql`select id, sumup_checkout_id as "checkoutId" from orders`,
    )
    const order = random.pick(rows.filter((one) => !isRefundedInApp(one)))
    if (order) await refundAsOwner(owner, order.id, ({ left }) => Math.ceil(toCents(left) * share))
  }

  async function handleWithdrawal(): Promise<void> {
    const open = await callAsOwner<Withdrawal[]>(owner, 'GET', apiRoutes.withdrawals)
    const id = random.pick(open ?? [])?.id
    if (!id) return
    history.handled.asked.add(id)
    const path = pathOf(apiRoutes.withdrawalHandled, { id })
    const answer = await callAsOwner(owner, 'POST', path, { note: 'Sent another one' })
    if (answer) history.handled.told.add(id)
  }

  const events: Record<(typeof ownerEventKinds)[number], () => Promise<void>> = {
    'refund in full': () => refund(1),
    'refund in part': () => refund(0.4),
    'handle a withdrawal': handleWithdrawal,
  }
  const running = ownerEventKinds.map((kind) =>
    repeat(
      (signal) => rhythm.wait(random, ownerEventsMs, visitorsPerOwnerEvent, signal),
      // The database may be down; the next event comes soon.
      () => events[kind]().catch(() => undefined),
    ),
  )
  return { stop: () => Promise.all(running.map((one) => one.stop())) }
}
