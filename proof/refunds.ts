import { setTimeout as delay } from 'node:timers/promises'
import { formatCents, toCents } from '#contract/money.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { OrderRefunds, RefundOutcome } from '#contract/refunds.ts'
import { addAdmin } from '#server/admin/admins.ts'
import { compareWithRecount } from '#server/analytics/recount.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { shellActor } from '#server/http/audit.ts'
import { createRandom, type Random } from '#tools/random.ts'
import { beginVisit, buy, type ChaosContext } from './buy.ts'
import { addProducts } from './disturbances.ts'
import { createSecret, openEnvironment, type Environment, type Sumup } from './environment.ts'
import { emptyHistory } from './history.ts'
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

/** What may go wrong with a refund, or with the reading after it. */
const refundFaults = {
  rules: [
    { on: 'refund', kind: 'lost', probability: 0.12 },
    { on: 'refund', kind: 'error-500', probability: 0.08 },
    { on: 'refund', kind: 'reset', probability: 0.05 },
    { on: 'refund', kind: 'delay', ms: 400, probability: 0.1 },
    { on: 'refund', kind: 'refund-failed', probability: 0.1 },
    { on: 'refund', kind: 'refund-rejected', probability: 0.06 },
    { on: 'refund', kind: 'refund-pending', probability: 0.12 },
    { on: 'transaction', kind: 'without-events', probability: 0.1 },
    { on: 'transaction', kind: 'error-500', probability: 0.05 },
  ],
} satisfies Parameters<Sumup['setFaults']>[0]

/** An order, and how much of it is to be refunded in the end. */
type Goal = { orderId: string; transactionId: string; amount: string; goalCents: number }

/** What an admin was told about a refund. */
type Told = { orderId: string; outcome: RefundOutcome }

type Admin = { headers: Record<string, string>; password: string }

type Run = {
  environment: Environment
  admin: Admin
  random: Random
  told: Told[]
  counts: { asked: number; unanswered: number; kills: number; rounds: number }
}

export async function proveRefunds(
  count: number,
  seed: number,
  print: (line: string) => void,
): Promise<boolean> {
  await using opened = new AsyncDisposableStack()
  const environment = await openEnvironment('real', opened)
  await Promise.all(environment.servers.map((server) => server.waitUntilReady()))
  const random = createRandom(seed)
  // Half of the orders are refunded at once, the others in two parts or only in part.
  const goals = await sellOrders(environment, Math.ceil(count / 1.5), random)
  print(`${goals.length} orders, ${count} refunds, seed ${seed}`)
  const run: Run = {
    environment,
    admin: await signIn(environment),
    random,
    told: [],
    counts: { asked: 0, unanswered: 0, kills: 0, rounds: 0 },
  }
  let open = goals
  while (open.length > 0 && run.counts.rounds < maxRounds) {
    run.counts.rounds += 1
    await disturb(run, () => refundAll(run, open))
    await settle(run)
    open = await listUnfinished(environment.db, goals)
    print(`round ${run.counts.rounds}: ${open.length} orders are not refunded as wanted yet`)
  }
  const found = await check(run, goals)
  const { asked, unanswered, kills, rounds } = run.counts
  const happened = run.told.reduce<Record<string, number>>(
    (sums, { outcome: { state } }) => ({ ...sums, [state]: (sums[state] ?? 0) + 1 }),
    {},
  )
  const states = Object.entries(happened).map(([state, times]) => `${times} ${state}`)
  print(
    `asked for ${asked} times in ${rounds} rounds, with ${kills} kills: ${states.join(', ')}, ${unanswered} without an answer`,
  )
  print(`refunded at SumUp: ${found.refunds} times`)
  for (const [name, faults] of Object.entries(found.faults)) {
    print(`${name}: ${faults.length}`)
    for (const fault of faults.slice(0, 5)) print(`    ${fault}`)
  }
  print(`not finished: ${open.length}`)
  return open.length === 0 && Object.values(found.faults).every(({ length }) => length === 0)
}

