import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import { createSession } from '#server/admin/sessions.ts'
import { updateProduct } from '#server/catalog/products.ts'
import { users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { mails } from '#server/db/schema.ts'
import { createRandom } from '#tools/random.ts'
import type { Bar } from '#tools/terminal.ts'
import { freePort, startShop } from '#server/testing/running-shop.ts'
import { countFaults, waitUntilConsistent } from './chaos/chaos.ts'
import { faultsBy } from './chaos/check-history.ts'
import { createSecret, type SupervisedServer } from './chaos/environment.ts'
import { isCharged, recordPrice } from './chaos/history.ts'
import { describePrograms, findPrograms } from './machines.ts'
import { openSetup, startLoad, type Load, type Setup } from './node-setup.ts'

const measuredMs = 12_000
const frozenMs = 20_000
/** Within this time the database has ended the transactions of a frozen node, and HAProxy has turned away from it. */
const recoveryMs = 7_000
/** How long a transaction is silent to count as caught, and how many make it worth measuring. */
const catchMs = 150
const wantedTransactions = 4
const maxAttempts = 100
const maxPriceAgeMs = 3_000
/** The least share of the sales per second before the freeze. What a busy machine reaches varies. */
const minFrozenShare = 0.6
const settleWithinMs = 90_000

/** A line of the report, and whether it is as claimed. */
type Figure = { name: string; value: string; isProven: boolean }

/**
 * Sales on three nodes behind PgBouncer and HAProxy, while nodes are restarted, frozen and misconfigured. What happens when
 * they are killed is what chaos proves.
 */
export async function proveNodes({ onProgress, print }: Bar, seed: number): Promise<boolean> {
  const programs = findPrograms()
  print(`  ${describePrograms(programs)}`)
  await using opened = new AsyncDisposableStack()
  const setup = await openSetup(programs, opened)
  const load = startLoad(setup, seed)
  opened.defer(() => load.stop())
  await load.untilSelling()
  const figures: Figure[] = []
  const all = Object.entries(steps)
  for (const [done, [title, prove]] of all.entries()) {
    print(`  ${title} …`)
    onProgress({ step: '  nodes', done, total: all.length })
    for (const figure of await prove(setup, load)) {
      figures.push(figure)
      print(`    ${figure.isProven ? 'ok  ' : 'FAIL'} ${figure.name}: ${figure.value}`)
    }
  }
  onProgress({ step: '  nodes', done: all.length, total: all.length })
  return figures.every(({ isProven }) => isProven)
}

const steps: Record<string, (setup: Setup, load: Load) => Promise<Figure[]>> = {
  'A price is changed': provePrices,
  'Each node is restarted, twice': proveRollingRestart,
  'A node freezes in the middle of transactions': proveFrozenNode,
  'PostgreSQL is restarted': proveDatabaseRestart,
  'Nodes with other settings start': proveRefusals,
  'What was sold': proveSales,
}

/** Nodes read a product at most once a second: how old is what they show? */
async function provePrices({ nodes, db, products, history }: Setup): Promise<Figure[]> {
  const ages: number[] = []
  for (const price of ['11.11', '22.22', '33.33', '44.44', '55.55']) {
    const id = products[ages.length % products.length] ?? ''
    recordPrice(history, id, price)
    const product = productSchema.parse({
      name: 'Thing',
      price,
      headerLogoUrl: 'https://example.com/logo.png',
    })
    await updateProduct(db, id, product)
    const startedAt = performance.now()
    const path = pathOf(apiRoutes.product, { id })
    await Promise.all(nodes.map((node) => untilShown(`${node.address}${path}`, price)))
    ages.push(performance.now() - startedAt)
  }
  const oldest = Math.max(...ages)
  return [
    {
      name: `a new price is shown by all ${nodes.length} nodes after`,
      value: `${ages.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s`,
      isProven: oldest <= maxPriceAgeMs,
    },
  ]
}

async function untilShown(url: string, price: string): Promise<void> {
  for (const giveUpAt = Date.now() + 60_000; Date.now() < giveUpAt; await delay(20)) {
    const answer = await fetch(url).catch(() => undefined)
    const product = answer?.ok ? ((await answer.json()) as { price?: string }) : {}
    if (product.price === price) return
  }
}

async function proveRollingRestart({ nodes }: Setup, load: Load): Promise<Figure[]> {
  const { requests, failed, sales } = await load.during(async () => {
    for (const node of [...nodes, ...nodes]) {
      await node.restart()
      // HAProxy has seen it.
      await delay(1_000)
    }
  })
  return [
    {
      name: `failed requests in ${2 * nodes.length} restarts`,
      value: `${failed.length} of ${requests} (${sales} sales)${listSome(failed)}`,
      isProven: failed.length === 0 && sales > 0,
    },
  ]
}

async function proveFrozenNode(setup: Setup, load: Load): Promise<Figure[]> {
  const { nodes, db } = setup
  const [frozen] = nodes
  if (!frozen) return []
  const before = await load.during(() => delay(measuredMs))
  const held = await freezeInTransaction(setup, frozen)
  const during = await load.during(async () => {
    await delay(recoveryMs)
    const heldLater = await countHeld(db, recoveryMs)
    const after = await load.during(() => delay(frozenMs - recoveryMs))
    return { heldLater, after }
  })
  frozen.signal('SIGCONT')
  await delay(2_000)
  const { heldLater, after } = during.result
  const rate = (perSecond: number) => `${perSecond.toFixed(1)}/s`
  return [
    {
      name: 'transactions that the frozen node held open',
      value: `${held}, and ${heldLater} after ${recoveryMs / 1000} s`,
      isProven: held > 0 && heldLater === 0,
    },
    {
      name: 'sales of the others',
      value:
        `${rate(before.salesPerSecond)} before, ${rate(during.salesPerSecond)} in ${frozenMs / 1000} s with it frozen, ` +
        `${rate(after.salesPerSecond)} without the first ${recoveryMs / 1000}`,
      isProven: after.salesPerSecond >= minFrozenShare * before.salesPerSecond,
    },
  ]
}

/** Stops the process while an admin's changes are under way, until it is caught within a transaction. */
async function freezeInTransaction({ db }: Setup, node: SupervisedServer): Promise<number> {
  const random = createRandom(1)
  const cookie = `till_session=${await signIn(db)}`
  const { rows } = await db.execute<{ id: string }>(sql`select id from orders limit 40`)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const status = attempt % 2 ? 'pending' : 'processing'
    const changes = rows.map(({ id }) =>
      fetch(`${node.address}${pathOf(apiRoutes.orderStatus, { id })}`, {
        method: 'PATCH',
        headers: {
          cookie,
          'content-type': 'application/json',
          'x-forwarded-for': `10.99.${attempt}.1`,
          'sec-fetch-site': 'same-origin',
        },
        body: JSON.stringify({ status }),
        signal: AbortSignal.timeout(60_000),
      }).catch(() => undefined),
    )
    await delay(random.between(5, 60))
    node.signal('SIGSTOP')
    await delay(catchMs + 50)
    const held = await countHeld(db, catchMs)
    if (held >= wantedTransactions || (held > 0 && attempt >= maxAttempts / 2)) return held
    node.signal('SIGCONT')
    await Promise.all(changes)
  }
  return 0
}

