import { writeFileSync } from 'node:fs'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { readConfig } from '#server/config.ts'
import { drawCharts, type Panel } from '#tools/bench/charts.ts'
import {
  createReadRequests,
  createTrackRequests,
  formatRequest,
  openClient,
} from '#tools/bench/load.ts'
import { describeRun, formatMarkdownTable, writeGenerated, type Row } from '#tools/bench/report.ts'
import { openBuyers } from '#tools/bench/sales.ts'
import {
  formatNumber,
  openSellingShop,
  type BenchOptions,
  type SellingShop,
} from '#tools/bench/shop.ts'
import { withShopDatabase } from '#tools/command.ts'

const orders = 100_000
const pictureFile = 'docs/load.svg'
/** How many there are for each whole sale. */
const perSale = { 'checkout page': 10, product: 5, 'track event': 10, 'whole sale': 1 }
/** A second, of an admin who reads. */
const adminPerSecond = 0.5
const kinds = [
  'checkout page',
  'product',
  'track event',
  'whole sale',
  'admin: orders',
  'admin: search',
  'admin: summary',
] as const
type Kind = (typeof kinds)[number]

const sampleMs = 5_000
const dueMs = 5
const calibrationWarmUpSeconds = 5
const calibrationSeconds = 10
const calibrationBuyers = 16
/** The share of what the machine can do that the mix takes, so that queues come and go but never only grow. */
const shareOfMachine = 0.5
/** So many unanswered requests mean that the load is too much for the machine. */
const maxUnderWay = 5_000
const settleMs = 5_000
/** prom-client asks for the delay every 50 ms, and Node counts these in. */
const lagResolutionMs = 50

/**
 * Steady mixed load: visitors look, report events and buy, an admin reads. What must stay flat is sampled all the while and drawn.
 */
export async function benchSteadyLoad(options: BenchOptions): Promise<Row[]> {
  const { minutes, shops } = options
  const shop = await shops.open(
    openSellingShop(orders, { settings: { LOG_LEVEL: '' }, isUnread: true }),
  )
  const visitors = openVisitors(shop)
  try {
    const rate = options.salesPerSecond || (await findHalfOfMachine(visitors))
    console.log(`${minutes} minutes with ${rate.toFixed(1)} whole sales a second`)
    const { samples, failures } = await keepLoad(shop, visitors, rate, minutes)
    await sleep(settleMs)
    const books = await compareBooks(shop, visitors.buyersWithOrder)
    const rows = describeChange(samples, minutes)
    writeFileSync(pictureFile, drawPicture(samples, minutes))
    const text = [
      `${await describeRun(shop)}.`,
      `${minutes} minutes: for each of ${rate.toFixed(1)} whole sales a second ${perSale['checkout page']} checkout pages, ${perSale.product} product calls and ${perSale['track event']} events; an admin who reads orders, search and summary every ${1 / adminPerSecond} s; ${formatNumber(orders)} orders in the shop at first. ${describeBooks(books, failures)}`,
      '![Memory, latency, event-loop delay, connections and sales over the time of the load](load.svg)',
      formatMarkdownTable(
        ['what', `first ${window(minutes)} min`, `last ${window(minutes)} min`, 'last / first'],
        rows.map(({ what, measured, limit = '', ratio = 1 }) => [
          what,
          limit,
          measured,
          ratio.toFixed(2),
        ]),
      ),
    ]
    writeGenerated('load', text.join('\n\n'))
    console.log(describeBooks(books, failures))
    return rows.map((row) => ({ ...row, limit: `at first ${row.limit}` }))
  } finally {
    visitors.close()
  }
}

const window = (minutes: number) => Number(Math.min(5, minutes / 3).toFixed(1))

type Visitors = ReturnType<typeof openVisitors>

/** One function for each kind of request; they reject when an answer is no success. */
function openVisitors(shop: SellingShop) {
  const client = openClient(shop.port)
  const buyers = openBuyers(shop, 'load')
  const { id } = shop.product
  const nextPage = createReadRequests(checkoutPath(id))
  const nextProduct = createReadRequests(pathOf(apiRoutes.product, { id }))
  const nextEvent = createTrackRequests(apiRoutes.track, id)
  const readAsAdmin = (path: string) =>
    client.send(formatRequest(path, 0, { headers: { cookie: shop.cookie } }))
  const buyersWithOrder: string[] = []
  let searches = 0
  const run: Record<Kind, () => Promise<unknown>> = {
    'checkout page': () => client.send(nextPage()),
    product: () => client.send(nextProduct()),
    'track event': () => client.send(nextEvent()),
    'whole sale': async () => buyersWithOrder.push(await buyers.buy()),
    'admin: orders': () => readAsAdmin(`${apiRoutes.orders}?limit=50`),
    'admin: search': () => {
      searches += 1
      const words = searches % 2 ? 'mug' : 'honey%20candle'
      return readAsAdmin(`${apiRoutes.orders}?limit=50&q=${words}`)
    },
    'admin: summary': () => readAsAdmin(apiRoutes.orderCounts),
  }
  return {
    run,
    /** Their e-mail addresses. */
    buyersWithOrder,
    close: () => {
      client.close()
      buyers.close()
    },
  }
}