async function sellOrders(
  { db, sumup, servers }: Environment,
  count: number,
  random: Random,
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
  await inParallel(numbers, (number) => buy(beginVisit(context, createPlainVisitor(number + 1))))
  const { rows } = await db.execute<{ id: string; transactionId: string; amount: string }>(sql`
    select id, sumup_transaction_id as "transactionId", amount from orders order by id`)
  return rows.map(({ id, transactionId, amount }) => {
    const cents = toCents(amount)
    const isPartOnly = random.integer(1, 5) === 1
    const goalCents = isPartOnly ? Math.max(1, Math.floor(cents / 3)) : cents
    return { orderId: id, transactionId, amount, goalCents }
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

async function signIn({ db, servers }: Environment): Promise<Admin> {
  const password = createSecret()
  await addAdmin(db, { username: 'refunder', email: 'refunder@example.com', password }, shellActor)
  const answer = await fetch(`${servers[0]?.address}${apiRoutes.adminLogin}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'refunder', password }),
  })
  if (!answer.ok) throw new Error(`login: ${answer.status} ${await answer.text()}`)
  const cookie = answer.headers.getSetCookie().map((text) => text.split(';')[0])
  return { headers: { cookie: cookie.join('; '), 'content-type': 'application/json' }, password }
}

/** Works while SumUp fails and one server after the other is killed. */
async function disturb({ environment, counts, random }: Run, work: () => Promise<void>) {
  const { sumup, servers } = environment
  await sumup.setFaults({ ...refundFaults, seed: random.integer(1, 1_000_000) })
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

async function refundAll(run: Run, goals: Goal[]): Promise<void> {
  await inParallel(goals, (goal) => refundOnce(run, goal))
}

/** As an admin does: looks at the order, then refunds all that is missing or a part of it. */
async function refundOnce(run: Run, goal: Goal): Promise<void> {
  const { random, counts } = run
  const shown = await call<OrderRefunds>(
    run,
    'GET',
    pathOf(apiRoutes.orderRefunds, { id: goal.orderId }),
  )
  if (!shown || shown.blockedBy !== null) return
  const missing = goal.goalCents - (toCents(goal.amount) - toCents(shown.left))
  if (missing <= 0) return
  // In two parts at most.
  const isFirst = !shown.refunds.some(({ state }) => state === 'done')
  const cents = isFirst && random.chance(0.5) ? Math.ceil(missing / 2) : missing
  const body = { version: shown.version, amount: formatCents(cents), password: run.admin.password }
  // Now and then a double click, or a second admin, on the other server.
  const times = random.integer(1, 4) === 1 ? 2 : 1
  await Promise.all(
    Array.from({ length: times }, async () => {
      counts.asked += 1
      const outcome = await call<RefundOutcome>(
        run,
        'POST',
        pathOf(apiRoutes.orderRefund, { id: goal.orderId }),
        body,
      )
      if (outcome) run.told.push({ orderId: goal.orderId, outcome })
    }),
  )
}

/** Undefined if the call was refused, or nobody answered. */
async function call<Answer>(
  { environment, admin, random, counts }: Run,
  method: string,
  path: string,
  body?: object,
): Promise<Answer | undefined> {
  const ready = environment.servers.filter((one) => one.isReady())
  const server = random.pick(ready.length > 0 ? ready : environment.servers)
  try {
    const answer = await fetch(`${server?.address}${path}`, {
      method,
      headers: admin.headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const json = (await answer.json()) as Answer
    return answer.ok ? json : undefined
  } catch {
    counts.unanswered += 1
    return undefined
  }
}

/** An hour without faults: SumUp ends what it works on, and the sweep reads what is open. */
async function settle({ environment, random }: Run): Promise<void> {
  const { db, sumup } = environment
  const { transactions } = await sumup.readLedger()
  for (const { id, refundAttempts = [] } of transactions)
    for (const { status } of refundAttempts)
      if (status === 'PENDING')
        await sumup.control('end-refund', {
          payment: id,
          outcome: random.integer(1, 3) === 1 ? 'failed' : 'done',
        })
  const due = await db.execute<{ at: string }>(sql`
    update payments set next_read_at = now() where next_read_at is not null returning now()::text as at`)
  const since = due.rows[0]?.at
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

type Row = { orderId: string; amount: string; state: string }

/** Our refunds, mails and figures against SumUp's ledger. */
async function check({ environment, told }: Run, goals: Goal[]) {
  const { db, sumup } = environment
  const { transactions } = await sumup.readLedger()
  const { rows } = await db.execute<Row>(sql`
    select orders.id as "orderId", refunds.amount, refunds.state from refunds
    join payments on payments.id = refunds.payment_id
    join orders on orders.sumup_transaction_id = payments.transaction_id`)
  const { rows: known } = await db.execute<{ id: string; refunded: string; mailed: string }>(sql`
    select orders.id, payments.refunded, coalesce((select sum(amount) from mails
      where order_id = orders.id and kind like 'refunded-%'), 0)::text as mailed
    from orders join payments on payments.transaction_id = orders.sumup_transaction_id`)
  const faults: Record<
    'twice' | 'too much' | 'lost' | 'untrue states' | 'untrue mails' | 'untrue figures',
    string[]
  > = {
    twice: [],
    'too much': [],
    lost: [],
    'untrue states': [],
    'untrue mails': [],
    'untrue figures': [],
  }
  let refunds = 0
  for (const { orderId, transactionId, amount, goalCents } of goals) {
    const made = transactions.find(({ id }) => id === transactionId)?.refunds ?? []
    refunds += made.length
    const madeCents = made.map(({ amountMinor }) => amountMinor)
    const sum = madeCents.reduce((total, cents) => total + cents, 0)
    const own = rows.filter((row) => row.orderId === orderId)
    const done = own.filter(({ state }) => state === 'done').map((row) => toCents(row.amount))
    const about = `${orderId}: at SumUp ${madeCents.join(' + ')}, here ${own.map((row) => `${row.amount} ${row.state}`).join(', ')}`
    if (madeCents.length > done.length) faults.twice.push(about)
    if (sum > goalCents || sum > toCents(amount)) faults['too much'].push(about)
    const row = known.find(({ id }) => id === orderId)
    if (!row || toCents(row.refunded) !== sum) faults.lost.push(about)
    if (
      !isSameList(madeCents, done) ||
      own.some(({ state }) => state !== 'done' && state !== 'failed')
    )
      faults['untrue states'].push(about)
    const toldDone = told.filter((one) => one.orderId === orderId && one.outcome.state === 'done')
    if (toldDone.length > madeCents.length)
      faults['untrue states'].push(`${about}, told of ${toldDone.length}`)
    if (row && toCents(formatNumber(row.mailed)) !== sum)
      faults['untrue mails'].push(`${about}, mailed ${row.mailed}`)
  }
  const { differences } = await compareWithRecount(db)
  faults['untrue figures'].push(...differences.map((one) => JSON.stringify(one)))
  return { refunds, faults }
}

const formatNumber = (text: string) => Number(text).toFixed(2)

function isSameList(one: number[], other: number[]): boolean {
  const sort = (list: number[]) => list.toSorted((a, b) => a - b).join()
  return sort(one) === sort(other)
}
