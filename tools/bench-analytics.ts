import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { apiRoutes } from '#contract/paths.ts'
import { openBenchShop, type BenchShop } from '#tools/bench-shop.ts'
import { loadServer, trackRequests, type Load } from '#tools/load.ts'
import { freePort } from '#tools/running-shop.ts'

const few = 10_000
const many = 1_000_000
const orders = 1_000
const warmUps = 5
const runs = 60
const browsers = 800
const secondsAtOnce = 1.5
const warmUpTurns = 3
const loadTurns = 10

/** What a summary costs with history, whether a long list stays flat, and what a visit costs. */
export async function benchAnalytics(): Promise<void> {
  const shops: BenchShop[] = []
  try {
    for (const events of [few, many]) shops.push(await openBenchShop(orders, { events }))
    const [small, large] = shops
    if (!small || !large) return
    await benchSummary(small, large)
    await benchList(large)
    await benchTracking(large)
  } finally {
    for (const shop of shops) await shop.close()
  }
}

/** The shops take turns, so that whatever else the machine does burdens both alike. */
async function benchSummary(small: BenchShop, large: BenchShop): Promise<void> {
  const zone = 'Europe/Berlin'
  await time(() => small.read(`${apiRoutes.analyticsSummary}?tz=${zone}`))
  const counting = await time(() => large.read(`${apiRoutes.analyticsSummary}?tz=${zone}`))
  const from = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  for (const [title, range] of [
    ['all time (a year)', ''],
    ['30 days and the 30 before', `&from=${from}`],
  ]) {
    const times: [number, number][] = []
    for (let run = -warmUps; run < runs; run += 1) {
      const ask = (shop: BenchShop) =>
        time(() => shop.read(`${apiRoutes.analyticsSummary}?tz=${zone}${range}`))
      const pair: [number, number] = [await ask(small), await ask(large)]
      if (run >= 0) times.push(pair)
    }
    const withFew = median(times.map(([ms]) => ms))
    const withMany = median(times.map(([, ms]) => ms))
    say(
      `summary, ${title}`,
      `${withFew.toFixed(1)} ms with ${show(few)} events, ${withMany.toFixed(1)} ms with ${show(many)}, × ${(withMany / withFew).toFixed(2)}`,
    )
  }
  say(
    'a new time zone, counted once',
    `${(counting / 1000).toFixed(1)} s with ${show(many)} events`,
  )
}

/** Garbage is collected when there is enough of it: what counts is that each quarter of the list needs no more than the one before. */
async function benchList(shop: BenchShop): Promise<void> {
  const before = shop.residentMb()
  let bytes = 0
  const most = [0, 0, 0, 0]
  const answer = await shop.ask(apiRoutes.analyticsEvents)
  const seconds = await time(async () => {
    for await (const piece of answer.body ?? []) {
      bytes += piece.length
      const quarter = Math.min(3, Math.floor((bytes * 4) / (many * bytesOfAnEvent)))
      most[quarter] = Math.max(most[quarter] ?? 0, shop.residentMb())
    }
  })
  say(
    `list of ${show(many)} events`,
    `${(seconds / 1000).toFixed(1)} s, ${Math.round(bytes / 1e6)} MB; server ${before} MB before, ${most.join(', ')} MB at most in each quarter`,
  )
}

const bytesOfAnEvent = 154

async function benchTracking(shop: BenchShop): Promise<void> {
  const [product] = JSON.parse(await shop.read(apiRoutes.products)) as { id: string }[]
  const requests = trackRequests(apiRoutes.track, product?.id ?? '')
  const load = (port: number) => loadServer(port, browsers, secondsAtOnce, requests)
  const bare = await startBareRoute()
  const turns: { bare: Load; ours: Load }[] = []
  for (let turn = 0; turn < warmUpTurns + loadTurns; turn += 1)
    turns.push({ bare: await load(bare.port), ours: await load(shop.port) })
  bare.stop()
  const warm = turns.slice(warmUpTurns)
  const refused = warm.some(({ ours }) => Object.keys(ours.statuses).join() !== '204')
  const share = median(warm.map(({ ours, bare: alone }) => ours.perSecond / alone.perSecond))
  say('a bare Fastify route', `${show(median(warm.map((turn) => turn.bare.perSecond)))} requests/s`)
  say(
    'track, kept by durable commits',
    `${show(median(warm.map((turn) => turn.ours.perSecond)))} requests/s, × ${share.toFixed(2)}${refused ? ', some refused' : ''}`,
  )
}

async function startBareRoute() {
  const port = await freePort()
  const child = fork(join(import.meta.dirname, 'bare-route.ts'), {
    env: { ...process.env, PORT: String(port) },
  })
  await once(child, 'message')
  return { port, stop: () => child.disconnect() }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function median(figures: number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
}

function show(number: number): string {
  return Math.round(number).toLocaleString('en')
}

function say(what: string, figure: string): void {
  console.log(`  ${what.padEnd(36)}${figure}`)
}
