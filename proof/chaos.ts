import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { compareWithHistory } from '#server/checkouts/compare.ts'
import { openSumup } from '#server/sumup/client.ts'
import { attacks } from './attack.ts'
import { beginVisit, buy, TabClosed, type Visit, type World } from './buy.ts'
import { startChangingPrices, stockShelves } from './change-prices.ts'
import {
  checkHistory,
  faultKinds,
  foundByComparison,
  type Books,
  type Faults,
} from './check-history.ts'
import { countFaults, faultPlan, type FaultCount } from './fault-plan.ts'
import { emptyHistory, type History } from './history.ts'
import { startKilling } from './kill.ts'
import { untilTomorrow } from './model/moody-sumup.ts'
import { planVisitors, type Visitor } from './plan-visitors.ts'
import { readBooks } from './read-books.ts'
import { openStage, type ShopKind, type Stage } from './stage.ts'
import { startSumupEvents, type EventCounts } from './sumup-events.ts'

export type ChaosOptions = { kind: ShopKind; checkouts: number; concurrency: number; seed: number }

export type ChaosReport = {
  options: ChaosOptions
  faults: Faults
  books: Books
  history: History
  kills: { servers: number; databases: number }
  /** Servers that ended while they were open: a killed database must not end a shop. */
  crashes: string[]
  /** Servers that could not start while the database was away. */
  failedStarts: string[]
  provider: FaultCount
  events: EventCounts
  priceChanges: number
  buyingMs: number
  settledMs: number
}

/** After the chaos everything that was paid is an order within this time, without the comparison of the books. */
const settleWithinMs = 60_000
/** The naive shop has nothing that would settle later. */
const naiveSettleWithinMs = 3_000
const nextLookMs = 500

/** People buy while servers, the database and the provider fail; then the books must agree. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  await using opened = new AsyncDisposableStack()
  const { seed, kind } = options
  const stage = await openStage(kind, opened)
  const history = emptyHistory()
  const products = await stockShelves(stage.db, history)
  const addresses = stage.shops.map(({ address }) => address)
  const world: World = { addresses, sumup: stage.sumup, products, history }
  await untilOpen(stage)

  await stage.sumup.setFaults(faultPlan(seed))
  const prices = startChangingPrices(stage.db, products, history, seed + 1)
  const killing = startKilling(stage, seed + 2)
  const events = startSumupEvents(stage, seed + 3)
  const startedAt = performance.now()
  await letIn(world, planVisitors(options.checkouts, seed), options.concurrency)
  const buyingMs = performance.now() - startedAt
  await Promise.all([killing.stop(), prices.stop(), events.stop()])

  const stoppedAt = performance.now()
  const withinMs = kind === 'real' ? settleWithinMs : naiveSettleWithinMs
  const settled = await untilSound(stage, history, withinMs, foundByComparison)
  const settledMs = performance.now() - stoppedAt
  const { faults, books } =
    kind === 'real' ? await untilSound(stage, history, withinMs, [], compareBooks) : settled
  const ends = stage.shops.flatMap((shop) => shop.ownEnds)
  return {
    options,
    faults,
    books,
    history,
    kills: killing.kills,
    crashes: ends.filter(({ wasOpen }) => wasOpen).map(({ words }) => words),
    failedStarts: ends.filter(({ wasOpen }) => !wasOpen).map(({ words }) => words),
    provider: countFaults((await stage.sumup.faults()).rules),
    events: events.counts,
    priceChanges: prices.counts.changes,
    buyingMs,
    settledMs,
  }
}

export function countOf(faults: Faults, except: typeof foundByComparison = []): number {
  return faultKinds
    .filter((kind) => !except.includes(kind))
    .reduce((sum, kind) => sum + faults[kind].length, 0)
}

async function untilOpen({ shops }: Stage): Promise<void> {
  for (const giveUpAt = Date.now() + 60_000; !shops.every((shop) => shop.isReady());) {
    if (Date.now() > giveUpAt)
      throw new Error(`The shop did not open:\n${shops.map((shop) => shop.lastWords()).join('\n')}`)
    await pause(50)
  }
}

async function letIn(world: World, visitors: Visitor[], concurrency: number): Promise<void> {
  const waiting = [...visitors]
  const door = async () => {
    for (let visitor = waiting.shift(); visitor; visitor = waiting.shift())
      await visit(world, visitor)
  }
  await Promise.all(Array.from({ length: concurrency }, door))
}

async function visit(world: World, visitor: Visitor): Promise<void> {
  const begun = beginVisit(world, visitor)
  try {
    await (visitor.attack ? attacks[visitor.attack](begun) : buy(begun))
  } catch (error) {
    if (!(error instanceof TabClosed)) throw error
    await Promise.all([begun.afterwards?.(), comeBack(begun)])
  }
}

/** The same browser, another tab: whoever closed the first one wants to know, or to buy after all. */
async function comeBack(before: Visit): Promise<void> {
  const { visitor, chance } = before
  if (!visitor.returns) return
  await pause(chance.between(100, 1_500))
  const patient = { ...visitor, dies: undefined, bank: undefined }
  await buy({ ...before, visitor: patient, formId: `tab-2-${visitor.number}` })
}

/** The faults go on: the provider does not get better because we want to look. */
async function untilSound(
  stage: Stage,
  history: History,
  withinMs: number,
  except: typeof foundByComparison,
  work?: (stage: Stage) => Promise<unknown>,
): Promise<{ faults: Faults; books: Books }> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    await work?.(stage).catch(() => undefined)
    const books = await readBooks(stage).catch(() => undefined)
    if (books) {
      const faults = checkHistory(history, books)
      if (countOf(faults, except) === 0 || performance.now() > giveUpAt) return { faults, books }
    }
    await pause(nextLookMs)
  }
}

/** What a server does within an hour of its start. */
async function compareBooks({ db, sumup: { account }, secret }: Stage): Promise<void> {
  const { url: apiUrl, apiKey, merchantCode } = account
  const line = openSumup({ apiUrl, apiKey, merchantCode })
  const sumup = { ...line, listHistory: (query: string) => line.listHistory(untilTomorrow(query)) }
  await compareWithHistory({ db, sumup, log: pino({ level: 'silent' }), secret })
}
