import { randomUUID } from 'node:crypto'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { createTrackRequests, loadServer, startBareRoute, type Load } from '#tools/bench/load.ts'
import {
  formatNumber,
  measureMs,
  median,
  openBenchShop,
  printFigure,
  type BenchShop,
} from '#tools/bench/shop.ts'

const fewEvents = 10_000
const manyEvents = 1_000_000
const orders = 1_000
const warmUps = 5
const runs = 60
const browsers = 800
const secondsPerLoad = 1.5
const warmUpRounds = 3
const loadRounds = 10

/** The cost of a summary with much history, the memory of a long list, and the cost of a visit. */
export async function benchAnalytics(): Promise<void> {
  const shops: BenchShop[] = []
  try {
    for (const events of [fewEvents, manyEvents])
      shops.push(await openBenchShop(orders, { events }))
    const [small, large] = shops
    if (!small || !large) return
    await benchSummary(small, large)
    await benchActivity(large)
    await benchList(large)
    await benchTracking(large)
  } finally {
    for (const shop of shops) await shop.close()
  }
}

/** The shops alternate, so that other load on the machine affects both equally. */
async function benchSummary(small: BenchShop, large: BenchShop): Promise<void> {
  const zone = 'Europe/Berlin'
  await measureMs(() => small.read(`${apiRoutes.analyticsSummary}?tz=${zone}`))
  const countingMs = await measureMs(() => large.read(`${apiRoutes.analyticsSummary}?tz=${zone}`))
  const from = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  for (const [title, range] of [
    ['all time (a year)', ''],
    ['30 days and the 30 before', `&from=${from}`],
  ]) {
    const times: [number, number][] = []
    for (let run = -warmUps; run < runs; run += 1) {
      const measure = (shop: BenchShop) =>
        measureMs(() => shop.read(`${apiRoutes.analyticsSummary}?tz=${zone}${range}`))
      const pair: [number, number] = [await measure(small), await measure(large)]
      if (run >= 0) times.push(pair)
    }
    const fewMs = median(times.map(([ms]) => ms))
    const manyMs = median(times.map(([, ms]) => ms))
    printFigure(
      `summary, ${title}`,
      `${fewMs.toFixed(1)} ms with ${formatNumber(fewEvents)} events, ${manyMs.toFixed(1)} ms with ${formatNumber(manyEvents)}, × ${(manyMs / fewMs).toFixed(2)}`,
    )
  }
  printFigure(
    'a new time zone, counted once',
    `${(countingMs / 1000).toFixed(1)} s with ${formatNumber(manyEvents)} events`,
  )
}

/** Of a link that nobody has opened: there is no newest visit to stop at. */
async function benchActivity(shop: BenchShop): Promise<void> {
  const path = pathOf(apiRoutes.linkActivity, { id: randomUUID() })
  const times: number[] = []
  for (let run = -warmUps; run < runs; run += 1) {
    const ms = await measureMs(() => shop.read(path))
    if (run >= 0) times.push(ms)
  }
  printFigure(
    'last visit of a link that nobody opened',
    `${median(times).toFixed(1)} ms with ${formatNumber(manyEvents)} events`,
  )
}

/** Memory must not grow from quarter to quarter of the list; garbage collection makes single values vary. */
async function benchList(shop: BenchShop): Promise<void> {
  const beforeMb = shop.measureMemoryMb()
  let bytes = 0
  const maxMb = [0, 0, 0, 0]
  const response = await shop.request(apiRoutes.analyticsEvents)
  const listMs = await measureMs(async () => {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      const quarter = Math.min(3, Math.floor((bytes * 4) / (manyEvents * bytesPerEvent)))
      maxMb[quarter] = Math.max(maxMb[quarter] ?? 0, shop.measureMemoryMb())
    }
  })
  printFigure(
    `list of ${formatNumber(manyEvents)} events`,
    `${(listMs / 1000).toFixed(1)} s, ${Math.round(bytes / 1e6)} MB; server ${beforeMb} MB before, ${maxMb.join(', ')} MB at most in each quarter`,
  )
}

const bytesPerEvent = 154

async function benchTracking(shop: BenchShop): Promise<void> {
  const [product] = JSON.parse(await shop.read(apiRoutes.products)) as { id: string }[]
  const requests = createTrackRequests(apiRoutes.track, product?.id ?? '')
  const load = (port: number) => loadServer(port, browsers, secondsPerLoad, requests)
  const bare = await startBareRoute()
  const rounds: { bare: Load; ours: Load }[] = []
  for (let round = 0; round < warmUpRounds + loadRounds; round += 1)
    rounds.push({ bare: await load(bare.port), ours: await load(shop.port) })
  bare.stop()
  const warm = rounds.slice(warmUpRounds)
  const isRefused = warm.some(({ ours }) => Object.keys(ours.statuses).join() !== '204')
  const share = median(warm.map((round) => round.ours.perSecond / round.bare.perSecond))
  printFigure(
    'a bare Fastify route',
    `${formatNumber(median(warm.map((round) => round.bare.perSecond)))} requests/s`,
  )
  printFigure(
    'track, kept by durable commits',
    `${formatNumber(median(warm.map((round) => round.ours.perSecond)))} requests/s, × ${share.toFixed(2)}${isRefused ? ', some refused' : ''}`,
  )
}
