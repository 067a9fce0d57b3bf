import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { compareWithHistory } from '#server/checkouts/compare.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { createRandom } from '#tools/random.ts'
import { openSumup } from '#server/sumup/client.ts'
import { attacks } from './attacks.ts'
import { buy } from './buy.ts'
import { beginVisit, TabClosed, type ChaosContext, type Visit } from './visit.ts'
import {
  checkHistory,
  comparisonFaults,
  faultKinds,
  type FaultKind,
  type Faults,
} from './check-history.ts'
import {
  accountEventKinds,
  addProducts,
  createRhythm,
  startAccountEvents,
  startKills,
  startPriceChanges,
  type AccountEventCounts,
  type Pace,
  type Rhythm,
} from './disturbances.ts'
import { openEnvironment, type Environment, type ShopKind } from './environment.ts'
import { countProviderFaults, createFaultPlan, type ProviderFaults } from './fault-plan.ts'
import { claims, emptyHistory, readFinalState, type FinalState, type History } from './history.ts'
import { includeLatest } from './model/sumup-control.ts'
import { startOwnerEvents } from './owner-events.ts'
import { maxScarceUses, openQuotes, scarceCode } from './quotes.ts'
import { offerOtherWays, signIn } from './owner.ts'
import { endRefunds } from './refund-faults.ts'
import { planVisitors, type Visitor } from './visitors.ts'
import { withdraw } from './withdraw.ts'

export type ChaosOptions = {
  kind: ShopKind
  checkouts: number
  concurrency: number
  seed: number
  pace: Pace
  /** What delivery costs depends on the country, links have codes, and the owner changes both. */
  isPriced?: boolean
  onProgress?: (done: number, total: number) => void
}

export type ChaosReport = {
  options: ChaosOptions
  faults: Faults
  final: FinalState
  history: History
  kills: { servers: number; databases: number }
  /** Servers that ended while they were ready: a killed database must not end a server. */
  crashes: string[]
  /** Starts that failed because the database was down. */
  failedStarts: string[]
  provider: ProviderFaults
  events: AccountEventCounts
  priceChanges: number
  /** Undefined where a price is the product's own. */
  quotes: QuoteCounts | undefined
  buyingMs: number
  settledMs: number
  /** How long the comparison with SumUp's history took; undefined for the naive shop. */
  comparedMs: number | undefined
}

/** Within this time every payment is an order, without a comparison with SumUp's history. */
const settleWithinMs = 60_000
/** The same for the short form, which runs on machines that others keep busy. */
const patientlySettleWithinMs = 300_000
/** Within this time the comparison has found everything else, although one of its calls in eight fails. */
const compareWithinMs = 600_000
/** The naive shop settles nothing later. */
const naiveSettleWithinMs = 3_000
const pollMs = 500

/** People buy while servers, the database and SumUp fail; then the data of shop, SumUp and buyers must agree. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  await using opened = new AsyncDisposableStack()
  const { seed, kind, isPriced = false } = options
  const environment = await openEnvironment(kind, opened, { isPriced })
  const history = emptyHistory()
  const products = await addProducts(environment.db, history)
  const addresses = environment.servers.map(({ address }) => address)
  const { db, deliveryFile } = environment
  const quotes = deliveryFile ? await openQuotes(db, deliveryFile, history, seed + 5) : undefined
  const context: ChaosContext = {
    addresses,
    quotes,
    sumup: environment.sumup,
    products,
    history,
    hasOtherWays: kind === 'real',
    findOrderNumber: (id) => findOrderNumber(environment, id),
  }
  await Promise.all(environment.servers.map((server) => server.waitUntilReady()))

  const random = createRandom(seed + 4)
  // The naive shop has no back-office.
  const owner = kind === 'real' ? await signIn(environment, random, history.toldRefunds) : undefined
  if (owner) await offerOtherWays(owner)

  await environment.sumup.setFaults(createFaultPlan(seed))
  const prices = startPriceChanges(environment.db, products, history, seed + 1)
  const rhythm = createRhythm(options.pace, options.checkouts)
  const kills = startKills(environment, rhythm, seed + 2)
  const events = startAccountEvents(environment, rhythm, seed + 3)
  const acts = owner && startOwnerEvents(environment, owner, history, rhythm)
  const startedAt = performance.now()
  await runVisitors(context, planVisitors(options.checkouts, seed), rhythm, options)
  const buyingMs = performance.now() - startedAt
  await Promise.all([kills.stop(), prices.stop(), events.stop(), acts?.stop(), quotes?.stop()])
  // What an answer with status 500 hides from buyers stands in the servers' logs.
  if (history.serverErrors.length > 0)
    history.serverErrors.push(...environment.servers.flatMap((one) => one.unexpectedErrors))

  const stoppedAt = performance.now()
  const ofRealMs = options.pace === 'by visitors' ? patientlySettleWithinMs : settleWithinMs
  const withinMs = kind === 'real' ? ofRealMs : naiveSettleWithinMs
  const settled = await waitUntilConsistent(environment, history, withinMs, settlingFaults, (one) =>
    endRefunds(one, random),
  )
  const settledMs = performance.now() - stoppedAt
  const settledAt = performance.now()
  const { faults, final } =
    kind === 'real'
      ? await waitUntilConsistent(
          environment,
          history,
          compareWithinMs,
          comparisonFaults,
          runComparison,
        )
      : settled
  const comparedMs = kind === 'real' ? performance.now() - settledAt : undefined
  const exits = environment.servers.flatMap((server) => server.exits)
  return {
    options,
    faults,
    final,
    history,
    kills: kills.counts,
    crashes: exits.filter(({ wasReady }) => wasReady).map(({ message }) => message),
    failedStarts: exits.filter(({ wasReady }) => !wasReady).map(({ message }) => message),
    provider: countProviderFaults((await environment.sumup.readFaults()).rules),
    events: events.counts,
    priceChanges: prices.counts.changes,
    quotes: quotes && { ...quotes.counts, ...countUses(final) },
    buyingMs,
    settledMs,
    comparedMs,
  }
}

/** Faults that sales settle by themselves. The others are found by the comparison. */
export const settlingFaults = faultKinds.filter((kind) => !comparisonFaults.includes(kind))

