import { setTimeout as delay } from 'node:timers/promises'
import { toCents } from '#contract/money.ts'
import type { Progress } from '#server/backup/create-backup.ts'
import { compareWithRecount } from '#server/analytics/recount.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { createRandom, type Random } from '#tools/random.ts'
import type { Bar } from '#tools/terminal.ts'
import { buy } from './buy.ts'
import { beginVisit, type ChaosContext } from './visit.ts'
import { addProducts } from './disturbances.ts'
import { openEnvironment, type Environment } from './environment.ts'
import { refundRules } from './fault-plan.ts'
import { emptyHistory } from './history.ts'
import { refundAsOwner, signIn, type Owner } from './owner.ts'
import { endRefunds, findRefundFaults, readRefunds, type RefundsOfOrder } from './refund-faults.ts'
import { createPlainVisitor } from './visitors.ts'

/*
 * `npm run proof -- refunds`: admins refund orders while servers are killed and SumUp loses answers, lies, delays and
 * fails. In rounds: each ends with an hour without faults, as the database's clock goes, in which the shop looks at what
 * is open.
 */

const concurrency = 6
const maxRounds = 40
/** One server at a time, so that there is always one to ask. */
const killPauseMs = { min: 300, max: 1_500 }

/** What may go wrong with the reading after a refund. */
const readingRules = [
  { on: 'transaction', kind: 'without-events', probability: 0.1 },
  { on: 'transaction', kind: 'error-500', probability: 0.05 },
] as const

/** An order, and how much of it is to be refunded in the end. */
type Goal = { orderId: string; transactionId: string; paidCents: number; goalCents: number }

type Run = {
  environment: Environment
  owner: Owner
  random: Random
  counts: { kills: number; rounds: number; atSumup: number }
}

export async function proveRefunds(
  count: number,
  seed: number,
  { onProgress, print }: Bar,
): Promise<boolean> {
  await using opened = new AsyncDisposableStack()
  const environment = await openEnvironment('real', opened)
  await Promise.all(environment.servers.map((server) => server.waitUntilReady()))
  const random = createRandom(seed)
  // Half of the orders are refunded at once, the others in two parts or only in part.
  const goals = await sellOrders(environment, Math.ceil(count / 1.5), random, onProgress)
  print(`${goals.length} orders, ${count} refunds, seed ${seed}`)
  const run: Run = {
    environment,
    owner: await signIn(environment, random),
    random,
    counts: { kills: 0, rounds: 0, atSumup: 0 },
  }
  const { told, counts } = run.owner
  let open = goals
  while (open.length > 0 && run.counts.rounds < maxRounds) {
    run.counts.rounds += 1
    const step = `  round ${run.counts.rounds}`
    const onDone = (done: number) => onProgress({ step, done, total: open.length })
    await disturb(run, () => refundAll(run, open, onDone))
    await settle(run, goals)
    open = await listUnfinished(environment.db, goals)
    print(`round ${run.counts.rounds}: ${open.length} orders are not refunded as wanted yet`)
  }
  const orders = await readRefunds(environment)
  const faults = { ...findRefundFaults(orders, told), ...(await checkGoals(run, orders, goals)) }
  const { kills, rounds, atSumup } = run.counts
  const happened = told.reduce<Record<string, number>>(
    (sums, { outcome: { state } }) => ({ ...sums, [state]: (sums[state] ?? 0) + 1 }),
    {},
  )
  const states = Object.entries(happened).map(([state, times]) => `${times} ${state}`)
  print(
    `asked for ${counts.asked} times in ${rounds} rounds, with ${kills} kills: ${states.join(', ')}, ${counts.unanswered} without an answer`,
  )
  const made = orders.flatMap(({ payments }) => payments.flatMap(({ refunds }) => refunds))
  print(`refunded: ${made.length} times, ${atSumup} of them by hand at SumUp`)
  for (const [name, about] of Object.entries(faults)) {
    print(`${name}: ${about.length}`)
    for (const fault of about.slice(0, 5)) print(`    ${fault}`)
  }
  print(`not finished: ${open.length}`)
  return open.length === 0 && Object.values(faults).every(({ length }) => length === 0)
}

async function sellOrders(
  { db, sumup, servers }: Environment,
  count: number,
  random: Random,
  onProgress: Progress,
): Promise<Goal[]> {
  const history = emptyHistory()
  const addresses = servers.map(({ address }) => address)
  const context: ChaosContext = {
    addresses,
    sumup,
    products: await addProducts(db, history),
    history,
  }
  const numbers = Array.from({ length: count }, (_, number) => number)
  let sold = 0
  await inParallel(numbers, async (number) => {
    await buy(beginVisit(context, createPlainVisitor(number + 1)))
    sold += 1
    onProgress({ step: '  sales', done: sold, total: count })
  })
  const { rows } = await db.execute<{ id: string; transactionId: string; amount: string }>(sql`
    select id, sumup_transaction_id as "transactionId", amount from orders order by id`)
  return rows.map(({ id, transactionId, amount }) => {
    const cents = toCents(amount)
    const isPartOnly = random.integer(1, 5) === 1
    const goalCents = isPartOnly ? Math.max(1, Math.floor(cents / 3)) : cents
    return { orderId: id, transactionId, paidCents: cents, goalCents }
  })
}