/** Transactions that nobody has said anything in for so long. */
async function countHeld(db: Db, ms: number): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where state like 'idle in transaction%' and state_change < now() - make_interval(secs => ${ms / 1000})`)
  return rows[0]?.count ?? 0
}

async function signIn(db: Db): Promise<string> {
  const [owner] = await db.select({ id: users.id }).from(users)
  return createSession(db, owner?.id ?? '', { address: '127.0.0.1', userAgent: undefined })
}

async function proveDatabaseRestart(setup: Setup, load: Load): Promise<Figure[]> {
  const { postgres, restartMails, received } = setup
  restartMails.from = received.length
  await delay(2_000)
  const startedAt = performance.now()
  await postgres.restart()
  const downMs = performance.now() - startedAt
  const sold = load.sold()
  while (load.sold() === sold && performance.now() - startedAt < 60_000) await delay(50)
  const seconds = (performance.now() - startedAt) / 1000
  await delay(5_000)
  restartMails.to = received.length
  return [
    {
      name: 'first sale after a restart of PostgreSQL',
      value: `${seconds.toFixed(1)} s; it was down for ${(downMs / 1000).toFixed(1)} s`,
      isProven: seconds < 30,
    },
  ]
}

async function proveRefusals({ settings, folder }: Setup): Promise<Figure[]> {
  const {
    S3_ENDPOINT: _a,
    S3_BUCKET: _b,
    S3_ACCESS_KEY_ID: _c,
    S3_SECRET_ACCESS_KEY: _d,
    ...own
  } = settings
  const wrong = {
    'another SESSION_SECRET': { ...settings, SESSION_SECRET: createSecret() },
    'pictures on its own disk': own,
  }
  const figures: Figure[] = []
  for (const [name, environment] of Object.entries(wrong)) {
    const node = startShop(
      'server/main.ts',
      { ...environment, DATA_DIR: join(folder, `stranger-${figures.length}`) },
      await freePort(),
    )
    const timeout = setTimeout(() => node.process.kill('SIGKILL'), 30_000)
    const code = await node.ended
    clearTimeout(timeout)
    const reason = node.output().trim().split('\n').at(-1) ?? ''
    const isRefused = code === 1 && reason.startsWith('Another node of this database')
    figures.push({
      name: `a node with ${name}`,
      value: isRefused ? `refused: ${reason.slice(0, 90)}…` : reason,
      isProven: isRefused,
    })
  }
  return figures
}

/** Every payment is one order, whatever happened. */
async function proveSales(setup: Setup, load: Load): Promise<Figure[]> {
  await load.stop()
  const { db, sumup, nodes, secret, history } = setup
  const environment = {
    kind: 'real' as const,
    databaseFolder: '',
    db,
    pool: setup.pool,
    sumup,
    servers: nodes,
    secret,
  }
  // Answers of 502 and 504 are HAProxy's, about nodes that were killed or frozen.
  history.serverErrors = []
  const counted = faultsBy.settled
  const end = { environment, history }
  const { faults, final } = await waitUntilConsistent(end, 'settled', settleWithinMs)
  const found = countFaults(faults, counted)
  const kinds = counted.filter((kind) => faults[kind].length > 0)
  const crashes = nodes.flatMap(({ exits }) => exits.map(({ message }) => message))
  return [
    {
      name: 'paid, orders, lost or doubled or mispriced or uncounted',
      value: `${final.attempts.filter(isCharged).length}, ${final.orders.length}, ${found}${listSome(kinds)}`,
      isProven: found === 0 && final.orders.length > 0,
    },
    await proveMails(setup),
    {
      name: 'nodes that ended by themselves',
      value: `${crashes.length}${listSome(crashes)}`,
      isProven: crashes.length === 0,
    },
  ]
}

/** A mail that was claimed and not recorded is sent when its lease ends, which is now. */
async function proveMails({ db, received, restartMails }: Setup): Promise<Figure> {
  const countUnsent = () => db.$count(mails, sql`next_try_at is not null`)
  await db.execute(sql`update mails set next_try_at = now() where next_try_at is not null`)
  for (const giveUpAt = Date.now() + 60_000; (await countUnsent()) > 0 && Date.now() < giveUpAt;)
    await delay(200)
  const timesOf = Map.groupBy(received, ({ mail }) => mail.messageId)
  const around = new Set(
    received.slice(restartMails.from, restartMails.to).map(({ mail }) => mail.messageId),
  )
  const twice = [...timesOf].filter(([, times]) => times.length > 1).map(([id]) => id)
  const atRestart = twice.filter((id) => around.has(id))
  const unsent = await countUnsent()
  return {
    name: 'mails, sent twice, of those around the restart of PostgreSQL, unsent',
    value: `${timesOf.size}, ${twice.length}, ${atRestart.length} of ${around.size}, ${unsent}`,
    isProven: atRestart.length === 0 && unsent === 0 && around.size > 0,
  }
}

function listSome(texts: string[]): string {
  return texts.length === 0 ? '' : `: ${texts.slice(0, 4).join('; ')}`
}
