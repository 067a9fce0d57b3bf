import { nextCursorHeader, type AdminOrder } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { Row } from '#tools/bench/report.ts'
import {
  formatMs,
  formatNumber,
  measureMs,
  median,
  openBenchShop,
  type BenchOptions,
  type BenchShop,
} from '#tools/bench/shop.ts'

const runs = 40
const warmUps = 5
/** How long any search of 100,000 orders, newest first, may take. A million may cost more. */
const maxSearchMs = 30

/** Lists and searches of many orders beside those of 1,000; with --big a million beside 100,000. */
export async function benchOrders({ shops, isBig, isWhole }: BenchOptions): Promise<Row[]> {
  const [small, large] = [await shops.small(), await shops.large()]
  const chosen = Object.entries(questions).filter(([title]) => !isWhole || inTable[title])
  const rows = await timeAll(small, large, chosen)
  if (!isWhole) rows.push(...(await measureStreams(large)))
  if (!isBig) return rows
  const huge = await shops.open(openBenchShop(1_000_000))
  rows.push(...(await timeAll(large, huge, chosen)), ...(await measureStreams(huge)))
  await huge.close()
  return rows
}

/** Both shops are asked in turn, so that other load on the machine affects both. */
async function timeAll(
  fewer: BenchShop,
  more: BenchShop,
  chosen: [string, Question][],
): Promise<Row[]> {
  const [ofFewer, ofMore] = [await findDeepPage(fewer), await findDeepPage(more)]
  const rows: Row[] = []
  for (const [title, ask] of chosen) {
    const times: [number, number][] = []
    for (let run = 0; run < warmUps + runs; run += 1) {
      const few = await measureMs(() => ask(fewer, ofFewer, run))
      const many = await measureMs(() => ask(more, ofMore, run))
      if (run >= warmUps) times.push([few, many])
    }
    const [fewMs, manyMs] = [median(times.map(([ms]) => ms)), median(times.map(([, ms]) => ms))]
    const ratio = manyMs / fewMs
    const isLimited = title.startsWith('search: ') && more.size === 100_000
    rows.push({
      what: `${formatNumber(more.size)} orders: ${title}`,
      measured: formatMs(manyMs),
      limit: `${formatNumber(fewer.size)} orders: ${formatMs(fewMs)}`,
      ratio,
      ...inTable[title],
      ...(isLimited && { aim: `≤ ${maxSearchMs} ms`, isMet: manyMs <= maxSearchMs }),
    })
  }
  return rows
}

type DeepPage = { cursor: string; orders: AdminOrder[] }
type Question = (shop: BenchShop, page: DeepPage, run: number) => Promise<unknown>

/** Only five hits, so that the searches are compared and not the size of the responses. */
const search = (q: (page: DeepPage, run: number) => string, more = ''): Question => {
  return (shop, page, run) =>
    shop.read(`${apiRoutes.orders}?limit=5&q=${encodeURIComponent(q(page, run))}${more}`)
}
const pickOrder = ({ orders }: DeepPage, run: number): AdminOrder => {
  const order = orders[run % orders.length]
  if (!order) throw new Error('there are no orders')
  return order
}

const newWords = 'search: a product'
const oldWords = 'search: a name of long ago'
/** What a run of everything asks, and what it took before. */
const inTable: Record<string, Pick<Row, 'aim' | 'before'>> = {
  'first page': { aim: 'keep', before: '6 ms' },
  [newWords]: { before: '7-10 ms' },
  [oldWords]: { before: '3.1-3.5 times as long' },
  summary: { aim: 'keep', before: '2.6 ms' },
}

