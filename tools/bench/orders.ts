import { nextCursorHeader, type AdminOrder } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import {
  formatNumber,
  measureMs,
  median,
  openBenchShop,
  type BenchShop,
} from '#tools/bench/shop.ts'

const runs = 60
const warmUps = 5

/** Compares lists of 1,000 and 100,000 orders, with --big also of a million. */
export async function benchOrders({ isBig }: { isBig: boolean }): Promise<void> {
  const sizes = [1_000, 100_000, ...(isBig ? [1_000_000] : [])]
  const shops: BenchShop[] = []
  try {
    for (const size of sizes) shops.push(await openBenchShop(size))
    await timeAll(shops)
    for (const shop of shops.slice(1)) await measureStreams(shop)
  } finally {
    for (const shop of shops) await shop.close()
  }
}

/** The shops alternate, so that other load on the machine affects all equally. */
async function timeAll(shops: BenchShop[]): Promise<void> {
  const deepPages = await Promise.all(shops.map(findDeepPage))
  console.log(
    `  ${''.padEnd(34)}${shops.map(({ size }) => formatNumber(size).padStart(22)).join('')}`,
  )
  for (const [title, ask] of Object.entries(questions)) {
    const times: number[][] = shops.map(() => [])
    for (let run = -warmUps; run < runs; run += 1) {
      for (const [index, shop] of shops.entries()) {
        const page = deepPages[index]
        if (!page) continue
        const ms = await measureMs(() => ask(shop, page, run + warmUps))
        if (run >= 0) times[index]?.push(ms)
      }
    }
    const medians = times.map(median)
    const figures = medians.map((ms, index) => {
      const ratio = index === 0 ? '' : `× ${(ms / (medians[0] ?? ms)).toFixed(2)}`
      return `${ms.toFixed(1).padStart(12)} ms ${ratio.padStart(6)}`
    })
    console.log(`  ${title.padEnd(34)}${figures.join('')}`)
  }
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
  'search: one e-mail address': search((page, run) => pickOrder(page, run).customerEmail ?? ''),
  'search: part of an order id': search((page, run) => pickOrder(page, run).id.slice(0, 8)),
  'search: a product': search(() => 'mug'),
  'search: a full name': search((page, run) => pickOrder(page, run).customerName ?? ''),
  'search: a product in a status': search(() => 'vase', '&status=pending'),
  // A product's name half a year ago: many orders have it, but no recent and no pending one.
  'search: a name of long ago': search(() => 'honey candle'),
  'search: its name of today': search(() => 'beeswax candle'),
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
  'search: a name, highest first': search(
    (page, run) => pickOrder(page, run).customerName ?? '',
    '&sort=highest',
  ),
  'search: long ago, highest first': search(() => 'honey candle', '&sort=highest'),
  'search: nobody, oldest first': search(() => 'qqzz nobody', '&sort=oldest'),
  counts: (shop) => shop.read(apiRoutes.orderCounts),
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
async function measureStreams(shop: BenchShop): Promise<void> {
  await measureStream(shop, 'export.csv, the first', apiRoutes.orderExport)
  await measureStream(shop, 'export.csv, once more', apiRoutes.orderExport)
  await measureStream(shop, 'the whole list', apiRoutes.orders)
  await measureStream(shop, 'all marks', apiRoutes.orderMarks)
}

async function measureStream(shop: BenchShop, title: string, path: string): Promise<void> {
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
  const size = `${formatNumber(shop.size)} orders, ${Math.round(bytes / 1e6)} MB`
  const memory = `server ${beforeMb} MB before, + ${maxMb - beforeMb} MB at most`
  console.log(`  ${title.padEnd(34)}${size} in ${(ms / 1000).toFixed(1)} s; ${memory}`)
}
