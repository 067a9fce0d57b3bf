import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { compareWithHistory } from '#server/checkouts/compare.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { openSumup } from '#server/sumup/client.ts'
import { attacks } from './attacks.ts'
import { payWithCard } from './browser.ts'
import { buy, openOffer, saveDetails } from './buy.ts'
import {
  checkHistory,
  faultKinds,
  faultsBy,
  findUnfinishedRefunds,
  type FaultKind,
  type Faults,
} from './check-history.ts'
import {
  accountEventKinds,
  addCodes,
  addProducts,
  addScarceProducts,
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
import {
  claims,
  emptyHistory,
  isCharged,
  readFinalState,
  type FinalState,
  type History,
  type Stock,
} from './history.ts'
import { refund, signIn, startOwnerEvents, type Owner } from './owner.ts'
import { beginVisit, TabClosed, type ChaosContext, type Visit } from './visit.ts'
import { createPlainVisitor, planVisitors, scarceCode, type Visitor } from './visitors.ts'
import { withdraw } from './withdraw.ts'

type ChaosOptions = {
  kind: ShopKind
  checkouts: number
  /** Servers of the shop. */
  nodes: number
  concurrency: number
  seed: number
  pace: Pace
  onProgress?: (done: number, total: number) => void
  /** Told now and then which faults are still waited for to end. */
  onWaiting?: (line: string) => void
}

type ChaosReport = {
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
  changes: { prices: number; codes: number; deliveries: number }
  buyingMs: number
  settledMs: number
  /** How long the comparison with SumUp's history took, and the hours after it; undefined for the naive shop. */
  comparedMs: number | undefined
  endedMs: number | undefined
}

/** Within this time every payment is an order, without a comparison with SumUp's history. */
const settleWithinMs = 60_000
/** The same for the short form, which runs on machines that others keep busy. */
const patientlySettleWithinMs = 300_000
/** Within this time the comparison has found everything else, although one of its calls in eight fails. */
const compareWithinMs = 600_000
const endWithinMs = 300_000
/** The naive shop settles nothing later. */
const naiveSettleWithinMs = 3_000
const pollMs = 500
const tellWaitingMs = 15_000

/** How many visitors there are for each scarce piece, and for each use of the scarce code. */
const visitorsPerPiece = 20
const visitorsPerUse = 100
const lateSales = 4

/** People buy while servers, the database and SumUp fail; then the data of shop, SumUp and buyers must agree. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  await using opened = new AsyncDisposableStack()
  const { seed, kind, checkouts } = options
  const environment = await openEnvironment(kind, opened, options.nodes)
  const { db, servers, sumup } = environment
  const history = emptyHistory()
  const products = await addProducts(db, history)
  const pieces = Math.max(3, Math.round(checkouts / visitorsPerPiece))
  const stocks = kind === 'real' ? await addScarceProducts(db, history, pieces) : []
  await addCodes(db, history, Math.ceil(checkouts / visitorsPerUse))
  const context: ChaosContext = {
    addresses: servers.map(({ address }) => address),
    sumup,
    products,
    scarce: [...new Set(stocks.map(({ productId }) => productId))],
    history,
    findOrderNumber: (id) => findOrderNumber(environment, id),
  }
  await Promise.all(servers.map((server) => server.waitUntilReady()))
  // The naive shop has no back-office.
  const owner = kind === 'real' ? await signIn(environment, history, seed + 4) : undefined
  await owner?.offerOtherWays()
  await owner?.changeDelivery()
  if (owner) await beginLateSales(context, environment)

  await sumup.setFaults(createFaultPlan(seed))
  const prices = startPriceChanges(db, products, history, seed + 1)
  const rhythm = createRhythm(options.pace, checkouts)
  const kills = startKills(environment, rhythm, seed + 2)
  const events = startAccountEvents(environment, rhythm, seed + 3)
  const acts = owner && startOwnerEvents(environment, owner, history, rhythm)
  const startedAt = performance.now()
  await runVisitors(context, planVisitors(checkouts, seed), rhythm, options)
  const buyingMs = performance.now() - startedAt
  await Promise.all([kills.stop(), prices.stop(), events.stop(), acts?.stop()])
  // What an answer with status 500 hides from buyers stands in the servers' logs.
  if (history.serverErrors.length > 0)
    history.serverErrors.push(...servers.flatMap((one) => one.unexpectedErrors))

  const end: End = { environment, history, stocks, onWaiting: options.onWaiting }
  const ofRealMs = options.pace === 'by visitors' ? patientlySettleWithinMs : settleWithinMs
  const settleMs = owner ? ofRealMs : naiveSettleWithinMs
  const settled = await waitUntilConsistent(end, 'settled', settleMs, async () => {
    await endPendingRefunds(environment)
  })
  const compared =
    owner && (await waitUntilConsistent(end, 'compared', compareWithinMs, () => compare(end)))
  await sumup.setFaults({ rules: [] })
  const untilEnded = async () =>
    owner && waitUntilConsistent(end, 'ended', endWithinMs, () => passHours(end, owner))
  await untilEnded()
  // Nobody holds a piece any more: a payment that arrives now gets one, if one is left.
  for (const id of history.late) await payWithCard(sumup.account.url, id, 'good')
  const ended = await untilEnded()
  const { faults, final } = ended ?? settled
  const exits = servers.flatMap((server) => server.exits)
  return {
    options,
    faults,
    final,
    history,
    kills: kills.counts,
    crashes: exits.filter(({ wasReady }) => wasReady).map(({ message }) => message),
    failedStarts: exits.filter(({ wasReady }) => !wasReady).map(({ message }) => message),
    provider: countProviderFaults((await sumup.readFaults()).rules),
    events: events.counts,
    changes: { ...prices.counts, deliveries: owner?.deliveryChanges() ?? 0 },
    buyingMs,
    settledMs: settled.ms,
    comparedMs: compared?.ms,
    endedMs: ended?.ms,
  }
}

export function countFaults(faults: Faults, kinds: readonly FaultKind[] = faultKinds): number {
  return kinds.reduce((sum, kind) => sum + faults[kind].length, 0)
}

/** Buyers whose sale has ended, for all that SumUp says, before the others come. */
async function beginLateSales(context: ChaosContext, { db }: Environment): Promise<void> {
  for (let number = 0; number < lateSales; number += 1) {
    const ofScarce = { ...context, products: context.scarce ?? [] }
    const visit = beginVisit(ofScarce, createPlainVisitor(firstLateVisitor + number))
    const offer = await openOffer(visit)
    if (typeof offer !== 'object') throw new Error('no form was opened')
    await saveDetails(visit, offer)
    await db.execute(sql`update checkouts set state = 'closed', next_check_at = null, held_at = null,
      version = version + 1 where sumup_checkout_id = ${offer.checkoutId}`)
    context.history.late.push(offer.checkoutId)
  }
}

const firstLateVisitor = 60_000

async function runVisitors(
  context: ChaosContext,
  visitors: Visitor[],
  rhythm: Rhythm,
  { concurrency, onProgress }: ChaosOptions,
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

type End = {
  environment: Environment
  history: History
  stocks?: Stock[]
  onWaiting?: ChaosOptions['onWaiting'] | undefined
}

/** Repeats `work` until there is no fault that may not be there any more at this stage, or until the time is over. */
export async function waitUntilConsistent(
  { environment, history, stocks, onWaiting }: End,
  stage: keyof typeof faultsBy,
  withinMs: number,
  work?: () => Promise<unknown>,
): Promise<{ faults: Faults; final: FinalState; ms: number }> {
  const startedAt = performance.now()
  let toldMs = 0
  for (;;) {
    await work?.().catch(() => undefined)
    const final = await readFinalState(environment, stocks).catch(() => undefined)
    const ms = performance.now() - startedAt
    if (final) {
      const faults = checkHistory(history, final)
      if (countFaults(faults, faultsBy[stage]) === 0 || ms > withinMs) return { faults, final, ms }
      if (ms - toldMs > tellWaitingMs) {
        toldMs = ms
        const left = faultsBy[stage].filter((kind) => faults[kind].length > 0)
        onWaiting?.(
          `not ${stage}: ${left.map((kind) => `${kind} ${faults[kind].join(', ')}`).join('; ')}`,
        )
      }
    }
    await delay(pollMs)
  }
}

/** Every server does this within an hour of its start. */
async function compare({ environment }: End): Promise<void> {
  const { db, sumup, secret } = environment
  const { url: apiUrl, apiKey, merchantCode } = sumup.account
  const client = openSumup({ apiUrl, apiKey, merchantCode, findMode: () => 'test' })
  await endPendingRefunds(environment)
  const withLatest = {
    ...client,
    listHistory: (query: string) => client.listHistory(includeLatest(query)),
  }
  await compareWithHistory({ db, sumup: withLatest, log: pino({ level: 'silent' }), secret })
}

/** The last minutes, which a comparison leaves out, too. */
function includeLatest(query: string): string {
  const filters = new URLSearchParams(query)
  filters.set('newest_time', new Date(Date.now() + 86_400_000).toISOString())
  return String(filters)
}

/** SumUp ends the refunds that it works on, and the shop reads soon what is open. Returns the time of the database. */
async function endPendingRefunds({ db, sumup }: Environment): Promise<string | undefined> {
  const { transactions } = await sumup.readLedger()
  for (const { id, refundAttempts = [] } of transactions)
    for (const [at, { status }] of refundAttempts.entries())
      if (status === 'PENDING')
        await sumup.control('end-refund', {
          payment: id,
          outcome: at % 3 === 2 ? 'failed' : 'done',
        })
  const { rows } = await db.execute<{ at: string }>(sql`
    update payments set next_read_at = now() where next_read_at is not null returning now()::text as at`)
  return rows[0]?.at
}

/**
 * Hours without faults, as the database's clock goes: sales that nobody finished end at SumUp, the shop reads what it waits
 * for, and the owner refunds the rest of what they wanted to refund.
 */
async function passHours(end: End, owner: Owner): Promise<void> {
  const { environment, history } = end
  const { db, sumup } = environment
  const { rows: unfinished } = await db.execute<{ id: string }>(sql`
    update checkouts set next_check_at = now(), expired_since = expired_since - interval '20 minutes',
      valid_until = valid_until - interval '1 hour', version = version + 1
    where state in ('created', 'open', 'submitted') returning sumup_checkout_id as id`)
  for (const { id: checkout } of unfinished) {
    // Refused where the bank was not asked, or where the checkout has ended.
    await sumup.control('answer-bank', { checkout, outcome: 'decline' }).catch(() => undefined)
    await sumup.control('expire', { checkout }).catch(() => undefined)
  }
  const since = (await endPendingRefunds(environment)) ?? null
  const isWaiting = async () => {
    const { rows } = await db.execute(sql`
      select from payments where next_read_at is not null and (read_at is null or read_at < ${since}::timestamptz)`)
    return rows.length > 0
  }
  for (let tries = 0; tries < 100 && (await isWaiting()); tries += 1) await delay(100)
  // A refund that SumUp shows no trace of for an hour may be tried again.
  await db.execute(
    sql`update refunds set asked_at = asked_at - interval '61 minutes' where ended_at is null`,
  )
  await compare(end)
  for (const { orderId } of findUnfinishedRefunds(history, await readFinalState(environment)))
    await refund(owner, history, orderId, { isWhole: true })
}

/** The figures of a run, one per line. */
export function describeChaos(report: ChaosReport): string[] {
  const { options, history, final, kills, provider, faults, events } = report
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  const wrongResponses = Object.values(provider.wrongResponses).reduce(
    (sum, count) => sum + count,
    0,
  )
  const records = Object.values(final.books?.records ?? {})
  const reviewed = records.filter(({ sale }) => sale?.state === 'review').length
  const { changes } = report
  const figures: [string, string | number][] = [
    ['shop', `${options.kind}, ${options.nodes} nodes, seed ${options.seed}`],
    [
      'buyers',
      `${options.checkouts}, ${options.concurrency} at once, ${seconds(report.buyingMs)} s`,
    ],
    ['checkouts opened', new Set(history.offers.map(({ checkoutId }) => checkoutId)).size],
    ['paid', final.attempts.filter(isCharged).length],
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
    [
      'changes',
      `prices ${changes.prices}, codes ${changes.codes}, delivery ${changes.deliveries} times`,
    ],
    ['quotes', describeQuotes(report)],
    ['stock', describeStock(report)],
    ['refunds', describeRefunds(report)],
    ['shipped', final.orders.filter(({ status }) => status === 'shipped').length],
    ['withdrawals', describeWithdrawals(report)],
    ['starts without a database', report.failedStarts.length],
    ...faultKinds.map((kind): [string, number] => [kind, faults[kind].length]),
    ['crashed', report.crashes.length],
    ['settled after', `${seconds(report.settledMs)} s`],
    [
      'compared after',
      report.comparedMs === undefined ? 'never' : `${seconds(report.comparedMs)} s`,
    ],
    ['ended after', report.endedMs === undefined ? 'never' : `${seconds(report.endedMs)} s`],
  ]
  const width = Math.max(...figures.map(([name]) => name.length))
  return figures.map(([name, figure]) => `${name.padEnd(width)}  ${figure}`)
}

function describeOtherWays({ attempts }: FinalState): string {
  const tried = attempts.filter(({ method }) => method)
  return `${tried.filter(isCharged).length} paid of ${tried.length} tried`
}

/** Figures that show whether prices, stock and refunds were put to the test. */
export function countWork({ final, history }: ChaosReport) {
  const { orders: placed, books, stocks } = final
  const codes = placed.flatMap(({ terms }) => terms?.code ?? [])
  const ofForms = Map.groupBy(history.offers, ({ visitor }) => visitor)
  const scarce = new Set(stocks.map(({ productId }) => productId))
  const ofScarce = placed.filter(({ productId }) => scarce.has(productId))
  const asked = Object.values(books?.records ?? {}).flatMap(({ refunds }) => refunds)
  return {
    withTerms: placed.filter(({ terms }) => terms).length,
    fetched: placed.filter(({ terms }) => terms?.isPickup).length,
    withCode: codes.length,
    withScarceCode: codes.filter((code) => code === scarceCode).length,
    severalPrices: [...ofForms.values()].filter(
      (offers) => new Set(offers.map(({ amount }) => amount)).size > 1,
    ).length,
    soldOut: history.soldOut.length,
    ofScarce: ofScarce.length,
    ofValues: ofScarce.filter(({ valueId }) => valueId).length,
    oversold: ofScarce.filter(({ isOversold }) => isOversold).length,
    refundsAsked: asked.length,
    refundsDone: asked.filter(({ state }) => state === 'done').length,
  }
}

function describeQuotes(report: ChaosReport): string {
  const { withTerms, withCode, fetched, withScarceCode, severalPrices } = countWork(report)
  const { codeLimits } = report.history
  return (
    `${withTerms} orders with terms, ${fetched} picked up, ${withCode} with a code, ${withScarceCode} of ` +
    `${codeLimits.get(scarceCode)} uses of the scarce one; ${severalPrices} buyers saw several prices`
  )
}

function describeStock(report: ChaosReport): string {
  const { ofScarce, ofValues, oversold, soldOut } = countWork(report)
  const pieces = report.final.stocks.reduce((sum, one) => sum + one.pieces, 0)
  return `${ofScarce} orders of ${pieces} pieces, ${ofValues} of values, ${oversold} oversold; told ${soldOut} times that it is sold out`
}

function describeRefunds(report: ChaosReport): string {
  const { refundsAsked, refundsDone } = countWork(report)
  const { told, goals } = report.history.refunds
  return `of ${goals.size} orders: ${refundsAsked} asked for, ${refundsDone} of them done, ${told.length} answered`
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