export function countFaults(faults: Faults, kinds: readonly FaultKind[] = faultKinds): number {
  return kinds.reduce((sum, kind) => sum + faults[kind].length, 0)
}

export async function runVisitors(
  context: ChaosContext,
  visitors: Visitor[],
  rhythm: Rhythm,
  { concurrency, onProgress }: Pick<ChaosOptions, 'concurrency' | 'onProgress'>,
): Promise<void> {
  const waiting = [...visitors]
  let done = 0
  const worker = async () => {
    for (let visitor = waiting.shift(); visitor; visitor = waiting.shift()) {
      await visit(context, visitor)
      done += 1
      rhythm.onVisitorFinished()
      onProgress?.(done, visitors.length)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

async function visit(context: ChaosContext, visitor: Visitor): Promise<void> {
  const begun = beginVisit(context, visitor)
  try {
    await (visitor.attack ? attacks[visitor.attack](begun) : buy(begun))
  } catch (error) {
    if (!(error instanceof TabClosed)) throw error
    await Promise.all([begun.afterwards?.(), comeBack(begun)])
  }
  await withdraw(begun)
}

/** The same browser in another tab, to buy after all. */
async function comeBack(before: Visit): Promise<void> {
  const { visitor, random } = before
  if (!visitor.returns) return
  await delay(random.between(100, 1_500))
  const patient = { ...visitor, closesTabAt: undefined, bank: undefined, otherWay: undefined }
  await buy({ ...before, visitor: patient, formId: `tab-2-${visitor.number}` })
}

/** Undefined also while the database is down. */
async function findOrderNumber({ db }: Environment, id: string): Promise<number | undefined> {
  const reading = db.select({ number: orders.number }).from(orders).where(eq(orders.id, id))
  const rows = await reading.catch(() => [])
  return rows[0]?.number ?? undefined
}

/** Repeats `work` until there is no fault of these kinds, or until the time is over. SumUp's faults continue. */
export async function waitUntilConsistent(
  environment: Environment,
  history: History,
  withinMs: number,
  awaited: readonly FaultKind[],
  work?: (environment: Environment) => Promise<unknown>,
): Promise<{ faults: Faults; final: FinalState }> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    await work?.(environment).catch(() => undefined)
    const final = await readFinalState(environment).catch(() => undefined)
    if (final) {
      const faults = checkHistory(history, final)
      if (countFaults(faults, awaited) === 0 || performance.now() > giveUpAt)
        return { faults, final }
    }
    await delay(pollMs)
  }
}

/** Every server does this within an hour of its start. */
export async function runComparison({
  db,
  sumup: { account },
  secret,
}: Environment): Promise<void> {
  const { url: apiUrl, apiKey, merchantCode } = account
  const client = openSumup({ apiUrl, apiKey, merchantCode, findMode: () => 'test' })
  const sumup = {
    ...client,
    listHistory: (query: string) => client.listHistory(includeLatest(query)),
  }
  await compareWithHistory({ db, sumup, log: pino({ level: 'silent' }), secret })
}

/** The figures of a run, one per line. */
export function describeChaos(report: ChaosReport): string[] {
  const { options, history, final, kills, provider, faults, events } = report
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  const wrongResponses = Object.values(provider.wrongResponses).reduce(
    (sum, count) => sum + count,
    0,
  )
  const reviewed = final.ledger.filter(({ state }) => state === 'review').length
  const figures: [string, string | number][] = [
    ['shop', `${options.kind}, seed ${options.seed}`],
    [
      'buyers',
      `${options.checkouts}, ${options.concurrency} at once, ${seconds(report.buyingMs)} s`,
    ],
    ['checkouts opened', new Set(history.offers.map(({ checkoutId }) => checkoutId)).size],
    ['paid', final.payments.length],
    ['not by card', describeOtherWays(final)],
    ['orders', final.orders.length],
    ['gave up', history.gaveUp],
    ['server killed', `${kills.servers} times`],
    ['database killed', `${kills.databases} times`],
    [
      'provider faults',
      `${provider.broken} answers, ${provider.payments} payments, ${provider.webhooks} webhooks, ` +
        `${provider.refunds} refunds, ${provider.keys} keys, ${provider.refusedDeactivations} refused deactivations`,
    ],
    ['provider errors', `${wrongResponses} wrong responses, ${reviewed} payments in review`],
    ['on the account', accountEventKinds.map((kind) => `${kind} ${events[kind]}`).join(', ')],
    ['statements', describeClaims(history)],
    ['price changes', report.priceChanges],
    ...(report.quotes ? [['quotes', describeQuotes(report)] as [string, string]] : []),
    ['refunds', describeRefunds(report)],
    ['withdrawals', describeWithdrawals(report)],
    ['starts without a database', report.failedStarts.length],
    ...faultKinds.map((kind): [string, number] => [kind, faults[kind].length]),
    ['crashed', report.crashes.length],
    ['settled after', `${seconds(report.settledMs)} s`],
    ...(report.comparedMs === undefined
      ? []
      : [['compared after', `${seconds(report.comparedMs)} s`] as [string, string]]),
  ]
  const width = Math.max(...figures.map(([name]) => name.length))
  return figures.map(([name, figure]) => `${name.padEnd(width)}  ${figure}`)
}

function describeOtherWays({ attempts, payments }: FinalState): string {
  const count = (list: { method?: string | undefined }[]) =>
    list.filter(({ method }) => method).length
  return `${count(payments)} paid of ${count(attempts)} tried`
}

/** Orders at prices with parts, and how often each code was used. */
function countUses({ orders: placed }: FinalState) {
  const codes = placed.flatMap(({ terms }) => terms?.code ?? [])
  return {
    withTerms: placed.filter(({ terms }) => terms).length,
    scarce: codes.filter((code) => code === scarceCode).length,
    withCode: codes.length,
    fetched: placed.filter(({ terms }) => terms?.isPickup).length,
  }
}

type QuoteCounts = ReturnType<typeof countUses> & { deliveries: number; codes: number }

function describeQuotes({ quotes, history }: ChaosReport): string {
  if (!quotes) return ''
  const { withTerms, withCode, fetched, scarce, deliveries, codes } = quotes
  const ofForms = Map.groupBy(history.offers, ({ visitor }) => visitor)
  const several = [...ofForms.values()].filter(
    (offers) => new Set(offers.map(({ amount }) => amount)).size > 1,
  )
  return (
    `${withTerms} orders with terms, ${fetched} picked up, ${withCode} with a code, ${scarce} of ${maxScarceUses} uses of the scarce one; ` +
    `${several.length} buyers saw several prices; changed: delivery ${deliveries} times, codes ${codes} times`
  )
}

function describeRefunds({ final, history }: ChaosReport): string {
  const asked = final.refunds.flatMap((order) => order.asked)
  const made = final.refunds.flatMap(({ payments }) => payments.flatMap(({ refunds }) => refunds))
  const done = asked.filter(({ state }) => state === 'done')
  return `${asked.length} asked for, ${done.length} of them done, ${made.length} made; ${history.toldRefunds.length} answered`
}

function describeWithdrawals({ final, history }: ChaosReport): string {
  const { withdrawals, handled } = history
  return `${withdrawals.length} stated, ${final.withdrawals.length} saved, ${handled.told.size} handled`
}

function describeClaims({ statements }: History): string {
  const count = (wanted: string) => statements.filter(({ claim }) => claim === wanted).length
  return claims.map((claim) => `${claim} ${count(claim)}`).join(', ')
}

/** The first few of each kind. */
export function describeFaults({ faults, crashes }: ChaosReport): string[] {
  const found: [string, string[]][] = [
    ...faultKinds.map((kind): [string, string[]] => [kind, faults[kind]]),
    ['crashed', crashes],
  ]
  return found
    .filter(([, about]) => about.length > 0)
    .map(([kind, about]) => `${kind}: ${about.slice(0, 5).join(', ')}`)
}
