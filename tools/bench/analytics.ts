import { randomUUID } from 'node:crypto'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { ShopSettings } from '#contract/shop-settings.ts'
import type { Row } from '#tools/bench/report.ts'
import {
  formatMs,
  measureMs,
  median,
  type BenchOptions,
  type BenchShop,
} from '#tools/bench/shop.ts'

const warmUps = 5
const runs = 40
const bytesPerEvent = 154
const manyEvents = 1_000_000

/** The cost of a summary with much history, and the memory of a long list. */
export async function benchAnalytics({ shops, isWhole }: BenchOptions): Promise<Row[]> {
  const [small, large] = [await shops.small(), await shops.large()]
  const countingMs = await measureCounting(large)
  const rows = [await timeSummary('all time (a year)', '', small, large)]
  if (isWhole) return rows
  const from = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  return [
    ...rows,
    await timeSummary('30 days and the 30 before', `?from=${from}`, small, large),
    {
      what: '1,000,000 events: another time zone, counted anew',
      measured: `${(countingMs / 1000).toFixed(1)} s`,
    },
    await timeActivity(large),
    await measureList(large),
  ]
}

/** How long the first summary takes after the shop's time zone was changed. */
async function measureCounting(shop: BenchShop): Promise<number> {
  const { version, values } = JSON.parse(await shop.read(apiRoutes.settings)) as ShopSettings
  const body = { version, values: { ...values.shop, timeZone: 'Europe/Berlin' } }
  await shop.put(pathOf(apiRoutes.settingsSection, { section: 'shop' }), body)
  return measureMs(() => shop.read(apiRoutes.analyticsSummary))
}

/** Both shops are asked in turn, so that other load on the machine affects both. */
async function timeSummary(
  title: string,
  range: string,
  small: BenchShop,
  large: BenchShop,
): Promise<Row> {
  const path = `${apiRoutes.analyticsSummary}${range}`
  const times: [number, number][] = []
  for (let run = -warmUps; run < runs; run += 1) {
    const few = await measureMs(() => small.read(path))
    const many = await measureMs(() => large.read(path))
    if (run >= 0) times.push([few, many])
  }
  const [fewMs, manyMs] = [median(times.map(([ms]) => ms)), median(times.map(([, ms]) => ms))]
  return {
    what: `1,000,000 events: analytics, ${title}`,
    measured: formatMs(manyMs),
    limit: `10,000 events: ${formatMs(fewMs)}`,
    ratio: manyMs / fewMs,
    ...(range === '' && { aim: 'keep', before: '18 ms' }),
  }
}

/** The last visit of a link that nobody has opened: there is no newest visit to stop at. */
async function timeActivity(shop: BenchShop): Promise<Row> {
  const path = pathOf(apiRoutes.linkActivity, { id: randomUUID() })
  const times: number[] = []
  for (let run = -warmUps; run < runs; run += 1) {
    const ms = await measureMs(() => shop.read(path))
    if (run >= 0) times.push(ms)
  }
  return {
    what: '1,000,000 events: last visit of a link that nobody opened',
    measured: formatMs(median(times)),
  }
}

/** Memory must not grow from quarter to quarter of the list; garbage collection makes single values vary. */
async function measureList(shop: BenchShop): Promise<Row> {
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
  return {
    what: '1,000,000 events: the whole list',
    measured: `${Math.round(bytes / 1e6)} MB in ${(listMs / 1000).toFixed(1)} s; server ${beforeMb} MB before, ${maxMb.join(', ')} MB at most in each quarter`,
  }
}
