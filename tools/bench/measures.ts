import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextCursorHeader, type AdminOrder } from '#contract/orders.ts'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import { delivery, goodCard, paymentBy } from '#server/testing/buyer.ts'
import {
  createReadRequests,
  formatRequest,
  loadServer,
  openClient,
  readHeaders,
  startBareRoute,
  type BareAnswer,
} from '#tools/bench/load.ts'
import {
  listDatabase,
  measurePssMb,
  measureRssMb,
  readDatabaseCpu,
  readServerCpu,
} from '#tools/bench/processes.ts'
import {
  openBenchShop,
  openSandbox,
  startShop,
  type BenchShop,
  type Settings,
} from '#tools/bench/shop.ts'

/** By what was measured, with its unit at the end. */
export type Figures = Record<string, number>

/** A round of a measure of one shop. All shops have their round before the next begins. */
type Round = () => Promise<Figures>

type Measure = {
  rounds: number
  /** Rounds before those that count: V8 compiles what is asked for all the time, and caches fill. */
  warmUps: number
  prepare: (shops: Shops) => Promise<Round>
  /** Adds figures that follow from those of all rounds. */
  complete?: (figures: Figures) => Figures
}

/** The shops of one folder, each opened when it is first needed. */
type Shops = ReturnType<typeof openShops>
type SmallShop = BenchShop & { sumupPort: number; product: { id: string; price: string } }

export function openShops(folder: string) {
  const closing = new AsyncDisposableStack()
  let small: Promise<SmallShop> | undefined
  let large: Promise<BenchShop> | undefined

  async function open(orders: number, events: number, settings: Settings = {}): Promise<BenchShop> {
    const shop = await openBenchShop(orders, { folder, events, settings })
    closing.defer(shop.close)
    return shop
  }

  async function openSmall(): Promise<SmallShop> {
    const sandbox = await openSandbox()
    closing.defer(sandbox.stop)
    const shop = await open(1_000, 10_000, sandbox.settings)
    const [product] = JSON.parse(await shop.read(apiRoutes.products))
    return { ...shop, sumupPort: sandbox.port, product }
  }

  return {
    folder,
    /** With 1,000 orders; its payments go to a sandbox. */
    small: () => (small ??= openSmall()),
    /** With 100,000 orders and 1,000,000 events. */
    large: () => (large ??= open(100_000, 1_000_000)),
    close: () => closing.disposeAsync(),
  }
}

const salesRounds = { rounds: 3, warmUps: 1 }
const salesPerRound = 300
const allSales = (salesRounds.rounds + salesRounds.warmUps) * salesPerRound

export const measures: Record<string, Measure> = {
  // First, while no other shop runs.
  start: { rounds: 3, warmUps: 0, prepare: measureStart },
  pages: { rounds: 20, warmUps: 8, prepare: measurePages, complete: addShares },
  orders: { rounds: 15, warmUps: 3, prepare: measureOrders },
  export: { rounds: 2, warmUps: 0, prepare: measureExport },
  analytics: { rounds: 15, warmUps: 3, prepare: measureAnalytics },
  // Last: it makes the small shop larger.
  sales: { ...salesRounds, prepare: measureSales },
}

/** Until the start is over for memory too: V8 gives back what only the start needed. */
const restMs = 5_000