const inParallel = async <Item>(items: Item[], work: (item: Item) => Promise<unknown>) => {
  const waiting = [...items]
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
    }),
  )
}

/** Works while SumUp fails and one server after the other is killed. */
async function disturb({ environment, counts, random }: Run, work: () => Promise<void>) {
  const { sumup, servers } = environment
  await sumup.setFaults({
    rules: [...refundRules, ...readingRules],
    seed: random.integer(1, 1_000_000),
  })
  const ended = new AbortController()
  const killing = (async () => {
    while (!ended.signal.aborted) {
      const pauseMs = random.between(killPauseMs.min, killPauseMs.max)
      await delay(pauseMs, undefined, { signal: ended.signal }).catch(() => {})
      const areReady = !ended.signal.aborted && servers.every((server) => server.isReady())
      if (areReady && random.pick(servers)?.kill()) counts.kills += 1
    }
  })()
  await work()
  ended.abort()
  await killing
  await sumup.setFaults({ rules: [] })
  await Promise.all(servers.map((server) => server.waitUntilReady()))
}

async function refundAll(run: Run, goals: Goal[], onDone: (done: number) => void): Promise<void> {
  let done = 0
  await inParallel(goals, async (goal) => {
    await refundOnce(run, goal)
    done += 1
    onDone(done)
  })
}

/** All that is missing, or in two parts at most. */
async function refundOnce({ owner, random }: Run, goal: Goal): Promise<void> {
  await refundAsOwner(owner, goal.orderId, ({ left, refunds }) => {
    const missing = goal.goalCents - (goal.paidCents - toCents(left))
    const isFirst = refunds.every(({ state }) => state === 'failed')
    return isFirst && random.chance(0.5) ? Math.ceil(missing / 2) : missing
  })
}

/** As the shop says about a part that SumUp shows no trace of, where not all is to be refunded. */
async function refundPartsAtSumup({ environment, counts }: Run, goals: Goal[]): Promise<void> {
  const { rows } = await environment.db.execute<{ payment: string; amount: string }>(sql`
    select transaction_id as payment, refunds.amount from refunds
    join payments on payments.id = payment_id
    where ended_at is null and not is_refund_pending and asked_at < now() - interval '1 hour'`)
  for (const { payment, amount } of rows) {
    const goal = goals.find(({ transactionId }) => transactionId === payment)
    if (!goal || goal.goalCents === goal.paidCents) continue
    await environment.sumup.control('refund', { payment, amount: Number(amount) })
    counts.atSumup += 1
  }
}

/** An hour without faults: SumUp ends what it works on, and the sweep reads what is open. */
async function settle(run: Run, goals: Goal[]): Promise<void> {
  const { environment, random } = run
  const { db } = environment
  await refundPartsAtSumup(run, goals)
  const since = await endRefunds(environment, random)
  if (!since) return
  const isWaiting = async () => {
    const { rows } = await db.execute(sql`
      select from payments where next_read_at is not null and (read_at is null or read_at < ${since}::timestamptz)`)
    return rows.length > 0
  }
  for (let tries = 0; tries < 600 && (await isWaiting()); tries += 1) await delay(100)
  // What SumUp shows no trace of may be tried again.
  await db.execute(sql`
    update refunds set asked_at = asked_at - interval '61 minutes' where ended_at is null`)
}

async function listUnfinished(db: Db, goals: Goal[]): Promise<Goal[]> {
  const { rows } = await db.execute<{ id: string; cents: string; open: string }>(sql`
    select transaction_id as id, (refunded * 100)::bigint as cents,
      (select count(*) from refunds where payment_id = payments.id and ended_at is null) as open from payments`)
  const known = new Map(rows.map((row) => [row.id, row]))
  return goals.filter(({ transactionId, goalCents }) => {
    const { cents = '0', open = '0' } = known.get(transactionId) ?? {}
    return Number(cents) < goalCents || Number(open) > 0
  })
}

/** What only this proof knows: what was wanted, and the figures, which no sale changes any more. */
async function checkGoals({ environment }: Run, orders: RefundsOfOrder[], goals: Goal[]) {
  const tooMuch = orders.filter(({ orderId, known }) =>
    goals.some((goal) => goal.orderId === orderId && known > goal.goalCents),
  )
  const { differences } = await compareWithRecount(environment.db)
  return {
    'more than wanted': tooMuch.map(({ orderId, known }) => `${orderId}: ${known}`),
    'untrue figures': differences.map((one) => JSON.stringify(one)),
  }
}