/** As fast as the mix goes, then half of that. */
async function findHalfOfMachine({ run }: Visitors): Promise<number> {
  const sellFor = async (seconds: number) => {
    const endsAt = performance.now() + seconds * 1000
    let sales = 0
    const visit = async () => {
      while (performance.now() < endsAt) {
        for (const [kind, times] of Object.entries(perSale))
          for (let time = 0; time < times; time += 1) await run[kind as Kind]()
        sales += 1
      }
    }
    await Promise.all(Array.from({ length: calibrationBuyers }, visit))
    return sales / seconds
  }
  await sellFor(calibrationWarmUpSeconds)
  return (await sellFor(calibrationSeconds)) * shareOfMachine
}

type Sample = {
  minute: number
  rssMb: number
  heapMb: number
  lagMs: number
  busyConnections: number
  openConnections: number
  salesPerSecond: number
  /** In microseconds. */
  latencies: Record<Kind, RecordableHistogram>
}

/**
 * Requests begin when they are due, however long earlier ones take, and their time counts from then: a slow server is not asked
 * less for it.
 */
async function keepLoad(
  shop: SellingShop,
  { run }: Visitors,
  rate: number,
  minutes: number,
): Promise<{ samples: Sample[]; failures: string[] }> {
  const samples: Sample[] = []
  const failures: string[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + minutes * 60_000
  const begun = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>
  let latencies = createLatencies()
  const underWay = new Set<Promise<void>>()

  async function ask(kind: Kind, dueAt: number): Promise<void> {
    try {
      await run[kind]()
      latencies[kind].record(Math.max(1, Math.round((performance.now() - dueAt) * 1000)))
    } catch (error) {
      failures.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  function begin(kind: Kind, dueAt: number): void {
    const answered = ask(kind, dueAt).finally(() => underWay.delete(answered))
    underWay.add(answered)
  }

  await readMetrics(shop)
  let sampledAt = startedAt
  while (performance.now() < endsAt) {
    for (const kind of kinds) {
      const perMs =
        (kind in perSale ? perSale[kind as keyof typeof perSale] * rate : adminPerSecond) / 1000
      for (;;) {
        const dueAt = startedAt + begun[kind] / perMs
        if (dueAt > performance.now()) break
        begun[kind] += 1
        begin(kind, dueAt)
      }
    }
    if (underWay.size > maxUnderWay) throw new Error(`${rate} sales a second are too many.`)
    if (performance.now() - sampledAt >= sampleMs) {
      const seconds = (performance.now() - sampledAt) / 1000
      sampledAt = performance.now()
      const finished = latencies
      latencies = createLatencies()
      const salesPerSecond = finished['whole sale'].count / seconds
      const minute = (sampledAt - startedAt) / 60_000
      // Not awaited: the load goes on meanwhile.
      void readMetrics(shop).then(
        (metrics) => samples.push({ minute, ...metrics, salesPerSecond, latencies: finished }),
        (error: Error) => failures.push(`metrics: ${error.message}`),
      )
    }
    await sleep(dueMs)
  }
  await Promise.all(underWay)
  return { samples, failures }
}

function createLatencies(): Record<Kind, RecordableHistogram> {
  return Object.fromEntries(kinds.map((kind) => [kind, createHistogram()])) as Record<
    Kind,
    RecordableHistogram
  >
}

async function readMetrics({ address }: SellingShop) {
  const text = await (await fetch(`${address}${apiRoutes.metrics}`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN)
  const busy = read('till_pool_connections\\{state="busy"\\}')
  return {
    rssMb: read('process_resident_memory_bytes') / 2 ** 20,
    heapMb: read('nodejs_heap_size_used_bytes') / 2 ** 20,
    lagMs: Math.max(0, read('nodejs_eventloop_lag_p99_seconds') * 1000 - lagResolutionMs),
    busyConnections: busy,
    openConnections: busy + read('till_pool_connections\\{state="idle"\\}'),
  }
}

type Books = { sold: number; lost: number; doubled: number }

/** Every buyer who was told of an order must have one, and nobody two. */
async function compareBooks({ dataDir }: SellingShop, buyers: string[]): Promise<Books> {
  const found = new Map<string, number>()
  await withShopDatabase(readConfig({ DATA_DIR: dataDir }), async (_db, pool) => {
    const { rows } = await pool.query<{ email: string; orders: string }>(
      `select customer_email as email, count(*) as orders from orders
        where customer_email like 'load-%@example.com' group by customer_email`,
    )
    for (const row of rows) found.set(row.email, Number(row.orders))
  })
  return {
    sold: buyers.length,
    lost: buyers.filter((email) => !found.has(email)).length,
    doubled: [...found.values()].filter((count) => count > 1).length,
  }
}

function describeBooks({ sold, lost, doubled }: Books, failures: string[]): string {
  const failed =
    failures.length === 0
      ? 'no request failed'
      : `${failures.length} requests failed, the first: ${failures[0]}`
  return `Of ${formatNumber(sold)} sales ${lost} orders were lost and ${doubled} doubled; ${failed}.`
}

/** The last minutes (measured) beside the first ones (limit). */
function describeChange(samples: Sample[], minutes: number): Row[] {
  const length = window(minutes)
  const first = samples.filter(({ minute }) => minute <= length)
  const last = samples.filter(({ minute }) => minute > minutes - length)
  const compare = (what: string, unit: string, measure: (of: Sample[]) => number): Row => {
    const [before, after] = [measure(first), measure(last)]
    const format = (figure: number) => `${figure.toFixed(figure < 100 ? 1 : 0)}${unit}`
    const ratio = before > 0 ? { ratio: after / before } : {}
    return { what, measured: format(after), limit: format(before), ...ratio }
  }
  return [
    compare('memory of the server', ' MB', (of) => mean(of, 'rssMb')),
    compare('its heap', ' MB', (of) => mean(of, 'heapMb')),
    compare('event-loop delay, p99', ' ms', (of) => mean(of, 'lagMs')),
    compare('busy database connections', '', (of) => mean(of, 'busyConnections')),
    compare('open database connections', '', (of) => mean(of, 'openConnections')),
    compare('whole sales a second', '', (of) => mean(of, 'salesPerSecond')),
    ...kinds.flatMap((kind) =>
      percentiles.map((percentile) =>
        compare(`${kind}, p${percentile}`, ' ms', (of) => findLatency(of, kind, percentile)),
      ),
    ),
  ]
}

const percentiles = [50, 95, 99]

type FigureName = Exclude<keyof Sample, 'latencies'>

function mean(samples: Sample[], name: FigureName): number {
  return samples.reduce((sum, sample) => sum + sample[name], 0) / samples.length
}

/** In milliseconds, of all requests of these samples. */
function findLatency(samples: Sample[], kind: Kind, percentile: number): number {
  const all = createHistogram()
  for (const { latencies } of samples) if (latencies[kind].count > 0) all.add(latencies[kind])
  return all.count === 0 ? 0 : all.percentile(percentile) / 1000
}

const maxPoints = 60

function drawPicture(samples: Sample[], minutes: number): string {
  const size = Math.ceil(samples.length / maxPoints)
  const points = Array.from({ length: Math.ceil(samples.length / size) }, (_, index) =>
    samples.slice(index * size, (index + 1) * size),
  )
  const lines = (figures: [string, FigureName][]) =>
    figures.map(([name, figure]) => ({ name, values: points.map((of) => mean(of, figure)) }))
  const panels: Panel[] = [
    {
      title: 'Memory of the server, MB',
      lines: lines([
        ['resident', 'rssMb'],
        ['heap', 'heapMb'],
      ]),
    },
    ...percentiles.map((percentile) => ({
      title: `Time to the answer, p${percentile}, ms`,
      isLogarithmic: true,
      lines: kinds.map((kind) => ({
        name: kind,
        values: points.map((of) => findLatency(of, kind, percentile)),
      })),
    })),
    { title: 'Event-loop delay, p99, ms', lines: lines([['delay', 'lagMs']]) },
    {
      title: 'Database connections',
      lines: lines([
        ['open', 'openConnections'],
        ['busy', 'busyConnections'],
      ]),
    },
    { title: 'Whole sales a second', lines: lines([['sales', 'salesPerSecond']]) },
  ]
  return drawCharts(
    points.map((of) => mean(of, 'minute')),
    minutes,
    'minutes',
    panels,
  )
}