async function measureStart({ folder }: Shops): Promise<Round> {
  return async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'till-bench-'))
    const start = async () => {
      const startedAt = performance.now()
      const shop = await startShop(folder, dataDir)
      return { ...shop, seconds: (performance.now() - startedAt) / 1000 }
    }
    try {
      const first = await start()
      await first.stop()
      const second = await start()
      await sleep(restMs)
      const atRest = {
        'memory at rest: shop (MB)': measurePssMb([second.pid]),
        'memory at rest: PostgreSQL (MB)': measurePssMb(listDatabase(dataDir)),
      }
      await second.stop()
      return { 'first start (s)': first.seconds, 'second start (s)': second.seconds, ...atRest }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

const browsers = 100
const loadSeconds = 0.3

/** What visitors ask for most, beside a bare Fastify route that sends the same bytes and is asked in turn. */
async function measurePages(shops: Shops): Promise<Round> {
  const shop = await shops.small()
  const { id } = shop.product
  const paths = {
    'GET /checkout/{id}': checkoutPath(id),
    'GET /api/products/{id}': pathOf(apiRoutes.product, { id }),
  }
  const rounds = await Promise.all(
    Object.entries(paths).map(async ([what, path]) => {
      const bare = await startBareRoute(await readAnswer(shop, path))
      const requests = createReadRequests(path)
      return async (): Promise<Figures> => {
        const theirs = await loadServer(bare.port, browsers, loadSeconds, requests)
        const ours = await loadServer(shop.port, browsers, loadSeconds, requests)
        const refused = Object.keys(ours.statuses).filter((status) => !status.startsWith('2'))
        if (refused.length > 0) throw new Error(`${what}: answered with ${refused.join()}`)
        return {
          [`${what} (a second)`]: ours.perSecond,
          [`${what}: bare Fastify (a second)`]: theirs.perSecond,
        }
      }
    }),
  )
  return async () => {
    const figures: Figures = {}
    for (const round of rounds) Object.assign(figures, await round())
    return figures
  }
}

function addShares(figures: Figures): Figures {
  const added: Figures = {}
  for (const [what, perSecond] of Object.entries(figures)) {
    const theirs = figures[what.replace(' (', ': bare Fastify (')]
    added[what] = perSecond
    if (theirs) added[what.replace('a second', 'share of bare Fastify')] = perSecond / theirs
  }
  return added
}

/** Reads the bytes as they are sent: fetch would unpack them. */
async function readAnswer({ port }: { port: number }, path: string): Promise<BareAnswer> {
  const request = get({ port, path, headers: readHeaders })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const { 'content-type': type = '', 'content-encoding': encoding } = answer.headers
  const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
  return { headers, body: (await buffer(answer)).toString('base64') }
}

/** Searches have five hits, so that they are compared and not the size of the answers. */
const search = (words: string) => `?limit=5&q=${encodeURIComponent(words)}`

/** What is asked about orders, by way of an old order that is another for each round. */
const questions: Record<string, (order: AdminOrder, cursor: string) => string> = {
  'first page': () => '?limit=50',
  'page 500, or the last': (_order, cursor) => `?limit=50&cursor=${cursor}`,
  'first page of a status': () => '?limit=50&status=completed',
  'highest amount first': () => '?limit=50&sort=highest',
  'a product': ({ productId }) => `?limit=50&product=${productId}`,
  'a day': ({ createdAt }) => {
    const day = createdAt.slice(0, 10)
    return `?limit=50&from=${day}&to=${day}&tz=Europe/Berlin`
  },
  'search: an email address': ({ customerEmail }) => search(customerEmail ?? ''),
  'search: part of an order id': ({ id }) => search(id.slice(0, 8)),
  'search: a full name': ({ customerName }) => search(customerName ?? ''),
  'search: a phone number': ({ customerPhone }) => search(customerPhone ?? ''),
  'search: a product': () => search('mug'),
  // A product's name half a year ago: many orders have it, but no recent and no pending one.
  'search: a name of long ago': () => search('honey candle'),
  'search: two letters': () => search('ül'),
  'search: two letters of nobody': () => search('qx'),
  'search: nobody': () => search('qqzz nobody'),
}

async function measureOrders(shops: Shops): Promise<Round> {
  const asked = [
    { size: '1,000', shop: await shops.small() },
    { size: '100,000', shop: await shops.large() },
  ]
  const deepPages = await Promise.all(asked.map(({ shop }) => findDeepPage(shop)))
  let round = 0
  return async () => {
    round += 1
    const figures: Figures = {}
    const time = async (what: string, ask: () => Promise<unknown>) => {
      const startedAt = performance.now()
      await ask()
      figures[`${what} (ms)`] = performance.now() - startedAt
    }
    for (const [index, { size, shop }] of asked.entries()) {
      const { cursor = '', orders = [] } = deepPages[index] ?? {}
      const order = orders[round % orders.length]
      if (!order) throw new Error('there are no orders')
      for (const [title, formatQuery] of Object.entries(questions))
        await time(`${size} orders: ${title}`, () =>
          shop.read(`${apiRoutes.orders}${formatQuery(order, cursor)}`),
        )
      await time(`${size} orders: counts`, () => shop.read(apiRoutes.orderCounts))
    }
    return figures
  }
}

/** Page 500, or the last where there are not as many, by way of pages of 200. */
async function findDeepPage(shop: BenchShop): Promise<{ cursor: string; orders: AdminOrder[] }> {
  const perPage = 200
  let cursor = ''
  for (let page = 0; page < 125; page += 1) {
    const response = await shop.send(
      `${apiRoutes.orders}?limit=${perPage}${cursor && `&cursor=${cursor}`}`,
    )
    await response.arrayBuffer()
    const next = response.headers.get(nextCursorHeader)
    if (!next) break
    cursor = next
  }
  const page = await shop.read(`${apiRoutes.orders}?limit=50&cursor=${cursor}`)
  return { cursor, orders: JSON.parse(page) }
}

async function measureExport(shops: Shops): Promise<Round> {
  const shop = await shops.large()
  return async () => {
    const startedAt = performance.now()
    let maxMb = 0
    const response = await shop.send(apiRoutes.orderExport)
    for await (const _chunk of response.body ?? []) maxMb = Math.max(maxMb, measureRssMb(shop.pid))
    return {
      '100,000 orders: export.csv (s)': (performance.now() - startedAt) / 1000,
      '100,000 orders: export.csv, memory of the shop at most (MB)': maxMb,
    }
  }
}

async function measureAnalytics(shops: Shops): Promise<Round> {
  const shop = await shops.large()
  const timeSummary = async (query: string) => {
    const startedAt = performance.now()
    await shop.read(`${apiRoutes.analyticsSummary}${query}`)
    return performance.now() - startedAt
  }
  return async () => ({
    '1,000,000 events: analytics of today (ms)': await timeSummary('?last=1'),
    '1,000,000 events: analytics of 30 days (ms)': await timeSummary('?last=30'),
    '1,000,000 events: analytics of all time (ms)': await timeSummary(''),
  })
}

const buyersAtOnce = 32

/** Whole sales: create, details, card at the sandbox, order. Buyers, sandbox, shop and database share this machine. */
async function measureSales(shops: Shops): Promise<Round> {
  const shop = await shops.small()
  let sold = 0
  return async () => {
    const before = readCosts(shop)
    const startedAt = performance.now()
    await sell(shop, sold, salesPerRound)
    const seconds = (performance.now() - startedAt) / 1000
    // Analytics are committed some moments after the sale.
    await sleep(1_200)
    const after = readCosts(shop)
    sold += salesPerRound
    const perSale = (cost: keyof typeof before) => (after[cost] - before[cost]) / salesPerRound
    return {
      'a sale: CPU of the shop (ms)': perSale('shopSeconds') * 1000,
      'a sale: CPU of PostgreSQL (ms)': perSale('databaseSeconds') * 1000,
      'a sale: CPU of both (ms)': (perSale('shopSeconds') + perSale('databaseSeconds')) * 1000,
      [`sales, ${buyersAtOnce} at once (a second)`]: salesPerRound / seconds,
      // The figure of the last round.
      ...(sold === allSales && {
        [`memory after ${allSales.toLocaleString('en')} sales: shop (MB)`]: measureRssMb(shop.pid),
      }),
    }
  }
}

function readCosts({ pid, dataDir }: BenchShop) {
  return {
    shopSeconds: readServerCpu(pid),
    databaseSeconds: readDatabaseCpu(dataDir),
  }
}

/** Sells to buyers with an address, a cookie and an e-mail address of their own. */
async function sell(shop: SmallShop, first: number, count: number): Promise<void> {
  const [till, sumup] = [openClient(shop.port), openClient(shop.sumupPort)]
  const { id: productId, price } = shop.product
  const offer = { productId, amount: price, currency: 'EUR' }
  const buy = async (buyer: number) => {
    const call = (path: string, method: string, body: object, headers = {}) =>
      till.send(formatRequest(path, buyer, { method, headers, body }))
    const opened = await call(apiRoutes.createCheckout, 'POST', offer)
    const headers = { cookie: /set-cookie: ([^;\r]+)/i.exec(opened.head)?.[1] ?? '' }
    const { checkoutId }: { checkoutId: string } = JSON.parse(opened.readBody())
    const details = { ...delivery, customerEmail: `bench-${buyer}@example.com` }
    await call(pathOf(apiRoutes.checkoutDetails, { checkoutId }), 'PUT', details, headers)
    const card = { method: 'PUT', body: paymentBy(goodCard) }
    await sumup.send(formatRequest(`/v0.2/checkouts/${checkoutId}`, buyer, card))
    const order = { ...details, ...offer, quantity: 1, status: 'pending' }
    await call(apiRoutes.orders, 'POST', { ...order, sumupCheckoutId: checkoutId }, headers)
  }
  try {
    const numbers = Array.from({ length: count }, (_, index) => first + index).values()
    await Promise.all(
      Array.from({ length: buyersAtOnce }, async () => {
        for (const number of numbers) await buy(number)
      }),
    )
  } finally {
    till.close()
    sumup.close()
  }
}