const questions: Record<string, Question> = {
  'first page': (shop) => shop.read(`${apiRoutes.orders}?limit=50`),
  'page 500 (or the last)': (shop, { cursor }) =>
    shop.read(`${apiRoutes.orders}?limit=50&cursor=${cursor}`),
  'first page of a status': (shop) => shop.read(`${apiRoutes.orders}?limit=50&status=completed`),
  'oldest first': (shop) => shop.read(`${apiRoutes.orders}?limit=50&sort=oldest`),
  'highest amount first': (shop) => shop.read(`${apiRoutes.orders}?limit=50&sort=highest`),
  'lowest amount in a status': (shop) =>
    shop.read(`${apiRoutes.orders}?limit=50&sort=lowest&status=pending`),
  'a product': (shop, page, run) =>
    shop.read(`${apiRoutes.orders}?limit=50&product=${pickOrder(page, run).productId}`),
  'a day': (shop, page, run) => {
    const day = pickOrder(page, run).createdAt.slice(0, 10)
    return shop.read(`${apiRoutes.orders}?limit=50&from=${day}&to=${day}&tz=Europe/Berlin`)
  },
  'a day, highest amount first': (shop, page, run) => {
    const day = pickOrder(page, run).createdAt.slice(0, 10)
    return shop.read(`${apiRoutes.orders}?limit=50&from=${day}&to=${day}&sort=highest`)
  },
  'search: one email address': search((page, run) => pickOrder(page, run).customerEmail ?? ''),
  'search: part of an order id': search((page, run) => pickOrder(page, run).id.slice(0, 8)),
  [newWords]: search(() => 'mug'),
  'search: a full name': search((page, run) => pickOrder(page, run).customerName ?? ''),
  'search: a product in a status': search(() => 'vase', '&status=pending'),
  // A product's name half a year ago: many orders have it, but no recent and no pending one.
  [oldWords]: search(() => 'honey candle'),
  'search: the same in a status': search(() => 'honey candle', '&status=pending'),
  'search: nobody': search(() => 'qqzz nobody'),
  'search: nobody with a common end': search(() => 'nobody.at.all@example.com'),
  'search: two letters': search(() => 'ül'),
  'search: two letters of nobody': search(() => 'qx'),
  'search: one sign of nobody': search(() => '§'),
  'search: a phone number': search((page, run) => pickOrder(page, run).customerPhone ?? ''),
  'search: city, name and product': search((page, run) => {
    const { shippingAddress, customerName, product } = pickOrder(page, run)
    return `${product.name} ${shippingAddress.city} ${customerName}`
  }),
  'by amount: a name': search(
    (page, run) => pickOrder(page, run).customerName ?? '',
    '&sort=highest',
  ),
  'by amount: a name of long ago': search(() => 'honey candle', '&sort=highest'),
  'by amount: a product that is not dear': search(() => 'mug', '&sort=highest'),
  'search: nobody, oldest first': search(() => 'qqzz nobody', '&sort=oldest'),
  summary: (shop) => shop.read(apiRoutes.orderCounts),
  'status change': (shop, page, run) =>
    shop.patch(pathOf(apiRoutes.orderStatus, { id: pickOrder(page, run).id }), {
      status: Math.floor(run / page.orders.length) % 2 === 0 ? 'shipped' : 'processing',
    }),
}

/** Page 500, or the last where there are not as many, by way of pages of 200. */
async function findDeepPage(shop: BenchShop): Promise<DeepPage> {
  const wanted = Math.min(499 * 50, shop.size - 50)
  let cursor = ''
  for (let passed = 0; passed < wanted;) {
    const limit = Math.min(200, wanted - passed)
    const response = await shop.request(
      `${apiRoutes.orders}?limit=${limit}${cursor && `&cursor=${cursor}`}`,
    )
    await response.arrayBuffer()
    cursor = response.headers.get(nextCursorHeader) ?? ''
    passed += limit
  }
  const orders: AdminOrder[] = JSON.parse(
    await shop.read(`${apiRoutes.orders}?limit=50&cursor=${cursor}`),
  )
  return { cursor, orders }
}

/**
 * How much the server's memory grows while it streams everything to a fast reader. The first export after a start
 * also grows V8's heap; the second shows whether memory stays flat.
 */
async function measureStreams(shop: BenchShop): Promise<Row[]> {
  return [
    await measureStream(shop, 'export.csv, the first', apiRoutes.orderExport),
    await measureStream(shop, 'export.csv, once more', apiRoutes.orderExport),
    await measureStream(shop, 'the whole list', apiRoutes.orders),
    await measureStream(shop, 'all marks', apiRoutes.orderMarks),
  ]
}

async function measureStream(shop: BenchShop, title: string, path: string): Promise<Row> {
  const beforeMb = shop.measureMemoryMb()
  let maxMb = beforeMb
  let bytes = 0
  const ms = await measureMs(async () => {
    const response = await shop.request(path)
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      maxMb = Math.max(maxMb, shop.measureMemoryMb())
    }
  })
  return {
    what: `${formatNumber(shop.size)} orders: ${title}`,
    measured: `${Math.round(bytes / 1e6)} MB in ${(ms / 1000).toFixed(1)} s; server ${beforeMb} MB before, + ${maxMb - beforeMb} MB at most`,
  }
}
